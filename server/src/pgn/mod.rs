//! Games as PGN, the format every chess program reads: made from the store, never kept beside it.
//!
//! The text is UTF-8. Tags are escaped as the standard says (`\"`, `\\`); what a line or a reader could trip over (control characters,
//! braces and brackets in free text) is replaced. Movetext lines are at most 79 characters long. The moves are the store's, so an
//! illegal move that ended a game stands in the last comment and never among them.

mod comment;
mod export;
mod file;
pub mod scan;
mod tags;
mod text;
mod write;

pub use export::{Export, Selection, export_to};
pub use file::{PgnError, PgnFile};
pub use write::{write_file, write_to};

use crate::model::{GameRecord, PlyRecord, RunRecord, Termination};
use serde::{Deserialize, Serialize};
use text::Wrapped;

/// How a ply's measurements are written behind it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum PgnStyle {
    /// `{+0.31/12 0.500s, n=45012}`: score from the mover's side, depth, time, nodes, as cutechess and fastchess write it. A board's
    /// ply has its own line added: `{-0.34/5 6.200s, n=45012, d=5 uz=45012 oc=-34}`.
    #[default]
    Engine,
    /// `{[%eval 0.31,12] [%clk 0:04:59.5] [%emt 0:00:00.5]}`: score from White's side, as Lichess and python-chess write it.
    Lichess,
    /// `{ d=5 uz=45012 oc=-34}` and `{book, d=0 uz=1 oc=0}` behind the board's plies alone, as the old Python client wrote it.
    Board,
}

impl PgnStyle {
    /// Every style.
    pub const ALL: [PgnStyle; 3] = [PgnStyle::Engine, PgnStyle::Lichess, PgnStyle::Board];
}

/// A game and all that its PGN needs.
#[derive(Clone, Copy, Debug)]
pub struct PgnGame<'a> {
    /// The identity of its database, [`crate::store::Store::id`].
    pub store: &'a str,
    /// Its run.
    pub run: &'a RunRecord,
    /// The game.
    pub game: &'a GameRecord,
    /// Its plies.
    pub plies: &'a [PlyRecord],
    /// The board that played it has a level of its own, which the run's does not change.
    pub own_level: bool,
}

impl PgnGame<'_> {
    /// The game as PGN, with the empty line that ends it.
    #[must_use]
    pub fn to_pgn(&self, style: PgnStyle) -> String {
        let mut out = tags::write(self);
        out.push('\n');
        out.push_str(&self.movetext(style));
        out.push_str("\n\n");
        out
    }

    /// The value of the tag by which [`PgnFile`] knows a game again.
    pub(crate) fn key(&self) -> String {
        format!("rookery-{}-{}", self.store, self.game.id)
    }

    fn movetext(&self, style: PgnStyle) -> String {
        let mut out = Wrapped::default();
        let (mut number, mut white) = first_move(&self.game.game.start_fen);
        // A move number stands before White's moves, and before Black's where something else stands in between.
        let mut numbered = true;
        let last = self.plies.len();
        for (n, ply) in self.plies.iter().enumerate() {
            match (white, numbered) {
                (true, _) => out.push(&format!("{number}.")),
                (false, true) => out.push(&format!("{number}...")),
                (false, false) => {}
            }
            out.push(&ply.san);
            let end = (n + 1 == last).then(|| self.reason()).flatten();
            numbered = comment::write(&mut out, style, self.run, ply, white, end.as_deref());
            number += u32::from(!white);
            white = !white;
        }
        if let (true, Some(reason)) = (self.plies.is_empty(), self.reason()) {
            out.comment(&reason);
        }
        out.push(self.game.result.as_str());
        out.finish()
    }

    /// Why the game ended, in words.
    fn reason(&self) -> Option<String> {
        let termination = self.game.termination?;
        let described = termination.describe(self.game.result);
        let reason = match &self.game.detail {
            // The file that it is from said this, or nothing.
            detail if termination == Termination::Unstated => detail.clone()?,
            // The words of another program that are ours as well.
            Some(detail) if detail.starts_with(&described) => detail.clone(),
            Some(detail) => format!("{described}: {detail}"),
            None => described,
        };
        Some(text::plain(&reason, 200))
    }
}

/// The full move number and whether White moves. A FEN that cannot be read is one that the store never got from us.
fn first_move(fen: &str) -> (u32, bool) {
    let mut fields = fen.split_ascii_whitespace().skip(1);
    let white = fields.next() != Some("b");
    let number = fields.nth(3).and_then(|n| n.parse().ok()).unwrap_or(1);
    (number.max(1), white)
}
