//! What can be asked.

use super::{List, When};
use crate::model::{BoardId, GameId, RunId};
use serde::Deserialize;
use std::{fmt, str::FromStr};

/// A word that is none of those there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// None of the words.
    #[error("there is no {what} '{given}'; there are: {known}")]
    Word {
        /// `view`, `group`, `phase`, …
        what: &'static str,
        /// What was given.
        given: String,
        /// What there is.
        known: String,
    },
    /// A filter that a view has no column for.
    #[error("the view '{view}' cannot be filtered by '{filter}'")]
    Filter {
        /// The view.
        view: View,
        /// The filter.
        filter: &'static str,
    },
    /// A grouping of a view that has none.
    #[error("the view '{view}' cannot be grouped by '{group}'; {possible}")]
    Group {
        /// The view.
        view: View,
        /// The key.
        group: Group,
        /// What can be done instead.
        possible: &'static str,
    },
    /// Percentiles of a view that has none.
    #[error("the view '{0}' has no percentiles; ask 'summary' for them")]
    Percentiles(View),
    /// A range of plies that is none.
    #[error("'{0}' is no range of plies: write 10-40, 10- or -40")]
    Plies(String),
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident $what:literal { $($(#[$word_doc:meta])* $word:ident => $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$word_doc])* $word),+ }

        impl $name {
            /// All there are.
            pub const ALL: &[$name] = &[$($name::$word),+];

            /// The word.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $($name::$word => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = QueryError;

            fn from_str(text: &str) -> Result<$name, QueryError> {
                match text {
                    $($text => Ok($name::$word),)+
                    _ => Err(QueryError::Word {
                        what: $what,
                        given: text.to_owned(),
                        known: [$($text),+].join(", "),
                    }),
                }
            }
        }
    };
}

words!(
    /// What a table is about.
    View "view" {
        /// Sums, means and percentiles of thinks.
        Summary => "summary",
        /// A ply a row.
        Plies => "plies",
        /// A game a row.
        Games => "games",
        /// A finished iteration of a think a row.
        Iterations => "iterations",
        /// How often each thing happened on the links.
        Link => "link",
        /// What a bring-up journal notes of each game.
        Journal => "journal",
    }
);

words!(
    /// What the rows of a summary stand for.
    Group "group" {
        /// A run.
        Run => "run",
        /// A board.
        Board => "board",
        /// A firmware version.
        Firmware => "firmware",
        /// A game.
        Game => "game",
        /// A player.
        Mover => "mover",
        /// A phase of the game.
        Phase => "phase",
        /// A depth: a histogram.
        Depth => "depth",
        /// A ply: curves over a game.
        Ply => "ply",
        /// Two plies, one of each side: curves over games that a player had with both colours. Plies 1 and 2 are move 1.
        Move => "move",
        /// Both sides' material after the move.
        Material => "material",
    }
);

words!(
    /// A phase of a game: by the material of both sides after the move, where it was no book move.
    Phase "phase" {
        /// A move of an opening line or of a book.
        Book => "book",
        /// More than 62 points of 78.
        Opening => "opening",
        /// From 31 to 62 points.
        Middlegame => "middlegame",
        /// 30 points or less.
        Endgame => "endgame",
    }
);

words!(
    /// Who made a move.
    Who "mover" {
        /// The player under test: the board.
        First => "first",
        /// Its opponent.
        Second => "second",
        /// Nobody: a move of an opening line.
        Opening => "opening",
    }
);

words!(
    /// White or Black.
    Side "side" {
        /// White.
        White => "white",
        /// Black.
        Black => "black",
    }
);

/// Which plies and games. Conditions of different kinds must all hold; of the values of one kind, any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Runs.
    pub run: List<i64>,
    /// Games.
    pub game: List<i64>,
    /// Boards.
    pub board: List<i64>,
    /// Firmware versions, as the boards said them at the time of the game.
    pub firmware: List<String>,
    /// Players.
    pub mover: List<Who>,
    /// Sides.
    pub side: List<Side>,
    /// Phases.
    pub phase: List<Phase>,
    /// The first ply.
    pub ply_from: Option<u32>,
    /// The last ply.
    pub ply_to: Option<u32>,
    /// Games begun at this time or later.
    pub since: Option<When>,
    /// Games begun before this time.
    pub until: Option<When>,
}

impl Filter {
    /// One run.
    #[must_use]
    pub fn of_run(run: RunId) -> Filter {
        Filter { run: List(vec![run.0]), ..Filter::default() }
    }

    /// One game.
    #[must_use]
    pub fn of_game(game: GameId) -> Filter {
        Filter { game: List(vec![game.0]), ..Filter::default() }
    }

    /// One board.
    #[must_use]
    pub fn of_board(board: BoardId) -> Filter {
        Filter { board: List(vec![board.0]), ..Filter::default() }
    }

