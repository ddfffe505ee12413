//! A text that comes in chunks and counts only when it is whole.

use crate::host::MAX_FEN;

#[derive(Debug)]
pub(super) struct Chunks {
    bytes: heapless::String<MAX_FEN, u8>,
    next: u8,
    count: u8,
}

/// What a chunk has led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Gathered<'a> {
    /// More is to come.
    More,
    /// This is all of it.
    Whole(&'a str),
    /// It does not fit to what came before; the text is abandoned.
    Abandoned,
}

impl Chunks {
    pub(super) const fn new() -> Self {
        Self { bytes: heapless::String::new(), next: 0, count: 0 }
    }

    pub(super) fn abandon(&mut self) {
        self.next = 0;
        self.count = 0;
        self.bytes.clear();
    }

    pub(super) fn add(&mut self, index: u8, count: u8, text: &str) -> Gathered<'_> {
        if index == 0 {
            self.abandon();
            self.count = count;
        }
        if index != self.next || count != self.count || self.bytes.push_str(text).is_err() {
            self.abandon();
            return Gathered::Abandoned;
        }
        self.next += 1;
        if self.next < self.count {
            return Gathered::More;
        }
        self.next = 0;
        self.count = 0;
        Gathered::Whole(&self.bytes)
    }
}
