//! A book by an engine.
//!
//! Two ways. The *tree* answers what an opponent is likely to play: at the opponent's turn every move within so many centipawns of the
//! best one is followed, at the own turn the best reply is the book's move. The *staged* way is that of the first boards: the roots, then
//! the replies to the best few moves from there, then positions at random up to the number wanted.
//!
//! With a limit of nodes or of depth the same options make the same book, whatever the number of workers and however often it was
//! interrupted: positions are judged one by one by engines that have forgotten the one before, and put together in a fixed order.

mod staged;
mod tree;

use super::{
    AnalysisError, Analyst, Contents, Line, Weighted,
    analyst::Question,
    contents::{Gather, id, legal, uci},
};
use crate::{
    model::OpeningLine,
    openings::{LineError, replay},
};
use shakmaty::{Chess, Color, Move, Position};
use std::collections::HashSet;

/// For which side a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// White.
    White,
    /// Black.
    Black,
    /// One book for both, which share the positions there may be.
    Both,
}

impl Sides {
    fn each(self) -> &'static [Color] {
        match self {
            Sides::White => &[Color::White],
            Sides::Black => &[Color::Black],
            Sides::Both => &[Color::White, Color::Black],
        }
    }
}

/// How a book grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// On the opponent's likely moves.
    Tree,
    /// Roots, continuations, and positions at random.
    Staged,
}

/// What is to be built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Where lines begin. Moves of the own side in them are moves of the book, those of the first lines more than those of the last.
    pub roots: Vec<OpeningLine>,
    /// For which side.
    pub sides: Sides,
    /// How it grows.
    pub mode: Mode,
    /// The opponent's moves that are looked at, at most.
    pub width: u32,
    /// An opponent's move is followed when it is no worse than the best one by more than so many centipawns.
    pub window: i32,
    /// Own moves for a position, at most. The second and further ones must be as close to the best.
    pub replies: u32,
    /// No position after so many plies from the usual start position, or from the FEN of a root.
    pub plies: usize,
    /// Positions that the book may have.
    pub positions: usize,
    /// Seed of what is drawn at random.
    pub seed: u64,
}

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A root.
    #[error("root '{name}': {source}")]
    Root {
        /// The root.
        name: String,
        /// What is wrong.
        source: LineError,
    },
    /// The engine, its cache, or an interruption.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// How far a build is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Positions that the book has.
    pub positions: usize,
    /// Positions that it may have.
    pub wanted: usize,
    /// Positions that are being judged, and how many of them are.
    pub judging: (usize, usize),
    /// How deep the tree is, in plies.
    pub ply: usize,
}

/// Who is told of it.
pub type Watch<'a> = &'a mut (dyn FnMut(Progress) + Send);

/// The first moves of the journals: king's pawn, queen's pawn, English, Réti.
#[must_use]
pub fn default_roots() -> Vec<OpeningLine> {
    ["e2e4", "d2d4", "c2c4", "g1f3"].map(|mv| OpeningLine::of_moves(None, mv)).into()
}

/// Builds a book.
///
/// # Errors
/// [`BuildError`]. What was judged before it is in the analyst's cache.
pub async fn build(
    options: &BuildOptions,
    analyst: &mut Analyst,
    watch: Watch<'_>,
) -> Result<Contents, BuildError> {
    let sides = options.sides.each();
    let mut builder = Builder::new(options)?;
    for (done, &side) in sides.iter().enumerate() {
        // What the first side leaves over is the second one's.
        let left = options.positions - builder.gather.len();
        let most = builder.gather.len() + left / (sides.len() - done);
        let nodes = builder.plant(options, side, most);
        let mut growth = Growth { options, analyst, watch, builder: &mut builder, side, most };
        match options.mode {
            Mode::Tree => tree::grow(&mut growth, nodes).await?,
            Mode::Staged => staged::grow(&mut growth, nodes).await?,
        }
    }
    Ok(builder.gather.finish())
}

/// A position to go on from.
#[derive(Clone)]
struct Node {
    position: Chess,
    root: usize,
    line: Vec<Move>,
    /// What the opponent has given away on the way here, in centipawns: what is likelier comes first.
    loss: i32,
}

impl Node {
    fn after(&self, mv: Move, loss: i32) -> Node {
        let mut next = self.clone();
        next.position.play_unchecked(mv);
        next.line.push(mv);
        next.loss += loss;
        next
    }
}

struct Builder {
    roots: Vec<(usize, Vec<Move>)>,
    starts: Vec<Chess>,
    gather: Gather,
    known: HashSet<u128>,
}

impl Builder {
    fn new(options: &BuildOptions) -> Result<Builder, BuildError> {
        let (mut starts, mut roots) = (vec![Chess::default()], Vec::new());
        for line in &options.roots {
            let name = || line.name.clone().unwrap_or_else(|| line.moves.join(" "));
            let (start, _) =
                replay(line).map_err(|source| BuildError::Root { name: name(), source })?;
            let mut position = start.clone();
            let index = starts.iter().position(|s| *s == start).unwrap_or_else(|| {
                starts.push(start);
                starts.len() - 1
            });
            let mut moves = Vec::new();
            for text in &line.moves {
                let mv = legal(&position, text).expect("the line was replayed");
                position.play_unchecked(mv);
                moves.push(mv);
            }
            roots.push((index, moves));
        }
        let gather = Gather::new(starts.clone());
        Ok(Builder { roots, starts, gather, known: HashSet::new() })
    }

