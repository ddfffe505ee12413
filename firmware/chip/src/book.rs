//! The book in flash: four pages that are written without the program, so that a board gets another
//! book and keeps its program. The linker script says where they are.

use rookery_book::compact::{Compact, REGION_BYTES};

/// The book that lies there, if one does: erased flash is none, nor is one that is damaged.
pub type FlashBook = Option<Compact<'static>>;

#[allow(unsafe_code)]
unsafe extern "C" {
    static _book_start: u8;
}

/// Opens it.
#[must_use]
#[inline(never)]
#[allow(unsafe_code)]
pub fn open() -> FlashBook {
    // SAFETY: the region is flash from its first byte to its last, kept free by the linker script, and
    // nobody writes to it while this program runs.
    let region = unsafe { core::slice::from_raw_parts(&raw const _book_start, REGION_BYTES) };
    Compact::open(region).ok()
}
