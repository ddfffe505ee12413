//! A book's file.

use super::{
    Contents, Weighted, compact,
    contents::{add, from_book, key, to_book, wire_fen, wire_hash},
    json, pgn,
    walk::{Walked, walk},
};
use crate::model::{BookForm as Form, Pick, not_text};
use rookery_book::{
    Placement,
    compact::{Compact, REGION_BYTES},
    polyglot::{self, ENTRY_BYTES, Entry, RawMove},
};
use shakmaty::{Chess, Move};
use std::{
    cmp::Reverse,
    io,
    path::{Path, PathBuf},
};

/// The largest file that is read.
const LARGEST: u64 = 1 << 30;

/// What a file without a name is, by its beginning.
fn form_of(bytes: &[u8]) -> Form {
    match bytes.trim_ascii_start() {
        [b'R', b'K', b'B', ..] => Form::Compact,
        [b'{', ..] => Form::Json,
        [b'[', ..] | [b'1', b'.', ..] => Form::Pgn,
        _ => Form::Polyglot,
    }
}

/// Why a file is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The system refused.
    #[error("cannot read the book '{}': {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// It is not what its name or its beginning says.
    #[error("'{}' is no {form} book: {why}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What it should be.
        form: Form,
        /// What is wrong, and where.
        why: String,
    },
    /// A name without a known ending.
    #[error("'{}' does not say what it should be: name it .bin, .rkb, .json or .pgn", path.display())]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be written as a compact book.
    #[error(transparent)]
    Compact(#[from] compact::CompactError),
}

/// A book, opened.
#[derive(Clone, Debug)]
pub struct Book {
    form: Form,
    held: Held,
}

#[derive(Clone, Debug)]
enum Held {
    Polyglot(polyglot::Book),
    Compact(Vec<u8>),
    /// What lists its positions by itself, and the same by key.
    Listed(Contents, polyglot::Book),
}

