//! What the words behind `match` ask for.

use rookery_engine::{Params, Preset};

use super::game::Player;

pub(crate) const USAGE: &str = "\
Usage: rookery-engine match --first SIDE --second SIDE --openings FILE [OPTION ...]

Plays micro-Max against itself with different parameters: every opening twice, with the colours
swapped. The same words have the same result, with any number of workers.

  SIDE             NAME=VALUE,...: preset (classic, journal), pawn (PawnCoefficient), short
                   (CastlingShort), long (CastlingLong), nodes (NodeBudget), depth (DepthCeiling),
                   cells (HashCells); what is not named is classic, and as --nodes and --cells say
  --openings FILE  EPD or FEN, a position a line, none twice
  --games N        an even number [twice the openings]
  --nodes N        node budget of a move [3000]
  --cells N        cells of the hash table, a power of two [512]
  --longest N      moves after which a game is called a draw [200]
  --workers N      games at a time [1]
  --pgn FILE, --csv FILE, --json FILE
                   where to write the games, a line a game, and the result
";

/// As many cells as fit into a gigabyte.
const LARGEST_TABLE: usize = 1 << 27;
const LARGEST_BUDGET: u32 = 1_000_000_000;
const MOST_WORKERS: usize = 256;

/// A match.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) sides: [Player; 2],
    pub(crate) openings: String,
    /// None: twice the openings.
    pub(crate) games: Option<usize>,
    /// In plies.
    pub(crate) longest: usize,
    pub(crate) workers: usize,
    pub(crate) pgn: Option<String>,
    pub(crate) csv: Option<String>,
    pub(crate) json: Option<String>,
}

impl Settings {
    pub(crate) fn read(words: &[&str]) -> Result<Settings, String> {
        let (mut sides, mut openings, mut games) = ([None, None], None, None);
        let (mut nodes, mut cells, mut longest, mut workers) = (3000, 512, 200, 1);
        let (mut pgn, mut csv, mut json) = (None, None, None);
        let mut words = words.iter();
        while let Some(&name) = words.next() {
            let value = words.next().copied().filter(|value| !value.starts_with("--"));
            let value = value.ok_or_else(|| match name.starts_with("--") {
                true => format!("{name} needs a value"),
                false => format!("{name:?} is no option"),
            })?;
            let owned = || Some(value.to_owned());
            match name {
                "--first" => sides[0] = owned(),
                "--second" => sides[1] = owned(),
                "--openings" => openings = owned(),
                "--games" => games = Some(number(name, value, 2, usize::MAX)?),
                "--nodes" => nodes = number(name, value, 1, LARGEST_BUDGET as usize)?,
                "--cells" => cells = table_size(name, value)?,
                "--longest" => longest = number(name, value, 1, 10_000)?,
                "--workers" => workers = number(name, value, 1, MOST_WORKERS)?,
                "--pgn" => pgn = owned(),
                "--csv" => csv = owned(),
                "--json" => json = owned(),
                _ => return Err(format!("there is no option {name}")),
            }
        }
        if games.is_some_and(|games| games % 2 == 1) {
            return Err("--games must be even: every opening is played twice".to_owned());
        }
        let usual =
            Player { params: Params { node_budget: nodes as u32, ..Params::CLASSIC }, cells };
        let [first, second] = sides;
        let read = |name: &str, text: Option<String>| {
            let text = text.ok_or_else(|| format!("{name} is missing"))?;
            side(&text, usual).map_err(|error| format!("{name}: {error}"))
        };
        Ok(Settings {
            sides: [read("--first", first)?, read("--second", second)?],
            openings: openings.ok_or("--openings is missing")?,
            games,
            longest: 2 * longest,
            workers,
            pgn,
            csv,
            json,
        })
    }
}

/// Reads the parameters of a side; `usual` are those that are not named.
fn side(text: &str, usual: Player) -> Result<Player, String> {
    let mut player = usual;
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("{part:?} is not NAME=VALUE"))?;
        let params = &mut player.params;
        let weight = || {
            let most = i32::from(Params::LARGEST_WEIGHT);
            number(name, value, -most, most).map(|weight| weight as i16)
        };
        match name.to_ascii_lowercase().as_str() {
            "pawn" | "pawncoefficient" => params.pawn_coefficient = weight()?,
            "short" | "castlingshort" => params.castling_short = weight()?,
            "long" | "castlinglong" => params.castling_long = weight()?,
            "nodes" | "nodebudget" => params.node_budget = number(name, value, 1, LARGEST_BUDGET)?,
            "depth" | "depthceiling" => {
                params.depth_ceiling = number(name, value, 1, Params::DEEPEST)?;
            }
            "cells" | "hashcells" => player.cells = table_size(name, value)?,
            "preset" => {
                let preset = Preset::from_name(value)
                    .ok_or_else(|| format!("there is no preset {value:?}"))?;
                let Params { node_budget, depth_ceiling, .. } = *params;
                *params = Params { node_budget, depth_ceiling, ..Params::preset(preset) };
            }
            _ => return Err(format!("there is no parameter {name:?}")),
        }
    }
    Ok(player)
}

