//! The simulated board over TCP: a conversation from beginning to end.

mod common;

use common::Sim;
use common::host::{Answer, Host, Rebooted};
use rookery_book::polyglot::{self, Entry, RawMove};
use rookery_book::{Placement, compact};
use rookery_engine::Game;
use rookery_protocol::{
    Activity, Command, MoveSource, MoveText, NakReason, ParamKey, PositionHash, RebootTarget, Tag,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FOREVER: u32 = 500_000_000;

fn think(tag: u8, nodes: u32) -> Command<'static> {
    Command::Think { tag: Tag(tag), nodes }
}

fn mv(text: &str) -> MoveText {
    text.parse().expect("a move")
}

fn moves(before: PositionHash, texts: &[&str]) -> Command<'static> {
    Command::Moves { before, moves: texts.iter().map(|text| mv(text)).collect() }
}

fn refused(answer: Result<Answer, Rebooted>) -> (NakReason, Option<u8>) {
    match answer {
        Ok(Answer::Refused(nak)) => (nak.reason, nak.detail),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn it_says_what_it_is() {
    let sim = Sim::tcp(&["--kind", "test-board", "--cells", "1024", "--preset", "journal"]);
    let mut host = Host::connect(&sim.place);
    let pairs = host.identify();
    let value = |key: &str| {
        pairs
            .iter()
            .find(|(found, _)| found == key)
            .unwrap_or_else(|| panic!("no {key} in {pairs:?}"))
            .1
            .as_str()
    };
    assert_eq!(value("kind"), "test-board");
    assert_eq!(value("fw"), env!("CARGO_PKG_VERSION"));
    assert_eq!(value("proto"), "2-2");
    assert_eq!(value("cells"), "1024");
    assert_eq!(value("unit"), "74");
    assert_eq!(value("castle-short"), "50");
    assert_eq!(value("castle-long"), "20");
    assert_eq!(value("pawn"), "20");
    assert_eq!(value("depth"), "98");
    assert!(value("book").contains(','));
    assert!(!value("eng").contains(' '));
    let status =
        host.status(&Command::Param { key: ParamKey::Pawn, value: 9 }).expect("a parameter");
    assert_eq!(status.activity, Activity::Idle);
    assert!(host.identify().contains(&("pawn".into(), "9".into())));
    let bad = host.command(&Command::Param { key: ParamKey::Depth, value: 0 });
    assert_eq!(refused(bad), (NakReason::Arg, None));
    assert!(sim.close().success());
}

#[test]
fn it_takes_positions_and_moves_and_thinks() {
    let sim = Sim::tcp(&["--no-book"]);
    let mut host = Host::connect(&sim.place);
    let fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8";
    let status = host.position(fen).expect("a position");
    assert_eq!(status.hash, PositionHash::of_fen(fen));
    let mut game = Game::from_fen(fen).expect("a position");
    let play = ["e1g1", "e8c8", "d3d4"];
    let status = host.status(&moves(status.hash, &play)).expect("moves");
    for text in play {
        game.play(text.parse().expect("a move")).expect("legal");
    }
    assert_eq!(status.hash, rookery_board::hash_of(&game));
    // All or none, and only from where it stands.
    let bad = host.command(&moves(status.hash, &["e5d4", "a1a8", "a2a3"]));
    assert_eq!(refused(bad), (NakReason::Move, Some(1)));
    let bad = host.command(&moves(PositionHash(1), &["e5d4"]));
    assert_eq!(refused(bad), (NakReason::Hash, None));
    assert_eq!(host.status(&Command::Ping).expect("a pong").hash, status.hash);

    let thinking = host.status(&think(0x11, 20_000)).expect("a think");
    assert_eq!((thinking.hash, thinking.activity), (status.hash, Activity::Thinking));
    let best = host.event().expect("a move");
    assert_eq!((best.tag, best.source), (Tag(0x11), MoveSource::Search));
    assert!(best.nodes >= 20_000);
    let text = best.best.as_str();
    game.play(text.parse().expect("a move")).expect("legal");
    assert_eq!(best.hash, rookery_board::hash_of(&game));
    assert_eq!(host.status(&Command::Ping).expect("a pong").hash, best.hash);
    assert!(!host.telemetry.is_empty());
    assert!(host.telemetry.iter().all(|iteration| iteration.tag == Tag(0x11)));
    assert!(host.telemetry.is_sorted_by_key(|iteration| (iteration.depth, iteration.nodes)));
}

/// A mate ends the deepening, whoever is mated: the wire has 97 for both.
#[test]
fn a_forced_mate_is_told_with_depth_97_by_both_sides() {
    let sim = Sim::tcp(&["--no-book"]);
    let mut host = Host::connect(&sim.place);
    for (tag, fen, mates) in
        [(1, "8/7k/R7/1R6/8/8/8/K7 w - - 0 1", true), (2, "7k/R7/1R6/8/8/8/8/K7 b - - 0 1", false)]
    {
        host.position(fen).expect("a position");
        host.status(&think(tag, 60_000)).expect("a think");
        let best = host.event().expect("a move");
        assert_eq!((best.depth, best.score > 7_900, best.score < -7_900), (97, mates, !mates));
    }
}

#[test]
fn bad_positions_change_nothing() {
    let sim = Sim::tcp(&[]);
    let mut host = Host::connect(&sim.place);
    for fen in ["nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/8 w - -"] {
        let answers: Vec<_> =
            rookery_protocol::fen_chunks(fen).map(|command| host.command(&command)).collect();
        let last = answers.into_iter().next_back().expect("an answer");
        assert_eq!(refused(last), (NakReason::Fen, None), "{fen}");
    }
    let status = host.status(&Command::Ping).expect("a pong");
    assert_eq!(status.hash, PositionHash::of_fen(START));
}

#[test]
fn a_game_that_is_over_is_not_thought_about() {
    let sim = Sim::tcp(&[]);
    let mut host = Host::connect(&sim.place);
    for fen in [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        host.position(fen).expect("a position");
        assert_eq!(refused(host.command(&think(1, 1000))), (NakReason::Over, None));
    }
    host.position(START).expect("a position");
    assert_eq!(refused(host.command(&think(1, 0))), (NakReason::Arg, None));
}

#[test]
fn the_book_answers_at_once() {
    let sim = Sim::tcp(&[]);
    let mut host = Host::connect(&sim.place);
    host.status(&think(7, FOREVER)).expect("a think");
    let best = host.event().expect("a move");
    assert_eq!((best.best, best.source), (mv("e2e4"), MoveSource::Book));
    assert_eq!((best.depth, best.nodes, best.score), (0, 1, 0));
}

/// A board's book and a Polyglot one: what the file says is played, and the board says which book it has.
#[test]
fn a_book_comes_from_a_file() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let path = file.path().to_str().expect("a path");
    let from = |bytes: &[u8], more: &[&str]| {
        std::fs::write(file.path(), bytes).expect("a file");
        let sim = Sim::tcp(&[&["--book", path], more].concat());
        let mut host = Host::connect(&sim.place);
        let pairs = host.identify();
        let id = pairs.iter().find(|(key, _)| key == "book").expect("a book").1.clone();
        host.status(&think(7, 1_000)).expect("a think");
        let best = host.event().expect("a move");
        assert_eq!((best.source, best.depth, best.nodes), (MoveSource::Book, 0, 1));
        (id, best.best.as_str().to_owned())
    };
    let book_move = |text: &str| text.parse::<rookery_book::BookMove>().expect("a move");
    let start = PositionHash::of_fen(START);
    let compact = compact::build(&[(start, book_move("b1c3"))], 4096, |_| true).expect("a book");
    let crc = compact::Compact::open(&compact.bytes).expect("a book").crc();
    assert_eq!(from(&compact.bytes, &[]), (format!("{crc:08x},1"), "b1c3".to_owned()));
    let placement = Placement::of_fen(START).expect("a FEN");
    let entry = |text, weight| Entry {
        key: polyglot::key(&placement),
        mv: RawMove::of(book_move(text), &placement),
        weight,
        learn: 0,
    };
    let polyglot = polyglot::Book::new(vec![entry("a2a3", 0), entry("c2c4", 2), entry("d2d4", 3)]);
    let bytes = polyglot.write();
    assert_eq!(from(&bytes, &[]).1, "d2d4");
    let drawn = |seed: u32| from(&bytes, &["--book-seed", &seed.to_string()]).1;
    let all: Vec<String> = (0..8).map(drawn).collect();
    assert!(all.contains(&"c2c4".to_owned()) && all.contains(&"d2d4".to_owned()), "{all:?}");
    assert!(!all.contains(&"a2a3".to_owned()));
    assert_eq!(all[3], drawn(3));
    // What cannot be read is said, and nothing is started.
    for (bytes, words) in [(&b"RKB"[..], "not a compact book"), (&[1; 17], "17 bytes")] {
        std::fs::write(file.path(), bytes).expect("a file");
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_board-sim"))
            .args(["--listen", "127.0.0.1:0", "--book", path])
            .output()
            .expect("board-sim runs");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && said.contains(words) && said.contains(path), "{said}");
    }
}

