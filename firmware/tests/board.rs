//! The board's program on a bench, without threads and with time in the test's hands.

#[path = "common/bench.rs"]
#[allow(dead_code, unreachable_pub)]
mod bench;

use bench::{Bench, Clock, Diary, OneMove, Plodder};
use rookery_board::{Board, Book, Config, Display, NoBook, NoDisplay, Port, Step, hash_of};
use rookery_engine::{ChessEngine, Game};
use rookery_protocol::{BootId, Kind, PositionHash, RebootTarget, ResetCause};

const CONFIG: Config<'static> = Config {
    kind: "bench",
    firmware: "0.1.0",
    core_hz: 72_000_000,
    boot: BootId(0xb007),
    cause: ResetCause::PowerOn,
    has_loader: true,
    vitals: None,
};

/// The initial position.
const START: &str = "3706291c";

type Plain = Board<'static, Plodder, NoBook, NoDisplay>;

fn synced() -> (Plain, Bench, Clock) {
    let mut board = Board::new(Plodder::new(), NoBook, NoDisplay, CONFIG);
    let (mut bench, mut clock) = (Bench::default(), Clock::default());
    bench.line(Kind::Sync, 1, 0, "00000001");
    assert_eq!(board.step(&mut bench, &mut clock), Step::Idle(None));
    assert_eq!(bench.said(), [format!("<S0100 00000001 0000b007 00 00 {START} i")]);
    (board, bench, clock)
}

fn after(texts: &[&str]) -> String {
    let mut game = Game::new();
    for text in texts {
        game.play(text.parse().expect("a move")).expect("legal");
    }
    hash_of(&game).to_string()
}

/// The move that the bench's engine plays first.
fn first() -> String {
    let game = Game::new();
    let mv = game.legal_moves().iter().next().copied().expect("a move");
    rookery_board::to_text(mv).to_string()
}

/// What a board says to these commands, given at once.
fn say<E: ChessEngine, B: Book, D: Display>(
    board: &mut Board<'_, E, B, D>,
    bench: &mut Bench,
    clock: &mut Clock,
    commands: &[(u8, &str)],
) -> Vec<String> {
    for (seq, payload) in commands {
        bench.line(Kind::Command, 1, *seq, payload);
    }
    board.step(bench, clock);
    bench.said()
}

#[test]
fn a_reset_is_announced() {
    let mut board = Board::new(Plodder::new(), NoBook, NoDisplay, CONFIG);
    let mut bench = Bench::default();
    board.start(&mut bench);
    assert_eq!(bench.said(), ["<B0000 0000b007 por 2 0.1.0 bench"]);
    let (engine, ..) = board.into_parts();
    assert_eq!(engine.resets, 1);
}

#[test]
fn it_describes_itself() {
    let (mut board, mut bench, mut clock) = synced();
    let commands = [(1, "i 0"), (2, "i 1"), (3, "i 2"), (4, "i 3")];
    assert_eq!(
        say(&mut board, &mut bench, &mut clock, &commands),
        [
            "<A0101 0/3 kind=bench fw=0.1.0 proto=2-2 eng=Plodder_1",
            "<A0102 1/3 cells=0 unit=74 hz=72000000 book=-",
            "<A0103 2/3 castle-short=50 castle-long=20 pawn=20 depth=98",
            "<N0104 arg 05",
        ]
    );
    let commands = [(5, "s pawn 9"), (6, "s castle-short -7"), (7, "s depth 12"), (8, "i 2")];
    let said = say(&mut board, &mut bench, &mut clock, &commands);
    assert_eq!(said[3], "<A0108 2/3 castle-short=-7 castle-long=20 pawn=9 depth=12");
    for (seq, bad) in
        [(9, "s depth 0"), (10, "s depth 99"), (11, "s pawn 201"), (12, "s pawn 99999")]
    {
        let said = say(&mut board, &mut bench, &mut clock, &[(seq, bad)]);
        assert!(said[0].contains(" arg "), "{bad}: {said:?}");
    }
    let said = say(&mut board, &mut bench, &mut clock, &[(13, "i 2")]);
    assert_eq!(said, ["<A010d 2/3 castle-short=-7 castle-long=20 pawn=9 depth=12"]);
}

