//! The simulated board in the old dialect.

mod common;

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::Sim;
use rookery_engine::{Game, Move, Side as Mover};
use rookery_protocol::v1::{Order, Reader, Row, Said, Side, Symbol};

struct Talk {
    stream: TcpStream,
    reader: Reader,
}

/// What a board has said, apart from what it shows.
#[derive(Debug, Default)]
struct Heard {
    said: Vec<String>,
    rows: Vec<Row>,
    moved: Vec<(String, Side)>,
    iterations: Vec<(u8, u32, i32)>,
}

impl Talk {
    fn new(place: &str) -> Self {
        let stream = TcpStream::connect(place).expect("a board");
        stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a socket");
        Self { stream, reader: Reader::new() }
    }

    fn say(&mut self, text: &str) -> Heard {
        self.stream.write_all(text.as_bytes()).expect("a socket");
        self.hear()
    }

    /// Listens until the board waits again.
    fn hear(&mut self) -> Heard {
        let until = Instant::now() + Duration::from_secs(20);
        let mut heard = Heard::default();
        loop {
            assert!(Instant::now() < until, "no prompt: {heard:?}");
            let mut buffer = [0; 256];
            match self.stream.read(&mut buffer) {
                Ok(0) => panic!("the connection has ended"),
                Ok(length) => {
                    for &byte in &buffer[..length] {
                        self.reader
                            .push(byte)
                            .into_iter()
                            .flatten()
                            .for_each(|said| heard.add(said));
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if self.reader.text() == "enter=" {
                        self.reader.flush().into_iter().flatten().for_each(|said| heard.add(said));
                        // A prompt before the echo is an older one: a loaded machine is slow to answer.
                        if !heard.said.is_empty() {
                            return heard;
                        }
                    }
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

impl Heard {
    fn add(&mut self, said: Said<'_>) {
        match said {
            Said::Row(row) => self.rows.push(row),
            Said::Moved { mv, side } => self.moved.push((mv.to_string(), side)),
            Said::Iteration { depth, nodes, score } => self.iterations.push((depth, nodes, score)),
            Said::Prompt => {}
            other => self.said.push(other.to_string()),
        }
    }
}

fn check_rows(rows: &[Row], game: &Game) {
    assert_eq!(rows.len(), 8);
    for (row, rank) in rows.iter().zip((0..8u8).rev()) {
        for (symbol, file) in row.0.iter().zip(0..8u8) {
            let expected = match game.piece_at(8 * rank + file) {
                None => Symbol::Empty,
                Some((side, role)) => {
                    let letter = char::from(role.letter());
                    Symbol::Piece(match side {
                        Mover::White => letter.to_ascii_uppercase(),
                        Mover::Black => letter.to_ascii_lowercase(),
                    })
                }
            };
            assert_eq!(*symbol, expected);
        }
    }
}

fn play(game: &mut Game, text: &str) {
    let mv: Move = text.parse().expect("a move");
    let queen: Move = format!("{text}q").parse().expect("a move");
    game.play(mv).or_else(|_| game.play(queen)).expect("a legal move");
}

fn v1(args: &[&str]) -> Sim {
    Sim::tcp(&[&["--dialect", "v1", "--level", "3000"], args].concat())
}

#[test]
fn it_says_what_the_journals_say() {
    let sim = v1(&["--no-book"]);
    let mut talk = Talk::new(&sim.place);
    let mut game = Game::new();
    let heard = talk.say("e2e4X");
    play(&mut game, "e2e4");
    assert_eq!(heard.said, ["e2e4X", "GO e2e4 OK"]);
    assert_eq!(heard.moved, [("e2e4".to_owned(), Side::White)]);
    check_rows(&heard.rows, &game);

    let heard = talk.say("0X");
    assert_eq!(heard.said, ["0X", "D"]);
    // The move before comes once more; its own comes last.
    assert_eq!(heard.moved[0], ("e2e4".to_owned(), Side::White));
    assert_eq!(heard.moved[1].1, Side::Black);
    play(&mut game, &heard.moved[1].0);
    check_rows(&heard.rows, &game);
    assert!(!heard.iterations.is_empty());
    assert!(heard.iterations.iter().is_sorted_by_key(|(depth, ..)| depth));

    // An empty line means think too.
    let heard = talk.say("\n");
    assert_eq!(heard.said, ["0X", "D"]);
    assert_eq!(heard.moved[1].1, Side::White);
    assert!(sim.close().success());
}

#[test]
fn it_refuses_what_is_illegal_or_senseless() {
    let sim = v1(&["--no-book"]);
    let mut talk = Talk::new(&sim.place);
    assert_eq!(talk.say("e2e5X").said, ["e2e5X", "#"]);
    assert_eq!(talk.say("e7e5X").said, ["e7e5X", "#"]);
    assert_eq!(talk.say("zzX").said, ["zz", "#"]);
    assert_eq!(talk.say("e2e4X").said, ["e2e4X", "GO e2e4 OK"]);
}

#[test]
fn a_book_move_has_its_markers() {
    let sim = v1(&[]);
    let mut talk = Talk::new(&sim.place);
    talk.say("e2e4X");
    let heard = talk.say("0X");
    assert_eq!(heard.said, ["0X", "book,", "book,"]);
    assert_eq!(heard.iterations, [(0, 1, 0)]);
    assert_eq!(heard.moved[1], ("e7e5".to_owned(), Side::Black));
}

#[test]
fn it_plays_a_whole_game_by_itself() {
    let sim = v1(&[]);
    let mut talk = Talk::new(&sim.place);
    let mut game = Game::new();
    for ply in 0..60 {
        let heard = talk.say("0X");
        let Some((text, side)) = heard.moved.last().cloned().filter(|_| !heard.rows.is_empty())
        else {
            assert_eq!(game.legal_moves().iter().count(), 0, "{heard:?}");
            break;
        };
        assert_eq!(side == Side::White, ply % 2 == 0);
        play(&mut game, &text);
        check_rows(&heard.rows, &game);
    }
}

#[test]
fn a_lossy_link_leaves_enough_to_go_on() {
    let faults = "lose=0.1,run=0.05,echo=0.05,stall=0.02";
    let sim = v1(&["--seed", "3", "--faults", faults]);
    let mut stream = TcpStream::connect(&sim.place).expect("a board");
    stream.set_read_timeout(Some(Duration::from_millis(500))).expect("a socket");
    let mut reader = Reader::new();
    let (mut moves, mut noise) = (0, 0);
    for _ in 0..30 {
        stream.write_all(Order::Think.to_string().as_bytes()).expect("a socket");
        // DRAIN: until nothing has come for a while.
        let mut buffer = [0; 256];
        while let Ok(length) = stream.read(&mut buffer) {
            assert!(length > 0);
            for &byte in &buffer[..length] {
                for said in reader.push(byte).into_iter().flatten() {
                    moves += u32::from(matches!(said, Said::Moved { .. }));
                    noise += u32::from(matches!(said, Said::Noise(_)));
                }
            }
        }
    }
    assert!(moves > 15, "{moves} moves");
    assert!(noise > 5, "{noise} lines of noise");
}