/// As on the chip: a book that was flashed is played, before the one of the options; a damaged one is none.
#[test]
fn a_book_in_flash_comes_first() {
    const BOOK_AT: usize = 0x6800;
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("flash.bin");
    let first = || {
        let sim = Sim::tcp(&["--flash", path.to_str().expect("a path")]);
        let mut host = Host::connect(&sim.place);
        let pairs = host.identify();
        let id = pairs.iter().find(|(key, _)| key == "book").expect("a book").1.clone();
        host.status(&think(7, 1_000)).expect("a think");
        (id, host.event().expect("a move").best.as_str().to_owned())
    };
    let own = first();
    assert_eq!(own.1, "e2e4");
    let mut flash = std::fs::read(&path).expect("the flash is kept");
    let entry = (PositionHash::of_fen(START), "b1c3".parse().expect("a move"));
    let book = compact::build(&[entry], compact::REGION_BYTES, |_| true).expect("a book").bytes;
    let crc = compact::Compact::open(&book).expect("a book").crc();
    flash[BOOK_AT..BOOK_AT + book.len()].copy_from_slice(&book);
    std::fs::write(&path, &flash).expect("a file");
    assert_eq!(first(), (format!("{crc:08x},1"), "b1c3".to_owned()));
    flash[BOOK_AT + book.len() - 1] ^= 1;
    std::fs::write(&path, &flash).expect("a file");
    assert_eq!(first(), own);
}