    /// Puts the roots' own moves into the book; gives the positions to go on from.
    fn plant(&mut self, options: &BuildOptions, side: Color, most: usize) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        for (number, (root, moves)) in self.roots.clone().into_iter().enumerate() {
            let start = self.starts[root].clone();
            let mut node = Node { position: start, root, line: Vec::new(), loss: 0 };
            for mv in moves {
                let room = self.gather.len() < most || self.known.contains(&id(&node.position));
                if node.position.turn() == side && room && node.line.len() < options.plies {
                    let weight = 100_u16.saturating_sub(u16::try_from(number).unwrap_or(99)).max(1);
                    self.gather.add(
                        &node.position,
                        root,
                        &node.line,
                        Weighted { mv, weight, cp: None },
                    );
                    self.known.insert(id(&node.position));
                }
                node = node.after(mv, 0);
            }
            if !nodes.iter().any(|other| id(&other.position) == id(&node.position)) {
                nodes.push(node);
            }
        }
        nodes
    }
}

/// A book that grows for one side.
struct Growth<'a> {
    options: &'a BuildOptions,
    analyst: &'a mut Analyst,
    watch: Watch<'a>,
    builder: &'a mut Builder,
    side: Color,
    /// As many positions as there may be then.
    most: usize,
}

impl Growth<'_> {
    fn room(&self) -> usize {
        self.most.saturating_sub(self.builder.gather.len())
    }

    fn knows(&self, position: &Chess) -> bool {
        self.builder.known.contains(&id(position))
    }

    /// Judges positions: the moves of each, best first, with what they lose.
    async fn judge(
        &mut self,
        nodes: &[Node],
        width: u32,
    ) -> Result<Vec<Vec<(Move, Line)>>, AnalysisError> {
        let questions: Vec<Question> =
            nodes.iter().map(|n| Question { position: n.position.clone(), width }).collect();
        let (watch, total) = (&mut self.watch, questions.len());
        let mut progress = Progress {
            positions: self.builder.gather.len(),
            wanted: self.options.positions,
            judging: (0, total),
            ply: nodes.iter().map(|node| node.line.len()).max().unwrap_or(0),
        };
        watch(progress);
        let lines = self
            .analyst
            .judge(&questions, || {
                progress.judging.0 += 1;
                watch(progress);
            })
            .await?;
        let legal = |(node, lines): (&Node, Vec<Line>)| {
            let moves = lines.into_iter();
            moves.filter_map(|line| Some((legal(&node.position, &line.uci)?, line))).collect()
        };
        Ok(nodes.iter().zip(lines).map(legal).collect())
    }

    /// Finds the own moves of positions and puts them into the book, as long as there is room; gives the positions after them.
    async fn reply(&mut self, mut nodes: Vec<Node>) -> Result<Vec<Node>, AnalysisError> {
        nodes.retain(|node| !self.knows(&node.position) && node.line.len() < self.options.plies);
        nodes.truncate(self.room());
        let replies = self.options.replies.max(1);
        let judged = self.judge(&nodes, replies).await?;
        let mut next = Vec::new();
        for (node, lines) in nodes.iter().zip(judged) {
            let Some(best) = lines.first().map(|(_, line)| line.cp) else { continue };
            for (mv, line) in lines {
                let loss = best.saturating_sub(line.cp).max(0);
                if loss > self.options.window {
                    continue;
                }
                // The best has 100, one at the window's edge 1.
                let share = 99 * i64::from(loss) / i64::from(self.options.window.max(1));
                let weight = u16::try_from(100 - share).unwrap_or(1);
                let m = Weighted { mv, weight, cp: Some(line.cp) };
                self.builder.gather.add(&node.position, node.root, &node.line, m);
                self.builder.known.insert(id(&node.position));
                next.push(node.after(mv, 0));
            }
        }
        Ok(next)
    }

    /// The positions after an opponent's likely moves.
    async fn expect(&mut self, nodes: &[Node]) -> Result<Vec<Node>, AnalysisError> {
        let judged = self.judge(nodes, self.options.width.max(1)).await?;
        let mut next = Vec::new();
        for (node, lines) in nodes.iter().zip(judged) {
            let best = lines.first().map_or(0, |(_, line)| line.cp);
            for (mv, line) in lines {
                let loss = best.saturating_sub(line.cp).max(0);
                if loss <= self.options.window {
                    next.push(node.after(mv, loss));
                }
            }
        }
        Ok(next)
    }
}

/// Each position once, those first that an opponent reaches without giving anything away.
fn in_order(mut nodes: Vec<Node>) -> Vec<Node> {
    let name = |node: &Node| node.line.iter().map(|mv| uci(*mv)).collect::<Vec<_>>();
    nodes.retain(|node| !node.position.is_game_over());
    nodes.sort_by_cached_key(|node| (node.loss, node.root, name(node)));
    let mut seen = HashSet::new();
    nodes.retain(|node| seen.insert(id(&node.position)));
    nodes
}