fn number<N>(name: &str, value: &str, least: N, most: N) -> Result<N, String>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let number: Option<N> = value.parse().ok();
    number
        .filter(|number| (&least..=&most).contains(&number))
        .ok_or_else(|| format!("{name} is a whole number from {least} to {most}, not {value:?}"))
}

fn table_size(name: &str, value: &str) -> Result<usize, String> {
    let cells: usize = number(name, value, 1, LARGEST_TABLE)?;
    if cells.is_power_of_two() {
        Ok(cells)
    } else {
        Err(format!("{name} is a power of two, not {cells}"))
    }
}

/// A side in the words that [`Settings`] understands.
pub(crate) fn describe(player: &Player) -> String {
    let Params { node_budget, castling_short, castling_long, pawn_coefficient, depth_ceiling } =
        player.params;
    format!(
        "pawn={pawn_coefficient},short={castling_short},long={castling_long},nodes={node_budget},\
         depth={depth_ceiling},cells={}",
        player.cells
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Result<Settings, String> {
        Settings::read(&line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn a_line_is_understood() {
        let settings = read(
            "--second preset=journal,PawnCoefficient=12,cells=64 --first nodes=70 --nodes 900 \
             --cells 256 --openings x.epd --games 10 --longest 100 --workers 2 --csv x.csv",
        )
        .unwrap();
        let [first, second] = settings.sides;
        assert_eq!(first.params, Params { node_budget: 70, ..Params::CLASSIC });
        let journal = Params { node_budget: 900, pawn_coefficient: 12, ..Params::JOURNAL };
        assert_eq!((second.params, second.cells, first.cells), (journal, 64, 256));
        assert_eq!((settings.games, settings.longest, settings.workers), (Some(10), 200, 2));
        assert_eq!((settings.csv.as_deref(), settings.pgn), (Some("x.csv"), None));
    }

    #[test]
    fn a_fault_is_named() {
        let sides = "--first pawn=9 --second pawn=20 --openings x";
        for (line, wanted) in [
            ("--first pawn=9".to_owned(), "--second is missing"),
            ("--first pawn=9 --second pawn=9".to_owned(), "--openings is missing"),
            (format!("{sides} --games 7"), "--games must be even"),
            (format!("{sides} --games --csv"), "--games needs a value"),
            (format!("{sides} more"), "\"more\" is no option"),
            (format!("{sides} --more 1"), "there is no option --more"),
            (format!("{sides} --cells 500"), "--cells is a power of two, not 500"),
            ("--second pawn=9 --first pawn".to_owned(), "--first: \"pawn\" is not NAME=VALUE"),
            ("--second pawn=9 --first pawn=900".to_owned(), "--first: pawn is a whole number from"),
            (
                "--second pawn=9 --first rook=9".to_owned(),
                "--first: there is no parameter \"rook\"",
            ),
            ("--second pawn=9 --first preset=x".to_owned(), "--first: there is no preset \"x\""),
        ] {
            let error = read(&line).unwrap_err();
            assert!(error.starts_with(wanted), "{line}: {error}");
        }
    }

    proptest! {
        #[test]
        fn what_a_side_is_called_is_what_it_is_read_as(
            pawn in -200i16..=200, short in -200i16..=200, long in -200i16..=200,
            nodes in 1u32..=LARGEST_BUDGET, depth in 1u8..=98, size in 0u32..=27,
        ) {
            let params = Params {
                node_budget: nodes,
                castling_short: short,
                castling_long: long,
                pawn_coefficient: pawn,
                depth_ceiling: depth,
            };
            let player = Player { params, cells: 1 << size };
            let usual = Player { params: Params::JOURNAL, cells: 1 };
            prop_assert_eq!(side(&describe(&player), usual), Ok(player));
        }

        #[test]
        fn any_words_are_read_or_refused(words in proptest::collection::vec("(--)?[a-z]{0,9}|[a-z]{0,9}=\\PC{0,5}|-?[0-9]{0,20}", 0..12)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let _ = Settings::read(&words);
            for word in words {
                let _ = side(word, Player { params: Params::CLASSIC, cells: 1 });
            }
        }
    }
}
