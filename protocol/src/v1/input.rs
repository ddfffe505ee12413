//! The other direction: what a host tells a board.

use core::fmt;

use crate::move_text::MoveText;

/// The longest input that can be an order.
const MAX_INPUT: usize = 16;

/// What a host can tell a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// `d2c3X`: play this move. A pawn that reaches the last rank becomes a queen; the dialect
    /// cannot say another piece, and the letter of a promotion is not sent.
    Play(MoveText),
    /// `0X`: think and play the move found.
    Think,
}

/// As it goes over the wire. No LF follows: an empty line means think.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(mv) => {
                f.write_str(mv.as_str().get(..4).unwrap_or_default())?;
                f.write_str("X")
            }
            Self::Think => f.write_str("0X"),
        }
    }
}

/// What a board has received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostInput<'a> {
    /// An order.
    Order(Order),
    /// Something that is none; a board answers `#`.
    Senseless(&'a str),
}

/// The board's side, for a simulator: bytes to orders.
#[derive(Debug, Clone, Default)]
pub struct Console {
    text: heapless::String<MAX_INPUT, u8>,
    done: bool,
}

impl Console {
    /// A console that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: heapless::String::new(), done: false }
    }

    /// Takes one byte. An order ends with `X`; an LF ends whatever there is, and alone it means
    /// think.
    pub fn push(&mut self, byte: u8) -> Option<HostInput<'_>> {
        if self.done {
            self.text.clear();
            self.done = false;
        }
        match byte {
            b'X' | b'\n' => {
                self.done = true;
                let end = byte == b'\n';
                Some(match self.text.as_str() {
                    "" if end => HostInput::Order(Order::Think),
                    "0" => HostInput::Order(Order::Think),
                    text => match text.parse() {
                        Ok(mv) if text != "0000" => HostInput::Order(Order::Play(mv)),
                        _ => HostInput::Senseless(text),
                    },
                })
            }
            b' '..=b'~' => {
                // What is longer is no order; its beginning is enough to say so.
                let _ = self.text.push(char::from(byte));
                None
            }
            _ => None,
        }
    }
}
