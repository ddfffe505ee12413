//! What a board has said since an order, and what that proves. Nothing on this line has a checksum, so that no single text is
//! believed where two can be had: a move that is told, and rows that look like it.

use crate::link::{
    board::Progress,
    picture::{Picture, Reply},
};
use rookery_protocol::{
    MoveText,
    v1::{Row, Said, Side},
};

/// So many rows must be seen before they count as a witness.
pub(super) const ENOUGH_ROWS: usize = 4;

/// What was heard since an order was sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    rows: Vec<Row>,
    moved: Vec<(MoveText, Side)>,
    accepted: Vec<MoveText>,
    /// The last finished iteration.
    pub(super) last: Option<Progress>,
    book: bool,
    searching: bool,
    /// `#` behind the order, exactly as it was sent.
    refused: bool,
    /// `#`, whatever it was for: something was received and not executed.
    refused_something: bool,
    /// The order lay in the board's input without its end.
    pub(super) stuck: bool,
    /// It was received.
    echoed: bool,
    /// The last thing heard was a move that is told: every answer that shows rows ends with it.
    pub(super) told_last: bool,
    /// A prompt has come behind all that: the board waits again.
    pub(super) ended: bool,
}

/// What the evidence comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The move was entered, and so many rows have shown it.
    Entered { rows: usize },
    /// The board has played.
    Played(MoveText),
    /// The order was not executed.
    NotExecuted,
    /// It may have been executed or not.
    Unknown,
    /// The board does not stand where it should, or nobody can say where.
    Elsewhere(String),
}

impl Evidence {
    /// Takes what was said; refusals are told apart by [`Evidence::refused`].
    pub(super) fn hear(&mut self, said: Said<'_>) {
        self.told_last = matches!(said, Said::Moved { .. });
        match said {
            Said::Row(row) => self.rows.push(row),
            Said::Moved { mv, side } => self.moved.push((mv, side)),
            Said::Accepted(mv) => self.accepted.push(mv),
            Said::Iteration { depth, nodes, score } => {
                // The mark of a book move, also where the word was lost.
                self.book |= depth == 0 && nodes == 1;
                self.last = Some(Progress { depth, nodes, score, best: None, millis: None });
            }
            Said::BookMarker => self.book = true,
            Said::SearchMarker => self.searching = true,
            Said::Echo(_) => self.echoed = true,
            Said::Prompt => self.ended = self.has_content(),
            Said::Rejected | Said::Noise(_) => {}
        }
    }

    /// `#` came; `exactly` where it stands right behind the order.
    pub(super) fn refuse(&mut self, exactly: bool) {
        self.refused |= exactly;
        self.refused_something = true;
    }

    /// Whether there is anything of an answer.
    pub(super) fn has_content(&self) -> bool {
        self.acted() || self.echoed || self.refused_something
    }

    pub(super) fn is_book(&self) -> bool {
        self.book
    }

    /// The board has done something.
    fn acted(&self) -> bool {
        self.thought()
            || !self.rows.is_empty()
            || !self.moved.is_empty()
            || !self.accepted.is_empty()
    }

    /// The board has thought.
    pub(super) fn thought(&self) -> bool {
        self.searching || self.book || self.last.is_some()
    }

