//! The chip, an STM32F103C6: where its flash and its SRAM are, and which parts of the flash are written apart from each other.

use std::ops::Range;

/// What the loader in ROM says that a low-density STM32F10x is.
pub const PRODUCT_ID: u16 = 0x412;
/// Where the flash begins.
pub const FLASH: u32 = 0x0800_0000;
/// Its size in bytes.
pub const FLASH_SIZE: usize = PAGES * PAGE;
/// What is erased at once, in bytes.
pub const PAGE: usize = 1024;
/// How many pages there are.
pub const PAGES: usize = 32;
/// Where a stack may begin: it grows downwards, so the end of the SRAM is a place for it.
pub const STACK: std::ops::RangeInclusive<u32> = 0x2000_0004..=0x2000_2800;
/// A byte of erased flash.
pub const BLANK: u8 = 0xff;
/// What the flash is written by: the loader takes whole words.
pub const WORD: usize = 4;
/// The bytes at the beginning of a region that make it valid: the stack pointer and the reset vector of a program, the magic of a
/// book. As long as they are blank, nobody takes what stands behind them for whole.
pub const HEAD: usize = 8;

/// A part of the flash that is written by itself; what is outside stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its name, as the API and the store have it.
    pub name: &'static str,
    /// Its first page.
    pub first: usize,
    /// How many pages it has.
    pub pages: usize,
}

impl Region {
    /// The board's program. The last two pages are not its own.
    pub const APPLICATION: Region = Region { name: "application", first: 0, pages: 30 };
    /// The opening book. A program that is longer than 26 pages has no room for one.
    pub const BOOK: Region = Region { name: "book", first: 26, pages: 4 };

    /// All regions.
    pub const ALL: [Region; 2] = [Region::APPLICATION, Region::BOOK];

    /// The region of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Region> {
        Region::ALL.into_iter().find(|region| region.name == name)
    }

    /// Where it begins.
    #[must_use]
    pub fn base(&self) -> u32 {
        address(self.first)
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.pages * PAGE
    }

    /// Its addresses.
    #[must_use]
    pub fn addresses(&self) -> Range<u32> {
        self.base()..address(self.first + self.pages)
    }
}

/// Where a page begins.
#[must_use]
pub fn address(page: usize) -> u32 {
    FLASH + u32::try_from(page * PAGE).expect("no flash is that large")
}
