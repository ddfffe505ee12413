//! Reading the words of a payload, and what can be wrong with them.

use core::fmt;

use crate::buffer::hex_value;

/// Why a payload could not be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadError {
    /// The payload ends before this field.
    Missing(&'static str),
    /// This field is not what it should be.
    Field(&'static str),
    /// There is more after the last field.
    Trailing,
    /// The first word names no message of this kind.
    Unknown,
    /// The line's direction and type carry no such message.
    NotForUs,
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "the payload ends before its {field}"),
            Self::Field(field) => write!(f, "the payload's {field} is not well-formed"),
            Self::Trailing => f.write_str("text after the payload's last field"),
            Self::Unknown => f.write_str("the payload's first word is unknown"),
            Self::NotForUs => f.write_str("this direction and type carry no such message"),
        }
    }
}

impl core::error::Error for PayloadError {}

/// The words of a payload, with exactly one space between two of them.
pub(crate) struct Words<'a> {
    rest: Option<&'a str>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(payload: &'a str) -> Self {
        Self { rest: (!payload.is_empty()).then_some(payload) }
    }

    pub(crate) fn maybe(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let length = rest.bytes().take_while(|&byte| byte != b' ').count();
        let (word, after) = rest.split_at_checked(length)?;
        self.rest = after.get(1..);
        Some(word)
    }

    pub(crate) fn next(&mut self, field: &'static str) -> Result<&'a str, PayloadError> {
        self.maybe().ok_or(PayloadError::Missing(field))
    }

    /// Everything that is left, to the letter.
    pub(crate) fn rest(self, field: &'static str) -> Result<&'a str, PayloadError> {
        self.rest.ok_or(PayloadError::Missing(field))
    }

    pub(crate) fn end(self) -> Result<(), PayloadError> {
        match self.rest {
            None => Ok(()),
            Some(_) => Err(PayloadError::Trailing),
        }
    }
}

/// Exactly `digits` lower-case hex digits.
pub(crate) fn hex_field(
    text: &str,
    digits: usize,
    field: &'static str,
) -> Result<u32, PayloadError> {
    let value = if text.len() == digits { hex_value(text.as_bytes()) } else { None };
    value.ok_or(PayloadError::Field(field))
}

/// A decimal number without a sign.
pub(crate) fn decimal_field(text: &str, field: &'static str) -> Result<u32, PayloadError> {
    decimal_value(text).ok_or(PayloadError::Field(field))
}

/// Apart from the name of the field, which a board tells nobody.
#[inline(never)]
fn decimal_value(text: &str) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    text.bytes().try_fold(0u32, |value, digit| {
        let digit = digit.is_ascii_digit().then(|| u32::from(digit - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}

/// A decimal number below 256.
pub(crate) fn small_field(text: &str, field: &'static str) -> Result<u8, PayloadError> {
    decimal_field(text, field)?.try_into().map_err(|_| PayloadError::Field(field))
}

/// A decimal number, with a minus where it has one.
pub(crate) fn signed_field(text: &str, field: &'static str) -> Result<i32, PayloadError> {
    let (digits, sign) = match text.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (text, 1),
    };
    i32::try_from(decimal_field(digits, field)?)
        .map(|value| value * sign)
        .map_err(|_| PayloadError::Field(field))
}
