//! The books that the server knows: those of the configuration, those that its runs play from, and those that were brought here; each
//! opened when somebody looks at it.

mod error;
mod judge;
mod page;
mod shelf;

pub use error::BooksError;
pub use judge::{JudgeError, JudgeOptions};

use crate::{
    api::{BookPage, BookSource, BookView, EvaluationView, PositionGames},
    book::{Book, BookOpenings, Played, book_openings, compact, encode, play},
    model::{BookForm, KeptBook, OpeningLine, Pick, PlayerSpec},
    store::{RunBook, Store},
    uci::EngineOptions,
};
use judge::Judge;
use rookery_book::compact::REGION_BYTES;
use shakmaty::Chess;
use shelf::{Shelf, blocking};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Books that stay open at the same time.
const OPEN: usize = 4;
/// Entries of a book that is walked from end to end while somebody waits.
const WALKED: usize = 200_000;
/// The same where a compact one is made of it: some times what a board has room for, so that what does not fit is said with figures.
const COMPACTED: usize = 6_000;
/// Games that are listed with a position.
const LISTED: u32 = 30;
const NO_ENGINE: &str = "The server has no engine for books: name one of its engines in the configuration, [explorer] engine = \"…\", \
    and restart it.";

/// What the configuration says of books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BooksOptions {
    /// Files by their names.
    pub configured: BTreeMap<String, PathBuf>,
    /// The engine that is asked.
    pub judge: Option<JudgeOptions>,
}

/// All books.
#[derive(Clone)]
pub struct Books {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    configured: BTreeMap<String, PathBuf>,
    shelf: Shelf,
    judge: Option<Judge>,
    open: Mutex<Vec<Opened>>,
}

/// An open book, as long as its file is the same.
#[derive(Clone)]
struct Opened {
    path: PathBuf,
    changed: Option<SystemTime>,
    size: u64,
    book: Arc<Book>,
}

impl Books {
    /// Kept books lie beside the database. The engine is started with the first question, among `tasks`, until `stop`.
    #[must_use]
    pub fn new(
        store: Store,
        options: BooksOptions,
        engines: EngineOptions,
        tasks: &TaskTracker,
        stop: CancellationToken,
    ) -> Books {
        let shelf = Shelf::beside(store.path());
        let judge =
            options.judge.map(|judge| Judge::new(judge, engines, store.path(), tasks, stop));
        let configured = options.configured;
        Books { inner: Arc::new(Inner { store, configured, shelf, judge, open: Mutex::default() }) }
    }

    /// All of them: the configuration's, the kept ones, those of runs.
    ///
    /// # Errors
    /// [`BooksError::Store`]
    pub async fn list(&self) -> Result<Vec<BookView>, BooksError> {
        let inner = &self.inner;
        let mut all: Vec<BookView> =
            inner.configured.iter().map(|(name, path)| configured(name, path)).collect();
        all.extend(inner.store.books().await?.into_iter().map(|kept| self.kept(kept)));
        for book in inner.store.run_books().await? {
            let view = of_run(&book);
            if all.iter().all(|other| other.path != view.path) {
                all.push(view);
            }
        }
        Ok(all)
    }

    /// Keeps a book's file; its name says what it is.
    ///
    /// # Errors
    /// [`BooksError`]
    pub async fn keep(&self, name: &str, file: Vec<u8>) -> Result<BookView, BooksError> {
        let kept = self.inner.shelf.keep(&self.inner.store, name, file).await?;
        Ok(self.kept(kept))
    }

    /// Forgets a kept book that no run plays from.
    ///
    /// # Errors
    /// [`BooksError`]
    pub async fn forget(&self, id: &str) -> Result<(), BooksError> {
        let view = self.find(id).await?;
        if view.source != BookSource::Kept {
            return Err(BooksError::NotKept(view.name));
        }
        let path = Path::new(&view.path);
        for run in self.inner.store.unfinished_runs().await? {
            let first = match &run.settings.first {
                PlayerSpec::Engine(engine) => engine.book.as_ref(),
                PlayerSpec::Boards(_) => None,
            };
            let books = first.into_iter().chain(&run.settings.second.book);
            if books.into_iter().any(|book| book.path == path) {
                return Err(BooksError::InUse { run: run.id });
            }
        }
        let gone = || BooksError::NoBook(id.to_owned());
        let kept = self.inner.store.book(&view.id).await?.ok_or_else(gone)?;
        self.inner.shelf.forget(&self.inner.store, &kept).await
    }

    /// What a book has at the end of a line of moves.
    ///
    /// # Errors
    /// [`BooksError`]
    pub async fn page(
        &self,
        id: &str,
        fen: Option<&str>,
        line: &str,
    ) -> Result<BookPage, BooksError> {
        let line = play(fen, line)?;
        let (mut view, book) = self.open(id).await?;
        view.entries = u32::try_from(book.entries()).ok();
        Ok(blocking(move || page::page(view, &book, &line)).await)
    }

