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
        table.truncated = table.rows.len() > limit as usize;
        table.rows.truncate(limit as usize);
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
        "REAL" => <f64 as Decode<Sqlite>>::decode(raw).map_or(Value::Null, Value::Real),
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
