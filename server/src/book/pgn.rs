//! A book as PGN: a game for each line, both sides' moves. Weights are not written: lines that come again are counted.

use super::{
    Contents, Weighted,
    contents::{Gather, in_words, legal, movetext, wire_fen},
};
use crate::openings::{self, OpeningError};
use shakmaty::{Chess, Move, Position as _};
use std::{collections::HashSet, path::Path};

/// Reads a file: every move of every game is a move of the book.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Contents, OpeningError> {
    let lines = openings::games(path, bytes)?;
    let start = |fen: &str| openings::position(fen).expect("the line was replayed").1;
    let mut roots = vec![Chess::default()];
    let mut plays = Vec::new();
    for line in &lines {
        let root = line.fen.as_deref().map_or_else(Chess::default, start);
        let index = roots.iter().position(|r| *r == root).unwrap_or_else(|| {
            roots.push(root);
            roots.len() - 1
        });
        plays.push((index, &line.moves));
    }
    let mut gather = Gather::new(roots.clone());
    for (root, moves) in plays {
        let (mut position, mut line) = (roots[root].clone(), Vec::new());
        for text in moves {
            let mv = legal(&position, text).expect("the line was replayed");
            gather.add(&position, root, &line, Weighted { mv, weight: 1, cp: None });
            position.play_unchecked(mv);
            line.push(mv);
        }
    }
    Ok(gather.finish())
}

/// Lines that are the beginning of another one are left out.
pub(super) fn write(contents: &Contents) -> String {
    let mut lines: Vec<(usize, Vec<Move>)> = Vec::new();
    for known in &contents.positions {
        for m in &known.moves {
            let mut line = known.line.clone();
            line.push(m.mv);
            lines.push((known.root, line));
        }
    }
    // In the order of their words a line stands directly before one that it begins, if there is one.
    let mut sorted: Vec<usize> = (0..lines.len()).collect();
    sorted.sort_by(|a, b| {
        let ((root, line), (other_root, other)) = (&lines[*a], &lines[*b]);
        root.cmp(other_root).then_with(|| in_words(line, other))
    });
    let begins = |pair: &[usize]| {
        let ((root, line), (other_root, other)) = (&lines[pair[0]], &lines[pair[1]]);
        root == other_root && other.starts_with(line)
    };
    let beginnings: HashSet<usize> =
        sorted.windows(2).filter(|pair| begins(pair)).map(|pair| pair[0]).collect();
    let mut index = 0..;
    lines.retain(|_| !beginnings.contains(&index.next().expect("numbers do not end")));
    lines.iter().map(|(root, line)| game(&contents.roots[*root], line)).collect()
}

fn game(root: &Chess, line: &[Move]) -> String {
    let mut passed = vec![root.clone()];
    let text = movetext(root, line, |position| passed.push(position.clone()));
    let mut tags = String::from(
        "[Event \"Book\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n",
    );
    if let Some(eco) = openings::eco::classify(passed.iter()) {
        let (code, name) = (eco.code, eco.name.replace('\\', "\\\\").replace('"', "\\\""));
        tags.push_str(&format!("[ECO \"{code}\"]\n[Opening \"{name}\"]\n"));
    }
    if *root != Chess::default() {
        tags.push_str(&format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", wire_fen(root)));
    }
    format!("{tags}\n{}*\n\n", wrap(&text))
}

fn wrap(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if width + word.len() > 78 {
            out.truncate(out.trim_end().len());
            out.push('\n');
            width = 0;
        }
        out.push_str(word);
        out.push(' ');
        width += word.len() + 1;
    }
    out
}
