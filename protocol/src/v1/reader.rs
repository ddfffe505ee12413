//! The host's side: bytes to the text of lines.

use super::said::{SaidIter, read};

/// The longest line that is kept whole; a longer one is handed out in pieces.
pub const MAX_TEXT: usize = 80;

/// Gathers the bytes of a board.
///
/// Bytes that no text of this dialect has are left out, and so are empty lines.
///
/// ```
/// use rookery_protocol::v1::{Reader, Said};
/// let mut reader = Reader::new();
/// let mut said = Vec::new();
/// for &byte in b" d=5 uz=45012 oc=-34\nenter=" {
///     for found in reader.push(byte).into_iter().flatten() {
///         said.push(found.to_string());
///     }
/// }
/// assert_eq!(said, [" d=5 uz=45012 oc=-34"]);
/// // Nothing more comes: the board waits.
/// assert_eq!(reader.flush().and_then(|mut said| said.next()), Some(Said::Prompt));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reader {
    text: heapless::String<MAX_TEXT, u8>,
    done: bool,
}

impl Reader {
    /// A reader that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: heapless::String::new(), done: false }
    }

    /// Takes one byte; what was said comes with the end of its line.
    pub fn push(&mut self, byte: u8) -> Option<SaidIter<'_>> {
        self.begin();
        match byte {
            b'\n' => return self.flush(),
            b' '..=b'~' => {
                // There is room: a full buffer has been handed out.
                let _ = self.text.push(char::from(byte));
            }
            _ => {}
        }
        if self.text.len() == MAX_TEXT {
            return self.flush();
        }
        None
    }

    /// The text of the line so far, for a raw log.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Hands out a line that has not ended: to be called when nothing has come for a while, as
    /// a board that waits for a move leaves its prompt hanging.
    pub fn flush(&mut self) -> Option<SaidIter<'_>> {
        self.begin();
        if self.text.is_empty() {
            return None;
        }
        self.done = true;
        Some(read(&self.text))
    }

    fn begin(&mut self) {
        if self.done {
            self.text.clear();
            self.done = false;
        }
    }
}
