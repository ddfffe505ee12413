//! A whole `.bin` file.

use alloc::vec::Vec;

use super::entry::{ENTRY_BYTES, Entry};

/// A book in memory, sorted: by key, then the heaviest move first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    entries: Vec<Entry>,
    unsorted: usize,
    merged: usize,
}

/// Why a file is no book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Its length.
    #[error(
        "it has {0} bytes, which is no multiple of {ENTRY_BYTES}: no Polyglot book, or one that was cut"
    )]
    Length(usize),
}

impl Book {
    /// A book of entries in any order. Entries with the same key and move become one, with the sum
    /// of their weights.
    #[must_use]
    pub fn new(mut entries: Vec<Entry>) -> Self {
        let before = entries.len();
        let unsorted = entries.windows(2).filter(|pair| pair[0].key > pair[1].key).count();
        entries.sort_by_key(|entry| (entry.key, entry.mv));
        entries.dedup_by(|next, kept| {
            let same = (next.key, next.mv) == (kept.key, kept.mv);
            if same {
                kept.weight = kept.weight.saturating_add(next.weight);
            }
            same
        });
        let merged = before - entries.len();
        entries.sort_by_key(|entry| (entry.key, core::cmp::Reverse(entry.weight), entry.mv));
        Self { entries, unsorted, merged }
    }

    /// Reads a file's content. One that is not sorted is sorted; see [`Book::unsorted`].
    ///
    /// # Errors
    /// [`ReadError::Length`]: any bytes are a book if only there are enough of them.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let (entries, []) = bytes.as_chunks::<ENTRY_BYTES>() else {
            return Err(ReadError::Length(bytes.len()));
        };
        Ok(Self::new(entries.iter().map(Entry::from_bytes).collect()))
    }

    /// The file's content.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// The entries of a position, the heaviest first; empty when the book does not know it.
    #[must_use]
    pub fn find(&self, key: u64) -> &[Entry] {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let last = self.entries.partition_point(|entry| entry.key <= key);
        &self.entries[first..last]
    }

    /// All entries.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many entries stood before one with a smaller key. Other programs search the file as it
    /// is, and do not find moves in one that is not sorted.
    #[must_use]
    pub fn unsorted(&self) -> usize {
        self.unsorted
    }

    /// How many entries said once more what another one said.
    #[must_use]
    pub fn merged(&self) -> usize {
        self.merged
    }
}