#[test]
fn a_think_is_answered_and_stopped() {
    let sim = Sim::tcp(&["--no-book"]);
    let mut host = Host::connect(&sim.place);
    host.status(&think(9, FOREVER)).expect("a think");
    for _ in 0..20 {
        let status = host.status(&Command::Ping).expect("a pong");
        assert_eq!(status.activity, Activity::Thinking);
    }
    assert_eq!(host.identify()[0].1, "sim");
    assert_eq!(refused(host.command(&think(10, 1))), (NakReason::Busy, None));
    let hash = PositionHash::of_fen(START);
    assert_eq!(refused(host.command(&moves(hash, &["e2e4"]))), (NakReason::Busy, None));
    let reply = host.sync().expect("the same boot");
    assert_eq!((reply.hash, reply.activity), (hash, Activity::Thinking));

    host.status(&Command::Stop).expect("a stop");
    let best = host.event().expect("a move");
    assert_eq!((best.tag, best.source), (Tag(9), MoveSource::Stopped));
    assert!(!best.best.is_null());
}

#[test]
fn a_stop_right_behind_the_think_is_not_lost() {
    let sim = Sim::tcp(&["--no-book"]);
    let mut host = Host::connect(&sim.place);
    host.status(&think(9, FOREVER)).expect("a think");
    host.status(&Command::Stop).expect("a stop");
    assert_eq!(host.event().expect("a move").source, MoveSource::Stopped);
    host.status(&Command::Stop).expect("harmless when idle");
}

