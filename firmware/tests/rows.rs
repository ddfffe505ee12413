//! What the board says of its searches is what the original says of them, through the wire.

mod common;

use common::Sim;
use common::host::Host;
use rookery_board::hash_of;
use rookery_engine::Game;
use rookery_protocol::{Command, MoveSource, MoveText, Tag};

const ROWS: &str = include_str!("../../engine/tests/data/search-rows.tsv");
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_board_thinks_as_the_original_does() {
    let sim = Sim::tcp(&["--no-book", "--cells", "256"]);
    let mut host = Host::connect(&sim.place);
    let mut checked = 0;
    for (number, row) in ROWS.lines().enumerate() {
        let fields: Vec<&str> = row.split('\t').collect();
        let [cells, budget, best, depth, nodes, score, _, moves] = fields[..] else {
            continue;
        };
        let taken = cells == "256" && best != "none" && number % 7 == 0;
        if !taken {
            continue;
        }
        host.position(START).expect("a position");
        let mut game = Game::new();
        for text in moves.split(' ') {
            let command = Command::Moves {
                before: hash_of(&game),
                moves: [text.parse::<MoveText>().expect("a move")].into_iter().collect(),
            };
            game.play(text.parse().expect("a move")).expect("legal");
            assert_eq!(host.status(&command).expect("a move").hash, hash_of(&game));
        }
        let think =
            Command::Think { tag: Tag(number as u8), nodes: budget.parse().expect("a budget") };
        host.status(&think).expect("a think");
        let found = host.event().expect("a move");
        let said = format!("{} {} {} {}", found.best, found.depth, found.nodes, found.score);
        assert_eq!(said, format!("{best} {depth} {nodes} {score}"), "row {number}");
        assert_eq!(found.source, MoveSource::Search);
        let last = host.telemetry.last().expect("an iteration");
        assert_eq!((last.depth, last.nodes, last.score), (found.depth, found.nodes, found.score));
        checked += 1;
    }
    assert!(checked >= 10, "{checked}");
}
