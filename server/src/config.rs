//! The configuration file. Every key is optional; flags and `ROOKERY_*` variables win over it; a key that is not known is an error.

use crate::{
    book::{BookOpenings, OpeningOrder, read_openings},
    books::{BooksOptions, JudgeOptions},
    link::{BoardUrl, BoardUrlError},
    model::{
        Adjudication, BoardSpec, BookSpec, Claims, ColorPolicy, EngineSpec, Limit, OnIllegal, Pick,
        PlayerSpec, RunSettings,
    },
    openings::{self, OpeningOptions},
    runs::{self, SettingsError},
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fmt,
    net::SocketAddr,
    num::NonZeroU32,
    path::{Path, PathBuf},
};

/// A configuration file, read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where the page and the API are served.
    pub listen: Option<SocketAddr>,
    /// The token that requests need.
    pub token: Option<String>,
    /// The token that requests need to flash boards.
    pub flash_token: Option<String>,
    /// Connections at a time, viewers included.
    pub max_connections: Option<NonZeroU32>,
    /// The database.
    pub db: Option<PathBuf>,
    /// The PGN file that grows with every game.
    pub pgn: Option<PathBuf>,
    /// Folder of log files, one a day.
    pub log_dir: Option<PathBuf>,
    /// Boards, under the names that runs use.
    #[serde(default)]
    pub boards: BTreeMap<String, BoardConfig>,
    /// Engines, under the names that runs use.
    #[serde(default)]
    pub engines: BTreeMap<String, EngineConfig>,
    /// Books that the page shows, under the names that it shows.
    #[serde(default)]
    pub books: BTreeMap<String, PathBuf>,
    /// The engine that the page asks what it thinks of a book's position.
    pub explorer: Option<ExplorerConfig>,
    /// Runs that begin with the server, each once: one that the database has already, with equal settings, is not begun again.
    #[serde(default)]
    pub runs: Vec<RunConfig>,
}

/// A board of the configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardConfig {
    /// A board's URL: `tcp://HOST:PORT`, `serial:///dev/ttyUSB0` and others
    pub url: String,
}

/// An engine of the configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// The program.
    pub path: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its working folder.
    pub dir: Option<PathBuf>,
    /// Additional environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// UCI options; numbers and booleans may stand without quotes.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The limit of its thinks.
    pub limit: Option<Limit>,
    /// The book that it plays from.
    pub book: Option<PathBuf>,
    /// How a move is chosen from it.
    #[serde(default)]
    pub book_pick: Pick,
    /// Plies of a game in which it is asked.
    pub book_plies: Option<u32>,
}

/// The engine of the page's books.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplorerConfig {
    /// Name of an engine.
    pub engine: String,
    /// The limit of its thinks: nodes, depth or movetime.
    pub limit: Option<Limit>,
    /// Moves that it is asked for.
    pub lines: Option<u32>,
}

/// The value of a UCI option.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "an option's value is a text, a number, true or false")]
pub enum OptionValue {
    /// Any.
    Text(String),
    /// Of a spin.
    Whole(i64),
    /// Of an engine's own making.
    Real(f64),
    /// Of a check.
    Bool(bool),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Text(text) => f.write_str(text),
            OptionValue::Whole(number) => number.fmt(f),
            OptionValue::Real(number) => number.fmt(f),
            OptionValue::Bool(yes) => yes.fmt(f),
        }
    }
}

