use super::{super::line::*, *};
use proptest::prelude::*;
use std::time::Duration;

fn url(text: &str) -> BoardUrl {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn one_form_of_each_is_read_back() {
    for good in [
        "tcp://127.0.0.1:4000",
        "tcp://esp.local:23",
        "tcp://[::1]:23",
        "tcp://[fe80::1%25eth0]:23?baud=9600",
        "serial:///dev/ttyUSB0",
        "serial:///dev/serial/by-id/usb-1a86_USB2.0-Serial-if00-port0",
        "serial:///dev/ttyACM0?baud=9600&parity=none&data=7&stop=2&dtr=on&rts=off&dialect=v1",
        "serial:///tmp/a%20b%3F?reset=!dtr&boot0=rts",
        "tcp-listen://0.0.0.0:7000",
        "tcp-listen://[::]:7000?kind=blue-pill&peer=192.168.4.17&baud=38400&dialect=v2",
        "rfc2217://pi.local:4000?baud=57600&dtr=off",
        "esp-link://192.168.4.1",
        "esp-link://esp?port=2324&http=8080&baud=9600&parity=none&reset=dtr&boot0=!rts",
    ] {
        assert_eq!(url(good).to_string(), good);
    }
}

#[test]
fn other_forms_are_the_same_board() {
    for (other, one) in [
        ("tcp://ESP.local:23/", "tcp://esp.local:23"),
        ("tcp://[0:0::1]:23", "tcp://[::1]:23"),
        (
            "serial:///dev/ttyUSB0?stop=1&parity=even&baud=115200&data=8&dtr=keep",
            "serial:///dev/ttyUSB0",
        ),
        ("serial:///dev/tty%55SB0?dialect=auto", "serial:///dev/ttyUSB0"),
        ("esp-link://esp:2324?http=80", "esp-link://esp?port=2324"),
        ("esp-link://esp:23?port=23", "esp-link://esp"),
        (
            "tcp-listen://0.0.0.0:7000?peer=::ffff:10.0.0.1",
            "tcp-listen://0.0.0.0:7000?peer=10.0.0.1",
        ),
    ] {
        assert_eq!(url(other).to_string(), one, "{other}");
    }
}

#[test]
fn says_what_is_wrong_and_what_is_allowed() {
    for (bad, why) in [
        ("127.0.0.1:4000", "no scheme"),
        ("udp://a:1", "scheme is not supported"),
        ("tcp://a", "no port"),
        ("tcp://a:0", "port"),
        ("tcp://a:+5", "port"),
        ("tcp://a:99999", "port"),
        ("tcp://:23", "host"),
        ("tcp://a b:23", "host"),
        ("tcp://a%20b:23", "host"),
        ("tcp://a%ff:23", "host"),
        ("tcp://::1:23", "brackets"),
        ("tcp://[::1:23", "has no ']'"),
        ("tcp://[::1]23", "behind the ']'"),
        ("tcp://a:23#b", "'#'"),
        ("tcp://a:23?parity=even", "'parity' is not known for tcp://, which has: baud, dialect"),
        ("tcp://a:23?reset=dtr", "'reset' is not known"),
        ("serial://dev/ttyUSB0", "three slashes"),
        ("serial:///", "does not name a port"),
        ("serial:///dev/a%00b", "does not name a port"),
        ("serial:///dev/a?baud=fast", "baud=fast is not a rate from 300 to 4000000"),
        ("serial:///dev/a?parity=E", "parity=E is not none, even or odd"),
        ("serial:///dev/a?data=6", "data=6 is not 7 or 8"),
        ("serial:///dev/a?stop=0", "stop=0 is not 1 or 2"),
        ("serial:///dev/a?dtr=1", "dtr=1 is not on, off or keep"),
        ("serial:///dev/a?reset=cts", "reset=cts is not connect, dtr, rts, !dtr or !rts"),
        ("serial:///dev/a?reset=dtr&boot0=!dtr", "both reset and boot0"),
        ("serial:///dev/a?reset=dtr&dtr=on", "'dtr' is not for a line that is reset"),
        ("serial:///dev/a?baud", "'baud' has no value"),
        ("serial:///dev/a?baud=9600&baud=9600", "'baud' is given twice"),
        ("serial:///dev/a?dialect=v3", "dialect=v3 is not auto, v1 or v2"),
        ("tcp-listen://0.0.0.0:7000?peer=esp", "peer=esp is not an IP address"),
        ("tcp-listen://0.0.0.0:7000?kind=a%20b", "is not a board's kind"),
        ("esp-link://a:23?port=24", "two ports"),
        ("esp-link://a?http=x", "http=x is not a number"),
        ("esp-link://a?dtr=on", "'dtr' is not known for esp-link://"),
    ] {
        let error = bad.parse::<BoardUrl>().expect_err(bad).to_string();
        assert!(error.contains(why), "{bad}: {error}");
        assert!(error.contains("; write ") && error.contains("for example"), "{error}");
    }
}

#[test]
fn is_as_patient_as_the_way_and_the_line_ask_for() {
    assert_eq!(url("tcp://[::1]:23").timing(), Timing::WIRE);
    assert_eq!(url("tcp://esp.local:23").timing(), Timing::WIFI);
    assert_eq!(url("serial:///dev/ttyUSB0").timing(), Timing::WIRE);
    let slow = |text: &str| url(text).timing().first_timeout;
    assert_eq!(slow("serial:///dev/ttyUSB0?baud=9600"), Duration::from_millis(400));
    assert_eq!(slow("esp-link://esp?baud=9600"), Duration::from_millis(700));
    assert_eq!(slow("tcp://esp:23?baud=9600"), Duration::from_millis(700));
}

#[test]
fn tells_the_lines_and_the_dialect() {
    let both = url("rfc2217://pi:4000?reset=rts&boot0=!dtr&dialect=v1");
    let pin = |line, inverted| Some(Pin { line, inverted });
    assert_eq!(both.dialect(), Dialect::V1);
    assert_eq!(
        both.reset_lines(),
        ResetLines { reset: pin(ModemLine::Rts, false), boot0: pin(ModemLine::Dtr, true) }
    );
    assert_eq!(url("tcp://pi:4000").reset_lines(), ResetLines::default());
    assert_eq!(url("tcp://pi:4000").dialect(), Dialect::Auto);
}

/// Options as they may stand in a URL, good and bad.
fn query() -> impl Strategy<Value = String> {
    let option = prop_oneof![
        "baud=[0-9]{1,7}",
        "(parity|data|stop|dtr|rts)=(none|even|odd|[0-9]|on|off|keep)",
        "(reset|boot0)=!?(dtr|rts)",
        "(port|http)=[0-9]{1,5}",
        "(peer|kind|dialect)=([0-9.:a-f]{1,12}|v1|v2|auto)",
        "[a-z%0-9=&]{0,8}",
    ];
    prop::collection::vec(option, 0..5).prop_map(|options| options.join("&"))
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "((tcp|serial|tcp-listen|rfc2217|esp-link)://)?.{0,30}") {
        if let Ok(url) = text.parse::<BoardUrl>() {
            prop_assert_eq!(url.to_string().parse::<BoardUrl>(), Ok(url));
        }
    }

    #[test]
    fn any_options_are_read_or_refused(
        scheme in "tcp|serial|tcp-listen|rfc2217|esp-link",
        place in "/dev/[a-z %]{1,8}|[a-z.]{1,6}:[0-9]{1,5}|\\[[0-9a-f:%]{1,9}\\]:[0-9]{1,3}",
        query in query(),
    ) {
        if let Ok(url) = format!("{scheme}://{place}?{query}").parse::<BoardUrl>() {
            let text = url.to_string();
            let again = text.parse::<BoardUrl>();
            prop_assert_eq!(again.as_ref(), Ok(&url), "{}", text);
            prop_assert_eq!(again.expect("checked").to_string(), text);
        }
    }
}
