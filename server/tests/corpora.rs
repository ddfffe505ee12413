//! Whatever comes from outside: the corpora of the fuzz targets, whole and cut, through the functions that the targets call, and random
//! texts beside them.

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub)]
mod checks;

use checks::{
    book, config, esp_link, http, image, import, link, loader, openings, pgn_file, telnet, uci,
    words,
};
use proptest::prelude::*;
use std::{fs, path::Path};

/// Checks every input of a target's corpus, and `cuts` beginnings of each.
fn replay(target: &str, cuts: usize, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("a folder of inputs") {
        let path = entry.expect("an entry").path();
        let data = fs::read(&path).expect("an input");
        for part in 0..cuts {
            eprintln!("{} to {part}/{cuts}", path.display());
            check(&data[..data.len() * part / cuts]);
        }
        eprintln!("{}", path.display());
        check(&data);
        count += 1;
    }
    assert!(count >= 5, "{} has only {count} inputs", folder.display());
}

/// What is no UTF-8 comes from no command line, request or configuration.
fn of_text(check: fn(&str)) -> impl Fn(&[u8]) {
    move |data| check(&String::from_utf8_lossy(data))
}

#[test]
fn book() {
    replay("book", 3, book::file);
}

#[test]
fn config() {
    replay("config", 40, of_text(config::text));
}

#[test]
fn esp_link() {
    replay("esp_link", 20, esp_link::answer);
}

#[test]
fn firmware_image() {
    replay("firmware_image", 20, image::file);
}

#[test]
fn http() {
    replay("http", 0, http::request);
}

#[test]
fn http_head() {
    replay("http_head", 12, http::headers);
}

#[test]
fn import() {
    replay("import", 100, import::file);
}

#[test]
fn link_v1() {
    replay("link_v1", 10, link::v1);
}

#[test]
fn link_v2() {
    replay("link_v2", 10, link::v2);
}

#[test]
fn loader_answers() {
    replay("loader_answers", 2, loader::answers);
}

#[test]
fn loader_harm() {
    replay("loader_harm", 2, loader::harm);
}

#[test]
fn openings() {
    replay("openings", 20, openings::file);
}

#[test]
fn pgn_file() {
    replay("pgn_file", 100, pgn_file::file);
}

#[test]
fn telnet() {
    replay("telnet", 100, telnet::stream);
}

#[test]
fn uci_line() {
    replay("uci_line", 40, uci::lines);
}