    /// Sets the range of plies: `10-40`, `10-`, `-40` or `12`.
    pub fn set_plies(&mut self, text: &str) -> Result<(), QueryError> {
        let wrong = || QueryError::Plies(text.to_owned());
        let number = |part: &str| match part.trim() {
            "" => Ok(None),
            part => part.parse::<u32>().map(Some).map_err(|_| wrong()),
        };
        (self.ply_from, self.ply_to) = match text.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(text)?, number(text)?),
        };
        match (self.ply_from, self.ply_to) {
            (None, None) => Err(wrong()),
            (Some(from), Some(to)) if from > to => Err(wrong()),
            _ => Ok(()),
        }
    }

    /// Whether single plies are told apart: such a question cannot be answered from sums.
    #[must_use]
    pub fn looks_at_plies(&self) -> bool {
        self.ply_from.is_some() || self.ply_to.is_some() || !self.side.is_empty()
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The view.
    pub view: View,
    /// Which rows of it.
    pub filter: Filter,
    /// What the rows of a summary (or of link events) stand for; none: one row over everything.
    pub group: List<Group>,
    /// Whether a summary has percentiles.
    pub percentiles: bool,
    /// At most so many rows.
    pub limit: Option<u32>,
    /// Rows that are passed over.
    pub offset: u32,
}

impl Query {
    /// Everything of a view.
    #[must_use]
    pub fn new(view: View) -> Query {
        Query {
            view,
            filter: Filter::default(),
            group: List::default(),
            percentiles: false,
            limit: None,
            offset: 0,
        }
    }

    /// Refuses what the view cannot answer, instead of passing over it.
    pub fn check(&self) -> Result<(), QueryError> {
        let view = self.view;
        let filter = &self.filter;
        let of_plies = matches!(view, View::Summary | View::Plies | View::Iterations);
        let given = [
            ("mover", !filter.mover.is_empty()),
            ("side", !filter.side.is_empty()),
            ("phase", !filter.phase.is_empty()),
            ("plies", filter.ply_from.is_some() || filter.ply_to.is_some()),
        ];
        if let Some((filter, _)) = given.into_iter().find(|(_, given)| *given && !of_plies) {
            return Err(QueryError::Filter { view, filter });
        }
        let of_games = [Group::Run, Group::Board, Group::Firmware, Group::Game];
        for group in self.group.iter().copied() {
            let possible = match view {
                View::Summary => continue,
                View::Link if of_games.contains(&group) => continue,
                View::Link => "link events can be grouped by run, board, firmware and game",
                _ => "ask 'summary' for groups",
            };
            return Err(QueryError::Group { view, group, possible });
        }
        if self.percentiles && view != View::Summary {
            return Err(QueryError::Percentiles(view));
        }
        Ok(())
    }

    /// What the rows stand for: what was asked for, and counts of link events for a game each where nothing was.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        match self.view {
            View::Link if self.group.is_empty() => vec![Group::Run, Group::Game, Group::Board],
            _ => self.group.0.clone(),
        }
    }

    /// The columns by which the rows are told apart; they are in order by them, phases as a game goes through them.
    #[must_use]
    pub fn key(&self) -> Vec<&'static str> {
        let groups = self.groups().into_iter().map(Group::as_str);
        match self.view {
            View::Summary => groups.collect(),
            View::Link => groups.chain(["kind"]).collect(),
            View::Games | View::Journal => vec!["game"],
            View::Plies => vec!["game", "ply"],
            View::Iterations => vec!["game", "ply", "line"],
        }
    }
}

macro_rules! from_text {
    ($($name:ident),+) => {
        $(impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        })+
    };
}
from_text!(View, Group, Phase, Who, Side);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_plies() {
        let range = |text: &str| {
            let mut filter = Filter::default();
            filter.set_plies(text).map(|()| (filter.ply_from, filter.ply_to))
        };
        assert_eq!(range("10-40"), Ok((Some(10), Some(40))));
        assert_eq!(range("10-"), Ok((Some(10), None)));
        assert_eq!(range("-40"), Ok((None, Some(40))));
        assert_eq!(range("7"), Ok((Some(7), Some(7))));
        for bad in ["", "-", "a-b", "9-3", "1-2-3", "-1-2"] {
            assert!(range(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_a_view_cannot_answer_is_refused() {
        let mut query = Query::new(View::Games);
        query.filter.phase = "endgame".parse().expect("a phase");
        let said = query.check().expect_err("no phases of games").to_string();
        assert_eq!(said, "the view 'games' cannot be filtered by 'phase'");
        let mut query = Query::new(View::Link);
        query.group = "depth".parse().expect("a group");
        assert!(query.check().is_err());
        query.group = "game,board".parse().expect("groups");
        assert_eq!(query.check(), Ok(()));
        let said = "wing".parse::<Group>().expect_err("no group").to_string();
        assert!(said.contains("no group 'wing'; there are: run, board"), "{said}");
    }
}
