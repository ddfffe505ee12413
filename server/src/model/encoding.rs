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

/// Why bytes are no text with one byte, or UTF-8's few, for a character: what they are instead and what to do; `None` for what may be text.
#[must_use]
pub fn not_text(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 8] = [
        (b"\x1f\x8b", "it is compressed with gzip: unpack it first (gunzip)"),
        (b"BZh", "it is compressed with bzip2: unpack it first (bunzip2)"),
        (b"\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it first (unzstd)"),
        (b"\xfd7zXZ\0", "it is compressed with xz: unpack it first (unxz)"),
        (b"PK\x03\x04", "it is a ZIP archive: unpack it first (unzip)"),
        (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive: unpack it first"),
        (b"\xff\xfe", "it is UTF-16: save it as UTF-8"),
        (b"\xfe\xff", "it is UTF-16: save it as UTF-8"),
    ];
    let known = KINDS.iter().find(|(begin, _)| bytes.starts_with(begin)).map(|(_, why)| *why);
    // No text has a zero; UTF-16 without a mark has one in every other byte.
    known.or_else(|| {
        let begin = &bytes[..bytes.len().min(4096)];
        begin.contains(&0).then_some("it is no text: bytes with the value 0 are in it")
    })
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
    fn what_is_no_text_is_told_by_its_beginning() {
        let utf16: Vec<u8> = "[Event".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, word) in [
            (&b"\x1f\x8b\x08\0\0"[..], "gunzip"),
            (b"BZh91AY&SY", "bunzip2"),
            (b"\x28\xb5\x2f\xfd\x04", "unzstd"),
            (b"\xfd7zXZ\0\0", "unxz"),
            (b"PK\x03\x04\x14", "unzip"),
            (b"7z\xbc\xaf\x27\x1c\0", "7z"),
            (b"\xff\xfe[\0E\0", "UTF-8"),
            (b"\xfe\xff\0[\0E", "UTF-8"),
            (&utf16, "no text"),
        ] {
            assert!(not_text(bytes).is_some_and(|why| why.contains(word)), "{word}");
        }
        for text in ["", "[Event \"Z\u{fc}rich\"]", "\u{feff}1. e4", "BZ", "PK"] {
            assert_eq!(not_text(text.as_bytes()), None, "{text}");
        }
    }

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
