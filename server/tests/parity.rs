//! Whatever the API can do, a command can: `docs/commands.md` says which, and is held against both; so is the README's table of requests.

use clap::CommandFactory as _;
use rookery_server::{cli::Cli, http::openapi};
use serde_json::Value;
use std::collections::BTreeSet;

fn read(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The method and path of each operation; one for each word where the path takes one of several.
fn operations(document: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let method = method.to_uppercase();
            let actions = operation["parameters"].as_array().into_iter().flatten();
            let action = actions.into_iter().find(|parameter| parameter["name"] == "action");
            match action {
                Some(action) => all.extend(
                    action["schema"]["enum"].as_array().expect("words").iter().map(|word| {
                        let word = word.as_str().expect("a word");
                        format!("{method} {}", path.replace("{action}", word))
                    }),
                ),
                None => drop(all.insert(format!("{method} {path}"))),
            }
        }
    }
    all
}

/// The rows of the table: an operation, and the words of a command.
fn rows() -> Vec<(String, String)> {
    let text = read("docs/commands.md");
    let cells = |line: &str| {
        let cells: Vec<String> =
            line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect();
        (cells[1].clone(), cells[2].clone())
    };
    text.lines().filter(|line| line.starts_with("| `")).map(cells).collect()
}

#[test]
fn every_operation_has_a_command_in_the_table() {
    let rows: Vec<String> = rows().into_iter().map(|(operation, _)| operation).collect();
    let named: BTreeSet<String> = rows.iter().cloned().collect();
    assert_eq!(named.len(), rows.len(), "an operation has two rows");
    assert_eq!(
        operations(&openapi()),
        named,
        "the API (left), docs/commands.md (right): a new operation needs a command, and a row that names it"
    );
}

#[test]
fn every_command_in_the_table_can_be_said() {
    let root = Cli::command();
    for (operation, command) in rows() {
        let mut words = command.split(' ');
        assert_eq!(words.next(), Some("rookery"), "{operation}");
        let mut known = &root;
        for word in words {
            match word.strip_prefix("--") {
                None => {
                    let found = known.find_subcommand(word);
                    known = found.unwrap_or_else(|| panic!("{operation}: no command {command}"));
                }
                Some(option) => {
                    let mut options = known.get_arguments().filter_map(|arg| arg.get_long());
                    assert!(options.any(|o| o == option), "{operation}: no --{option}: {command}");
                }
            }
        }
    }
}

/// The requests of a cell, as in "`GET /api/v1/a/{id}`, `/b`, `c`": another path, another last word. What is sent with them is none.
fn requests(cell: &str) -> Vec<String> {
    let (mut method, mut base) = ("", "");
    let parts = cell.split('`').skip(1).step_by(2);
    let mut all = Vec::new();
    for part in parts.filter(|part| !part.starts_with('{')) {
        let part = part.split('?').next().expect("a first piece");
        if let Some((verb, path)) = part.split_once(' ') {
            (method, base) = (verb, path.rsplit_once('/').expect("a path").0);
            all.push(part.to_owned());
        } else if part.starts_with('/') {
            all.push(format!("{method} /api/v1{part}"));
        } else if part.starts_with(|c: char| c.is_ascii_lowercase()) {
            all.push(format!("{method} {base}/{part}"));
        }
    }
    all
}

#[test]
fn the_readme_has_every_request_and_no_other() {
    let readme = read("README.md");
    let table = readme.split("| request | answer |").nth(1).expect("the table of requests");
    let table = &table[..table.find("\n\n").expect("its end")];
    let rows =
        table.lines().filter(|line| line.starts_with("| `")).map(|row| row.replace("\\|", "/"));
    let said: BTreeSet<String> =
        rows.flat_map(|row| requests(row.split('|').nth(1).expect("the first cell"))).collect();
    let mut known = operations(&openapi());
    // It has a paragraph of its own.
    assert!(known.remove("GET /ws") && readme.contains("**`GET /ws`**"), "the WebSocket");
    assert_eq!(said, known, "the README (left), the API (right)");
}
