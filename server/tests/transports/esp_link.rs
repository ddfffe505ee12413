//! A bridge with esp-link's program.

use super::{
    esp_model::{EspLink, Makeup},
    peers::*,
    *,
};
use rookery_server::{
    link::{
        Connector,
        transport::{ModemLine, Parity, SerialFormat},
    },
    model::LinkEventKind::*,
};
use std::{net::SocketAddr, time::Duration};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

async fn board_behind(makeup: Makeup) -> (TcpBoard, EspLink) {
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let bridge = EspLink::start(board.address, makeup, || {}).await;
    (board, bridge)
}

/// It has another rate and another format at first, and loses a byte at changes of direction all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_through_esp_link() {
    let sim = board_sim(&["--listen", "127.0.0.1:0"]);
    let address: SocketAddr = sim.place().parse().unwrap();
    let bridge = EspLink::start(address, Makeup { lossy: 7, ..Makeup::default() }, || {}).await;
    game_meanwhile(bridge.url(""), "16").await;
    let seen = bridge.seen();
    assert_eq!(bridge.uart(), (115_200, "8E1".into()));
    assert!(seen.switched > 0, "it lost something: {seen:?}");
    assert_eq!((seen.saved, seen.programmers, seen.idle), (2, 0, 0), "{seen:?}");
}

/// Setting it up writes its flash, which does not live for ever: what is so already is not set again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_set_already_is_not_saved_again() {
    let (board, bridge) = board_behind(Makeup::default()).await;
    let mut linked = Linked::to(bridge.url("").parse().unwrap());
    for plies in 0..3 {
        ready(&linked).await;
        let moved = think(&mut linked, plies, 10).await;
        assert_moved(&moved, plies);
        drop(linked.link.lease().await.unwrap());
    }
    assert_eq!(bridge.seen().saved, 2);
    drop(board);
}

/// The case: the bridge closes what was silent for five minutes, here for eight seconds. The idle ping comes before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_is_kept_open() {
    let idle = Duration::from_secs(8);
    let (_board, bridge) = board_behind(Makeup { idle, ..Makeup::default() }).await;
    let mut linked = Linked::to(bridge.url("").parse().unwrap());
    ready(&linked).await;
    // Not a wait for something: the time in which nothing may happen.
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!((bridge.seen().idle, linked.count(Disconnected)), (0, 0));
    let moved = think(&mut linked, 1, 10).await;
    assert_moved(&moved, 1);
}

/// And where it closes all the same, because it is impatient, the think goes on in the next connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_is_closed_for_its_silence_is_made_again() {
    let idle = Duration::from_millis(600);
    let (_board, bridge) = board_behind(Makeup { idle, ..Makeup::default() }).await;
    let mut linked = Linked::to(bridge.url("").parse().unwrap());
    ready(&linked).await;
    let moved = think(&mut linked, 2, 4000).await;
    assert_moved(&moved, 2);
    assert!(bridge.seen().idle > 0);
    assert!(linked.count(Disconnected) > 0);
    assert_eq!(linked.count(Rebooted), 0);
}

/// The case: blocks of more than 100 bytes vanish above 38400 baud. There are none: one line of 64 bytes is under way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_is_sent_is_a_burst() {
    let (_board, bridge) = board_behind(Makeup::default()).await;
    let mut linked = Linked::to(bridge.url("").parse().unwrap());
    ready(&linked).await;
    // A position with moves is the most that is ever sent.
    for plies in [40, 3, 60] {
        let moved = think(&mut linked, plies, 50).await;
        assert_moved(&moved, plies);
    }
    assert_eq!(bridge.seen().bursts, 0);
}

/// The chip at 7E1 and the bridge at 8E1, as on the boards before: every character has an error, and every character is right.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seven_bits_at_the_chip_are_understood() {
    let makeup = Makeup { chip: (115_200, "7E1"), ..Makeup::default() };
    let (_board, bridge) = board_behind(makeup).await;
    let mut linked = Linked::to(bridge.url("").parse().unwrap());
    ready(&linked).await;
    let moved = think(&mut linked, 2, 20).await;
    assert_moved(&moved, 2);
    assert!(bridge.seen().tolerated > 100);
}

/// A format that is not the chip's leaves nothing of a line; the one of the URL is set.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_format_of_the_url_decides() {
    let (_board, bridge) = board_behind(Makeup::default()).await;
    let linked = Linked::to(bridge.url("&parity=none").parse().unwrap());
    linked.until("nobody", |s| s.count(SyncFailed) > 0).await;
    assert_eq!(bridge.uart().1, "8N1");
    assert!(bridge.seen().flushed > 0);
    drop(linked);
    let linked = Linked::to(bridge.url("&parity=even").parse().unwrap());
    ready(&linked).await;
    assert_eq!(bridge.uart().1, "8E1");
}

