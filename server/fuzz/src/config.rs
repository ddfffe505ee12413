//! The configuration file.

use rookery_server::{
    config::{Config, ConfigError},
    link::BoardUrl,
    runs,
};
use std::path::Path;

/// A text that no message may show.
const SECRET: &str = "correct-horse-battery";

/// Any text: refused with a place that there is, or read; then every run's settings are made or refused.
pub fn text(text: &str) {
    let path = Path::new("/nowhere/rookery.toml");
    // As a file has it that a person has broken somewhere behind.
    let with_token = format!("token = \"{SECRET}\"\n{text}");
    if let Err(error) = Config::parse(&with_token, path) {
        assert!(!error.to_string().contains(SECRET), "{error}");
    }
    let mut config = match Config::parse(text, path) {
        Ok(config) => config,
        Err(ConfigError::Syntax { line, column, why, .. }) => {
            let lines: Vec<&str> = text.split('\n').collect();
            assert!((1..=lines.len()).contains(&line), "line {line} of {}", lines.len());
            assert!((1..=lines[line - 1].chars().count() + 1).contains(&column));
            assert!(!why.is_empty());
            return;
        }
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for spec in config.board_specs() {
        assert!(spec.url.parse::<BoardUrl>().is_ok());
    }
    // Files of this machine are nobody's business here.
    for engine in config.engines.values_mut() {
        engine.book = None;
    }
    for run in &mut config.runs {
        run.openings = None;
    }
    for run in &config.runs {
        match config.settings(run) {
            Ok(settings) => {
                let known_as = |url: &str| url.parse::<BoardUrl>().map(|url| url.to_string());
                runs::check(&settings, known_as).expect("it was checked");
                assert_eq!(settings.games, run.games);
                let json = serde_json::to_string(&settings).expect("settings are JSON");
                assert_eq!(serde_json::from_str(&json).ok(), Some(settings), "{json}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let _ = config.books_options();
}
