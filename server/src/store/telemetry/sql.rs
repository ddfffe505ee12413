//! Views with filters as SQL. A condition stands there only where it is asked for, and games are chosen first: their indexes are used,
//! and of the plies only those of the chosen games are read.

use crate::telemetry::{Filter, Group, Query, View};
use sqlx::{QueryBuilder, Sqlite, query_builder::Separated};
use std::fmt::Display;

/// The names under which a statement knows what is filtered by.
pub(super) struct Names {
    pub(super) run: &'static str,
    pub(super) game: &'static str,
    pub(super) board: &'static str,
    pub(super) firmware: &'static str,
    pub(super) time: Time,
    /// Before `mover`, `phase`, `side` and `ply`.
    pub(super) ply: &'static str,
}

/// What a time is compared with.
pub(super) enum Time {
    /// When the game was begun.
    OfGame,
    /// A time that a row has itself.
    Own(&'static str),
}

/// Of the tables.
pub(super) const TABLES: Names = Names {
    run: "g.run_id",
    game: "g.id",
    board: "g.board_id",
    firmware: "g.firmware",
    time: Time::OfGame,
    ply: "p.",
};

/// Of the views.
const VIEWS: Names = Names {
    run: "v.run",
    game: "v.game",
    board: "v.board",
    firmware: "v.firmware",
    time: Time::OfGame,
    ply: "v.",
};

/// Adds `WHERE` with all conditions.
pub(super) fn conditions(sql: &mut QueryBuilder<Sqlite>, filter: &Filter, names: &Names) {
    let mut first = true;
    let mut and = |sql: &mut QueryBuilder<Sqlite>, text: String| {
        sql.push(if std::mem::take(&mut first) { " WHERE " } else { " AND " });
        sql.push(text);
    };
    for (name, numbers) in
        [(names.run, &filter.run), (names.game, &filter.game), (names.board, &filter.board)]
    {
        if !numbers.is_empty() {
            and(sql, format!("{name} IN "));
            all(sql, numbers.iter().copied());
        }
    }
    if !filter.firmware.is_empty() {
        and(sql, format!("{} IN ", names.firmware));
        all(sql, filter.firmware.iter().cloned());
    }
    let ply = names.ply;
    if !filter.mover.is_empty() {
        and(sql, format!("{ply}mover IN "));
        all(sql, filter.mover.iter().map(|m| m.as_str()));
    }
    if !filter.side.is_empty() {
        and(sql, format!("{ply}side IN "));
        all(sql, filter.side.iter().map(|s| s.as_str()));
    }
    if !filter.phase.is_empty() {
        and(sql, format!("{ply}phase IN "));
        all(sql, filter.phase.iter().map(|p| p.as_str()));
    }
    if let Some(from) = filter.ply_from {
        and(sql, format!("{ply}ply >= "));
        sql.push_bind(from);
    }
    if let Some(to) = filter.ply_to {
        and(sql, format!("{ply}ply <= "));
        sql.push_bind(to);
    }
    let times = [(">=", filter.since), ("<", filter.until)];
    let times: Vec<_> = times.iter().filter_map(|(is, when)| Some((is, (*when)?.0))).collect();
    if times.is_empty() {
        return;
    }
    let column = match names.time {
        Time::OfGame => {
            // The games are chosen by their index before anything else is read.
            and(sql, format!("{} IN (SELECT id FROM games WHERE ", names.game));
            "started_at"
        }
        Time::Own(column) => {
            and(sql, String::new());
            column
        }
    };
    for (n, (is, at)) in times.into_iter().enumerate() {
        sql.push(if n == 0 { "" } else { " AND " }).push(format!("{column} {is} ")).push_bind(at);
    }
    if matches!(names.time, Time::OfGame) {
        sql.push(")");
    }
}

fn all<T>(sql: &mut QueryBuilder<Sqlite>, values: impl Iterator<Item = T>)
where
    T: for<'q> sqlx::Encode<'q, Sqlite> + sqlx::Type<Sqlite> + Send + 'static,
{
    sql.push("(");
    let mut list: Separated<'_, Sqlite, &str> = sql.separated(", ");
    for value in values {
        list.push_bind(value);
    }
    sql.push(")");
}

/// Adds `LIMIT` and `OFFSET`: one row more than is wanted shows whether there are more.
pub(super) fn limit(sql: &mut QueryBuilder<Sqlite>, query: &Query) {
    sql.push(" LIMIT ");
    sql.push_bind(query.limit.map_or(-1, |n| i64::from(n) + 1));
    sql.push(" OFFSET ");
    sql.push_bind(query.offset);
}

/// Names with commas between them.
pub(super) fn joined<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

/// A view that is no summary.
pub(super) fn view(query: &Query) -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new("");
    match query.view {
        View::Link => link(&mut sql, query),
        View::Summary | View::Plies | View::Games | View::Iterations | View::Journal => {
            sql.push(format!("SELECT {} FROM telemetry_{} v", joined(columns(query)), query.view));
            conditions(&mut sql, &query.filter, &VIEWS);
            sql.push(match query.view {
                View::Plies => " ORDER BY v.game, v.ply",
                View::Iterations => " ORDER BY v.game, v.ply, v.line",
                _ => " ORDER BY v.game",
            });
        }
    }
    limit(&mut sql, query);
    sql
}

