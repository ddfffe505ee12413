//! Fixed buffers that messages are written into, with the few number formats the wire knows.
//!
//! `core::fmt` is kept out on purpose: it would cost a board more flash than all the rest.

use core::fmt;

use crate::frame::{MAX_LINE, MAX_PAYLOAD};

/// More text than the buffer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow;

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than the {MAX_PAYLOAD} bytes a payload may have")
    }
}

impl core::error::Error for Overflow {}

/// The text of one payload while it is being written: at most [`MAX_PAYLOAD`] bytes.
///
/// Words and numbers are set apart by a space; [`PayloadBuffer::text`] alone goes on where the last one ended.
/// What does not fit is not written.
#[derive(Debug, Clone, Default)]
pub struct PayloadBuffer {
    text: heapless::String<MAX_PAYLOAD, u8>,
}

impl PayloadBuffer {
    /// An empty buffer.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: heapless::String::new() }
    }

    /// What has been written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Forgets what has been written.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// How many bytes have been written.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether nothing has been written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Appends a text.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    pub fn text(&mut self, text: &str) -> Result<(), Overflow> {
        self.text.push_str(text).map_err(|_| Overflow)
    }

    /// Sets what follows apart from what there is.
    fn space(&mut self) -> Result<(), Overflow> {
        if self.is_empty() { Ok(()) } else { self.letter(b' ') }
    }

    /// Appends a word.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    #[inline(never)]
    pub fn word(&mut self, word: &str) -> Result<(), Overflow> {
        self.space()?;
        self.text(word)
    }

    /// Appends a word of `digits` lower-case hex digits of `value`, the lowest ones.
    ///
    /// # Errors
    /// [`Overflow`] when they do not fit.
    #[inline(never)]
    pub fn hex(&mut self, value: u32, digits: usize) -> Result<(), Overflow> {
        self.space()?;
        self.hex_behind(value, digits)
    }

    /// The same, without a space.
    #[inline(never)]
    pub(crate) fn hex_behind(&mut self, value: u32, digits: usize) -> Result<(), Overflow> {
        if self.text.capacity() - self.text.len() < digits {
            return Err(Overflow);
        }
        for place in (0..digits).rev() {
            self.digit(value >> (4 * place) & 0xf)?;
        }
        Ok(())
    }

    /// Appends a number in decimal, as a word.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    #[inline(never)]
    pub fn decimal(&mut self, value: u32) -> Result<(), Overflow> {
        self.space()?;
        self.decimal_behind(value)
    }

    /// The same, without a space.
    #[inline(never)]
    pub(crate) fn decimal_behind(&mut self, value: u32) -> Result<(), Overflow> {
        let (mut place, mut digits) = (1, 1);
        while value / place > 9 {
            place *= 10;
            digits += 1;
        }
        if self.text.capacity() - self.text.len() < digits {
            return Err(Overflow);
        }
        while place > 0 {
            self.digit(value / place % 10)?;
            place /= 10;
        }
        Ok(())
    }

    fn digit(&mut self, value: u32) -> Result<(), Overflow> {
        self.letter(hex_digit(value as u8))
    }

    /// Appends an ASCII letter.
    pub(crate) fn letter(&mut self, letter: u8) -> Result<(), Overflow> {
        self.text.push(char::from(letter)).map_err(|_| Overflow)
    }

    /// Appends a number in decimal, with a minus where it has one, as a word.
    ///
    /// # Errors
    /// [`Overflow`] when it does not fit.
    pub fn signed(&mut self, value: i32) -> Result<(), Overflow> {
        self.space()?;
        self.signed_behind(value)
    }

    /// The same, without a space.
    #[inline(never)]
    pub(crate) fn signed_behind(&mut self, value: i32) -> Result<(), Overflow> {
        if value < 0 {
            self.letter(b'-')?;
        }
        self.decimal_behind(value.unsigned_abs())
    }
}

/// The bytes of one line on the wire, with the LF before it and the LF after it.
#[derive(Debug, Clone, Default)]
pub struct WireBuffer {
    bytes: heapless::Vec<u8, { MAX_LINE + 1 }, u8>,
}

impl WireBuffer {
    /// An empty buffer.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: heapless::Vec::new() }
    }

    /// The bytes of the line that was encoded last.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Overflow> {
        self.bytes.extend_from_slice(bytes).map_err(|_| Overflow)
    }

    pub(crate) fn push_hex(&mut self, value: u16, digits: usize) -> Result<(), Overflow> {
        for place in (0..digits).rev() {
            let nibble = (value >> (4 * place)) & 0xf;
            self.push(&[hex_digit(nibble as u8)])?;
        }
        Ok(())
    }
}

/// The lower-case digit of a value below 16.
pub(crate) const fn hex_digit(nibble: u8) -> u8 {
    match nibble {
        0..=9 => b'0' + nibble,
        _ => b'a' + (nibble & 0xf) - 10,
    }
}

/// The value of lower-case hex digits.
#[inline(never)]
pub(crate) fn hex_value(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, &digit| {
        let nibble = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        Some(value << 4 | u32::from(nibble))
    })
}
