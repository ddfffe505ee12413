//! Where games and what was measured in them are asked for: a database of this machine, or a running server. The same is asked of
//! both, and what comes back does not say whose it is: whatever is written of it is the same.

mod pages;
mod server;

use super::{
    Usage,
    remote::{Remote, ServerUrl},
};
use crate::{
    api::GameView,
    config::Config,
    pgn::{Export, PgnStyle, Selection},
    store::{SqlLimits, Store},
    telemetry::{Ask, GameFilter, Subject, Table, View},
};
use clap::{ArgMatches, Command, FromArgMatches, error::ErrorKind, parser::ValueSource};
use futures_util::{StreamExt as _, TryStreamExt as _, stream, stream::BoxStream};
use std::{path::PathBuf, time::Duration};

/// A table in parts, as many as it takes not to have all of it in memory. The last says whether there is more.
pub(super) type Parts = BoxStream<'static, anyhow::Result<Table>>;

/// PGN, cut anywhere.
pub(super) type Texts = BoxStream<'static, anyhow::Result<Vec<u8>>>;

/// Seconds that a query of one's own may take where it is not said.
const SQL_SECONDS: u64 = 60;

#[derive(Debug, clap::Args)]
struct Said {
    /// Database (SQLite)
    #[arg(long, env = "ROOKERY_DB", value_name = "FILE")]
    db: Option<PathBuf>,
    #[command(flatten)]
    server: ServerUrl,
}

/// Where it is. A flag wins over a variable; of two variables, the server's does.
#[derive(Debug)]
pub(super) struct Place(Said);

impl clap::Args for Place {
    fn augment_args(command: Command) -> Command {
        Said::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Said::augment_args_for_update(command)
    }
}

impl FromArgMatches for Place {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Place, clap::Error> {
        let mut said = Said::from_arg_matches(matches)?;
        let flag = |name| matches.value_source(name) == Some(ValueSource::CommandLine);
        match (flag("db"), flag("server")) {
            (true, true) => {
                let text = "--db and --server are two places: name the one that is to be asked";
                return Err(clap::Error::raw(ErrorKind::ArgumentConflict, format!("{text}\n")));
            }
            (true, false) => said.server.server = None,
            (false, _) => {}
        }
        Ok(Place(said))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Place::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Place {
    /// Goes there.
    pub(super) async fn open(&self, config: &Config) -> anyhow::Result<Archive> {
        let Said { db, server } = &self.0;
        if let Some(remote) = Remote::new(server)? {
            return Ok(Archive::Server(Box::new(remote)));
        }
        let none = "no database is named: add --db FILE, or set ROOKERY_DB; or name a running server by --server URL";
        let db = db.as_ref().or(config.db.as_ref()).ok_or_else(|| Usage(none.into()))?;
        Ok(Archive::Database(Store::open_read_only(db).await?))
    }
}

/// What can be asked.
pub(super) enum Archive {
    /// A file of this machine. A server may have it meanwhile.
    Database(Store),
    /// A server of any machine.
    Server(Box<Remote>),
}

impl Archive {
    /// The latest games, at most so many, in their order.
    pub(super) async fn games(
        &self,
        filter: &GameFilter,
        limit: Option<u32>,
    ) -> anyhow::Result<Vec<GameView>> {
        let mut games: Vec<GameView> = match self {
            Archive::Database(store) => {
                store.check_subjects(filter).await?;
                let games = store.games(filter, None, limit).await?;
                games.iter().map(GameView::from).collect()
            }
            Archive::Server(remote) => server::games(remote, filter, limit).await?,
        };
        games.reverse();
        Ok(games)
    }

    /// Games as PGN.
    pub(super) async fn pgn(&self, selection: Selection, style: PgnStyle) -> anyhow::Result<Texts> {
        match self {
            Archive::Database(store) => {
                let texts = Export::new(store, selection, style).await?.texts();
                Ok(texts.map_ok(String::into_bytes).map_err(Into::into).boxed())
            }
            Archive::Server(remote) => server::pgn(remote, &selection, style).await,
        }
    }

    /// A view of what was measured.
    pub(super) async fn telemetry(self, view: View, ask: Ask) -> anyhow::Result<Parts> {
        let query = ask.clone().of(view).map_err(|error| Usage(error.to_string()))?;
        match self {
            // Every page of these would be summed up from the beginning.
            Archive::Database(store) if matches!(view, View::Summary | View::Link) => {
                Ok(whole(store.telemetry(&query).await?))
            }
            archive => Ok(pages::of_view(archive, &query, ask)),
        }
    }

    async fn page(&self, view: View, ask: &Ask) -> anyhow::Result<Table> {
        match self {
            Archive::Database(store) => Ok(store.telemetry(&ask.clone().of(view)?).await?),
            Archive::Server(remote) => {
                let path = server::path(&format!("telemetry/{view}"), ask)?;
                remote.client().get(&path).await
            }
        }
    }

    /// The first moves of games that begin alike.
    pub(super) async fn compare(
        &self,
        a: &Subject,
        b: &Subject,
        moves: u32,
    ) -> anyhow::Result<Parts> {
        let table = match self {
            Archive::Database(store) => store.compare(a, b, moves, None).await?,
            Archive::Server(remote) => server::compare(remote, a, b, moves).await?,
        };
        Ok(whole(table))
    }

    /// A query in one's own words.
    pub(super) async fn sql(
        &self,
        query: &str,
        rows: u32,
        seconds: Option<u64>,
    ) -> anyhow::Result<Parts> {
        let table = match self {
            Archive::Database(store) => {
                let time = Duration::from_secs(seconds.unwrap_or(SQL_SECONDS));
                store.query(query, SqlLimits { rows, time, ..SqlLimits::default() }).await?
            }
            Archive::Server(_) if seconds.is_some() => {
                let own = SqlLimits::default().time.as_secs();
                let text =
                    format!("--timeout is for a database: a server ends a query after {own} s");
                return Err(Usage(text).into());
            }
            Archive::Server(remote) => server::sql(remote, query, rows).await?,
        };
        Ok(whole(table))
    }
}

fn whole(table: Table) -> Parts {
    stream::once(async { Ok(table) }).boxed()
}