/// Counts by kind: of each game, where nothing else is said.
fn link(sql: &mut QueryBuilder<Sqlite>, query: &Query) {
    let keys = query.groups();
    let shown = |group: &Group| match group {
        Group::Run => "v.run",
        Group::Board => "v.board",
        Group::Firmware => "v.firmware",
        _ => "v.game",
    };
    let keys = joined(keys.iter().map(shown));
    sql.push(format!(
        "SELECT {keys}, v.kind, v.fault, count(*) AS events, min(v.at_ms) AS first_at_ms, max(v.at_ms) AS last_at_ms \
         FROM telemetry_link v"
    ));
    conditions(sql, &query.filter, &Names { time: Time::Own("v.at_ms"), ..VIEWS });
    sql.push(format!(" GROUP BY {keys}, v.kind ORDER BY {keys}, v.kind"));
}

/// The columns of a view, in their order.
pub(super) fn columns(query: &Query) -> Vec<String> {
    let list = match query.view {
        View::Plies => {
            "run, game, number, board, firmware, ply, side, mover, phase, san, uci, nodes, depth, time_ms, board_ms, nps, \
             score_cp, score_mate, score_raw, score_white_cp, white_material, black_material, material, book, think, \
             mate_line, counted_depth, budget_nodes, overrun_nodes, retransmissions, clock_ms, pv, fen, at_ms"
        }
        View::Games => {
            "run, game, number, board, firmware, engine, budget_nodes, white, black, first_color, opening, state, result, \
             first_points, termination, plies, first_nodes, first_time_ms, first_nps, first_depth_max, second_nodes, \
             second_time_ms, second_nps, second_depth_max, book_hits, overruns, link_faults, incidents, started_at_ms, \
             ended_at_ms"
        }
        View::Iterations => {
            "run, game, number, board, firmware, ply, side, mover, phase, line, think_index, depth, nodes, time_ms, \
             score_cp, score_mate, score_raw, pv"
        }
        View::Journal => {
            "run, game, number, board, firmware, budget_nodes, white, black, result, termination, plies, thinks, book_hits, \
             nodes, time_ms, sustained_nps, fastest_nps, peak_nodes, peak_ply, peak_depth, peak_time_ms, peak_over_budget, \
             longest_time_ms, overruns, depth_min, depth_mean, depth_max, mate_lines, link_faults, started_at_ms"
        }
        View::Link => {
            let keys = query.groups().into_iter().map(|key| key.to_string());
            let rest = ["kind", "fault", "events", "first_at_ms", "last_at_ms"];
            return keys.chain(rest.map(str::to_owned)).collect();
        }
        View::Summary => "",
    };
    list.split(", ").map(str::to_owned).collect()
}
