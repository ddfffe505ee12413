//! Text of others: files whose encoding nobody says, names that a terminal would obey.

use std::borrow::Cow;

/// UTF-8, else Latin-1, which PGN's standard names and old programs write: a name is never lost.
#[must_use]
pub fn read_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Control characters, and those Unicode ones that are line breaks or turn the direction of what follows.
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_are_read() {
        for name in ["René", "Žluťoučký 馬", "Ÿ", ""] {
            assert_eq!(read_text(name.as_bytes()), name);
        }
        let latin: Vec<u8> = (0xA0..=0xFF).collect();
        let read = read_text(&latin).into_owned();
        assert!(read.chars().map(u32::from).eq(0xA0..=0xFF), "{read}");
    }
}
