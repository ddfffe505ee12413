//! The UCI options.

use rookery_engine::{Params, Preset};

use super::clock::number;

/// The number of cells unless told otherwise.
const DEFAULT_CELLS: usize = CELLS_A_MEGABYTE;
pub(crate) const LARGEST_TABLE: usize = 1 << 27;
const CELLS_A_MEGABYTE: usize = (1 << 20) / 8;
const LARGEST_BUDGET: u32 = 1_000_000_000;

/// What can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) cells: usize,
    pub(crate) params: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options { cells: DEFAULT_CELLS, params: Params::CLASSIC }
    }
}

impl Options {
    /// The lines that offer the options.
    pub(crate) fn describe(&self) -> Vec<String> {
        let Params { node_budget, castling_short, castling_long, pawn_coefficient, depth_ceiling } =
            self.params;
        let weight = Params::LARGEST_WEIGHT;
        let presets: String =
            Preset::ALL.iter().map(|preset| format!(" var {}", preset.name())).collect();
        vec![
            format!(
                "option name Hash type spin default 1 min 1 max {}",
                LARGEST_TABLE / CELLS_A_MEGABYTE
            ),
            format!(
                "option name HashCells type spin default {DEFAULT_CELLS} min 1 max {LARGEST_TABLE}"
            ),
            format!(
                "option name NodeBudget type spin default {node_budget} min 1 max {LARGEST_BUDGET}"
            ),
            format!(
                "option name CastlingShort type spin default {castling_short} min -{weight} max {weight}"
            ),
            format!(
                "option name CastlingLong type spin default {castling_long} min -{weight} max {weight}"
            ),
            format!(
                "option name PawnCoefficient type spin default {pawn_coefficient} min -{weight} max {weight}"
            ),
            format!(
                "option name DepthCeiling type spin default {depth_ceiling} min 1 max {}",
                Params::DEEPEST
            ),
            format!("option name Preset type combo default {}{presets}", Preset::Classic.name()),
        ]
    }

    /// Take the rest of a `setoption` line.
    pub(crate) fn set(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let name = match words.first() {
            Some(&"name") => words[1..value_at].concat().to_ascii_lowercase(),
            _ => return Err("setoption name NAME value VALUE".to_owned()),
        };
        let value = words.get(value_at + 1..).unwrap_or_default().join(" ");
        let number = || number(&value).ok_or_else(|| format!("{value:?} is not a whole number"));
        let weight = || number().map(|value| value.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
        match name.as_str() {
            "hash" => self.cells = table_size(number()?.saturating_mul(CELLS_A_MEGABYTE as i64)),
            "hashcells" => self.cells = table_size(number()?),
            "nodebudget" => {
                self.params.node_budget = number()?.clamp(1, LARGEST_BUDGET.into()) as u32
            }
            "castlingshort" => self.params.castling_short = weight()?,
            "castlinglong" => self.params.castling_long = weight()?,
            "pawncoefficient" => self.params.pawn_coefficient = weight()?,
            "depthceiling" => {
                self.params.depth_ceiling = number()?.clamp(1, Params::DEEPEST.into()) as u8
            }
            "preset" => {
                let preset =
                    Preset::from_name(&value).ok_or(format!("there is no preset {value:?}"))?;
                let Params { node_budget, depth_ceiling, .. } = self.params;
                self.params = Params { node_budget, depth_ceiling, ..Params::preset(preset) };
            }
            _ => return Err(format!("there is no option {name:?}")),
        }
        self.params = self.params.bounded();
        Ok(())
    }
}

/// The largest power of two that is not above what was asked for.
fn table_size(cells: i64) -> usize {
    1 << cells.clamp(1, LARGEST_TABLE as i64).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_within_their_bounds() {
        let mut options = Options::default();
        for line in [
            "name HashCells value 1000",
            "name Preset value Journal",
            "name Pawn Coefficient value 12",
            "name NodeBudget value 3000",
            "name DepthCeiling value 500",
        ] {
            options.set(line).unwrap();
        }
        let expected = Params { pawn_coefficient: 12, node_budget: 3000, ..Params::JOURNAL };
        assert_eq!((options.cells, options.params), (512, expected));
        options.set("name Hash value 16").unwrap();
        assert_eq!(options.cells, 1 << 21);
        // A number that is too large for anything is the largest.
        options.set("name NodeBudget value 99999999999999999999").unwrap();
        assert_eq!(options.params.node_budget, LARGEST_BUDGET);
        options.set("name CastlingLong value -99999999999999999999").unwrap();
        assert_eq!(options.params.castling_long, -Params::LARGEST_WEIGHT);
        for line in [
            "",
            "name",
            "name value 1",
            "value 1 name Hash",
            "name Hash value",
            "name Contempt value 1",
            "name HashCells value many",
            "name Preset value tal",
        ] {
            assert!(options.set(line).is_err(), "{line}");
        }
    }
}
