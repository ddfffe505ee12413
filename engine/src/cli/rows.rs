//! `rows`: the results of the original micro-Max, replayed one by one.
//!
//! A row is a game from the initial position, entered move by move into an engine with empty
//! tables, then one think. Its fields are parted by tabs: cells, budget, move, d, uz, oc, total,
//! moves. Moves have four letters, a promotion being to a queen. Where the move is `none`, that is
//! all that is asked.

use std::fmt::Write as _;

use rookery_engine::{Cell, ChessEngine, Control, Limits, MicroMax, Move, Params, Role};

use super::options::LARGEST_TABLE;

const FIELDS: usize = 8;

pub(crate) fn run(path: &str) -> Result<bool, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let (mut rows, mut mismatches) = (0, 0);
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        rows += 1;
        let difference = match Row::read(line) {
            Ok(row) => row.difference(),
            Err(message) => Some(message),
        };
        if let Some(difference) = difference {
            mismatches += 1;
            println!("{path}:{}: {difference}", index + 1);
        }
    }
    println!("{rows} rows, {mismatches} mismatches");
    Ok(mismatches == 0)
}

/// A line of the file.
pub(crate) struct Row<'a> {
    cells: usize,
    budget: u32,
    result: Vec<&'a str>,
    moves: Vec<&'a str>,
}

impl<'a> Row<'a> {
    pub(crate) fn read(line: &'a str) -> Result<Row<'a>, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[cells, budget, .., moves] = fields.as_slice() else {
            return Err("too few fields".to_owned());
        };
        if fields.len() != FIELDS {
            return Err(format!("{} fields instead of {FIELDS}", fields.len()));
        }
        Ok(Row {
            cells: cells
                .parse()
                .ok()
                .filter(|cells| *cells <= LARGEST_TABLE)
                .ok_or_else(|| format!("{cells:?} is no number of cells"))?,
            budget: budget.parse().map_err(|_| format!("{budget:?} is no budget"))?,
            result: fields[2..FIELDS - 1].to_vec(),
            moves: moves.split_whitespace().collect(),
        })
    }

    /// What differs from the row, if anything does.
    fn difference(&self) -> Option<String> {
        match self.replay() {
            Err(message) => Some(message),
            Ok(told) if told[0] == self.result[0] && (told[0] == "none" || told == self.result) => {
                None
            }
            Ok(told) => {
                let mut text = String::new();
                for (name, (told, wanted)) in
                    ["move", "d", "uz", "oc", "total"].iter().zip(told.iter().zip(&self.result))
                {
                    if told != wanted {
                        let _ = write!(text, "{name} {told} instead of {wanted}, ");
                    }
                }
                let _ = write!(
                    text,
                    "with {} cells, budget {}, after {}",
                    self.cells,
                    self.budget,
                    self.moves.join(" ")
                );
                Some(text)
            }
        }
    }

    fn replay(&self) -> Result<Vec<String>, String> {
        let mut cells = vec![Cell::EMPTY; self.cells];
        let mut engine = MicroMax::new(&mut cells).map_err(|error| error.to_string())?;
        engine.set_params(Params { node_budget: self.budget, ..Params::CLASSIC });
        for text in &self.moves {
            let mv: Move = text.parse().map_err(|error| format!("{text}: {error}"))?;
            let queening = Move { promotion: Some(Role::Queen), ..mv };
            engine
                .play(mv)
                .or_else(|_| engine.play(queening))
                .map_err(|error| error.to_string())?;
        }
        let thought = engine.think(Limits::NONE, &mut |_| Control::Continue);
        let mut best = thought.best.map_or("none".to_owned(), |mv| mv.to_string());
        best.truncate(4);
        let numbers = [i32::from(thought.depth), thought.nodes, thought.score, thought.total];
        Ok(std::iter::once(best).chain(numbers.iter().map(i32::to_string)).collect())
    }
}