    /// Whether `mv` of `side` was entered, after which the board looks like `after`. `again`: it was sent before.
    pub(super) fn of_entering(
        &self,
        mv: MoveText,
        side: Side,
        after: &Picture,
        again: bool,
    ) -> Verdict {
        if self.thought() {
            return Verdict::Elsewhere("it thinks unasked".into());
        }
        let fits = after.fits(&self.rows);
        if fits == Some(8) {
            return Verdict::Entered { rows: 8 };
        }
        let ours = |&(told, by): &(MoveText, Side)| (by == side).then_some(told);
        let told: Vec<MoveText> = self.moved.iter().filter_map(ours).collect();
        let said = told.iter().chain(&self.accepted);
        if let Some(other) = said.clone().find(|said| !same(**said, mv)) {
            return Verdict::Elsewhere(format!("it has played {other} instead of {mv}"));
        }
        match fits {
            // Both words say so, and all rows but one: that one was damaged. The next ones will tell.
            None if !told.is_empty() && !self.accepted.is_empty() && self.fits_but_one(after) => {
                Verdict::Entered { rows: 0 }
            }
            None => Verdict::Elsewhere(format!("its rows are not those after {mv}")),
            Some(seen) if seen > 0 || said.count() > 0 => Verdict::Entered { rows: seen },
            // A board refuses to play a move twice: it can only be there already.
            Some(_) if self.refused && again => Verdict::Entered { rows: 0 },
            Some(_) if self.refused => Verdict::Elsewhere(format!("it refuses {mv}")),
            Some(_) if self.refused_something || self.stuck => Verdict::NotExecuted,
            Some(_) => Verdict::Unknown,
        }
    }

    /// Whether the rows fit without one of them.
    fn fits_but_one(&self, after: &Picture) -> bool {
        (0..self.rows.len()).any(|bad| {
            let mut rows = self.rows.clone();
            rows.remove(bad);
            after.fits(&rows).is_some_and(|seen| seen > ENOUGH_ROWS)
        })
    }

    /// Which of `replies` the board has played as `side`. `sure`: it stood where it should. `over`: nothing more will come.
    pub(super) fn of_thinking(
        &self,
        side: Side,
        replies: &[Reply],
        sure: bool,
        over: bool,
    ) -> Verdict {
        // Boards of this dialect promote to queens alone.
        let queens = |reply: &&Reply| !is_underpromotion(reply.mv);
        let shown = |reply: &Reply| reply.after.fits(&self.rows);
        // The move before is told once more; the board's own comes last.
        let own = self.moved.iter().rev().find(|(_, by)| *by == side);
        // All eight rows need no word beside them, but none that says otherwise.
        let whole = replies.iter().filter(queens).find(|reply| shown(reply) == Some(8));
        if let Some(reply) = whole.filter(|r| own.is_none_or(|(told, _)| same(r.mv, *told))) {
            return Verdict::Played(reply.mv);
        }
        // The rows that are left must single out the move that was told.
        let mut part = replies
            .iter()
            .filter(queens)
            .filter(|reply| shown(reply).is_some_and(|seen| seen >= ENOUGH_ROWS));
        if let (Some((told, _)), Some(reply), None) = (own, part.next(), part.next())
            && sure
            && same(reply.mv, *told)
        {
            return Verdict::Played(reply.mv);
        }
        if !over {
            return Verdict::Unknown;
        }
        if own.is_some() || !self.rows.is_empty() || self.thought() {
            return Verdict::Elsewhere("what it has played cannot be told from its answer".into());
        }
        if self.refused_something || self.stuck {
            return Verdict::NotExecuted;
        }
        Verdict::Unknown
    }
}

/// Whether a promotion has no words in this dialect.
pub(super) fn is_underpromotion(mv: MoveText) -> bool {
    matches!(mv.as_str().as_bytes().get(4), Some(b'n' | b'b' | b'r'))
}

