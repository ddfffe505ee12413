//! Several values with commas between them, as a query string and an option have them: `run=1,2`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr};

/// Values to choose from; none: all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List(Vec::new())
    }
}

impl<T> List<T> {
    /// The values.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Whether nothing is chosen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A value that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{value}': {why}")]
pub struct ListError {
    value: String,
    why: String,
}

impl<T: FromStr<Err: fmt::Display>> FromStr for List<T> {
    type Err = ListError;

    fn from_str(text: &str) -> Result<List<T>, ListError> {
        let read = |value: &str| {
            value
                .parse()
                .map_err(|why: T::Err| ListError { value: value.to_owned(), why: why.to_string() })
        };
        text.split(',')
            .map(str::trim)
            .filter(|v| !v.is_empty())
            .map(read)
            .collect::<Result<_, _>>()
            .map(List)
    }
}

/// As it is read.
impl<T: fmt::Display> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        let values: Vec<String> = self.iter().map(T::to_string).collect();
        into.serialize_str(&values.join(","))
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<List<T>, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}
