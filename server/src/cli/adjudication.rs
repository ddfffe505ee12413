//! `--draw` and `--resign`, written as fastchess and cutechess-cli write them: `movenumber=40,movecount=8,score=10`.

use crate::model::{DrawRule, ResignRule};
use std::{collections::BTreeMap, str::FromStr};

/// Reads `key=value` pairs, separated by commas or spaces; every key must be one of `keys`.
fn pairs<'a>(text: &'a str, keys: &[&str]) -> Result<BTreeMap<&'a str, &'a str>, String> {
    let mut found = BTreeMap::new();
    for pair in text.split([',', ' ']).filter(|pair| !pair.is_empty()) {
        let (key, value) =
            pair.split_once('=').ok_or_else(|| format!("'{pair}' has no '='; write KEY=VALUE"))?;
        if !keys.contains(&key) {
            return Err(format!("'{key}' is not known here; there are: {}", keys.join(", ")));
        }
        if found.insert(key, value).is_some() {
            return Err(format!("'{key}' is given twice"));
        }
    }
    Ok(found)
}

fn value<T: FromStr>(
    pairs: &BTreeMap<&str, &str>,
    key: &str,
    default: Option<T>,
) -> Result<T, String> {
    match (pairs.get(key), default) {
        (Some(text), _) => text.parse().map_err(|_| format!("{key}='{text}' is not possible")),
        (None, Some(default)) => Ok(default),
        (None, None) => Err(format!("'{key}=' is missing")),
    }
}

/// `movenumber=40,movecount=8,score=10`
pub(super) fn draw(text: &str) -> Result<DrawRule, String> {
    let pairs = pairs(text, &["movenumber", "movecount", "score"])?;
    let moves = at_least_one(value(&pairs, "movecount", None)?)?;
    let move_number = value(&pairs, "movenumber", Some(1))?;
    Ok(DrawRule { move_number, moves, score: value(&pairs, "score", None)? })
}

/// `movecount=3,score=600,twosided=true`
pub(super) fn resign(text: &str) -> Result<ResignRule, String> {
    let pairs = pairs(text, &["movecount", "score", "twosided"])?;
    let moves = at_least_one(value(&pairs, "movecount", None)?)?;
    let two_sided = value(&pairs, "twosided", Some(false))?;
    Ok(ResignRule { moves, score: value(&pairs, "score", None)?, two_sided })
}

fn at_least_one(moves: u32) -> Result<u32, String> {
    if moves == 0 { Err("movecount must be at least 1".into()) } else { Ok(moves) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z0-9=, ]{0,40}") {
            let _ = (draw(&text), resign(&text));
        }
    }
}
