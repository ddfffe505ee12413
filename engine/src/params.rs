//! What can be set while the engine runs.

/// The numbers of the search that are not part of its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// No new iteration is begun once this many passes have been counted ("level").
    pub node_budget: u32,
    /// Added for castling on the king's side.
    pub castling_short: i16,
    /// Added for castling on the queen's side.
    pub castling_long: i16,
    /// What each undefended square beside a pawn costs it, and what its leaving the king does.
    pub pawn_coefficient: i16,
    /// No new iteration is begun at this depth or beyond.
    pub depth_ceiling: u8,
}

/// Sets of parameters with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// micro-Max 4.8 as it was published.
    Classic,
    /// What the project's journal arrived at on the board.
    Journal,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Preset; 2] = [Preset::Classic, Preset::Journal];

    /// Its name in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Classic => "classic",
            Preset::Journal => "journal",
        }
    }

    /// The preset of a name, in letters of either case.
    pub fn from_name(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.name().eq_ignore_ascii_case(name))
    }
}

impl Params {
    /// The depth at which a search ends at the latest, as in the original.
    pub const DEEPEST: u8 = 98;
    /// The largest bonus or coefficient that is taken.
    pub const LARGEST_WEIGHT: i16 = 200;

    /// micro-Max 4.8 as it was published.
    pub const CLASSIC: Params = Params {
        node_budget: 60_000,
        castling_short: 50,
        castling_long: 50,
        pawn_coefficient: 9,
        depth_ceiling: Params::DEEPEST,
    };

    /// What the project's journal arrived at on the board.
    pub const JOURNAL: Params =
        Params { castling_long: 20, pawn_coefficient: 20, ..Params::CLASSIC };

    /// The parameters of a preset.
    pub const fn preset(preset: Preset) -> Params {
        match preset {
            Preset::Classic => Params::CLASSIC,
            Preset::Journal => Params::JOURNAL,
        }
    }

    /// The same, with what is out of bounds moved to the nearest bound.
    pub fn bounded(self) -> Params {
        let weight = |value: i16| value.clamp(-Params::LARGEST_WEIGHT, Params::LARGEST_WEIGHT);
        Params {
            node_budget: self.node_budget.min(i32::MAX as u32 / 2),
            castling_short: weight(self.castling_short),
            castling_long: weight(self.castling_long),
            pawn_coefficient: weight(self.pawn_coefficient),
            depth_ceiling: self.depth_ceiling.clamp(1, Params::DEEPEST),
        }
    }

    /// What these parameters allow a single search.
    pub const fn limits(&self) -> Limits {
        Limits { nodes: self.node_budget, depth: self.depth_ceiling }
    }
}

impl Default for Params {
    fn default() -> Params {
        Params::CLASSIC
    }
}

/// How long one search may go on. The stricter of these and the parameters counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// No new iteration is begun once this many passes have been counted.
    pub nodes: u32,
    /// No new iteration is begun at this depth or beyond. Three iterations are always made.
    pub depth: u8,
}

impl Limits {
    /// None but the engine's own ceiling.
    pub const NONE: Limits = Limits { nodes: u32::MAX, depth: Params::DEEPEST };
}