/// A run of the configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Its name.
    pub name: String,
    /// Names of boards.
    #[serde(default)]
    pub boards: Vec<String>,
    /// Name of an engine in a board's place.
    pub first_engine: Option<String>,
    /// Name of the opponent.
    pub engine: String,
    /// The opponent's limit, where it is not the engine's own.
    pub limit: Option<Limit>,
    /// How many games.
    pub games: u32,
    /// The board's node budget.
    pub level: Option<u32>,
    /// The first player's colour.
    #[serde(default)]
    pub color: ColorPolicy,
    /// A PGN or EPD file, or a book.
    pub openings: Option<PathBuf>,
    /// Which lines of a book.
    #[serde(default)]
    pub opening_order: OpeningOrder,
    /// Games at a time.
    pub concurrency: Option<u32>,
    /// Early ends.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// Draw claims.
    #[serde(default)]
    pub claims: Claims,
    /// What an illegal move does.
    #[serde(default)]
    pub on_illegal: OnIllegal,
    /// Seconds for a think.
    pub think_timeout_s: Option<u32>,
    /// Seconds without the board.
    pub board_patience_s: Option<u32>,
    /// Seed of the openings' order; without it they are played as they stand in their file.
    pub seed: Option<u64>,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not readable.
    #[error("the configuration '{}' cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not TOML, or a key that is not known. The line itself is not shown: it may hold the token.
    #[error("the configuration '{}' is wrong in line {line}, column {column}{key}: {why}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The key that stands in that line, if one does: ` ('listen')`.
        key: String,
        /// What is wrong there.
        why: String,
    },
    /// A board's URL is none.
    #[error("board '{name}': {source}")]
    Board {
        /// The board.
        name: String,
        /// What is wrong.
        source: BoardUrlError,
    },
    /// The settings of a run.
    #[error("run '{run}': {source}")]
    Settings {
        /// The run.
        run: String,
        /// What is wrong.
        source: SettingsError,
    },
    /// A run names a board or an engine that the file does not have.
    #[error(
        "run '{run}' names the {kind} '{name}', which the configuration does not have; it has: {known}"
    )]
    Unknown {
        /// The run.
        run: String,
        /// `board` or `engine`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The book explorer names an engine that the file does not have.
    #[error(
        "[explorer] names the engine '{name}', which the configuration does not have; it has: {known}"
    )]
    Explorer {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The book explorer's limit.
    #[error(
        "[explorer] has the limit '{0}', a clock, which positions do not have: use nodes=N, depth=N or movetime=MS"
    )]
    ExplorerClock(Limit),
    /// A run has both boards and an engine in a board's place, or neither.
    #[error("run '{0}' needs either 'boards' or 'first_engine'")]
    First(String),
    /// The openings of a run.
    #[error("run '{run}': {source}")]
    Openings {
        /// The run.
        run: String,
        /// What is wrong.
        source: openings::OpeningError,
    },
}

