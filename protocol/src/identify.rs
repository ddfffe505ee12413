//! The pages in which a board describes itself: `PAGE/PAGES key=value …`.
//!
//! A board only lists its pairs; the split into pages follows from their lengths.

use crate::buffer::{Overflow, PayloadBuffer};
use crate::field::{PayloadError, Words, hex_field};
use crate::frame::MAX_PAYLOAD;

/// `PAGE/PAGES`.
const PAGE_HEAD: usize = 3;

/// The most pages that one digit can count.
const MAX_PAGES: u8 = 15;

/// One page, as the host has received it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdentifyPage<'a> {
    /// Which, from 0.
    pub page: u8,
    /// How many there are.
    pub pages: u8,
    text: &'a str,
}

impl<'a> IdentifyPage<'a> {
    /// Reads the payload of the `<A` line that answers `i PAGE`.
    ///
    /// # Errors
    /// Which field is wrong; every word after the first must hold a `=` behind a key.
    pub fn parse(payload: &'a str) -> Result<Self, PayloadError> {
        let mut words = Words::new(payload);
        let head = words.next("page")?;
        let (page, pages) = head.split_once('/').ok_or(PayloadError::Field("page"))?;
        let page = hex_field(page, 1, "page")? as u8;
        let pages = hex_field(pages, 1, "page")? as u8;
        if page >= pages {
            return Err(PayloadError::Field("page"));
        }
        let text = payload.get(head.len() + 1..).unwrap_or_default();
        while let Some(word) = words.maybe() {
            if word.find('=').is_none_or(|place| place == 0) {
                return Err(PayloadError::Field("key=value pair"));
            }
        }
        Ok(Self { page, pages, text })
    }

    /// Its pairs, in order. A reader ignores keys that it does not know.
    pub fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        self.text.split(' ').filter_map(|word| word.split_once('='))
    }
}

/// The value of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text; what cannot stand in a pair becomes `_`.
    Text(&'a str),
    /// A number.
    Number(i32),
    /// Hash and size of a book.
    Book(u32, u32),
}

/// Puts pairs into pages and keeps the one that was asked for.
///
/// The pairs have to come twice, once to be counted: a page says how many pages there are.
#[derive(Debug)]
pub struct PageWriter<'a> {
    wanted: u8,
    page: u8,
    used: usize,
    out: &'a mut PayloadBuffer,
}

impl<'a> PageWriter<'a> {
    /// Writes page `wanted` of those that `list` makes over what `out` held.
    ///
    /// `list` is called twice and has to name the same pairs in the same order.
    ///
    /// # Errors
    /// [`Overflow`] when there is no such page.
    pub fn write(
        wanted: u8,
        out: &'a mut PayloadBuffer,
        mut list: impl FnMut(&mut Self),
    ) -> Result<(), Overflow> {
        out.clear();
        let mut counter = Self { wanted: u8::MAX, page: 0, used: PAGE_HEAD, out };
        list(&mut counter);
        let pages = counter.page + 1;
        if wanted >= pages || pages > MAX_PAGES {
            return Err(Overflow);
        }
        counter.out.clear();
        counter.out.hex_behind(u32::from(wanted), 1)?;
        counter.out.text("/")?;
        counter.out.hex_behind(u32::from(pages), 1)?;
        counter.wanted = wanted;
        counter.page = 0;
        counter.used = PAGE_HEAD;
        list(&mut counter);
        Ok(())
    }

    /// Adds a pair. One that is longer than a page is cut.
    pub fn pair(&mut self, key: &str, value: Value<'_>) {
        let mut text = PayloadBuffer::new();
        // A pair that does not fit ends where it has to.
        let _ = write_pair(&mut text, key, value);
        if self.used + text.len() > MAX_PAYLOAD && self.used > PAGE_HEAD {
            self.page = self.page.saturating_add(1).min(MAX_PAGES);
            self.used = PAGE_HEAD;
        }
        self.used += text.len();
        if self.page == self.wanted {
            let _ = self.out.text(text.as_str());
        }
    }
}

fn write_pair(out: &mut PayloadBuffer, key: &str, value: Value<'_>) -> Result<(), Overflow> {
    out.text(" ")?;
    out.text(key)?;
    out.text("=")?;
    match value {
        Value::Text(text) => {
            // Of a letter in several bytes, the first stands for it.
            for byte in text.bytes().filter(|byte| byte & 0xc0 != 0x80) {
                if out.len() + PAGE_HEAD == MAX_PAYLOAD {
                    break;
                }
                let fits = byte.is_ascii_graphic() && byte != b'*';
                out.letter(if fits { byte } else { b'_' })?;
            }
            Ok(())
        }
        Value::Number(number) => out.signed_behind(number),
        Value::Book(hash, size) => {
            out.hex_behind(hash, 8)?;
            out.text(",")?;
            out.decimal_behind(size)
        }
    }
}
