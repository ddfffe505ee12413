//! The staged way of the first boards: the roots, the continuations, a random fill.

use super::{AnalysisError, Growth, Node, id, in_order};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Position};
use std::collections::HashSet;

/// Positions of the random fill are judged so many at a time.
const BATCH: usize = 64;
/// So many games at random in a row that lead to no new position are enough.
const PATIENCE: u32 = 10_000;

pub(super) async fn grow(growth: &mut Growth<'_>, nodes: Vec<Node>) -> Result<(), AnalysisError> {
    // Main openings: where the own side is to move.
    let side = growth.side;
    let (own, others): (Vec<Node>, Vec<Node>) =
        nodes.into_iter().partition(|node| node.position.turn() == side);
    let mut main = own;
    main.extend(others.iter().flat_map(all_replies));
    let main = in_order(main);
    growth.reply(main.clone()).await?;
    // Continuations: the best few own moves, and everything that can be answered.
    let strong = growth.expect(&main).await?;
    growth.reply(in_order(strong.iter().flat_map(all_replies).collect())).await?;
    fill(growth).await
}

fn all_replies(node: &Node) -> impl Iterator<Item = Node> {
    node.position.legal_moves().into_iter().map(|mv| node.after(mv, 0))
}

/// Games at random from the usual start position, to a ply at which the own side is to move.
async fn fill(growth: &mut Growth<'_>) -> Result<(), AnalysisError> {
    let mut random = ChaCha8Rng::seed_from_u64(growth.options.seed);
    let mut below = |n: usize| ((u128::from(random.next_u64()) * n as u128) >> 64) as usize;
    let parity = usize::from(growth.side.is_black());
    let lengths: Vec<usize> =
        (2..growth.options.plies).filter(|plies| plies % 2 == parity).collect();
    if lengths.is_empty() {
        return Ok(());
    }
    let mut fruitless = 0;
    while growth.room() > 0 && fruitless < PATIENCE {
        let (mut batch, mut drawn) = (Vec::new(), HashSet::new());
        while batch.len() < BATCH.min(growth.room()) && fruitless < PATIENCE {
            let mut node = Node { position: Chess::default(), root: 0, line: Vec::new(), loss: 0 };
            for _ in 0..lengths[below(lengths.len())] {
                let moves = node.position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                node = node.after(moves[below(moves.len())], 0);
            }
            let fits = node.position.turn() == growth.side && !node.position.is_game_over();
            if fits && !growth.knows(&node.position) && drawn.insert(id(&node.position)) {
                batch.push(node);
                fruitless = 0;
            } else {
                fruitless += 1;
            }
        }
        growth.reply(batch).await?;
    }
    Ok(())
}
