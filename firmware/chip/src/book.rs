//! The book in flash: four pages that are written without the program, so that a board gets another
//! book and keeps its program.
//!
//! On an STM32F103C6 it needs the feature `book` and a program of 26 KB at most; see
//! firmware/README.md. The emulated chip has room for both.

#[cfg(any(feature = "book", feature = "qemu"))]
mod flash {
    use rookery_book::compact::{Compact, REGION_BYTES};

    /// Where the region begins.
    const REGION: *const u8 =
        if cfg!(feature = "qemu") { 0x0801_0000 } else { 0x0800_6800 } as *const u8;

    /// The book that lies there, if one does: erased flash is none, nor is one that is damaged.
    pub type FlashBook = Option<Compact<'static>>;

    /// Opens it.
    #[must_use]
    #[inline(never)]
    #[allow(unsafe_code)]
    pub fn open() -> FlashBook {
        // SAFETY: the region is flash from its first byte to its last, and nobody writes to it while
        // this program runs.
        let region = unsafe { core::slice::from_raw_parts(REGION, REGION_BYTES) };
        Compact::open(region).ok()
    }
}

#[cfg(not(any(feature = "book", feature = "qemu")))]
mod flash {
    use rookery_board::NoBook;

    /// There is no room for one.
    pub type FlashBook = NoBook;

    /// Opens it.
    #[must_use]
    pub const fn open() -> FlashBook {
        NoBook
    }
}

pub use flash::{FlashBook, open};