    /// A book's file in one of the forms, and a name for it.
    ///
    /// # Errors
    /// [`BooksError`]
    pub async fn file(
        &self,
        id: &str,
        form: Option<BookForm>,
    ) -> Result<(String, Vec<u8>), BooksError> {
        let (view, book) = self.open(id).await?;
        let form = form.unwrap_or(book.form());
        let stem = Path::new(&view.name).file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}.{}", form.ending());
        if form == book.form() {
            let path = PathBuf::from(&view.path);
            let read = std::fs::read(&path);
            let bytes = read.map_err(|source| BooksError::File { path, doing: "read", source })?;
            return Ok((name, bytes));
        }
        if form == BookForm::Compact {
            return Ok((name, self.for_board(id).await?));
        }
        walkable(&book, WALKED, "converted")?;
        let made = blocking(move || encode(&book.contents(&[Chess::default()]), form)).await?;
        Ok((name, made))
    }

    /// The same as a board carries it: the heaviest move of each position.
    ///
    /// # Errors
    /// [`BooksError`]
    pub async fn for_board(&self, id: &str) -> Result<Vec<u8>, BooksError> {
        let (view, book) = self.open(id).await?;
        if book.form() == BookForm::Compact {
            let path = PathBuf::from(&view.path);
            return std::fs::read(&path).map_err(|source| BooksError::File {
                path,
                doing: "read",
                source,
            });
        }
        walkable(&book, COMPACTED, "made a board's")?;
        let made = blocking(move || {
            compact(&book.contents(&[Chess::default()]), Pick::Best, 0, REGION_BYTES)
        });
        Ok(made.await.map_err(crate::book::BookError::from)?.bytes)
    }

    /// Openings for a run out of a book.
    ///
    /// # Errors
    /// [`BooksError`]
    pub async fn openings(
        &self,
        id: &str,
        options: BookOpenings,
    ) -> Result<Vec<OpeningLine>, BooksError> {
        let (_, book) = self.open(id).await?;
        let lines = blocking(move || book_openings(&book, options)).await;
        if lines.is_empty() { Err(BooksError::NoOpenings) } else { Ok(lines) }
    }

    /// What the server's engine thinks of the position at the end of a line; a clear word where it has none.
    ///
    /// # Errors
    /// [`LineTextError`](crate::book::LineTextError) in [`BooksError`], or the engine's in the inner result.
    pub async fn evaluation(
        &self,
        fen: Option<&str>,
        line: &str,
    ) -> Result<Result<EvaluationView, JudgeError>, BooksError> {
        let position = end(play(fen, line)?);
        let Some(judge) = &self.inner.judge else {
            let absent = Some(NO_ENGINE.to_owned());
            return Ok(Ok(EvaluationView { engine: None, limit: None, moves: Vec::new(), absent }));
        };
        Ok(judge.of(position).await)
    }

    /// The games of the database that came through the position at the end of a line.
    ///
    /// # Errors
    /// [`BooksError`]
    pub async fn games(&self, fen: Option<&str>, line: &str) -> Result<PositionGames, BooksError> {
        let position = end(play(fen, line)?);
        let moves = self.inner.store.played_at(&position).await?;
        let games = self.inner.store.games_through(&position, LISTED).await?;
        Ok(page::games(moves, games))
    }

    async fn find(&self, id: &str) -> Result<BookView, BooksError> {
        let all = self.list().await?;
        all.into_iter()
            .find(|book| book.id == id)
            .ok_or_else(|| BooksError::NoBook(id.chars().take(80).collect()))
    }

    async fn open(&self, id: &str) -> Result<(BookView, Arc<Book>), BooksError> {
        let view = self.find(id).await?;
        let path = PathBuf::from(&view.path);
        let books = self.clone();
        let book = blocking(move || books.opened(&path)).await?;
        Ok((view, book))
    }

    fn opened(&self, path: &Path) -> Result<Arc<Book>, BooksError> {
        let file = std::fs::metadata(path).map_err(|source| BooksError::File {
            path: path.to_owned(),
            doing: "opened",
            source,
        })?;
        let (changed, size) = (file.modified().ok(), file.len());
        let lock = || self.inner.open.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |o: &Opened| o.path == path && o.changed == changed && o.size == size;
        if let Some(known) = lock().iter().find(|opened| same(opened)) {
            return Ok(Arc::clone(&known.book));
        }
        let book = Arc::new(Book::open(path)?);
        let mut open = lock();
        open.retain(|other| other.path != path);
        open.insert(0, Opened { path: path.to_owned(), changed, size, book: Arc::clone(&book) });
        open.truncate(OPEN);
        Ok(book)
    }

    fn kept(&self, kept: KeptBook) -> BookView {
        let path = self.inner.shelf.path(&kept);
        BookView {
            path: path.to_string_lossy().into_owned(),
            id: kept.sha256,
            name: kept.name,
            source: BookSource::Kept,
            run: None,
            form: Some(kept.form),
            entries: Some(kept.entries),
            size: Some(kept.size),
            at: Some(kept.at),
        }
    }
}

fn configured(name: &str, path: &Path) -> BookView {
    BookView { id: name.to_owned(), name: name.to_owned(), ..on_disk(path, BookSource::Configured) }
}

fn of_run(book: &RunBook) -> BookView {
    let who = if book.first { "first" } else { "second" };
    let name = book.path.file_name().unwrap_or(book.path.as_os_str()).to_string_lossy();
    BookView {
        id: format!("run-{}-{who}", book.run),
        name: name.into_owned(),
        run: Some(book.run),
        ..on_disk(&book.path, BookSource::Run)
    }
}

/// A file that is somebody else's, and may be gone.
fn on_disk(path: &Path, source: BookSource) -> BookView {
    BookView {
        id: String::new(),
        name: String::new(),
        source,
        run: None,
        form: BookForm::of_name(path),
        path: path.to_string_lossy().into_owned(),
        entries: None,
        size: std::fs::metadata(path).ok().map(|file| file.len()),
        at: None,
    }
}

fn walkable(book: &Book, most: usize, what: &'static str) -> Result<(), BooksError> {
    let entries = book.entries();
    if entries <= most {
        return Ok(());
    }
    let instead = "use 'rookery book convert', which takes its time";
    Err(BooksError::TooLarge { entries, most, what, instead })
}

fn end(line: Played) -> Chess {
    line.positions.into_iter().next_back().expect("a line has a beginning")
}
