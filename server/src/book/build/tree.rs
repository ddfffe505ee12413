//! The tree: ply by ply, the opponent's likely moves and the best replies to them.

use super::{AnalysisError, Growth, Node, id, in_order};
use shakmaty::Position;
use std::collections::HashSet;

pub(super) async fn grow(growth: &mut Growth<'_>, nodes: Vec<Node>) -> Result<(), AnalysisError> {
    let mut nodes = in_order(nodes);
    // What another order of moves has led to already leads nowhere new.
    let mut seen = HashSet::new();
    while !nodes.is_empty() && growth.room() > 0 {
        nodes.retain(|node| seen.insert(id(&node.position)));
        let side = growth.side;
        let (own, others): (Vec<Node>, Vec<Node>) =
            nodes.into_iter().partition(|node| node.position.turn() == side);
        let mut next = growth.reply(own).await?;
        let deepest = growth.options.plies.saturating_sub(1);
        let others: Vec<Node> =
            others.into_iter().filter(|node| node.line.len() < deepest).collect();
        next.extend(growth.expect(&others).await?);
        nodes = in_order(next);
    }
    Ok(())
}
