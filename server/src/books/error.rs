//! Why a book is not shown, kept or forgotten.

use crate::{
    book::{BookError, LineTextError},
    model::RunId,
    store::StoreError,
};
use std::{io, path::PathBuf};

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum BooksError {
    /// No such book.
    #[error("there is no book '{0}': GET /api/v1/books lists those that the server knows")]
    NoBook(String),
    /// The file is no book, or is gone.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The line or the position is none.
    #[error(transparent)]
    Line(#[from] LineTextError),
    /// Nothing is in it.
    #[error("'{0}' has no move of any position: it is not kept")]
    Empty(String),
    /// A name that is none.
    #[error(
        "'{0}' is no name of a book: write 1 to 200 characters with one of the endings .bin, .rkb, .json and .pgn, without slashes"
    )]
    Name(String),
    /// The shelf is full.
    #[error("{most} books are kept already: delete one that is not needed")]
    Full {
        /// How many there may be.
        most: usize,
    },
    /// Only what was brought here can be taken away.
    #[error("the book '{0}' is not a kept one: its file belongs to the configuration or to a run")]
    NotKept(String),
    /// A run plays from it.
    #[error("run {run} plays from this book: end the run first")]
    InUse {
        /// The run.
        run: RunId,
    },
    /// It has too many entries for what was asked.
    #[error("the book has {entries} entries, and {most} can be {what} here: {instead}")]
    TooLarge {
        /// Entries of it.
        entries: usize,
        /// Entries at most.
        most: usize,
        /// What was asked for.
        what: &'static str,
        /// What to do.
        instead: &'static str,
    },
    /// The book does not begin where games do.
    #[error("the book has no line from the usual start position that a game could begin with")]
    NoOpenings,
    /// The system refused.
    #[error("the book '{}' cannot be {doing}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}
