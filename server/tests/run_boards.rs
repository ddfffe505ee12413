//! Whole runs with boards that lie, vanish or are not there: forfeits with their raw lines, alarms, and no game thrown after another.

mod run_support;

use rookery_protocol::{
    Activity, BestMove, BootId, Decoder, Event, MoveSource, MoveText, PageWriter, ParamKey,
    PositionHash, RebootTarget, Tag, Value,
    device::{
        BadPosition, BadValue, Device, Endpoint, IllegalMove, NoSuchTarget, ThinkRefused, handle,
    },
};
use run_support::{Place, SOON, Sim, until, wait};
use rustix::process::{Pid, Signal, kill_process};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen, uci::UciMove};
use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// What a board does at one of its thinks, counted from 1.
#[derive(Clone, Copy)]
enum Act {
    /// The first legal move.
    Play,
    /// A move that the position does not have.
    Lie(&'static str),
    /// The first legal move, and a hash that is not its own.
    Stray,
    /// Nothing.
    Brood,
}

struct Liar {
    position: Chess,
    thinking: Option<Tag>,
}

fn hash_of(position: &Chess) -> PositionHash {
    PositionHash::of_fen(&Fen::from_position(position, EnPassantMode::Always).to_string())
}

impl Device for Liar {
    fn position_hash(&self) -> PositionHash {
        hash_of(&self.position)
    }
    fn activity(&self) -> Activity {
        if self.thinking.is_some() { Activity::Thinking } else { Activity::Idle }
    }
    fn identify(&self, pages: &mut PageWriter<'_>) {
        pages.pair("kind", Value::Text("liar"));
        pages.pair("fw", Value::Text("0.0.1"));
        pages.pair("proto", Value::Text("2-2"));
        pages.pair("eng", Value::Text("first_legal"));
        pages.pair("unit", Value::Number(74));
    }
    fn set_position(&mut self, fen: &str) -> Result<(), BadPosition> {
        let fen: Fen = fen.parse().map_err(|_| BadPosition)?;
        self.position = fen.into_position(CastlingMode::Standard).map_err(|_| BadPosition)?;
        Ok(())
    }
    fn play(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove> {
        let mut position = self.position.clone();
        for (index, mv) in moves.iter().enumerate() {
            let bad = IllegalMove(u8::try_from(index).expect("eight at most"));
            let uci: UciMove = mv.as_str().parse().map_err(|_| IllegalMove(bad.0))?;
            let mv = uci.to_move(&position).map_err(|_| bad)?;
            position.play_unchecked(mv);
        }
        self.position = position;
        Ok(())
    }
    fn think(&mut self, tag: Tag, _nodes: u32) -> Result<(), ThinkRefused> {
        self.thinking = Some(tag);
        Ok(())
    }
    fn stop(&mut self) {}
    fn set_param(&mut self, _: ParamKey, _: i32) -> Result<(), BadValue> {
        Ok(())
    }
    fn reboot(&mut self, _: RebootTarget) -> Result<(), NoSuchTarget> {
        Err(NoSuchTarget)
    }
}

/// A board on a thread of its own, on a port that nobody else has.
struct LyingBoard {
    url: String,
    thinks: Arc<AtomicU32>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LyingBoard {
    fn start(act: fn(u32) -> Act) -> LyingBoard {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a socket");
        let url = format!("tcp://{}", listener.local_addr().expect("its address"));
        let (thinks, end) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let thread = std::thread::spawn({
            let (thinks, end) = (Arc::clone(&thinks), Arc::clone(&end));
            move || serve(&listener, act, &thinks, &end)
        });
        LyingBoard { url, thinks, end, thread: Some(thread) }
    }
}

impl Drop for LyingBoard {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the board's thread");
        }
    }
}

fn serve(listener: &TcpListener, act: fn(u32) -> Act, thinks: &AtomicU32, end: &AtomicBool) {
    let mut endpoint = Endpoint::new(BootId(7));
    let mut device = Liar { position: Chess::default(), thinking: None };
    let (mut decoder, begun) = (Decoder::new(), Instant::now());
    let mut socket = None;
    while !end.load(Ordering::Relaxed) {
        if let Ok((accepted, _)) = listener.accept() {
            accepted.set_read_timeout(Some(Duration::from_millis(5))).expect("a socket");
            socket = Some(accepted);
        }
        let Some(stream) = &mut socket else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        let mut out = Vec::new();
        let mut buffer = [0; 256];
        let now = u32::try_from(begun.elapsed().as_millis()).expect("a short test");
        match stream.read(&mut buffer) {
            Ok(0) => socket = None,
            Ok(n) => {
                for &byte in &buffer[..n] {
                    let decoded = decoder.push(byte);
                    handle(&mut endpoint, &mut device, decoded, now, &mut |b: &[u8]| {
                        out.extend_from_slice(b);
                    });
                    answer(&mut endpoint, &mut device, act, thinks, now, &mut out);
                }
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                endpoint.tick(now, &mut |b: &[u8]| out.extend_from_slice(b));
            }
            Err(_) => socket = None,
        }
        if let Some(stream) = &mut socket {
            let _ = stream.write_all(&out);
        }
    }
}

fn answer(
    endpoint: &mut Endpoint,
    device: &mut Liar,
    act: fn(u32) -> Act,
    thinks: &AtomicU32,
    now: u32,
    out: &mut Vec<u8>,
) {
    let Some(tag) = device.thinking else { return };
    let act = act(thinks.load(Ordering::Relaxed) + 1);
    if matches!(act, Act::Brood) {
        return;
    }
    thinks.fetch_add(1, Ordering::Relaxed);
    device.thinking = None;
    let first = device.position.legal_moves()[0];
    let mut text = UciMove::from_standard(first).to_string();
    let mut stray = 0;
    match act {
        Act::Lie(lie) => text = lie.to_owned(),
        Act::Play => device.position.play_unchecked(first),
        Act::Stray => {
            device.position.play_unchecked(first);
            stray = 1;
        }
        Act::Brood => {}
    }
    let best = BestMove {
        tag,
        best: text.parse().expect("a move by its form"),
        depth: 1,
        nodes: 20,
        score: -37,
        millis: 1,
        source: MoveSource::Search,
        hash: PositionHash(device.position_hash().0 ^ stray),
    };
    endpoint
        .event(Event::BestMove(best), now, &mut |b: &[u8]| out.extend_from_slice(b))
        .expect("room");
}

fn run(place: &Place, url: &str, more: &[&str]) -> run_support::Done {
    let more = [&["--engine-limit", "nodes=100", "--level", "100"][..], more].concat();
    place.ended(&mut place.board_run(url, &more))
}

fn endings(place: &Place) -> Vec<String> {
    place.verify();
    place.sql("SELECT result, termination FROM games ORDER BY number")
}

#[test]
fn an_illegal_move_of_the_board_is_kept_whole_and_forfeits_its_game_alone() {
    let place = Place::new();
    // The first game ends at its third move, the second at its first.
    let board = LyingBoard::start(|n| if n < 3 { Act::Play } else { Act::Lie("e2e5") });
    run(&place, &board.url, &["--games", "2", "--color", "white"]).ok();
    assert_eq!(endings(&place), ["0-1|illegal_move", "0-1|illegal_move"]);
    assert_eq!(place.sql("SELECT plies FROM games ORDER BY number"), ["4", "0"]);
    let incidents =
        place.sql("SELECT ply, mover, fen, detail FROM incidents WHERE game_id = 1").join("\n");
    let last = place.sql("SELECT fen FROM plies WHERE game_id = 1 ORDER BY ply DESC LIMIT 1");
    assert!(
        incidents.starts_with(&format!("5|first|{}|illegal move 'e2e5'", last[0])),
        "{incidents}"
    );
    assert!(incidents.contains(" e2e5 1 20 -37 "), "the raw line: {incidents}");
    let pgn = place.text("rookery.pgn");
    assert!(
        pgn.contains("[Termination \"rules infraction\"]") && pgn.contains("[PlyCount \"4\"]"),
        "{pgn}"
    );
}

#[test]
fn on_request_the_board_is_asked_once_more_from_the_position_pushed_again() {
    let place = Place::new();
    let board = LyingBoard::start(|n| if n == 2 { Act::Lie("0000") } else { Act::Play });
    let args = ["--games", "1", "--color", "white", "--on-illegal", "retry", "--max-plies", "8"];
    run(&place, &board.url, &args).ok();
    assert_eq!(endings(&place), ["1/2-1/2|max_plies"]);
    assert_eq!(board.thinks.load(Ordering::Relaxed), 5, "one think more than moves");
    assert_eq!(place.sql("SELECT count(*) FROM link_events WHERE kind = 'position_pushed'"), ["2"]);

    let place = Place::new();
    let board = LyingBoard::start(|n| if n > 1 { Act::Lie("0000") } else { Act::Play });
    run(&place, &board.url, &args).ok();
    assert_eq!(endings(&place), ["0-1|illegal_move"], "the second one in a row loses");
    assert_eq!(place.sql("SELECT count(*) FROM incidents WHERE kind = 'illegal_move'"), ["2"]);
}

#[test]
fn a_board_that_stands_elsewhere_is_led_back_and_the_game_goes_on() {
    let place = Place::new();
    let board = LyingBoard::start(|n| if n % 2 == 0 { Act::Stray } else { Act::Play });
    run(&place, &board.url, &["--games", "1", "--max-plies", "12"]).ok();
    assert_eq!(endings(&place), ["1/2-1/2|max_plies"]);
    assert_eq!(
        place.sql("SELECT count(*) FROM link_events WHERE kind = 'position_differs'"),
        ["3"]
    );
}

#[test]
fn a_board_that_broods_for_too_long_loses_on_time() {
    let place = Place::new();
    let board = LyingBoard::start(|n| if n == 2 { Act::Brood } else { Act::Play });
    run(&place, &board.url, &["--games", "1", "--color", "white", "--think-timeout", "1"]).ok();
    assert_eq!(endings(&place), ["0-1|time_forfeit"]);
    assert!(place.text("rookery.pgn").contains("White loses on time"));
}

#[test]
fn scores_of_the_board_are_turned_into_centipawns_by_its_own_unit() {
    let place = Place::new();
    let board = LyingBoard::start(|_| Act::Play);
    run(&place, &board.url, &["--games", "1", "--max-plies", "4"]).ok();
    let scores = place.sql("SELECT DISTINCT score_raw, score_cp FROM plies WHERE mover = 'first'");
    assert_eq!(scores, ["-37|-50"], "a pawn is 74");
    assert_eq!(place.sql("SELECT white FROM games"), ["first legal (liar)"]);
}

#[test]
fn a_board_that_dies_forfeits_one_game_and_the_run_waits_for_it_with_an_alarm() {
    let place = Place::new();
    let sim = Sim::start(&["--speed", "3000", "--no-book"]);
    let more = ["--engine-limit", "nodes=100", "--level", "1000", "--games", "3"];
    let mut run = place.board_run(&sim.url, &more);
    let mut child = run.args(["--board-patience", "4"]).spawn().expect("rookery starts");
    until("a ply", || place.count("SELECT count(*) FROM plies") > 0);
    drop(sim);
    until("the alarm", || place.text("stderr").contains("waiting for board"));
    assert!(child.try_wait().expect("a child").is_none(), "{}", place.text("stderr"));
    let games = place.sql("SELECT state, termination FROM games");
    assert_eq!(games, ["finished|dead_board"], "no further game is thrown after it");
    kill_process(Pid::from_child(&child), Signal::INT).expect("a signal");
    assert!(wait(&mut child, SOON).expect("it ends").success());
    place.verify();
    assert!(place.text("rookery.pgn").contains("board is dead"));
}
