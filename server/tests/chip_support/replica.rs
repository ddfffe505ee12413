//! The host's engine, in the shape of a simulated board, told what the chip was told: the same commands in the same order since its reset, so
//! that its hash table has come to be what the chip's is.

use rookery_protocol::{BestMove, Command, Iteration, MoveSource};

use super::host::Host;
use super::machine::CELLS;
use super::tape::Item;
use crate::run_support::Sim;

/// A think of the chip.
#[derive(Debug)]
pub(crate) struct Think {
    pub(crate) iterations: Vec<Iteration>,
    /// None: a reset came before it had one.
    pub(crate) best: Option<BestMove>,
}

/// What is compared of an iteration: `d`, `uz`, `oc` and the move.
pub(crate) type Row = (u8, u32, i32, String);

pub(crate) fn row(it: &Iteration) -> Row {
    (it.depth, it.nodes, it.score, it.best.to_string())
}

/// Tells a simulated board what is on the tape, and compares every think with it. Gives the thinks.
pub(crate) fn replay(items: &[Item]) -> Vec<Think> {
    let mut thinks = Vec::new();
    let mut board: Option<(Sim, Host)> = None;
    let mut items = items.iter().peekable();
    while let Some(item) = items.next() {
        let payload = match item {
            Item::Told(payload) => payload,
            // The replica's chip begins anew, too.
            Item::Reset(_) => {
                board = None;
                continue;
            }
            stray => panic!("outside a think: {stray:?}"),
        };
        let (_, host) = board.get_or_insert_with(|| {
            let cells = CELLS.to_string();
            let sim = Sim::start(&["--no-book", "--cells", &cells]);
            let host = Host::connect(sim.url.trim_start_matches("tcp://"));
            (sim, host)
        });
        let command = Command::parse(payload).expect("the chip has understood it");
        match command {
            Command::Ping | Command::Identify { .. } | Command::Reboot(_) => continue,
            Command::Stop => panic!("the server has stopped a think, which no replica can repeat"),
            Command::Position { .. } | Command::Moves { .. } | Command::Param { .. } => {
                host.status(&command).expect("the same command on the same board");
                continue;
            }
            Command::Think { .. } => {}
        }
        let mut think = Think { iterations: Vec::new(), best: None };
        while let Some(item) = items.next_if(|item| match item {
            Item::Reset(_) => false,
            // Nothing but questions while it thinks.
            Item::Told(payload) => payload.starts_with(['.', 'i', 'r']),
            Item::Iteration(_) | Item::Best(_) => true,
        }) {
            match item {
                Item::Iteration(it) => think.iterations.push(*it),
                Item::Best(best) => {
                    think.best = Some(*best);
                    break;
                }
                _ => {}
            }
        }
        host.telemetry.clear();
        host.status(&command).expect("the same command on the same board");
        let best = host.event().expect("a move");
        compare(thinks.len(), &think, &host.telemetry, &best);
        thinks.push(think);
    }
    thinks
}

fn compare(number: usize, think: &Think, iterations: &[Iteration], best: &BestMove) {
    let (found, wanted): (Vec<Row>, Vec<Row>) =
        (think.iterations.iter().map(row).collect(), iterations.iter().map(row).collect());
    let Some(chips) = &think.best else {
        assert_eq!(found, wanted[..found.len()], "think {number}, which a reset has cut off");
        return;
    };
    assert_eq!(found, wanted, "think {number}: the chip (left) and the host (right)");
    let said = |best: &BestMove| {
        (best.best.to_string(), best.depth, best.nodes, best.score, best.hash, best.source)
    };
    assert_eq!(said(chips), said(best), "think {number}: the chip (left) and the host (right)");
    assert_eq!(chips.source, MoveSource::Search, "think {number}");
}