#[test]
fn everything_but_the_session_outlives_the_connection() {
    let sim = Sim::tcp(&["--no-book"]);
    let mut host = Host::connect(&sim.place);
    let boot = host.boot;
    host.status(&moves(PositionHash::of_fen(START), &["e2e4"])).expect("moves");
    host.status(&think(9, FOREVER)).expect("a think");
    host.hang_up();
    // The next connection, while the first may still be there.
    let mut other = Host::connect(&sim.place);
    assert_eq!(other.boot, boot);
    assert_eq!(other.seq, host.seq);
    other.status(&Command::Stop).expect("a stop");
    assert_eq!(other.event().expect("a move").tag, Tag(9));
}

#[test]
fn a_new_connection_replaces_the_old() {
    let sim = Sim::tcp(&[]);
    let mut first = Host::connect(&sim.place);
    let mut second = Host::connect(&sim.place);
    second.status(&Command::Ping).expect("a pong");
    // The first is ended; when it comes back, it replaces the second.
    first.sync().expect("the same boot");
    first.status(&Command::Ping).expect("a pong");
}

#[test]
fn a_command_that_comes_again_is_not_executed_again() {
    let sim = Sim::tcp(&[]);
    let mut host = Host::connect(&sim.place);
    let before = PositionHash::of_fen(START);
    let after = host.status(&moves(before, &["e2e4"])).expect("a move");
    // The same bytes once more, as if the answer had been lost.
    host.seq = rookery_protocol::Seq(host.seq.0.wrapping_sub(1));
    assert_eq!(host.status(&moves(before, &["e2e4"])), Ok(after));
    assert_eq!(host.status(&Command::Ping).expect("a pong").hash, after.hash);
}

#[test]
fn a_reset_forgets_everything_and_says_so() {
    let sim = Sim::tcp(&["--no-book", "--boot-delay", "50"]);
    let mut host = Host::connect(&sim.place);
    let boot = host.boot.expect("a boot id");
    host.status(&moves(PositionHash::of_fen(START), &["e2e4"])).expect("moves");
    // Also in the middle of a think, which then has no event.
    host.status(&think(3, FOREVER)).expect("a think");
    host.status(&Command::Reboot(RebootTarget::App)).expect("a reset");
    let banner = host.banner();
    assert_ne!(banner, boot);
    assert_eq!(host.sync(), Err(Rebooted));
    assert_eq!(host.boot, Some(banner));
    assert_eq!(host.seq.0, 0);
    let status = host.status(&Command::Ping).expect("a pong");
    assert_eq!(status.hash, PositionHash::of_fen(START));
    assert_eq!(status.activity, Activity::Idle);
    assert!(host.events.is_empty());
}

#[test]
fn noise_on_the_line_does_no_harm() {
    let sim = Sim::tcp(&[]);
    let mut host = Host::connect(&sim.place);
    host.raw(&[0xff, 0, b'>', b'C', b'*']);
    host.status(&Command::Ping).expect("a pong");
    host.raw(&[b'x'; 5000]);
    host.status(&Command::Ping).expect("a pong");
    host.raw(b"GET / HTTP/1.1\r\nHost: board\r\n\r\n");
    host.status(&Command::Ping).expect("a pong");
    assert_eq!(host.syncs, 1);
}

#[test]
fn it_can_be_as_slow_as_a_chip() {
    let sim = Sim::tcp(&["--no-book", "--speed", "20000"]);
    let mut host = Host::connect(&sim.place);
    // Two seconds, in which a ping comes also on a loaded machine.
    host.status(&think(1, 40_000)).expect("a think");
    let status = host.status(&Command::Ping).expect("a pong");
    assert_eq!(status.activity, Activity::Thinking);
    let best = host.event().expect("a move");
    let expected = best.nodes / 20;
    assert!(best.millis >= expected * 9 / 10, "{best:?}");
    // And still listens.
    host.status(&think(2, FOREVER)).expect("a think");
    host.status(&Command::Stop).expect("a stop");
    host.event().expect("a move");
}

#[test]
fn the_seed_decides_the_boot_ids() {
    let boot = |seed: &str| {
        let sim = Sim::tcp(&["--seed", seed]);
        Host::connect(&sim.place).boot
    };
    assert_eq!(boot("5"), boot("5"));
    assert_ne!(boot("5"), boot("6"));
}
