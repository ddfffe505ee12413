//! Games of the store as PGN text, one after another.

use super::{PgnError, PgnGame, PgnStyle, write_to};
use crate::{
    model::{GameId, GameRecord, PlyRecord, RunId, RunRecord},
    store::{GamesWithPlies, Store, StoreError},
    telemetry::GameFilter,
};
use futures_util::{Stream, stream};
use std::{
    collections::HashMap,
    io::{self, Write},
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
                store.check_subjects(&filter).await?;
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

    /// The texts of the games that are left.
    pub fn texts(self) -> impl Stream<Item = Result<String, PgnError>> {
        stream::try_unfold(self, async |mut export| {
            let text = export.next().await?;
            Ok(text.map(|text| (text, export)))
        })
    }
}

/// Writes games as PGN, each once, by run and number.
pub async fn export_to(
    store: &Store,
    selection: Selection,
    style: PgnStyle,
    out: &mut (impl Write + Send),
) -> Result<(), PgnError> {
    let export = Export::new(store, selection, style).await?;
    write_to(export.texts(), out).await
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
