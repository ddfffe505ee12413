//! Tables as text for other programs.

use super::{Table, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};
use std::io::{self, Write};

/// How a table is written.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One object with an array for each column, as plots take it: `{"columns": ["ply"], "rows": 2, "truncated": false, "data": {"ply": [1, 2]}}`.
    #[default]
    Json,
    /// One object a row, one row a line.
    Ndjson,
    /// RFC 4180 with a line of names first; nothing between the commas where there is no value.
    Csv,
}

impl Format {
    /// The media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Json => "application/json",
            Format::Ndjson => "application/x-ndjson",
            Format::Csv => "text/csv; charset=utf-8; header=present",
        }
    }

    /// Writes a table.
    pub fn write(self, table: &Table, out: &mut impl Write) -> io::Result<()> {
        match self {
            Format::Json => json_columns(table, out),
            Format::Ndjson => write_ndjson(table, out),
            Format::Csv => write_csv(table, true, out),
        }
    }
}

/// Column by column, in the order of the columns.
struct Data<'a>(&'a Table);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        struct Column<'a>(&'a Table, usize);
        impl Serialize for Column<'_> {
            fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
                into.collect_seq(self.0.rows.iter().map(|row| &row[self.1]))
            }
        }
        let columns = self.0.columns.iter().enumerate();
        into.collect_map(columns.map(|(n, name)| (name, Column(self.0, n))))
    }
}

struct Row<'a>(&'a [String], &'a [Value]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.collect_map(self.0.iter().zip(self.1))
    }
}

fn json_columns(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let mut writer = serde_json::Serializer::new(&mut *out);
    let mut whole = writer.serialize_map(Some(4))?;
    whole.serialize_entry("columns", &table.columns)?;
    whole.serialize_entry("rows", &table.rows.len())?;
    whole.serialize_entry("truncated", &table.truncated)?;
    whole.serialize_entry("data", &Data(table))?;
    whole.end()?;
    writeln!(out)
}

/// One object a row: also of a part of a table.
pub fn write_ndjson(table: &Table, out: &mut impl Write) -> io::Result<()> {
    for row in &table.rows {
        serde_json::to_writer(&mut *out, &Row(&table.columns, row))?;
        writeln!(out)?;
    }
    Ok(())
}

/// RFC 4180: also of a part of a table, of which the first has the names.
pub fn write_csv(table: &Table, names: bool, out: &mut impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    };
    if names {
        csv.write_record(&table.columns).map_err(failed)?;
    }
    for row in &table.rows {
        csv.write_record(row.iter().map(|v| v.to_text())).map_err(failed)?;
    }
    csv.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn written(format: Format) -> String {
        let mut table = Table::new(["ply", "time_ms", "ply"]);
        table.rows.push(vec![Value::Int(1), Value::Real(0.5), Value::Text("a,\"b\"".into())]);
        table.rows.push(vec![Value::Int(2), Value::Null, Value::Real(f64::INFINITY)]);
        let mut out = Vec::new();
        format.write(&table, &mut out).expect("memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_table_in_each_format() {
        let json: Json = serde_json::from_str(&written(Format::Json)).expect("JSON");
        let data = json!({"ply": [1, 2], "time_ms": [0.5, null], "ply_2": ["a,\"b\"", null]});
        assert_eq!(json["data"], data);
        assert_eq!((&json["rows"], &json["truncated"]), (&json!(2), &json!(false)));
        assert_eq!(written(Format::Csv), "ply,time_ms,ply_2\n1,0.5,\"a,\"\"b\"\"\"\n2,,inf\n");
        let lines = written(Format::Ndjson);
        let second: Json = serde_json::from_str(lines.lines().nth(1).expect("two")).expect("JSON");
        assert_eq!(second, json!({"ply": 2, "time_ms": null, "ply_2": null}));
    }
}