#[test]
fn it_plays_all_moves_or_none() {
    let (mut board, mut bench, mut clock) = synced();
    let two = after(&["e2e4", "e7e5"]);
    let commands = [
        (1, &*format!("m {START} e2e4 e7e5 e1e3")),
        (2, &*format!("m {START} 0000")),
        (3, &*format!("m {START} e2e4 e7e5")),
        (4, &*format!("m {START} e2e4 e7e5")),
    ];
    assert_eq!(
        say(&mut board, &mut bench, &mut clock, &commands),
        [
            "<N0101 move 02 2".to_owned(),
            "<N0102 move 03 0".to_owned(),
            format!("<A0103 {two} i"),
            "<N0104 hash 05".to_owned(),
        ]
    );
    assert_eq!(board.position_hash(), hash_of(board.game()));
}

#[test]
fn a_think_reports_and_plays_its_move() {
    let (mut board, mut bench, mut clock) = synced();
    clock.now = u32::MAX - 15;
    let mv = first();
    let hash = after(&[&mv]);
    assert_eq!(
        say(&mut board, &mut bench, &mut clock, &[(1, "t 5f 6000")]),
        [
            format!("<A0101 {START} t"),
            // Three reports before it, ten milliseconds each.
            format!("<T0101 i 5f 1 3000 -34 {mv} 30"),
            format!("<T0102 i 5f 2 6000 -34 {mv} 70"),
            format!("<E0101 b 5f {mv} 2 6000 -34 80 - {hash}"),
        ]
    );
    assert_eq!(board.position_hash().to_string(), hash);
    // The event comes again until it is acknowledged.
    assert_eq!(board.step(&mut bench, &mut clock), Step::Idle(Some(400)));
    clock.now = clock.now.wrapping_add(400);
    board.step(&mut bench, &mut clock);
    assert_eq!(bench.said().len(), 1);
    bench.line(Kind::EventAck, 1, 1, "");
    assert_eq!(board.step(&mut bench, &mut clock), Step::Idle(None));
}

#[test]
fn what_comes_during_a_think_is_answered_in_it() {
    let (mut board, mut bench, mut clock) = synced();
    bench.line(Kind::Command, 1, 1, "t 5f 9000");
    // Behind the think, in the same moment: the search begins with these waiting.
    bench.line(Kind::Command, 1, 2, ".");
    bench.line(Kind::Command, 1, 3, "i 2");
    bench.line(Kind::Command, 1, 4, "s pawn 1");
    bench.line(Kind::Sync, 2, 4, "00000002");
    bench.line(Kind::Command, 2, 5, "x");
    board.step(&mut bench, &mut clock);
    let mv = first();
    let hash = after(&[&mv]);
    assert_eq!(
        bench.said(),
        [
            format!("<A0101 {START} t"),
            format!("<A0102 {START} t"),
            "<A0103 2/3 castle-short=50 castle-long=20 pawn=20 depth=98".to_owned(),
            "<N0104 busy 05".to_owned(),
            format!("<S0204 00000002 0000b007 04 00 {START} t"),
            format!("<A0205 {START} t"),
            format!("<E0201 b 5f {mv} 0 1000 -34 0 S {hash}"),
        ]
    );
}

/// Hands in a line when the search has come so far.
struct Later<'a> {
    bench: &'a mut Bench,
    line: Option<(u8, &'static str)>,
    reads: u32,
}

impl Port for Later<'_> {
    fn read(&mut self) -> Option<u8> {
        self.reads += 1;
        if self.reads > 200
            && let Some((seq, payload)) = self.line.take()
        {
            self.bench.line(Kind::Command, 1, seq, payload);
        }
        self.bench.read()
    }

    fn room(&self) -> usize {
        self.bench.room()
    }

    fn write(&mut self, line: &[u8]) {
        self.bench.write(line);
    }
}

#[test]
fn a_stop_in_the_middle_ends_the_think() {
    for (line, ends) in [("x", " S "), ("r app", "<A0102 ")] {
        let (mut board, mut bench, mut clock) = synced();
        bench.line(Kind::Command, 1, 1, "t 5f 5000000");
        let mut later = Later { bench: &mut bench, line: Some((2, line)), reads: 0 };
        let step = board.step(&mut later, &mut clock);
        let said = bench.said();
        let last = said.last().expect("an answer");
        assert!(last.contains(ends), "{said:?}");
        assert!(clock.now < 3000, "{}", clock.now);
        if line == "x" {
            assert_eq!(step, Step::Idle(Some(400)));
        } else {
            // No event: it would be of a game that is gone.
            assert_eq!(step, Step::Reboot(RebootTarget::App));
        }
    }
}

#[test]
fn a_reset_is_answered_first() {
    let (mut board, mut bench, mut clock) = synced();
    bench.line(Kind::Command, 1, 1, "r boot");
    let step = board.step(&mut bench, &mut clock);
    assert_eq!(step, Step::Reboot(RebootTarget::Loader));
    assert_eq!(bench.said(), [format!("<A0101 {START} i")]);
}

