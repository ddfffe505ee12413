//! `rookery boards`.

use super::{peers::*, *};
use serde_json::Value;

fn found(place: &Place, args: &[&str]) -> Vec<Value> {
    let done = place.rookery(["boards", "--json", "--patience", "7"].iter().chain(args)).ok();
    done.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Boards of both dialects on every kind of way, places without one, and each with what is known of it. Nothing was reset.
#[test]
fn boards_are_found_and_asked_what_they_are() {
    let place = Place::new();
    let port = place.path("board");
    let serial = board_sim(&["--pty", port.to_str().unwrap(), "--kind", "blue-pill"]);
    serial.place();
    let tcp = board_sim(&["--listen", "127.0.0.1:0"]).keep();
    let old =
        board_sim(&["--listen", "127.0.0.1:0", "--dialect", "v1", "--level", "100000000"]).keep();
    let nobody = format!("tcp://127.0.0.1:{}", free_port());
    let no_port = format!("serial://{}", place.path("nothing").display());
    let waiting = format!("tcp-listen://127.0.0.1:{}", free_port());
    let by_serial = format!("serial://{}?parity=none", port.display());
    let (by_tcp, by_old) = (format!("tcp://{}", tcp.1), format!("tcp://{}", old.1));
    let old_and_said = format!("{by_old}?dialect=v1");
    std::fs::write(
        place.path("rookery.toml"),
        format!("[boards.desk]\nurl = '{by_serial}'\n[boards.cellar]\nurl = '{nobody}'\n"),
    )
    .unwrap();
    let terminal = rustix::fs::open(
        &port,
        rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY,
        rustix::fs::Mode::empty(),
    )
    .unwrap();
    let settings = || {
        let t = rustix::termios::tcgetattr(&terminal).unwrap();
        (t.control_modes, t.input_modes, t.local_modes, t.output_speed())
    };
    let before = settings();
    let args = [
        "--board", &by_tcp, "--board", &by_old, "--board", &no_port, "--board", &waiting,
        // Named twice is asked once.
        "--board", &by_tcp,
    ];
    let all = found(&place, &args);
    assert_eq!(settings(), before, "the port is as it was");
    let at = |url: &str| {
        let mut found = all.iter().filter(|place| place["url"] == url);
        let place = found.next().unwrap_or_else(|| panic!("{url} in {all:?}")).clone();
        assert!(found.next().is_none(), "{url} twice");
        place
    };
    let serial = at(&by_serial);
    assert_eq!((&serial["kind"], &serial["name"]), (&"blue-pill".into(), &"desk".into()));
    assert_eq!((&serial["answers"], &serial["dialect"]), (&true.into(), &"v2".into()));
    assert!(serial["identity"]["cells"].is_string(), "{serial}");
    let tcp = at(&by_tcp);
    assert_eq!(tcp["boot"].as_str().map(str::len), Some(8), "{tcp}");
    assert!(tcp["firmware"].is_string() && tcp["engine"].is_string(), "{tcp}");
    assert_eq!(at(&by_old)["dialect"], "v1");
    for (url, why) in [
        (nobody.as_str(), "refused"),
        (&no_port, "is the adapter plugged in?"),
        (&waiting, "waited 7 s for a board to dial in"),
    ] {
        let place = at(url);
        assert_eq!(place["answers"], false);
        assert!(place["note"].as_str().is_some_and(|note| note.contains(why)), "{place}");
    }
    // Asked again, it is the same board in the same boot: it was not reset.
    let again = found(&place, &["--board", &by_tcp, "--board", &old_and_said]);
    let boot = |all: &[Value]| all.iter().find(|p| p["url"] == by_tcp).unwrap()["boot"].clone();
    assert_eq!(boot(&again), boot(&all));
    let said = again.iter().find(|p| p["url"] == old_and_said).unwrap();
    assert_eq!(said["dialect"], "v1", "{said}");
    let table = place.rookery(["boards", "--board", &by_tcp]).ok().stdout;
    assert!(table.contains("micro-Max") || table.contains("micro"), "{table}");
}

/// A board that is in a game is asked by a second program; the game loses nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_in_a_think_is_disturbed_and_not_hurt() {
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let mut linked = Linked::to(board.url());
    ready(&linked).await;
    for plies in 0..4 {
        // Whatever of it is under way: the position, the think, the move.
        let (moved, asked) = tokio::join!(think(&mut linked, plies, 400), async {
            board.until("thinking", Board::is_thinking).await;
            let url = board.url();
            let mut transport = Ways::default().connector(url).open().await.unwrap();
            let heard = rookery_server::link::hail::hail(
                transport.as_mut(),
                rookery_server::link::Dialect::Auto,
                rookery_server::link::Timing::WIRE,
                std::time::Duration::from_secs(5),
                |_| false,
            );
            heard.await.unwrap()
        });
        assert!(
            matches!(asked, rookery_server::link::hail::Heard::V2(b) if b.identity["kind"] == "toy")
        );
        assert_moved(&moved, plies);
    }
    let thinks =
        |b: &mut Board| b.log().iter().filter(|e| matches!(e.call, Call::Think(_))).count();
    assert_eq!(board.look(thinks), 4, "each think once");
}

#[test]
fn a_machine_without_boards_says_so() {
    let place = Place::new();
    let done = place.rookery(["boards", "--json"]).ok();
    assert!(done.stdout.lines().all(|line| line.starts_with('{')));
    let wrong = place.rookery(["boards", "--board", "serial:///dev/ttyUSB0?baud=fast"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(wrong.stderr.contains("baud=fast is not a rate"), "{}", wrong.stderr);
}
