//! Bytes to lines, on a fixed buffer, whatever the bytes are.

use crate::frame::{Line, LineError, MAX_LINE};

/// The longest line without its LF.
const CAPACITY: usize = MAX_LINE - 1;

/// Gathers bytes until an LF completes a line.
#[derive(Debug, Clone)]
pub struct Decoder {
    bytes: [u8; CAPACITY],
    length: u8,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Gathering,
    /// The line in the buffer has been handed out.
    Done,
    /// The line is too long; what comes before the next LF belongs to it.
    Skipping,
}

/// What one more byte has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoded<'a> {
    /// No line yet.
    Pending,
    /// A line with a right checksum.
    Line(Line<'a>),
    /// A line that is none, and its bytes, as many as the buffer held.
    Bad(LineError, &'a [u8]),
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; CAPACITY], length: 0, state: State::Gathering }
    }

    /// Takes one byte. CR is ignored wherever it stands, and so is a line without text.
    pub fn push(&mut self, byte: u8) -> Decoded<'_> {
        if self.state == State::Done {
            self.clear();
        }
        match byte {
            b'\r' => Decoded::Pending,
            b'\n' => self.complete(),
            _ => {
                if let Some(place) = self.bytes.get_mut(usize::from(self.length)) {
                    *place = byte;
                    self.length += 1;
                } else {
                    self.state = State::Skipping;
                }
                Decoded::Pending
            }
        }
    }

    /// Whether a line has begun and not ended.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.state != State::Done && self.length > 0
    }

    /// Drops a line that has begun and not ended; `true` if there was one.
    ///
    /// To be called when nothing has come for a while, see section 1 of the protocol.
    pub fn drop_partial(&mut self) -> bool {
        let dropped = self.is_partial();
        self.clear();
        dropped
    }

    fn clear(&mut self) {
        self.length = 0;
        self.state = State::Gathering;
    }

    fn complete(&mut self) -> Decoded<'_> {
        let state = core::mem::replace(&mut self.state, State::Done);
        let line = &self.bytes[..usize::from(self.length)];
        if line.is_empty() {
            return Decoded::Pending;
        }
        if state == State::Skipping {
            return Decoded::Bad(LineError::TooLong, line);
        }
        match Line::parse(line) {
            Ok(line) => Decoded::Line(line),
            Err(error) => Decoded::Bad(error, line),
        }
    }
}
