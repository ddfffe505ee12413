//! The questions of [`crate::telemetry`], answered.

mod compare;
mod own;
mod sql;
mod summary;

pub use compare::CompareError;
pub use own::{SqlError, SqlLimits};

use super::{Store, StoreError};
use crate::telemetry::{Query, Table, Value, View};
use sqlx::{Column, Decode, Row, Sqlite, TypeInfo, ValueRef, sqlite::SqliteRow};

impl Store {
    /// Answers a question that [`Query::check`] lets pass.
    pub async fn telemetry(&self, query: &Query) -> Result<Table, StoreError> {
        if query.view == View::Summary {
            return self.summary(query).await;
        }
        let mut sql = sql::view(query);
        let rows = sql.build().fetch_all(&self.inner.readers).await.map_err(|e| self.error(e))?;
        Ok(limited(table(&rows, sql::columns(query)), query.limit))
    }
}

/// Asked for one row more than wanted: whether it is there says whether there are more.
fn limited(mut table: Table, limit: Option<u32>) -> Table {
    if let Some(limit) = limit {
        table.keep(limit as usize);
    }
    table
}

/// A table of rows; without any, the columns are those given.
fn table(rows: &[SqliteRow], columns: Vec<String>) -> Table {
    let mut table = match rows.first() {
        Some(row) => Table::new(row.columns().iter().map(|column| column.name())),
        None => Table::new(columns),
    };
    table.rows.extend(rows.iter().map(values));
    table
}

fn values(row: &SqliteRow) -> Vec<Value> {
    (0..row.len()).map(|n| value(row, n)).collect()
}

/// The same, where its texts have no more bytes than that together: looked at before they are copied.
fn values_within(row: &SqliteRow, most: usize) -> Option<Vec<Value>> {
    let mut left = most;
    for raw in (0..row.len()).filter_map(|n| row.try_get_raw(n).ok()) {
        // A blob is shown in hexadecimal.
        let times = match raw.type_info().name() {
            "BLOB" => 2,
            "TEXT" => 1,
            _ => continue,
        };
        let bytes = <&[u8] as Decode<Sqlite>>::decode(raw).unwrap_or_default();
        left = left.checked_sub(times * bytes.len())?;
    }
    Some(values(row))
}

fn value(row: &SqliteRow, n: usize) -> Value {
    let Ok(raw) = row.try_get_raw(n) else { return Value::Null };
    if raw.is_null() {
        return Value::Null;
    }
    let kind = raw.type_info().name().to_owned();
    match kind.as_str() {
        "INTEGER" | "BOOLEAN" => {
            <i64 as Decode<Sqlite>>::decode(raw).map_or(Value::Null, Value::Int)
        }
        "REAL" => <f64 as Decode<Sqlite>>::decode(raw).map_or(Value::Null, real),
        "BLOB" => {
            let bytes = <&[u8] as Decode<Sqlite>>::decode(raw).unwrap_or_default();
            Value::Text(bytes.iter().map(|byte| format!("{byte:02X}")).collect())
        }
        // A text that is no UTF-8, which only another program can have written, is shown as far as it is one.
        _ => {
            let bytes = <&[u8] as Decode<Sqlite>>::decode(raw).unwrap_or_default();
            Value::Text(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

/// JSON has no infinite number: as a text it comes through every format.
fn real(x: f64) -> Value {
    if x.is_finite() { Value::Real(x) } else { Value::Text(x.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::{Filter, Group};
    use sqlx::AssertSqlSafe;

    /// How SQLite goes about it: one line a step.
    async fn plan(store: &Store, query: &Query) -> String {
        let sql = match query.view {
            View::Summary => summary::build(query),
            _ => sql::view(query),
        };
        let sql = format!("EXPLAIN QUERY PLAN {}", sql.sql().as_str());
        let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&store.inner.readers).await.unwrap();
        rows.iter().map(|row| row.get::<String, _>(3)).collect::<Vec<_>>().join("\n")
    }

    #[tokio::test]
    async fn what_is_filtered_is_found_by_an_index() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path().join("a.db")).await.unwrap();
        type Case<'a> = (&'a str, &'a dyn Fn(&mut Filter));
        let set: [Case<'_>; 6] = [
            ("run", &|f| f.run = "1,2".parse().unwrap()),
            ("game", &|f| f.game = "1".parse().unwrap()),
            ("board", &|f| f.board = "1".parse().unwrap()),
            ("firmware", &|f| f.firmware = "1.0".parse().unwrap()),
            ("since", &|f| f.since = Some("2026-10-19".parse().unwrap())),
            ("game and plies", &|f| {
                f.game = "1".parse().unwrap();
                f.ply_from = Some(10);
                f.ply_to = Some(40);
            }),
        ];
        for view in View::ALL {
            for (name, filter) in set {
                if name.contains("plies")
                    && !matches!(view, View::Summary | View::Plies | View::Iterations)
                {
                    continue;
                }
                for groups in [vec![], vec![Group::Game], vec![Group::Depth]] {
                    if !groups.is_empty() && *view != View::Summary {
                        continue;
                    }
                    let mut query = Query::new(*view);
                    filter(&mut query.filter);
                    query.group.0 = groups;
                    let plan = plan(&store, &query).await;
                    // A table that is read from its beginning to its end; what a subquery made may be.
                    for table in [
                        "g",
                        "p",
                        "i",
                        "e",
                        "r",
                        "rollups",
                        "plies",
                        "games",
                        "iterations",
                        "link_events",
                    ] {
                        let whole = format!("SCAN {table}");
                        let scanned = plan
                            .lines()
                            .find(|line| *line == whole || line.starts_with(&format!("{whole} ")));
                        assert_eq!(scanned, None, "{view} by {name}:\n{plan}");
                    }
                    assert!(plan.contains("SEARCH"), "{view} by {name}:\n{plan}");
                }
            }
        }
        // A range of plies alone finds them game by game.
        let mut query = Query::new(View::Plies);
        query.filter.ply_from = Some(10);
        let plan = plan(&store, &query).await;
        assert!(plan.contains("SEARCH p USING PRIMARY KEY (game_id=? AND ply>?)"), "{plan}");
    }
}
