//! A point in time as people and programs write it.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::str::FromStr;
use time::{
    Date, OffsetDateTime, PrimitiveDateTime,
    format_description::well_known::{Iso8601, Rfc3339},
};

/// Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct When(pub i64);

/// A text that is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no time: write 2026-10-19, 2026-10-19T14:30:00Z, or milliseconds since 1970 (UTC)"
)]
pub struct WhenError(String);

impl FromStr for When {
    type Err = WhenError;

    fn from_str(text: &str) -> Result<When, WhenError> {
        match text.trim().parse() {
            Ok(ms) => Ok(When(ms)),
            Err(_) => When::of_date(text),
        }
    }
}

impl When {
    /// A date, with a time or without one. A number alone is none: in a file of games `1851` is a year.
    pub fn of_date(text: &str) -> Result<When, WhenError> {
        let text = text.trim();
        let at = OffsetDateTime::parse(text, &Rfc3339)
            .or_else(|_| PrimitiveDateTime::parse(text, &Iso8601::DEFAULT).map(|t| t.assume_utc()))
            .or_else(|_| Date::parse(text, &Iso8601::DEFAULT).map(|d| d.midnight().assume_utc()))
            .map_err(|_| WhenError(text.to_owned()))?;
        i64::try_from(at.unix_timestamp_nanos() / 1_000_000)
            .map(When)
            .map_err(|_| WhenError(text.to_owned()))
    }
}

/// As milliseconds, in a text as it is read.
impl Serialize for When {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<When, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_times_and_milliseconds() {
        let ms = |text: &str| text.parse::<When>().map(|w| w.0);
        assert_eq!(ms("1790000000000"), Ok(1_790_000_000_000));
        assert_eq!(ms("2026-10-19"), Ok(1_792_368_000_000));
        assert_eq!(ms("2026-10-19T00:00:01Z"), Ok(1_792_368_001_000));
        assert_eq!(ms("2026-10-19T02:00:00+02:00"), Ok(1_792_368_000_000));
        assert_eq!(ms("2026-10-19T00:00:00.5"), Ok(1_792_368_000_500));
        for bad in ["", "yesterday", "2026-13-01", "19.10.2026", "2026-10-19 1"] {
            let said = ms(bad).expect_err("no time").to_string();
            assert!(said.contains("2026-10-19T14:30:00Z"), "{said}");
        }
        assert_eq!(When::of_date("2026-10-19"), Ok(When(1_792_368_000_000)));
        for number in ["1851", "9223372036854775807", "-5"] {
            assert!(When::of_date(number).is_err(), "{number}");
        }
    }
}
