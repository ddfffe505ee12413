//! Reading a compact book where it lies.

use rookery_protocol::PositionHash;

use super::{DIRECTORY_BITS, HEADER_BYTES, KEY_BITS, MAGIC, MOVE_BITS, VERSION};
use super::{crc32, mix, read_move};
use crate::BookMove;

/// A compact book in memory or in flash.
#[derive(Debug, Clone, Copy)]
pub struct Compact<'a> {
    salt: u32,
    crc: u32,
    directory_bits: u8,
    directory: &'a [u8],
    entries: &'a [[u8; 4]],
}

/// Why bytes are no compact book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CompactError {
    /// Another file, or erased flash.
    #[error("it does not begin with 'RKBK': not a compact book")]
    Magic,
    /// A form that is not known here.
    #[error("version {0} of the compact form is not known; version 1 is: build the book again")]
    Version(u8),
    /// The number of directory bits.
    #[error("its directory has {0} bits; 2 to 13 are possible")]
    Directory(u8),
    /// It ends too early.
    #[error("it is cut: its header tells of more bytes than there are")]
    Short,
    /// The directory does not add up to the number of entries.
    #[error("its directory does not add up to its number of entries")]
    Count,
    /// Some byte is not what it was.
    #[error("it is damaged: its checksum is {found:08x} and should be {wanted:08x}")]
    Crc {
        /// What the header says.
        wanted: u32,
        /// What the bytes have.
        found: u32,
    },
}

impl<'a> Compact<'a> {
    /// A book that begins with the first of these bytes, and may end before the last.
    ///
    /// Every byte of it is read once, for the checksum. A constant book can be opened in a constant.
    ///
    /// # Errors
    /// [`CompactError`]
    pub const fn open(bytes: &'a [u8]) -> Result<Self, CompactError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(CompactError::Magic);
        };
        let [m0, m1, m2, m3, version, bits, n0, n1, s0, s1, s2, s3, c0, c1, c2, c3] = *header;
        if u32::from_le_bytes([m0, m1, m2, m3]) != u32::from_le_bytes(MAGIC) {
            return Err(CompactError::Magic);
        }
        if version != VERSION {
            return Err(CompactError::Version(version));
        }
        if bits < *DIRECTORY_BITS.start() || bits > *DIRECTORY_BITS.end() {
            return Err(CompactError::Directory(bits));
        }
        let count = u16::from_le_bytes([n0, n1]) as usize;
        let Some((directory, rest)) = rest.split_at_checked(1 << bits) else {
            return Err(CompactError::Short);
        };
        let Some((entries, _)) = rest.split_at_checked(count * 4) else {
            return Err(CompactError::Short);
        };
        let mut sum = 0;
        let mut counts = directory;
        while let [first, tail @ ..] = counts {
            sum += *first as usize;
            counts = tail;
        }
        if sum != count {
            return Err(CompactError::Count);
        }
        let wanted = u32::from_le_bytes([c0, c1, c2, c3]);
        let Some((body, _)) = bytes.split_at_checked(HEADER_BYTES + directory.len() + count * 4)
        else {
            return Err(CompactError::Short);
        };
        let found = crc32([body.split_at(12).0, body.split_at(HEADER_BYTES).1]);
        if found != wanted {
            return Err(CompactError::Crc { wanted, found });
        }
        let salt = u32::from_le_bytes([s0, s1, s2, s3]);
        let (entries, _) = entries.as_chunks::<4>();
        Ok(Self { salt, crc: wanted, directory_bits: bits, directory, entries })
    }

    /// The move for a position. It may be the move of another position, if very rarely: it has to
    /// be checked before it is played.
    #[must_use]
    pub fn probe(&self, hash: PositionHash) -> Option<BookMove> {
        let key = mix(hash.0, self.salt);
        let bucket = (key >> (32 - u32::from(self.directory_bits))) as usize;
        let wanted = key << self.directory_bits >> (32 - KEY_BITS);
        let (before, rest) = self.directory.split_at_checked(bucket)?;
        let first = before.iter().map(|&count| usize::from(count)).sum();
        // A bucket of a board's book has some sixteen entries: not worth a binary search's code.
        let entries = self.entries.iter().skip(first).take(usize::from(*rest.first()?));
        entries
            .map(|entry| u32::from_le_bytes(*entry))
            .find(|entry| entry >> MOVE_BITS == wanted)
            .and_then(read_move)
    }

    /// How many positions it knows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// It knows none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Its checksum, which tells it from other books.
    #[must_use]
    pub const fn crc(&self) -> u32 {
        self.crc
    }

    /// The number that its keys are mixed with.
    #[must_use]
    pub const fn salt(&self) -> u32 {
        self.salt
    }

    /// How many bits of a key tell positions apart.
    #[must_use]
    pub const fn key_bits(&self) -> u32 {
        self.directory_bits as u32 + KEY_BITS
    }

    /// Its length in bytes, without what may follow.
    #[must_use]
    pub const fn byte_len(&self) -> usize {
        HEADER_BYTES + self.directory.len() + self.entries.len() * 4
    }

    /// The moves, in the order in which they stand; `None` for bits that are no move.
    pub fn moves(&self) -> impl Iterator<Item = Option<BookMove>> + 'a {
        self.entries.iter().map(|entry| read_move(u32::from_le_bytes(*entry)))
    }
}
