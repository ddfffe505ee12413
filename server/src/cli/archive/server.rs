//! What a server is asked in one request, or in pages with a cursor.

use super::Texts;
use crate::{
    api::{GamePage, GameView, LARGEST_PAGE, MOST_ROWS, SqlQuery},
    cli::remote::Remote,
    pgn::{PgnStyle, Selection},
    telemetry::{Format, GameFilter, Subject, Table},
};
use anyhow::bail;
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::Serialize;

/// A path with what is asked.
pub(super) fn path(path: &str, asked: &impl Serialize) -> anyhow::Result<String> {
    Ok(format!("/api/v1/{path}?{}", serde_urlencoded::to_string(asked)?))
}

/// Two things that are asked at once.
#[derive(Serialize)]
struct And<'a, A, B> {
    #[serde(flatten)]
    one: &'a A,
    #[serde(flatten)]
    other: B,
}

#[derive(Serialize)]
struct Page {
    before: Option<crate::model::GameId>,
    limit: u32,
}

#[derive(Serialize)]
struct Style {
    style: PgnStyle,
}

#[derive(Serialize)]
struct Compared<'a> {
    a: &'a Subject,
    b: &'a Subject,
    moves: u32,
    limit: u32,
}

/// The latest games, newest first.
pub(super) async fn games(
    remote: &Remote,
    filter: &GameFilter,
    limit: Option<u32>,
) -> anyhow::Result<Vec<GameView>> {
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    let (mut games, mut before) = (Vec::new(), None);
    loop {
        // A server refuses to list no game.
        let left = u32::try_from(limit - games.len()).unwrap_or(u32::MAX).clamp(1, LARGEST_PAGE);
        let asked = And { one: filter, other: Page { before, limit: left } };
        let page: GamePage = remote.client().get(&path("games", &asked)?).await?;
        let found = !page.games.is_empty();
        games.extend(page.games);
        before = page.next;
        if before.is_none() || !found || games.len() >= limit {
            break;
        }
    }
    if games.is_empty() && (filter.run.is_some() || filter.board.is_some()) {
        // A list says nothing of a run or a board that is not there; their games as PGN, which are none either, are refused.
        remote.client().download(&path("games.pgn", filter)?).await?;
    }
    games.truncate(limit);
    Ok(games)
}

pub(super) async fn pgn(
    remote: &Remote,
    selection: &Selection,
    style: PgnStyle,
) -> anyhow::Result<Texts> {
    let style = Style { style };
    let path = match selection {
        Selection::Game(game) => path(&format!("games/{game}/pgn"), &style)?,
        Selection::Games(filter) => path("games.pgn", &And { one: filter, other: style })?,
    };
    let texts = remote.client().stream(&path, "application/x-chess-pgn").await?;
    Ok(texts.map_ok(Vec::from).boxed())
}

pub(super) async fn compare(
    remote: &Remote,
    a: &Subject,
    b: &Subject,
    moves: u32,
) -> anyhow::Result<Table> {
    let asked = Compared { a, b, moves, limit: MOST_ROWS };
    let table: Table = remote.client().get(&path("telemetry/compare", &asked)?).await?;
    if table.truncated {
        bail!(
            "there are more than {MOST_ROWS} rows, and a server sends no more of a comparison: ask for fewer --moves, or a database (--db)"
        );
    }
    Ok(table)
}

pub(super) async fn sql(remote: &Remote, sql: &str, rows: u32) -> anyhow::Result<Table> {
    // A server refuses to answer with no row.
    let limit = Some(rows.max(1));
    let query = SqlQuery { sql: sql.to_owned(), limit, format: Some(Format::Json) };
    let mut table: Table = remote.client().post("/api/v1/telemetry/sql", &query).await?;
    table.keep(rows as usize);
    Ok(table)
}
