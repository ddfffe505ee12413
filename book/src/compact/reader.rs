//! Reading a compact book where it lies.

use rookery_protocol::PositionHash;

use super::{DIRECTORY_BITS, HEADER_BYTES, KEY_BITS, MAGIC, MOVE_BITS, VERSION};
use super::{crc32, mix, read_move};
use crate::BookMove;

/// A compact book in memory or in flash.
#[derive(Debug, Clone, Copy)]
pub struct Compact<'a> {
    crc: u32,
    salt: u16,
    directory_bits: u8,
    directory: &'a [u8],
    entries: &'a [[u8; 4]],
}

/// Why bytes are no compact book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CompactError {
    /// Another file, or erased flash.
    #[error("it does not begin with 'RKB': not a compact book")]
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
        let book = match Self::reopen(bytes) {
            Ok(book) => book,
            Err(error) => return Err(error),
        };
        let (_, checked) = bytes.split_at(8);
        let found = crc32(checked.split_at(book.byte_len() - 8).0);
        if found != book.crc {
            return Err(CompactError::Crc { wanted: book.crc, found });
        }
        Ok(book)
    }

    /// The same for bytes that were opened before: the checksum is taken as right.
    ///
    /// # Errors
    /// [`CompactError`], but not [`CompactError::Crc`]
    pub const fn reopen(bytes: &'a [u8]) -> Result<Self, CompactError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(CompactError::Magic);
        };
        let [m0, m1, m2, version, c0, c1, c2, c3, n0, n1, d0, d1] = *header;
        let (directory_bits, salt) = (d0 & 15, u16::from_le_bytes([d0, d1]) >> 4);
        let [r, k, b] = MAGIC;
        if u32::from_le_bytes([m0, m1, m2, version]) != u32::from_le_bytes([r, k, b, VERSION]) {
            let known = m0 == r && m1 == k && m2 == b;
            return Err(if known { CompactError::Version(version) } else { CompactError::Magic });
        }
        let (least, most) = (*DIRECTORY_BITS.start(), *DIRECTORY_BITS.end());
        if directory_bits.wrapping_sub(least) > most - least {
            return Err(CompactError::Directory(directory_bits));
        }
        let entries = u16::from_le_bytes([n0, n1]) as usize * 4;
        let Some((body, _)) = rest.split_at_checked((1 << directory_bits) + entries) else {
            return Err(CompactError::Short);
        };
        let crc = u32::from_le_bytes([c0, c1, c2, c3]);
        let (directory, entries) = body.split_at(1 << directory_bits);
        let (entries, _) = entries.as_chunks::<4>();
        Ok(Self { crc, salt, directory_bits, directory, entries })
    }

    /// The move for a position. It may be the move of another position, if very rarely: it has to
    /// be checked before it is played.
    #[must_use]
    pub fn probe(&self, hash: PositionHash) -> Option<BookMove> {
        let key = mix(hash.0, self.salt);
        let bucket = key >> (32 - u32::from(self.directory_bits));
        let wanted = key << self.directory_bits >> (32 - KEY_BITS);
        let (before, rest) = self.directory.split_at_checked(bucket as usize)?;
        let first: usize = before.iter().map(|&count| usize::from(count)).sum();
        let (entries, _) = self.entries.split_at_checked(first + usize::from(*rest.first()?))?;
        let (_, entries) = entries.split_at_checked(first)?;
        // A bucket of a board's book has some sixteen entries: not worth a binary search's code.
        entries
            .iter()
            .map(|entry| u32::from_le_bytes(*entry))
            .find(|entry| entry >> MOVE_BITS == wanted)
            .map(read_move)
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
    pub const fn salt(&self) -> u16 {
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

    /// The moves, in the order in which they stand.
    pub fn moves(&self) -> impl Iterator<Item = BookMove> + 'a {
        self.entries.iter().map(|entry| read_move(u32::from_le_bytes(*entry)))
    }
}