/// An old program has no page for the format, and a bridge behind a wall has no pages at all. That is said, and bytes flow.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_are_not_there_are_a_caveat() {
    let makeup = Makeup { old: true, chip: (115_200, "8N1"), ..Makeup::default() };
    let (_board, bridge) = board_behind(makeup).await;
    let (_socket, nobody) = closed_port();
    let walled = format!("esp-link://127.0.0.1?port={}&http={}", bridge.telnet, nobody.port());
    for (url, says) in [(bridge.url(""), "404"), (walled, "refused")] {
        let mut connector = Connector::new(url.parse().unwrap());
        let transport = connector.open().await.unwrap();
        let caveat = transport.caveat().expect("a caveat");
        assert!(caveat.contains(says) && caveat.contains("http://127.0.0.1"), "{caveat}");
        drop(transport);
        let mut linked = Linked::to(url.parse().unwrap());
        ready(&linked).await;
        let moved = think(&mut linked, 2, 20).await;
        assert_moved(&moved, 2);
    }
}

/// `?` and `0 ` in a first packet are a programmer's greeting, which resets the chip; `IAC WILL` is one of Telnet.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_packet_is_never_taken_for_a_greeting() {
    let echo = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = echo.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = echo.accept().await.unwrap();
        let (mut read, mut write) = stream.split();
        tokio::io::copy(&mut read, &mut write).await
    });
    let bridge = EspLink::start(address, Makeup::default(), || panic!("reset")).await;
    for first in [&b"?\n"[..], b"?\r\n", b"0 ", b"\xff\xfb\x2c\xff", b"\x7f", b"?"] {
        let mut transport = Connector::new(bridge.url("").parse().unwrap()).open().await.unwrap();
        transport.write_all(first).await.unwrap();
        let mut heard = vec![0; first.len()];
        timeout(PATIENT, transport.read_exact(&mut heard)).await.unwrap().unwrap();
        assert_eq!(heard, first);
    }
    let seen = bridge.seen();
    assert_eq!((seen.programmers, seen.telnets), (0, 0));
}

/// Where the URL names the line, a board that has hung is reset; its lines are at rest otherwise.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_that_hangs_is_reset_where_a_line_is_named() {
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let (reset, mut resets) = tokio::sync::mpsc::unbounded_channel();
    let bridge =
        EspLink::start(board.address, Makeup::default(), move || reset.send(()).unwrap()).await;
    let mut linked = Linked::to(bridge.url("&reset=dtr&boot0=!rts").parse().unwrap());
    ready(&linked).await;
    assert_eq!(bridge.seen().resets.len(), 0, "opening resets nothing");
    board.act(Do::Freeze);
    timeout(PATIENT, resets.recv()).await.expect("a reset").unwrap();
    board.act(Do::Thaw);
    board.act(Do::Reset(77));
    linked.until("again", |s| s.count(Rebooted) == 1 && s.state == LinkState::Ready).await;
    // RTS asserted is the ISP pin at low, and BOOT0 with it: into the program.
    assert_eq!(bridge.seen().resets[0], "isp");
    let moved = think(&mut linked, 1, 10).await;
    assert_moved(&moved, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leases_the_link_can_set_lines_and_format() {
    let (_board, bridge) = board_behind(Makeup::default()).await;
    let linked = Linked::to(bridge.url("").parse().unwrap());
    ready(&linked).await;
    let mut lease = linked.link.lease().await.unwrap();
    let mut transport = lease.open().await.unwrap();
    let control = transport.control().expect("it has lines");
    for (line, level) in [(ModemLine::Rts, false), (ModemLine::Dtr, true), (ModemLine::Dtr, false)]
    {
        control.set_line(line, level).await.unwrap();
    }
    assert_eq!(bridge.seen().resets, ["app"], "the ISP pin is high");
    let odd = SerialFormat { baud: 57_600, data_bits: 8, parity: Parity::Odd, stop_bits: 2 };
    control.set_format(odd).await.unwrap();
    assert_eq!(bridge.uart(), (57_600, "8O2".into()));
    let too_fast = SerialFormat { baud: 4_000_000, ..odd };
    let error = control.set_format(too_fast).await.expect_err("400").to_string();
    assert!(error.contains("/console/baud?rate=4000000") && error.contains("400"), "{error}");
    drop((transport, lease));
    // Set up as the URL says when the session goes on.
    ready(&linked).await;
    assert_eq!(bridge.uart(), (115_200, "8E1".into()));
}
