//! Tables from the JSON that [`Format::Json`](super::Format::Json) writes: what a server answered.

use super::{Table, Value};
use serde::{
    Deserialize, Deserializer,
    de::{self, Visitor},
};
use std::{collections::HashMap, fmt, vec};

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        struct Cell;
        impl Visitor<'_> for Cell {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a text or null")
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
                Ok(Value::Int(n))
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Value, E> {
                i64::try_from(n).map(Value::Int).map_err(|_| {
                    E::invalid_value(de::Unexpected::Unsigned(n), &"a number of 64 bits")
                })
            }

            fn visit_f64<E>(self, x: f64) -> Result<Value, E> {
                Ok(Value::Real(x))
            }

            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Value, E> {
                Ok(Value::Text(text))
            }
        }
        from.deserialize_any(Cell)
    }
}

/// As it is written; fields of a later version are passed over.
#[derive(Deserialize)]
struct Written {
    columns: Vec<String>,
    rows: usize,
    truncated: bool,
    data: HashMap<String, Vec<Value>>,
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Table, D::Error> {
        let Written { columns, rows, truncated, mut data } = Written::deserialize(from)?;
        let mut values: Vec<vec::IntoIter<Value>> = Vec::with_capacity(columns.len());
        for column in &columns {
            let column_values = data
                .remove(column)
                .ok_or_else(|| de::Error::custom(format!("the column '{column}' has no data")))?;
            if column_values.len() != rows {
                let has = column_values.len();
                let text = format!("the column '{column}' has {has} values for {rows} rows");
                return Err(de::Error::custom(text));
            }
            values.push(column_values.into_iter());
        }
        if values.is_empty() && rows > 0 {
            return Err(de::Error::custom(format!("there are {rows} rows without a column")));
        }
        let row = |_| values.iter_mut().filter_map(Iterator::next).collect();
        let rows = (0..rows).map(row).collect();
        Ok(Table { columns, rows, truncated })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Table, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }

    fn written(table: &Table) -> String {
        let mut out = Vec::new();
        Format::Json.write(table, &mut out).expect("memory");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn what_is_no_table_is_refused_in_words() {
        for (text, words) in [
            (r#"{"columns": [], "rows": 1, "truncated": false, "data": {}}"#, "without a column"),
            (r#"{"columns": ["a"], "rows": 0, "truncated": false, "data": {}}"#, "'a' has no data"),
            (
                r#"{"columns": ["a"], "rows": 2, "truncated": false, "data": {"a": [1]}}"#,
                "'a' has 1 values for 2 rows",
            ),
            (
                r#"{"columns": ["a", "a"], "rows": 1, "truncated": false, "data": {"a": [1]}}"#,
                "'a' has no data",
            ),
            (
                r#"{"columns": ["a"], "rows": 1, "truncated": false, "data": {"a": [true]}}"#,
                "a number, a text or null",
            ),
            (
                r#"{"columns": ["a"], "rows": 1, "truncated": false, "data": {"a": [9223372036854775808]}}"#,
                "a number of 64 bits",
            ),
            (r#"{"columns": ["a"], "rows": 0, "data": {"a": []}}"#, "truncated"),
        ] {
            let said = read(text).expect_err(text);
            assert!(said.contains(words), "{text}: {said}");
        }
        let later = r#"{"columns": [], "rows": 0, "truncated": true, "data": {}, "took_ms": 3}"#;
        assert_eq!(read(later), Ok(Table { truncated: true, ..Table::default() }));
    }

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::Int),
            // Of every size, and those that have many digits.
            proptest::num::f64::NORMAL.prop_map(Value::Real),
            proptest::num::f64::SUBNORMAL.prop_map(Value::Real),
            (-1e6_f64..1e6).prop_map(Value::Real),
            (-9_i32..9).prop_map(|n| Value::Real(n.into())),
            any::<String>().prop_map(Value::Text),
        ]
    }

    fn table() -> impl Strategy<Value = Table> {
        prop::collection::vec(".{0,3}", 1..5).prop_flat_map(|names| {
            let row = prop::collection::vec(value(), names.len());
            let rows = prop::collection::vec(row, 0..6);
            (rows, any::<bool>()).prop_map(move |(rows, truncated)| Table {
                rows,
                truncated,
                ..Table::new(names.clone())
            })
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(table in table()) {
            prop_assert_eq!(read(&written(&table)), Ok(table));
        }
    }
}