#[test]
fn words() {
    replay("words", 40, of_text(words::text));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_file_is_a_book_or_refused(begin in "(RKB\u{1}|\\{|\\[|1\\. e4 |)", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        book::file(&[begin.as_bytes(), &bytes].concat());
    }

    #[test]
    fn any_lines_are_read_or_refused(text in "([A-Z][a-z]{2,5} |[a-h][1-8][a-h][1-8] |[NBRQK]?[a-h][1-8] |[0-9]{1,2}\\.+ |\n|#){0,12}") {
        book::file(text.as_bytes());
    }

    #[test]
    fn any_json_is_a_book_or_refused(
        root in 0..3_usize, uci in "[a-h][1-8][a-h][1-8]", weight: u16, fen in "(|8/8|4k3/8/8/8/8/8/4P3/4K3 w - -)",
    ) {
        let json = format!(
            r#"{{"format": "rookery-book", "version": 1, "roots": ["{fen}"], "positions": [{{"root": {root}, "line": ["{uci}"], "moves": [{{"uci": "{uci}", "weight": {weight}}}]}}]}}"#
        );
        book::file(json.as_bytes());
    }

    #[test]
    fn any_bytes_are_openings_and_games_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        openings::file(&bytes);
        import::file(&bytes);
    }

    #[test]
    fn anything_like_pgn_is_read_or_refused(
        parts in prop::collection::vec(
            prop_oneof![
                "[a-hNBRQKO0-9x=+#.\\-]{1,7} ",
                "[ \n\r%;{}()\\[\\]\"\\\\$*]{1,4}",
                Just("\n\n[FEN \"8/8/4k3/8/4P3/4K3/8/8 b - - 0 1\"]\n".to_owned()),
                Just("\n[Event \"x\"]\n\n".to_owned()),
                Just("1. e4 e5 2. Nf3 ".to_owned()),
                Just("1-0\n".to_owned()),
                Just(" d=5 uz=1 oc=2".to_owned()),
            ],
            0..40,
        ),
    ) {
        let text = parts.concat();
        openings::file(text.as_bytes());
        import::file(text.as_bytes());
    }

    #[test]
    fn anything_like_epd_is_read_or_refused(
        board in "[pnbrqkPNBRQK1-8/]{10,40}",
        rest in "( [wb])?( [KQkqA-H-]{1,4})?( [a-h][36]| -)?( [0-9]{1,12}){0,3}( [a-z]{2} [ -~]{0,9};){0,3}",
    ) {
        openings::file(format!("{board}{rest}").as_bytes());
        openings::file(format!("r3k2r/8/8/2pP4/8/8/8/R3K2R{rest}\n").as_bytes());
    }

    #[test]
    fn any_answer_of_a_bridge_is_read_or_refused(
        cut: u8,
        parts in prop::collection::vec(
            prop_oneof![
                "HTTP/1\\.[01] (200 OK|[1-5][0-9]{2} .{0,9})\r\n",
                "(Content-Length: [0-9]{1,20}|Transfer-Encoding: chunked|Connection: close|.{0,20})\r\n",
                "(\r\n)?[{](\"(rate|fmt)\": ?(-?[0-9]{1,11}|\"[5-8][NEO][12]\"|null|1e[0-9]),?){0,2}[}](\r\n)?",
                ".{0,20}",
            ],
            0..8,
        ),
    ) {
        esp_link::answer(&[&[cut], parts.concat().as_bytes()].concat());
    }

    #[test]
    fn any_answer_of_a_line_is_found(cut: u8, code in 7_u8..14, before in "[\u{0}-\u{ff}]{0,9}", bytes in prop::collection::vec(prop::sample::select(vec![255_u8, 250, 44, 105, 9, 240]), 0..20)) {
        let answer = [255, 250, 44, 105, code, 255, 240];
        esp_link::answer(&[&[cut], before.as_bytes(), &bytes, &answer].concat());
    }

    #[test]
    fn any_head_is_answered(
        target in "/api/v1/(games|boards)([?&](token|limit|x)=(open(\\+|%2B|%2b| |-)?sesame|[0-9]{1,3}|))?",
        fields in prop::collection::vec(
            "(Authorization: ?([Bb]earer|Basic) ?(open\\+sesame|[ -~]{0,12})|(Host|Origin): ?(http://)?(localhost|127\\.0\\.0\\.1|\\[::1\\]|x\\.org|[ -~]{0,6})(:[0-9]{0,6})?|[A-Za-z-]{1,20}: ?[ -~]{0,12})",
            0..5,
        ),
    ) {
        let head = format!("GET {target}\nHost: localhost\n{}", fields.join("\n"));
        http::headers(head.replacen("Host: localhost\n", "", usize::from(fields.len() > 2)).as_bytes());
    }

    #[test]
    fn any_rule_is_read_or_refused(text in "((movenumber|movecount|score|twosided)=(-?[0-9]{1,10}|true)[, ]){0,4}") {
        words::text(&text);
    }

    #[test]
    fn anything_said_by_hand_is_read_or_refused(text in "!?(\\\\(x[0-9a-fg]{2}|[nrq\\\\])|[ -~]|.){0,140}") {
        words::text(&text);
    }

    #[test]
    fn any_text_is_words_or_refused(text in ".{0,80}") {
        words::text(&text);
    }

    #[test]
    fn any_position_field_is_read_or_refused(text in "[1-8pnbrqkPNBRQK/]{0,40} [wb] [KQkq-]{1,4} ([a-h][36]|-) [0-9]{1,3} [0-9]{1,4}") {
        words::text(&text);
    }

    #[test]
    fn any_configuration_is_read_or_refused(
        text in "((\\[(boards|engines|books)\\.[ab]\\]|\\[\\[runs\\]\\]|\\[explorer\\]|(token|listen|url|path|name|engine|games|limit|boards|options\\.x) = (\"(b|tcp://b:1|nodes=5|:::1)\"|-?[0-9]{1,20}|\\[\"a\"\\]|true|\\{\\}))\n){0,12}"
    ) {
        config::text(&text);
    }

    #[test]
    fn any_talk_of_a_board_is_heard(
        text in "((!<[ABSNET]@# ?(\\$ )?[0-9a-z .+-]{0,20}|\\?[a-z]|~[0-9]{1,4}|\\^|[ -~]{0,30}|mov [a-h][1-8][a-h][1-8] [wb]|enter=| d=[0-9] uz=[0-9]{1,5} oc=-?[0-9]{1,3}|[.+*rnbqkpRNBQKP]{8})\n){0,30}"
    ) {
        link::v2(text.as_bytes());
        link::v1(text.as_bytes());
    }

    #[test]
    fn any_file_is_scanned(text in r#"(\[Event "a"\]|\[GameId "rookery-ab-[0-9]{1,2}"\]|1\. e4|\n|\n\n|\r| |%){0,30}"#) {
        pgn_file::file(text.as_bytes());
    }
}