/// The same squares; the dialect has no letters of promotions.
pub(super) fn same(one: MoveText, other: MoveText) -> bool {
    one.as_str().get(..4) == other.as_str().get(..4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_protocol::v1::read;

    const START: [&str; 8] = [
        "rnbqkbnr", "++++++++", "........", "........", "........", "........", "********",
        "RNBQKBNR",
    ];

    fn mv(text: &str) -> MoveText {
        text.parse().unwrap()
    }

    fn picture(changes: &[(usize, &str)]) -> Picture {
        let mut rows = START;
        for (row, text) in changes {
            rows[*row] = text;
        }
        Picture(rows.map(|row| match read(row).next() {
            Some(Said::Row(row)) => row,
            other => panic!("{row}: {other:?}"),
        }))
    }

    fn after_e4() -> Picture {
        picture(&[(4, "....*..."), (6, "****.***")])
    }

    fn heard(lines: &[String]) -> Evidence {
        let mut evidence = Evidence::default();
        for said in lines.iter().flat_map(|line| read(line)) {
            match said {
                Said::Rejected => evidence.refuse(lines[0].contains("X #")),
                said => evidence.hear(said),
            }
        }
        evidence
    }

    fn rows(picture: &Picture) -> Vec<String> {
        picture.0.iter().map(ToString::to_string).collect()
    }

    fn entering(lines: &[String], again: bool) -> Verdict {
        heard(lines).of_entering(mv("e2e4"), Side::White, &after_e4(), again)
    }

    #[test]
    fn an_eaten_prompt_and_cut_rows_are_still_an_answer() {
        let mut lines = vec!["ee2e4X GO e2e4 OK".to_owned()];
        assert_eq!(entering(&lines, false), Verdict::Entered { rows: 0 });
        lines.extend(rows(&after_e4()));
        assert_eq!(entering(&lines, false), Verdict::Entered { rows: 8 });
        lines[2] = ".+".into();
        assert_eq!(entering(&lines, false), Verdict::Entered { rows: 7 });
    }

    #[test]
    fn one_damaged_row_is_believed_against_two_words_and_not_against_one() {
        let mut lines = vec!["e2e4X GO e2e4 OK".to_owned()];
        lines.extend(rows(&after_e4()));
        lines[8] = "RNBQKBNr".into();
        assert!(matches!(entering(&lines, false), Verdict::Elsewhere(_)));
        lines.push("mov e2e4 w".into());
        assert_eq!(entering(&lines, false), Verdict::Entered { rows: 0 });
        lines[1] = "rnbqkb.r".into();
        assert!(matches!(entering(&lines, false), Verdict::Elsewhere(_)));
    }

    #[test]
    fn a_move_that_was_changed_on_its_way_is_noticed() {
        let lines = ["e2e3X GO e2e3 OK".to_owned(), "mov e2e3 w".to_owned()];
        assert!(matches!(entering(&lines, false), Verdict::Elsewhere(_)));
    }

    #[test]
    fn a_refusal_means_there_already_only_where_the_move_was_sent_before() {
        let exactly = ["e2e4X #".to_owned()];
        assert!(matches!(entering(&exactly, false), Verdict::Elsewhere(_)));
        assert_eq!(entering(&exactly, true), Verdict::Entered { rows: 0 });
        assert_eq!(entering(&["e24 #".to_owned()], true), Verdict::NotExecuted);
        assert_eq!(entering(&[], true), Verdict::Unknown);
    }

    #[test]
    fn the_boards_move_needs_its_rows_and_the_hosts_own_is_not_taken_for_it() {
        let replies = [
            Reply { mv: mv("e2e4"), after: after_e4() },
            Reply { mv: mv("e2e3"), after: picture(&[(5, "....*..."), (6, "****.***")]) },
        ];
        let thinking = |lines: &[String], sure, over| {
            heard(lines).of_thinking(Side::White, &replies, sure, over)
        };
        let told = ["mov e2e4 w".to_owned()];
        assert_eq!(thinking(&told, true, false), Verdict::Unknown);
        assert!(matches!(thinking(&told, true, true), Verdict::Elsewhere(_)));
        let whole = rows(&after_e4());
        assert_eq!(thinking(&whole, false, false), Verdict::Played(mv("e2e4")));
        // Said by Black: the move before, once more.
        let part = |said: &str| [vec![said.to_owned()], whole[2..].to_vec()].concat();
        assert_eq!(thinking(&part("mov e2e4 b"), true, false), Verdict::Unknown);
        assert_eq!(thinking(&part("mov e2e4 w"), true, false), Verdict::Played(mv("e2e4")));
        assert_eq!(thinking(&part("mov e2e4 w"), false, false), Verdict::Unknown);
        // The words and the rows contradict each other.
        assert_eq!(thinking(&part("mov e2e3 w"), true, false), Verdict::Unknown);
        assert_eq!(thinking(&[], true, true), Verdict::Unknown);
    }
}