#[test]
fn a_board_that_is_reset_from_outside_says_nothing_more() {
    let (mut board, mut bench, mut clock) = synced();
    clock.abandon_at = Some(4000);
    bench.line(Kind::Command, 1, 1, "t 5f 9000");
    assert_eq!(board.step(&mut bench, &mut clock), Step::Abandoned);
    assert!(bench.said().iter().all(|line| !line.starts_with("<E")));
}

#[test]
fn a_slow_platform_is_waited_for() {
    let (mut board, mut bench, mut clock) = synced();
    clock.waits = 50;
    let said = say(&mut board, &mut bench, &mut clock, &[(1, "t 5f 3000")]);
    assert!(said.last().expect("an event").contains(" 540 - "), "{said:?}");
}

#[test]
fn telemetry_gives_way_and_shows_the_gap() {
    let (mut board, mut bench, mut clock) = synced();
    bench.room = Some(100);
    let said = say(&mut board, &mut bench, &mut clock, &[(1, "t 5f 6000")]);
    assert_eq!(said.len(), 2, "{said:?}");
    bench.line(Kind::EventAck, 1, 1, "");
    bench.room = None;
    let said = say(&mut board, &mut bench, &mut clock, &[(2, "t 60 3000")]);
    assert!(said[1].starts_with("<T0103 i 60 1 "), "{said:?}");
}

#[test]
fn the_book_comes_first_and_only_with_legal_moves() {
    let start: PositionHash = hash_of(&Game::new());
    for (text, plays) in [("d2d4", true), ("d2d5", false)] {
        let mut board = Board::new(Plodder::new(), OneMove(start, text), NoDisplay, CONFIG);
        let (mut bench, mut clock) = (Bench::default(), Clock::default());
        bench.line(Kind::Sync, 1, 0, "00000001");
        let said = say(&mut board, &mut bench, &mut clock, &[(1, "t 5f 1000"), (2, "i 1")]);
        let event = said.iter().find(|line| line.starts_with("<E")).expect("an event");
        let hash = after(&["d2d4"]);
        assert_eq!(*event == format!("<E0101 b 5f d2d4 0 1 0 0 B {hash}"), plays, "{event}");
        assert!(said.iter().any(|line| line.ends_with("book=00000abc,1")), "{said:?}");
    }
}

#[test]
fn an_over_game_and_an_empty_budget_are_refused() {
    let (mut board, mut bench, mut clock) = synced();
    let commands = [
        (1, "t 01 0"),
        (2, "p 0/1 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        (3, "t 01 1000"),
        (4, "p 0/1 not a position"),
        (5, "r app"),
    ];
    let said = say(&mut board, &mut bench, &mut clock, &commands);
    assert_eq!(said[0], "<N0101 arg 02");
    assert!(said[1].starts_with("<A"));
    assert_eq!(said[2], "<N0103 over 04");
    assert_eq!(said[3], "<N0104 fen 05");
    // Where it stands has not changed.
    assert_eq!(said[4].as_bytes()[7..15], said[1].as_bytes()[7..15]);
}

#[test]
fn half_a_line_is_dropped_after_its_time() {
    let (mut board, mut bench, mut clock) = synced();
    clock.now = 1000;
    bench.bytes(b">C0101");
    assert_eq!(board.step(&mut bench, &mut clock), Step::Idle(Some(200)));
    clock.now += 150;
    assert_eq!(board.step(&mut bench, &mut clock), Step::Idle(Some(50)));
    clock.now += 50;
    assert_eq!(board.step(&mut bench, &mut clock), Step::Idle(None));
    // Without an LF before it: it stands alone.
    bench.line(Kind::Command, 1, 1, ".");
    board.step(&mut bench, &mut clock);
    assert_eq!(bench.said(), [format!("<A0101 {START} i")]);
    assert_eq!(board.counters().damaged, 0);
}

#[test]
fn the_display_sees_the_game() {
    let mut diary = Diary::default();
    let mut board = Board::new(Plodder::new(), NoBook, &mut diary, CONFIG);
    let (mut bench, mut clock) = (Bench::default(), Clock::default());
    bench.line(Kind::Sync, 1, 0, "00000001");
    let commands = [(1, &*format!("m {START} e2e4")), (2, "t 01 3000")];
    say(&mut board, &mut bench, &mut clock, &commands);
    drop(board);
    assert_eq!(diary.0[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(diary.0[1], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_eq!(diary.0[2..5], ["thinking", "iteration", "idle"]);
    assert!(diary.0[5].contains(" w KQkq "));
}
