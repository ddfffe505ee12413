//! An answer: columns and rows.

use serde::{Serialize, Serializer};

/// What stands in a cell: SQLite's kinds, a blob as its hex digits, an infinite number as the text `inf`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: not measured, or not known.
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
}

impl Value {
    /// As CSV has it: nothing for `Null`.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Value::Null => String::new(),
            Value::Int(n) => n.to_string(),
            Value::Real(x) => x.to_string(),
            Value::Text(text) => text.clone(),
        }
    }

    /// The whole number, where it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The text, where it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => into.serialize_none(),
            Value::Int(n) => into.serialize_i64(*n),
            Value::Real(x) => into.serialize_f64(*x),
            Value::Text(text) => into.serialize_str(text),
        }
    }
}

impl From<Option<u64>> for Value {
    fn from(value: Option<u64>) -> Value {
        value.map_or(Value::Null, |n| Value::Int(i64::try_from(n).unwrap_or(i64::MAX)))
    }
}

impl From<Option<f64>> for Value {
    fn from(value: Option<f64>) -> Value {
        value.map_or(Value::Null, Value::Real)
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of the columns, units included; no two are the same.
    pub columns: Vec<String>,
    /// As many values in each as there are columns.
    pub rows: Vec<Vec<Value>>,
    /// There are more rows: the limit was reached.
    pub truncated: bool,
}

impl Table {
    /// A table without rows. A name that comes a second time gets a number: nothing is lost where names are keys.
    #[must_use]
    pub fn new<T: Into<String>>(columns: impl IntoIterator<Item = T>) -> Table {
        let mut names: Vec<String> = Vec::new();
        for name in columns {
            let name = name.into();
            let mut unique = name.clone();
            let mut n = 2;
            while names.contains(&unique) {
                unique = format!("{name}_{n}");
                n += 1;
            }
            names.push(unique);
        }
        Table { columns: names, rows: Vec::new(), truncated: false }
    }

    /// The place of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Keeps so many rows at the most, and says whether there were more.
    pub fn keep(&mut self, rows: usize) {
        self.truncated |= self.rows.len() > rows;
        self.rows.truncate(rows);
    }

    /// The value in a row.
    #[must_use]
    pub fn get(&self, row: usize, column: &str) -> Option<&Value> {
        self.rows.get(row)?.get(self.column(column)?)
    }
}
