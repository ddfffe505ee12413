//! Files into a run.

use super::{
    game::{Fault, Reading},
    lexer::games,
};
use crate::{
    model::{BoardSpec, EngineSpec, GameId, PlayerSpec, RunId, RunSettings, unix_millis},
    store::{Store, StoreError},
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Where a player of an imported run would be reached or started: nowhere.
const NOWHERE: &str = "imported";

/// What a file does not say of itself.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The run's name.
    pub run: String,
    /// The player under test; where none is named, the one whose moves have a board's words, else White of the first game.
    pub first: Option<String>,
    /// The board's node budget.
    pub level: Option<u32>,
    /// The board's firmware.
    pub firmware: Option<String>,
    /// How many units of a board's score make a pawn.
    pub units: i32,
}

/// Why nothing more is imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A game that was not taken because something is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{}:{line}: game {game}: {fault}", file.display())]
pub struct Wrong {
    /// The file.
    pub file: PathBuf,
    /// The line in which it is wrong.
    pub line: usize,
    /// 1 for the first game of the file.
    pub game: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// A game that was here before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The file.
    pub file: PathBuf,
    /// 1 for the first game of the file.
    pub game: usize,
    /// The game that it is.
    pub is: GameId,
}

/// What became of the files.
#[derive(Debug, Default)]
pub struct Report {
    /// The run, where a game was taken.
    pub run: Option<RunId>,
    /// Games taken.
    pub imported: Vec<GameId>,
    /// Games that were here.
    pub duplicates: Vec<Duplicate>,
    /// Games that are wrong.
    pub wrong: Vec<Wrong>,
}

/// Reads files into one run, game after game. What was taken stays also where a later file cannot be read.
pub async fn import(
    store: &Store,
    files: &[PathBuf],
    options: &ImportOptions,
) -> Result<Report, ImportError> {
    let mut report = Report::default();
    let mut sources: Vec<String> = Vec::new();
    let mut first = options.first.clone();
    for path in files {
        let bytes = std::fs::read(path)
            .map_err(|source| ImportError::Read { path: path.clone(), source })?;
        let before = report.imported.len();
        for (n, raw) in games(&bytes).enumerate() {
            let game = n + 1;
            let reading = match Reading::read(&raw, options.units) {
                Ok(reading) => reading,
                Err((line, fault)) => {
                    report.wrong.push(Wrong { file: path.clone(), line, game, fault });
                    continue;
                }
            };
            // Whose moves are the first player's would be a guess.
            if let Some(first) = options.first.as_ref()
                && let [white, black] = reading.players().map(str::to_owned)
                && ![&white, &black].contains(&first)
            {
                let fault = Fault::Stranger { first: first.clone(), white, black };
                report.wrong.push(Wrong { file: path.clone(), line: raw.line, game, fault });
                continue;
            }
            if let Some(is) = known(store, &reading).await? {
                report.duplicates.push(Duplicate { file: path.clone(), game, is });
                continue;
            }
            let first = first
                .get_or_insert_with(|| reading.board().unwrap_or(reading.players()[0]).to_owned());
            let run = match report.run {
                Some(run) => run,
                None => {
                    let settings = settings(&reading, first, options);
                    store.imported_run(&settings, &name_of(path)).await?
                }
            };
            report.run = Some(run);
            let imported = reading.into_game(run, first, options, unix_millis());
            report.imported.push(store.import_game(&imported).await?);
        }
        if report.imported.len() > before {
            sources.push(name_of(path));
        }
    }
    if let Some(run) = report.run {
        store.imported(run, &sources.join(", ")).await?;
    }
    Ok(report)
}

/// The game where it is here: imported before, or played here and exported.
async fn known(store: &Store, reading: &Reading) -> Result<Option<GameId>, StoreError> {
    let own = reading.own_id.as_deref().and_then(|id| {
        id.strip_prefix("rookery-")?.strip_prefix(store.id())?.strip_prefix('-')?.parse().ok()
    });
    if let Some(id) = own.map(GameId)
        && store.game(id).await.is_ok()
    {
        return Ok(Some(id));
    }
    store.game_by_digest(reading.digest()).await
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Settings that say what is known, and that nothing can be begun with.
fn settings(reading: &Reading, first: &str, options: &ImportOptions) -> RunSettings {
    let [white, black] = reading.players();
    let second = if black == first { white } else { black };
    let engine =
        |name: &str| EngineSpec { name: Some(name.to_owned()), ..EngineSpec::new(NOWHERE.into()) };
    let player = if reading.board() == Some(first) || options.firmware.is_some() {
        let (name, url) = (Some(first.to_owned()), NOWHERE.to_owned());
        PlayerSpec::Boards(vec![BoardSpec { name, url }])
    } else {
        PlayerSpec::Engine(engine(first))
    };
    let mut settings = RunSettings::new(player, engine(second));
    settings.name = Some(options.run.clone());
    // 0: not known.
    settings.level = options.level.unwrap_or(0);
    settings
}