impl Book {
    /// Opens a file. Its name's ending says what it is; without one that is known, its content.
    ///
    /// # Errors
    /// [`BookError`], which names the file and what is wrong.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let io = |source| BookError::Io { path: path.to_owned(), source };
        if std::fs::metadata(path).map_err(io)?.len() > LARGEST {
            let text = format!("it is larger than {} MiB", LARGEST >> 20);
            return Err(io(io::Error::new(io::ErrorKind::FileTooLarge, text)));
        }
        Book::parse(path, std::fs::read(path).map_err(io)?)
    }

    /// Reads a file's content; `path` says what it is, and names it in errors.
    ///
    /// # Errors
    /// [`BookError::Bad`]
    pub fn parse(path: &Path, bytes: Vec<u8>) -> Result<Book, BookError> {
        let form = Form::of_name(path).unwrap_or_else(|| form_of(&bytes));
        let bad = |why: String| BookError::Bad { path: path.to_owned(), form, why };
        // A `.bin` may begin with anything.
        if form != Form::Compact
            && Form::of_name(path) != Some(Form::Polyglot)
            && let Some(why) = not_text(&bytes)
            && !(form == Form::Polyglot && bytes.len().is_multiple_of(ENTRY_BYTES))
        {
            return Err(bad(why.to_owned()));
        }
        let held = match form {
            Form::Polyglot => {
                Held::Polyglot(polyglot::Book::read(&bytes).map_err(|e| bad(e.to_string()))?)
            }
            Form::Compact => {
                Compact::open(&bytes).map_err(|e| bad(e.to_string()))?;
                Held::Compact(bytes)
            }
            Form::Json => listed(json::read(&bytes).map_err(|e| bad(e.to_string()))?),
            Form::Pgn => listed(pgn::read(path, &bytes).map_err(|e| bad(e.to_string()))?),
        };
        Ok(Book { form, held })
    }

    /// A book of contents that were just made.
    #[must_use]
    pub fn of(contents: Contents) -> Book {
        Book { form: Form::Json, held: listed(contents) }
    }

    /// What the file was.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The moves of a position, the heaviest first; empty when the book does not know it. Moves that are not legal are left out.
    #[must_use]
    pub fn moves(&self, position: &Chess) -> Vec<Weighted> {
        let mut moves = Vec::new();
        match &self.held {
            Held::Polyglot(book) | Held::Listed(_, book) => {
                for entry in book.find(key(position)) {
                    if let Some(mv) = read_move(position, entry.mv) {
                        add(&mut moves, Weighted { mv, weight: entry.weight, cp: None });
                    }
                }
                // Stable: equal weights stay in the order of the file.
                moves.sort_by_key(|m| Reverse(m.weight));
            }
            Held::Compact(bytes) => {
                let mv = Compact::reopen(bytes)
                    .expect("it was opened before")
                    .probe(wire_hash(position));
                if let Some(mv) = mv.and_then(|mv| from_book(position, mv)) {
                    moves.push(Weighted { mv, weight: 1, cp: None });
                }
            }
        }
        moves
    }

    /// The move to play in a position; see [`Pick::choose`].
    #[must_use]
    pub fn pick(&self, position: &Chess, pick: Pick, seed: u64) -> Option<Move> {
        pick.choose(&self.moves(position), position, seed)
    }

    /// Its positions. A `.bin` and a compact book do not say them: they are walked from `roots`, and what cannot be reached from there is
    /// not found. The others list them, with roots of their own.
    #[must_use]
    pub fn contents(&self, roots: &[Chess]) -> Contents {
        match &self.held {
            Held::Listed(contents, _) => contents.clone(),
            Held::Polyglot(_) | Held::Compact(_) => self.walk(roots).contents,
        }
    }

    /// The same with everything that the walk came upon.
    #[must_use]
    pub(super) fn walk(&self, roots: &[Chess]) -> Walked {
        walk(self, roots)
    }

    /// How many entries the file has.
    #[must_use]
    pub fn entries(&self) -> usize {
        match &self.held {
            Held::Polyglot(book) => book.entries().len(),
            Held::Compact(_) => self.compact().map_or(0, |book| book.len()),
            Held::Listed(contents, _) => contents.move_count(),
        }
    }

    /// The positions, where the file lists them.
    pub(super) fn listed(&self) -> Option<&Contents> {
        match &self.held {
            Held::Listed(contents, _) => Some(contents),
            Held::Polyglot(_) | Held::Compact(_) => None,
        }
    }

    /// The entries, where it is a `.bin`.
    #[must_use]
    pub fn polyglot(&self) -> Option<&polyglot::Book> {
        match &self.held {
            Held::Polyglot(book) => Some(book),
            Held::Compact(_) | Held::Listed(..) => None,
        }
    }

    /// The compact book, where it is one.
    #[must_use]
    pub fn compact(&self) -> Option<Compact<'_>> {
        match &self.held {
            Held::Compact(bytes) => Some(Compact::reopen(bytes).expect("it was opened before")),
            Held::Polyglot(_) | Held::Listed(..) => None,
        }
    }
}

fn listed(contents: Contents) -> Held {
    let book = to_polyglot(&contents);
    Held::Listed(contents, book)
}

pub(super) fn read_move(position: &Chess, mv: RawMove) -> Option<Move> {
    from_book(position, mv.read(&placement(position))?)
}

pub(super) fn placement(position: &Chess) -> Placement {
    Placement::of_fen(&wire_fen(position)).expect("the FEN of a position is one")
}

fn to_polyglot(contents: &Contents) -> polyglot::Book {
    let mut entries = Vec::with_capacity(contents.move_count());
    for known in &contents.positions {
        let placement = placement(&known.position);
        for m in &known.moves {
            let mv = RawMove::of(to_book(m.mv), &placement);
            entries.push(Entry { key: polyglot::key(&placement), mv, weight: m.weight, learn: 0 });
        }
    }
    // One position by two keys of a board's is one here: its moves have their weight already.
    entries.sort_by_key(|entry| (entry.key, entry.mv));
    entries.dedup_by_key(|entry| (entry.key, entry.mv));
    polyglot::Book::new(entries)
}

/// The content of a book's file. A compact one gets the heaviest move of each position, and may be [`REGION_BYTES`] long.
///
/// # Errors
/// [`BookError::Compact`]
pub fn encode(contents: &Contents, form: Form) -> Result<Vec<u8>, BookError> {
    Ok(match form {
        Form::Polyglot => to_polyglot(contents).write(),
        Form::Compact => compact::compact(contents, Pick::Best, 0, REGION_BYTES)?.bytes,
        Form::Json => json::write(contents).into_bytes(),
        Form::Pgn => pgn::write(contents).into_bytes(),
    })
}
