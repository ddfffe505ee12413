//! The orders of the control socket, a line each.

use std::io::{BufRead, BufReader, Read};
use std::str::FromStr;

/// No order is as long as this, its line end included.
pub(crate) const LONGEST: usize = 256;

/// What is to be done to the chip's wires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The button is pushed.
    Reset,
    /// The jumper is at this level from now on.
    Boot0(bool),
    /// The power goes and comes.
    PowerCycle,
    /// The power fails now.
    Cut,
    /// The power fails after so many operations of the flash.
    CutAfter(u32),
    /// What the chip does is told.
    State,
}

impl FromStr for Order {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Ok(match *words {
            ["reset"] => Self::Reset,
            ["boot0", level @ ("0" | "1")] => Self::Boot0(level == "1"),
            ["power-cycle"] => Self::PowerCycle,
            ["cut"] => Self::Cut,
            ["cut", operations] => Self::CutAfter(operations.parse().map_err(|_| {
                let operations = operations.escape_default();
                format!("`{operations}` is not a number of operations of the flash")
            })?),
            ["state"] => Self::State,
            _ => {
                return Err(format!(
                    "`{}` is no order; there are reset, boot0 0|1, power-cycle, cut [OPERATIONS], state",
                    line.trim().escape_default()
                ));
            }
        })
    }
}

/// The orders of a connection, until it ends. The last needs no line end.
#[derive(Debug)]
pub(crate) struct Orders<R>(BufReader<R>);

impl<R: Read> Orders<R> {
    pub(crate) fn new(input: R) -> Self {
        Self(BufReader::new(input))
    }
}

impl<R: Read> Iterator for Orders<R> {
    type Item = Result<Order, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        let read = (&mut self.0).take(LONGEST as u64).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            return None;
        }
        if line.len() == LONGEST && !line.ends_with(b"\n") {
            // Its end is no order by itself. A failure comes again at the next line.
            let _ = self.0.skip_until(b'\n');
            return Some(Err(format!("no order is as long as {LONGEST} bytes")));
        }
        Some(String::from_utf8_lossy(&line).parse())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_line_by_line() {
        let orders: Vec<_> =
            Orders::new(&b"reset\nboot0 1\r\n cut\t7\ncut\npower-cycle\nstate"[..]).collect();
        let wanted = [
            Order::Reset,
            Order::Boot0(true),
            Order::CutAfter(7),
            Order::Cut,
            Order::PowerCycle,
            Order::State,
        ];
        assert_eq!(orders, wanted.map(Ok));
    }

    #[test]
    fn the_end_of_a_long_line_is_no_order() {
        for padding in [LONGEST - 1, LONGEST, LONGEST + 1, 3 * LONGEST] {
            let text = format!("{}reset\nstate\n", " ".repeat(padding - "reset".len()));
            let orders: Vec<_> = Orders::new(text.as_bytes()).collect();
            let fits = padding < LONGEST;
            assert_eq!(orders.len(), 2, "{padding}: {orders:?}");
            assert_eq!((orders[0].is_ok(), &orders[1]), (fits, &Ok(Order::State)), "{padding}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_in_a_line_of_text() {
        for line in
            ["", "restart", "boot0 2", "boot0", "cut -1", "cut 4294967296", "cut \u{1b}[2J", "\0"]
        {
            let error = line.parse::<Order>().expect_err(line);
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }
}
