//! The options that an engine declares, and the command that sets one. Knows nothing of what an option does: `Skill Level` and
//! `UCI_Elo` are options like any other.

use super::tokens::Tokens;

/// An `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name, which may contain spaces.
    pub name: String,
    /// What values it takes.
    pub kind: OptionKind,
}

/// The five types of UCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Spin {
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// One of some words.
    Combo {
        /// The words.
        vars: Vec<String>,
    },
    /// No value: an action.
    Button,
    /// Any text.
    String,
}

impl OptionLine {
    /// Reads what follows the word `option`.
    #[must_use]
    pub fn parse(text: &str) -> Option<OptionLine> {
        let mut tokens = Tokens::new(text);
        if tokens.next() != Some("name") {
            return None;
        }
        let (name, _) = tokens.until(|w| w == "type");
        let kind = match tokens.next()? {
            "check" => OptionKind::Check,
            "spin" => {
                let (mut min, mut max) = (None, None);
                while let Some(word) = tokens.next() {
                    match word {
                        "min" => min = tokens.next().and_then(|w| w.parse().ok()),
                        "max" => max = tokens.next().and_then(|w| w.parse().ok()),
                        _ => {}
                    }
                }
                OptionKind::Spin { min, max }
            }
            "combo" => {
                let mut vars = Vec::new();
                let (_, mut found) = tokens.until(|w| w == "var");
                while found.is_some() {
                    let (value, next) = tokens.until(|w| w == "var");
                    vars.push(value.to_owned());
                    found = next;
                }
                OptionKind::Combo { vars }
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::String,
            _ => return None,
        };
        (!name.is_empty()).then(|| OptionLine { name: name.to_owned(), kind })
    }

    /// Why this option does not take `value`, where it does not.
    fn refuses(&self, value: &str) -> Option<String> {
        match &self.kind {
            OptionKind::Check => {
                (!matches!(value, "true" | "false")).then(|| "it takes true or false".to_owned())
            }
            OptionKind::Spin { min, max } => match value.parse::<i64>() {
                Err(_) => Some("it takes a whole number".to_owned()),
                Ok(n) if min.is_some_and(|m| n < m) || max.is_some_and(|m| n > m) => {
                    let show = |limit: &Option<i64>| limit.map_or("?".into(), |n| n.to_string());
                    Some(format!("it takes {} to {}", show(min), show(max)))
                }
                Ok(_) => None,
            },
            OptionKind::Combo { vars } => (!vars.iter().any(|v| v.eq_ignore_ascii_case(value)))
                .then(|| format!("it takes one of {}", vars.join(", "))),
            OptionKind::Button | OptionKind::String => None,
        }
    }
}

/// The command that sets an option, and a warning where the engine may not follow it. A value that the engine excludes is not
/// sent; a name that it does not declare is, because some engines know more than they say.
pub(super) fn set_option(
    declared: &[OptionLine],
    name: &str,
    value: &str,
) -> (Option<String>, Option<String>) {
    if name.is_empty() || [name, value].iter().any(|s| s.contains(char::is_control)) {
        let warning = format!(
            "option {name:?} = {value:?} was not sent: it is empty or contains control characters"
        );
        return (None, Some(warning));
    }
    let known = declared.iter().find(|o| o.name.eq_ignore_ascii_case(name));
    if let Some(why) = known.and_then(|o| o.refuses(value)) {
        let warning = format!("option '{name}' = '{value}' was not sent: {why}");
        return (None, Some(warning));
    }
    let spelled = known.map_or(name, |o| o.name.as_str());
    let command = match (known.map(|o| &o.kind), value) {
        (Some(OptionKind::Button), _) => format!("setoption name {spelled}\n"),
        (_, "") => format!("setoption name {spelled} value <empty>\n"),
        _ => format!("setoption name {spelled} value {value}\n"),
    };
    let warning = known.is_none().then(|| {
        format!(
            "option '{name}' = '{value}' is not one that the engine declares; sent all the same"
        )
    });
    (Some(command), warning)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<OptionLine> {
        [
            "name Skill Level type spin default 20 min 0 max 20",
            "name UCI_LimitStrength type check default false",
            "name Analysis Contempt type combo default Both var Off var White var Both of them",
            "name Clear Hash type button",
            "name SyzygyPath type string default <empty>",
            "name Debug Log File type string default ",
        ]
        .into_iter()
        .map(|text| OptionLine::parse(text).expect(text))
        .collect()
    }

    #[test]
    fn reads_the_five_types() {
        let kinds: Vec<OptionKind> = declared().into_iter().map(|o| o.kind).collect();
        assert_eq!(
            kinds,
            [
                OptionKind::Spin { min: Some(0), max: Some(20) },
                OptionKind::Check,
                OptionKind::Combo {
                    vars: vec!["Off".into(), "White".into(), "Both of them".into()]
                },
                OptionKind::Button,
                OptionKind::String,
                OptionKind::String,
            ]
        );
        for bad in ["", "name", "name X", "name X type", "name X type tree", "name type check"] {
            assert_eq!(OptionLine::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn sends_what_fits_in_the_engines_spelling() {
        let declared = declared();
        for (name, value, command) in [
            ("skill level", "3", "setoption name Skill Level value 3\n"),
            ("UCI_LimitStrength", "true", "setoption name UCI_LimitStrength value true\n"),
            ("Clear Hash", "", "setoption name Clear Hash\n"),
            ("SyzygyPath", "", "setoption name SyzygyPath value <empty>\n"),
            ("SyzygyPath", "/a b", "setoption name SyzygyPath value /a b\n"),
            ("Analysis Contempt", "white", "setoption name Analysis Contempt value white\n"),
        ] {
            assert_eq!(set_option(&declared, name, value), (Some(command.into()), None));
        }
    }

    #[test]
    fn warns_of_what_does_not() {
        let declared = declared();
        for (name, value, sent, words) in [
            ("Skill Level", "21", false, "0 to 20"),
            ("Skill Level", "high", false, "whole number"),
            ("UCI_LimitStrength", "yes", false, "true or false"),
            ("Analysis Contempt", "Black", false, "Off, White"),
            ("Swindle", "1", true, "declares"),
            ("SyzygyPath", "a\nquit", false, "control"),
            ("", "1", false, "empty"),
        ] {
            let (command, warning) = set_option(&declared, name, value);
            assert_eq!(command.is_some(), sent, "{name}");
            let warning = warning.expect(name);
            assert!(warning.contains(words), "{warning}");
        }
    }
}
