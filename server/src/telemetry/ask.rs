//! A question as the API and the command line put it: the same words for both.

use super::{Filter, Group, List, Phase, Query, QueryError, Side, View, When, Who};
use schemars::JsonSchema;
use serde::Deserialize;

/// Which rows of a view. Several values of one kind stand with commas between them; conditions of different kinds must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields, default)]
pub struct Ask {
    /// Only these runs: 1,2
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub run: List<i64>,
    /// Only these games
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub game: List<i64>,
    /// Only these boards
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub board: List<i64>,
    /// Only these firmware versions, as the boards said them at the time of the game
    #[arg(long, value_name = "VERSIONS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub firmware: List<String>,
    /// Only these players: first (the board), second, opening
    #[arg(long, value_name = "WHO", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub mover: List<Who>,
    /// Only this side: white, black
    #[arg(long, value_name = "SIDE", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub side: List<Side>,
    /// Only these phases: book, opening, middlegame, endgame
    #[arg(long, value_name = "PHASES", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub phase: List<Phase>,
    /// Only these plies: 10-40, 10-, -40, 12
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub plies: Option<String>,
    /// Only games begun at this time or later: 2026-10-19, 2026-10-19T14:30:00Z, or Unix milliseconds
    #[arg(long, value_name = "TIME")]
    #[schemars(with = "Option<String>")]
    pub since: Option<When>,
    /// Only games begun before this time
    #[arg(long, value_name = "TIME")]
    #[schemars(with = "Option<String>")]
    pub until: Option<When>,
    /// A row for each: run, board, firmware, game, mover, phase, depth, ply, material (summary); run, board, firmware, game (link)
    #[arg(long, value_name = "KEYS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    pub group: List<Group>,
    /// With p50, p90, p95 and p99 of time, nodes and nodes/s (summary)
    #[arg(long)]
    pub percentiles: bool,
    /// Rows at most
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
    /// Rows that are passed over
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: u32,
}

impl Ask {
    /// The question to a view; refuses what the view cannot answer.
    pub fn of(self, view: View) -> Result<Query, QueryError> {
        let Ask { run, game, board, firmware, mover, side, phase, since, until, .. } = self;
        let mut filter = Filter {
            run,
            game,
            board,
            firmware,
            mover,
            side,
            phase,
            since,
            until,
            ..Filter::default()
        };
        if let Some(plies) = &self.plies {
            filter.set_plies(plies)?;
        }
        let Ask { group, percentiles, limit, offset, .. } = self;
        let query = Query { view, filter, group, percentiles, limit, offset };
        query.check()?;
        Ok(query)
    }
}
