//! Positions as a board of version 1 prints them: it has no hashes, so its rows are what it is checked by.

use rookery_protocol::{MoveText, v1::Row};

/// The eight rows of a position, the eighth rank first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture(pub [Row; 8]);

/// A legal move and the position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub mv: MoveText,
    /// What the board prints after it.
    pub after: Picture,
}

/// What a game looks like on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pictures {
    /// After each of the placement's moves.
    pub after: Vec<Picture>,
    /// Every legal move in the position that is thought about.
    pub replies: Vec<Reply>,
}

impl Picture {
    /// How many of its rows were seen, where all that was seen can be this picture with rows lost or said twice; none where it cannot.
    #[must_use]
    pub fn fits(&self, seen: &[Row]) -> Option<usize> {
        let (mut next, mut found) = (0, 0);
        for row in seen {
            match self.0[next..].iter().position(|own| own == row) {
                Some(ahead) => {
                    next += ahead + 1;
                    found += 1;
                }
                // A line that came twice.
                None if next > 0 && self.0[next - 1] == *row => {}
                None => return None,
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_protocol::v1::{Said, read};

    fn rows(text: &str) -> Vec<Row> {
        text.split(' ')
            .map(|row| match read(row).next() {
                Some(Said::Row(row)) => row,
                other => panic!("{row}: {other:?}"),
            })
            .collect()
    }

    const START: &str = "rnbqkbnr ++++++++ ........ ........ ........ ........ ******** RNBQKBNR";

    #[test]
    fn rows_that_are_lost_or_doubled_still_fit() {
        let start = Picture(rows(START).try_into().unwrap());
        assert_eq!(start.fits(&rows(START)), Some(8));
        assert_eq!(start.fits(&[]), Some(0));
        assert_eq!(start.fits(&rows("rnbqkbnr ........ RNBQKBNR")), Some(3));
        assert_eq!(start.fits(&rows("rnbqkbnr rnbqkbnr ++++++++ RNBQKBNR")), Some(3));
        // Another order, another row, and a second board behind the first.
        assert_eq!(start.fits(&rows("++++++++ rnbqkbnr")), None);
        assert_eq!(start.fits(&rows("rnbqkbnr ++++.+++")), None);
        assert_eq!(start.fits(&rows(&format!("{START} rnbqkbnr"))), None);
    }
}
