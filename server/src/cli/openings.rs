//! Openings, as commands that play take them.

use crate::{
    book::{BookOpenings, OpeningOrder, read_openings},
    model::OpeningLine,
    openings::{OpeningError, OpeningOptions},
};
use std::path::PathBuf;

/// Where games begin.
#[derive(Debug, clap::Args)]
pub(super) struct OpeningArgs {
    /// Openings: a PGN, EPD or FEN file, or a book (.bin, .rkb, .json)
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Which lines of a book: each in turn, those of the best moves, or drawn by the weights and the seed
    #[arg(long, value_enum, default_value = "in-turn", requires = "openings")]
    opening_order: OrderArg,
    /// Plies taken from each opening of a PGN file or a book [default: all; of a book 8]
    #[arg(long, value_name = "N", requires = "openings")]
    opening_plies: Option<usize>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum OrderArg {
    InTurn,
    Best,
    Weighted,
}

impl OpeningArgs {
    /// The lines, where a file is named; those that are not drawn in an order of `shuffle`'s, and in the file's without one.
    pub(super) fn read(
        &self,
        shuffle: Option<u64>,
        seed: u64,
    ) -> Result<Option<Vec<OpeningLine>>, OpeningError> {
        let Some(path) = &self.openings else { return Ok(None) };
        let order = match self.opening_order {
            OrderArg::InTurn => OpeningOrder::InTurn,
            OrderArg::Best => OpeningOrder::Best,
            OrderArg::Weighted => OpeningOrder::Weighted,
        };
        let options = OpeningOptions { max_plies: self.opening_plies, shuffle };
        read_openings(path, options, BookOpenings { order, seed, ..BookOpenings::default() })
            .map(Some)
    }
}
