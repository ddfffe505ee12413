//! The rules of adjudication in words, as fastchess and cutechess-cli write them: `movenumber=40,movecount=8,score=10`.

use super::{DrawRule, ResignRule};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// Why a text is not a [`DrawRule`] or a [`ResignRule`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A word that is none.
    #[error("'{0}' has no '='; write KEY=VALUE")]
    NoPair(String),
    /// A key of another rule, or of none.
    #[error("'{key}' is not known here; there are: {known}")]
    Unknown {
        /// What was written.
        key: String,
        /// What could have been.
        known: String,
    },
    /// A key that comes again.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// A key that must be there.
    #[error("'{0}=' is missing")]
    Missing(&'static str),
    /// A value that its key does not take.
    #[error("{key}='{value}' is not {wanted}")]
    Value {
        /// The key.
        key: &'static str,
        /// What was written.
        value: String,
        /// What it takes.
        wanted: &'static str,
    },
}

/// `key=value` pairs, separated by commas or spaces.
struct Pairs<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Pairs<'a> {
    /// Every key must be one of `keys`.
    fn read(text: &'a str, keys: &[&str]) -> Result<Pairs<'a>, RuleError> {
        let mut found = BTreeMap::new();
        for pair in text.split([',', ' ']).filter(|pair| !pair.is_empty()) {
            let (key, value) =
                pair.split_once('=').ok_or_else(|| RuleError::NoPair(pair.to_owned()))?;
            if !keys.contains(&key) {
                return Err(RuleError::Unknown { key: key.to_owned(), known: keys.join(", ") });
            }
            if found.insert(key, value).is_some() {
                return Err(RuleError::Twice(key.to_owned()));
            }
        }
        Ok(Pairs(found))
    }

    fn value<T: FromStr>(
        &self,
        key: &'static str,
        wanted: &'static str,
        default: Option<T>,
    ) -> Result<T, RuleError> {
        match self.0.get(key) {
            Some(value) => value.parse().map_err(|_| RuleError::Value {
                key,
                value: (*value).to_owned(),
                wanted,
            }),
            None => default.ok_or(RuleError::Missing(key)),
        }
    }

    fn number(&self, key: &'static str, default: Option<u32>) -> Result<u32, RuleError> {
        self.value(key, "a whole number from 0 to 4294967295", default)
    }

    fn moves(&self) -> Result<u32, RuleError> {
        let (key, wanted) = ("movecount", "a whole number that is at least 1");
        match self.value(key, wanted, None)? {
            0 => Err(RuleError::Value { key, value: "0".into(), wanted }),
            moves => Ok(moves),
        }
    }
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<DrawRule, RuleError> {
        let pairs = Pairs::read(text, &["movenumber", "movecount", "score"])?;
        Ok(DrawRule {
            move_number: pairs.number("movenumber", Some(1))?,
            moves: pairs.moves()?,
            score: pairs.number("score", None)?,
        })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { move_number, moves, score } = self;
        write!(f, "movenumber={move_number},movecount={moves},score={score}")
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<ResignRule, RuleError> {
        let pairs = Pairs::read(text, &["movecount", "score", "twosided"])?;
        Ok(ResignRule {
            moves: pairs.moves()?,
            score: pairs.number("score", None)?,
            two_sided: pairs.value("twosided", "true or false", Some(false))?,
        })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { moves, score, two_sided } = self;
        write!(f, "movecount={moves},score={score},twosided={two_sided}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn draw(text: &str) -> Result<DrawRule, String> {
        text.parse().map_err(|error: RuleError| error.to_string())
    }

    fn resign(text: &str) -> Result<ResignRule, String> {
        text.parse().map_err(|error: RuleError| error.to_string())
    }

    #[test]
    fn reads_what_other_tools_write() {
        assert_eq!(
            draw("movenumber=40,movecount=8,score=10"),
            Ok(DrawRule { move_number: 40, moves: 8, score: 10 })
        );
        assert_eq!(
            resign("movecount=3 score=600 twosided=true"),
            Ok(ResignRule { moves: 3, score: 600, two_sided: true })
        );
        assert!(draw("movecount=8").unwrap_err().contains("score"));
        assert!(draw("moves=8").unwrap_err().contains("movenumber, movecount, score"));
        assert!(resign("movecount=0,score=1").unwrap_err().contains("at least 1"));
        assert!(resign("movecount=1,movecount=1").unwrap_err().contains("twice"));
        assert!(resign("movecount=1,score=-5").unwrap_err().contains("'-5' is not a whole number"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            pairs in prop::collection::vec("(movenumber|movecount|score|twosided|x)(=(-?[0-9]{1,10}|true|nan|.)?)?[, ]", 0..5),
        ) {
            let text = pairs.concat();
            if let Ok(rule) = draw(&text) {
                prop_assert_eq!(draw(&rule.to_string()), Ok(rule));
            }
            if let Ok(rule) = resign(&text) {
                prop_assert_eq!(resign(&rule.to_string()), Ok(rule));
            }
        }
    }
}