impl Config {
    /// Reads a file. Paths in it are relative to it; an engine's path without a folder is looked up in PATH.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        Config::parse(&text, path)
    }

    /// Reads a file's content; `path` is what its paths are relative to, and names it in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
        let mut config: Config = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            let before = text.get(..at).unwrap_or_default();
            let line_start = before.rfind('\n').map_or(0, |end| end + 1);
            let key = text[line_start..].lines().next().and_then(|line| line.split_once('='));
            ConfigError::Syntax {
                path: path.to_owned(),
                key: key.map_or(String::new(), |(key, _)| format!(" ('{}')", key.trim())),
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
                why: error.message().to_owned(),
            }
        })?;
        // Absolute: the settings of a run are the same from whatever folder the server is started.
        let file = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = file.parent().unwrap_or(Path::new(""));
        for path in config.books.values_mut() {
            *path = folder.join(&*path);
        }
        let paths = [&mut config.db, &mut config.pgn, &mut config.log_dir];
        let openings = config.runs.iter_mut().map(|run| &mut run.openings);
        let places =
            config.engines.values_mut().flat_map(|engine| [&mut engine.dir, &mut engine.book]);
        for path in paths.into_iter().chain(openings).chain(places).flatten() {
            *path = folder.join(&*path);
        }
        for engine in config.engines.values_mut().filter(|e| e.path.components().count() > 1) {
            engine.path = folder.join(&engine.path);
        }
        for (name, board) in &config.boards {
            if let Err(source) = board.url.parse::<BoardUrl>() {
                return Err(ConfigError::Board { name: name.clone(), source });
            }
        }
        Ok(config)
    }

    /// The boards.
    pub fn board_specs(&self) -> impl Iterator<Item = BoardSpec> + '_ {
        self.boards
            .iter()
            .map(|(name, board)| BoardSpec { name: Some(name.clone()), url: board.url.clone() })
    }

    /// The settings of a run, checked.
    pub fn settings(&self, run: &RunConfig) -> Result<RunSettings, ConfigError> {
        let first = match (&run.first_engine, run.boards.as_slice()) {
            (Some(name), []) => PlayerSpec::Engine(self.engine(run, name, None)?),
            (None, names @ [_, ..]) => PlayerSpec::Boards(
                names.iter().map(|name| self.board(run, name)).collect::<Result<_, _>>()?,
            ),
            _ => return Err(ConfigError::First(run.name.clone())),
        };
        let boards = run.boards.len().max(1) as u32;
        let mut settings = RunSettings::new(first, self.engine(run, &run.engine, run.limit)?);
        settings.name = Some(run.name.clone());
        settings.games = run.games;
        settings.color = run.color;
        settings.concurrency = run.concurrency.unwrap_or(boards);
        settings.adjudication = run.adjudication;
        settings.claims = run.claims;
        settings.on_illegal = run.on_illegal;
        settings.seed = run.seed.unwrap_or(0);
        let set = |place: &mut u32, value: Option<u32>| *place = value.unwrap_or(*place);
        set(&mut settings.level, run.level);
        set(&mut settings.think_timeout_s, run.think_timeout_s);
        set(&mut settings.board_patience_s, run.board_patience_s);
        if let Some(path) = &run.openings {
            let options = OpeningOptions { max_plies: None, shuffle: run.seed };
            let book = BookOpenings {
                order: run.opening_order,
                seed: settings.seed,
                ..BookOpenings::default()
            };
            settings.openings = read_openings(path, options, book)
                .map_err(|source| ConfigError::Openings { run: run.name.clone(), source })?;
        }
        let known_as = |url: &str| url.parse::<BoardUrl>().map(|url| url.to_string());
        runs::check(&settings, known_as)
            .map_err(|source| ConfigError::Settings { run: run.name.clone(), source })?;
        Ok(settings)
    }

    fn board(&self, run: &RunConfig, name: &str) -> Result<BoardSpec, ConfigError> {
        let board =
            self.boards.get(name).ok_or_else(|| unknown(run, "board", name, self.boards.keys()))?;
        Ok(BoardSpec { name: Some(name.to_owned()), url: board.url.clone() })
    }

    fn engine(
        &self,
        run: &RunConfig,
        name: &str,
        limit: Option<Limit>,
    ) -> Result<EngineSpec, ConfigError> {
        self.engine_of(name, limit).ok_or_else(|| unknown(run, "engine", name, self.engines.keys()))
    }

    fn engine_of(&self, name: &str, limit: Option<Limit>) -> Option<EngineSpec> {
        let engine = self.engines.get(name)?;
        let mut spec = EngineSpec::new(engine.path.clone());
        spec.args.clone_from(&engine.args);
        spec.dir.clone_from(&engine.dir);
        spec.env.clone_from(&engine.env);
        spec.options = engine.options.iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
        spec.limit = limit.or(engine.limit).unwrap_or(spec.limit);
        spec.book = engine.book.as_ref().map(|path| {
            let (path, pick) = (path.clone(), engine.book_pick);
            Box::new(BookSpec { path, pick, plies: engine.book_plies })
        });
        Some(spec)
    }

    /// The books, and the engine that judges their positions.
    pub fn books_options(&self) -> Result<BooksOptions, ConfigError> {
        let judge = self.explorer.as_ref().map(|explorer| self.judge(explorer)).transpose()?;
        Ok(BooksOptions { configured: self.books.clone(), judge })
    }

    fn judge(&self, explorer: &ExplorerConfig) -> Result<JudgeOptions, ConfigError> {
        let limit = explorer.limit.unwrap_or(JudgeOptions::USUAL_LIMIT);
        let engine = self.engine_of(&explorer.engine, Some(limit));
        let engine = engine.ok_or_else(|| ConfigError::Explorer {
            name: explorer.engine.clone(),
            known: names(self.engines.keys()),
        })?;
        let lines = explorer.lines.unwrap_or(JudgeOptions::USUAL_LINES);
        if matches!(limit, Limit::Clock { .. }) {
            return Err(ConfigError::ExplorerClock(limit));
        }
        Ok(JudgeOptions { engine, lines })
    }
}

fn unknown<'a>(
    run: &RunConfig,
    kind: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a String>,
) -> ConfigError {
    let known = names(known);
    ConfigError::Unknown { run: run.name.clone(), kind, name: name.to_owned(), known }
}

fn names<'a>(known: impl Iterator<Item = &'a String>) -> String {
    let known: Vec<&str> = known.map(String::as_str).collect();
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}
