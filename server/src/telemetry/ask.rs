//! A question as the API and the command line put it: the same words for both.

use super::{Filter, Group, List, Phase, Query, QueryError, Side, View, When, Who};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which rows of a view. Several values of one kind stand with commas between them; conditions of different kinds must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields, default)]
pub struct Ask {
    /// Only these runs: 1,2
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "List::is_empty")]
    pub run: List<i64>,
    /// Only these games
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "List::is_empty")]
    pub game: List<i64>,
    /// Only these boards
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "List::is_empty")]
    pub board: List<i64>,
    /// Only these firmware versions, as the boards said them at the time of the game
    #[arg(long, value_name = "VERSIONS", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "List::is_empty")]
    pub firmware: List<String>,
    /// Only these players: first (the board), second, opening
    #[arg(long, value_name = "WHO", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "List::is_empty")]
    pub mover: List<Who>,
    /// Only this side: white, black
    #[arg(long, value_name = "SIDE", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "List::is_empty")]
    pub side: List<Side>,
    /// Only these phases: book, opening, middlegame, endgame
    #[arg(long, value_name = "PHASES", default_value = "", hide_default_value = true)]
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "List::is_empty")]
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
    #[serde(skip_serializing_if = "List::is_empty")]
    pub group: List<Group>,
    /// With p50, p90, p95 and p99 of time, nodes and nodes/s (summary)
    #[arg(long)]
    #[serde(skip_serializing_if = "is_default")]
    pub percentiles: bool,
    /// Rows at most
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
    /// Rows that are passed over
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(skip_serializing_if = "is_default")]
    pub offset: u32,
}

/// What says nothing is not said: a server that does not know a field refuses it.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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

#[cfg(test)]
mod tests {
    use super::super::GameFilter;
    use super::*;
    use proptest::prelude::*;

    fn text(of: &'static str) -> impl Strategy<Value = String> {
        prop_oneof![Just(String::new()), of]
    }

    prop_compose! {
        fn ask()(
            ids in text("-?[0-9]{1,9}(,[0-9]{1,9}){0,3}"),
            firmware in text("[^,]{1,8}(,[^,]{1,8}){0,2}"),
            words in (text("first|second,opening"), text("white"), text("book,endgame"), text("run,depth,move")),
            plies in proptest::option::of(".{0,6}"),
            since in proptest::option::of(any::<i64>().prop_map(When)),
            numbers in (any::<bool>(), any::<Option<u32>>(), any::<u32>()),
        ) -> Ask {
            Ask {
                run: ids.parse().expect("ids"),
                firmware: firmware.parse().expect("any text"),
                mover: words.0.parse().expect("words"),
                side: words.1.parse().expect("a word"),
                phase: words.2.parse().expect("words"),
                group: words.3.parse().expect("words"),
                plies,
                since,
                percentiles: numbers.0,
                limit: numbers.1,
                offset: numbers.2,
                ..Ask::default()
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_asked_is_understood(ask in ask()) {
            let query = serde_urlencoded::to_string(&ask).expect("a query");
            prop_assert_eq!(serde_urlencoded::from_str(&query), Ok(ask), "{}", query);
        }

        #[test]
        fn which_games_is_understood(
            texts in proptest::collection::vec(proptest::option::of(".{0,8}"), 4),
            numbers in any::<(Option<i64>, Option<u32>)>(),
        ) {
            let [firmware, opponent, opening, text] = texts.try_into().expect("four");
            let (until, max_plies) = (numbers.0.map(When), numbers.1);
            let filter = GameFilter { firmware, opponent, opening, text, until, max_plies, ..GameFilter::default() };
            let query = serde_urlencoded::to_string(&filter).expect("a query");
            prop_assert_eq!(serde_urlencoded::from_str(&query), Ok(filter), "{}", query);
        }
    }

    #[test]
    fn what_says_nothing_is_not_said() {
        assert_eq!(serde_urlencoded::to_string(Ask::default()).expect("a query"), "");
        let filter = GameFilter { opening: Some(String::new()), ..GameFilter::default() };
        assert_eq!(serde_urlencoded::to_string(filter).expect("a query"), "opening=");
    }
}
