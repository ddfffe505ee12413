//! Games of the store as PGN text: one after another, or as a file that appears at once.

use super::{PgnError, PgnGame, PgnStyle};
use crate::{
    model::{GameId, GameRecord, PlyRecord, RunId, RunRecord},
    store::{GamesWithPlies, Store, StoreError},
    telemetry::GameFilter,
};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Which games are exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every game that a filter lets pass; those that are over, where it does not say otherwise.
    Games(GameFilter),
    /// One game, also while it is played.
    Game(GameId),
}

impl Selection {
    /// Every game that is over.
    #[must_use]
    pub fn all() -> Selection {
        Selection::Games(GameFilter::default())
    }
}

/// An export under way: the games' texts, one after another, by run and number. What is in memory does not grow with them.
#[derive(Debug)]
pub struct Export {
    render: Renderer,
    source: Source,
    style: PgnStyle,
}

#[derive(Debug)]
enum Source {
    Games(Box<GamesWithPlies>),
    /// One game, until it was given.
    Game(Option<GameId>),
}

impl Export {
    /// Begins one. A run or a board that is not there is an error, not an export of nothing.
    pub async fn new(
        store: &Store,
        selection: Selection,
        style: PgnStyle,
    ) -> Result<Export, StoreError> {
        let source = match selection {
            Selection::Game(game) => Source::Game(Some(game)),
            Selection::Games(filter) => {
                if let Some(run) = filter.run {
                    store.run(run).await?;
                }
                if let Some(board) = filter.board {
                    store.board_identity(board).await?;
                }
                Source::Games(Box::new(store.games_with_plies(filter)))
            }
        };
        Ok(Export { render: Renderer::new(store), source, style })
    }

    /// The next game's text, `None` after the last.
    pub async fn next(&mut self) -> Result<Option<String>, StoreError> {
        let style = self.style;
        match &mut self.source {
            Source::Games(games) => match games.next().await? {
                Some((game, plies)) => self.render.render(&game, &plies, style).await.map(Some),
                None => Ok(None),
            },
            Source::Game(game) => match game.take() {
                Some(game) => self.render.text(game, style).await.map(Some),
                None => Ok(None),
            },
        }
    }
}

/// Writes games as PGN, each once, by run and number. Returns how many.
pub async fn export_to(
    store: &Store,
    selection: Selection,
    style: PgnStyle,
    out: &mut (impl Write + Send),
) -> Result<u32, PgnError> {
    let fail = |e| PgnError::io(Path::new("the output"), "write to", e);
    let mut export = Export::new(store, selection, style).await?;
    let mut count = 0;
    while let Some(text) = export.next().await? {
        out.write_all(text.as_bytes()).map_err(fail)?;
        count += 1;
    }
    out.flush().map_err(fail)?;
    Ok(count)
}

/// Writes a PGN file whole: it appears under its name when the last game is in it and on the disk, or not at all.
pub async fn export(
    store: &Store,
    selection: Selection,
    style: PgnStyle,
    path: &Path,
) -> Result<u32, PgnError> {
    let io = |doing| move |e| PgnError::io(path, doing, e);
    // A link keeps being a link; a pipe or a terminal is written to as it is.
    let path_buf = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(&path_buf).is_ok_and(|m| !m.is_file()) {
        let mut out = BufWriter::new(File::create(&path_buf).map_err(io("write"))?);
        return named(export_to(store, selection, style, &mut out).await, path);
    }
    let name = path_buf
        .file_name()
        .ok_or_else(|| PgnError::io(path, "write", io::ErrorKind::InvalidFilename.into()))?;
    let mut temp_name = std::ffi::OsString::from(".");
    temp_name.push(name);
    temp_name.push(format!(".{}.tmp", std::process::id()));
    let temp = Temp(path_buf.with_file_name(temp_name));
    let mut out = BufWriter::new(File::create(&temp.0).map_err(io("create"))?);
    let count = named(export_to(store, selection, style, &mut out).await, path)?;
    let target = path_buf.clone();
    let done = move || {
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        std::fs::rename(&temp.0, &target)?;
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    blocking(done).await.map_err(io("write"))?;
    Ok(count)
}

/// Names the file to which an export was written.
fn named(exported: Result<u32, PgnError>, path: &Path) -> Result<u32, PgnError> {
    exported.map_err(|error| match error {
        PgnError::Full { source, .. } | PgnError::Io { source, .. } => {
            PgnError::io(path, "write", source)
        }
        error @ PgnError::Store(_) => error,
    })
}

/// Removes an unfinished file; after the rename there is none of that name.
struct Temp(PathBuf);

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Turns games into text; each run is read once.
#[derive(Debug)]
pub(super) struct Renderer {
    store: Store,
    runs: HashMap<RunId, RunRecord>,
}

impl Renderer {
    pub(super) fn new(store: &Store) -> Renderer {
        Renderer { store: store.clone(), runs: HashMap::new() }
    }

    pub(super) async fn text(&mut self, id: GameId, style: PgnStyle) -> Result<String, StoreError> {
        let game = self.store.game(id).await?;
        let plies = self.store.plies(id).await?;
        self.render(&game, &plies, style).await
    }

    async fn render(
        &mut self,
        game: &GameRecord,
        plies: &[PlyRecord],
        style: PgnStyle,
    ) -> Result<String, StoreError> {
        let id = game.game.run_id;
        if !self.runs.contains_key(&id) {
            self.runs.insert(id, self.store.run(id).await?);
        }
        let own_level = game.game.board_id.is_some() && self.store.had_own_level(game.id).await?;
        let pgn = PgnGame { store: self.store.id(), run: &self.runs[&id], game, plies, own_level };
        Ok(pgn.to_pgn(style))
    }
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
