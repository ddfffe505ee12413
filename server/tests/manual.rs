//! What the documents say is so: options, defaults and links are held against the program and the tree.

use clap::{Command, CommandFactory as _};
use rookery_server::cli::Cli;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Every command with its words: `book build`.
fn commands(of: &Command, words: &str, found: &mut BTreeMap<String, Command>) {
    for command in of.get_subcommands().filter(|command| !command.is_hide_set()) {
        let words = format!("{words} {}", command.get_name()).trim().to_owned();
        commands(command, &words, found);
        found.insert(words, command.clone());
    }
}

fn all_commands() -> BTreeMap<String, Command> {
    let mut cli = Cli::command();
    // So that each command has also what belongs to all.
    cli.build();
    let mut found = BTreeMap::new();
    commands(&cli, "", &mut found);
    found.retain(|words, _| !words.split(' ').any(|word| word == "help"));
    found
}

/// The words that begin with `--`.
fn options(text: &str) -> BTreeSet<&str> {
    let word = |part: &str| {
        part.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-')
            .unwrap_or(part.len())
    };
    let starts = text
        .match_indices("--")
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c == '-' || c.is_alphanumeric()));
    starts
        .map(|(at, _)| &text[at + 2..])
        .map(|rest| &rest[..word(rest)])
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect()
}

#[test]
fn the_readme_has_every_option_and_no_other() {
    let readme = read("README.md");
    let said = options(&readme);
    let mut known: BTreeSet<String> = BTreeSet::new();
    for command in all_commands().values() {
        let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        known.extend(shown.filter_map(|arg| arg.get_long()).map(str::to_owned));
    }
    // Those that `--help` and `--version` stand for, and a row of the README that names them by their ending (`--engine2 …(-limit, …)`).
    let by_ending = |name: &str| {
        name.strip_prefix("engine2-").is_some_and(|end| readme.contains(&format!("`-{end}`")))
    };
    let missing: Vec<&String> = known
        .iter()
        .filter(|name| !said.contains(name.as_str()) && *name != "version" && !by_ending(name))
        .collect();
    assert_eq!(missing, [] as [&String; 0], "options that the README does not have");
    // Of cargo, and of the simulator.
    let others = ["release", "bins", "dialect", "reset-on-connect", "listen"];
    let unknown: Vec<&&str> =
        said.iter().filter(|name| !known.contains(**name) && !others.contains(name)).collect();
    assert_eq!(unknown, [] as [&&str; 0], "options that only the README has");
}

#[test]
fn the_readmes_defaults_are_those_of_the_commands() {
    let readme = read("README.md");
    let mut compared = 0;
    for (words, command) in all_commands() {
        let Some(section) = readme.split(&format!("**`rookery {words}`**")).nth(1) else {
            continue;
        };
        let end = ["**`rookery ", "\n## "].iter().filter_map(|next| section.find(next)).min();
        let section = &section[..end.unwrap_or(section.len())];
        if !section.contains("| option ") || !section.contains("| default |") {
            continue;
        }
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        for row in rows.filter(|row| !row.contains("as below")) {
            let row = row.replace("\\|", "/");
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let (named, default) = (options(cells[1]), cells[cells.len() - 2]);
            for arg in command.get_arguments() {
                let Some(name) = arg.get_long().filter(|name| named.contains(name)) else {
                    continue;
                };
                // A flag is off where it is not given, and nobody has to say so.
                let values = arg.get_default_values().iter();
                for value in values.filter(|_| arg.get_action().takes_values()) {
                    let value = value.to_str().expect("a text");
                    assert!(
                        default.contains(value),
                        "{words} --{name}: {value}, and the README: {default}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20, "only {compared} defaults were found");
}

/// As GitHub names a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept: String = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect();
    kept.replace(' ', "-")
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    const OTHERS: [&str; 4] = ["target", "node_modules", "dist", ".git"];
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && !OTHERS.iter().any(|other| name == *other) {
            documents(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
}

#[test]
fn every_link_in_the_documents_leads_somewhere() {
    let mut found = Vec::new();
    documents(&root(), &mut found);
    let mut followed = 0;
    for document in found {
        let text = std::fs::read_to_string(&document).expect("a document");
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', ' ']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
            let there = match path {
                "" => document.clone(),
                path => document.parent().expect("a folder").join(path),
            };
            let place = format!("{}: {target}", document.display());
            assert!(there.exists(), "{place}: there is no such file");
            if !fragment.is_empty() {
                let text = std::fs::read_to_string(&there).expect("a document");
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                assert!(
                    headings.any(|line| anchor(line) == fragment),
                    "{place}: there is no such heading"
                );
            }
            followed += 1;
        }
    }
    assert!(followed > 20, "only {followed} links were found");
}
