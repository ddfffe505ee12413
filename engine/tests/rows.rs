//! The original's own results, replayed by the command that the reviewers use.

#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn rows(path: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rookery-engine")).args(["rows", path]).output().unwrap()
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn every_row_matches() {
    let output = rows(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/search-rows.tsv"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(last_line(&output), "389 rows, 0 mismatches", "{text}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_row_that_differs_is_told() {
    let text = include_str!("data/search-rows.tsv").lines().take(2).collect::<Vec<_>>().join("\n");
    let path = std::env::temp_dir().join(format!("rookery-rows-{}.tsv", std::process::id()));
    let huge = format!("{}\t1\tnone\t\t\t\t\t", usize::MAX);
    std::fs::write(&path, text.replace("23096", "23097") + "\nnot a row\n" + &huge).unwrap();
    let output = rows(path.to_str().unwrap());
    std::fs::remove_file(&path).unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(last_line(&output), "3 rows, 3 mismatches");
    assert!(told.contains("uz 23096 instead of 23097"), "{told}");
    assert!(told.contains("is no number of cells"), "{told}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    assert_eq!(rows("/nowhere/rows.tsv").status.code(), Some(2));
}
