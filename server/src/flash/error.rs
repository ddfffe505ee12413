//! Why a flash came to no good end. Every text says what state the board is in and what to do.

use super::chip::PRODUCT_ID;
use crate::link::RequestError;
use std::io;

/// What is true of the board after a failure that left it in its loader.
const GO_ON: &str = "the board waits in its loader and starts nothing half-written: flash again, what is there already is kept";

/// Why a board was not flashed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlashError {
    /// The way to the board cannot be opened.
    #[error("the board's link cannot be opened: {0}")]
    Open(io::Error),
    /// The link was closed and could not be opened again.
    #[error("the connection was lost ({0}) and could not be made again; {GO_ON}")]
    Connection(io::Error),
    /// The board's program refused to enter the loader.
    #[error(
        "the board's program does not enter the loader: {0}; use --entry lines or --entry manual"
    )]
    NoLoader(String),
    /// The transport has no lines.
    #[error(
        "this link has no lines beside its bytes (plain TCP has none): use --entry app or --entry manual, or a serial port, rfc2217 or esp-link URL"
    )]
    NoLines,
    /// The lines could not be set.
    #[error("the lines cannot be set: {0}; check the adapter, or use --entry manual")]
    Lines(io::Error),
    /// Nobody answers the sync.
    #[error(
        "the loader does not answer: set BOOT0 high and press reset (--entry manual says when), and check that the link is 115200 baud, 8E1, \
         and that TX, RX and GND are connected"
    )]
    NoSync,
    /// It answers, but not as the loader does.
    #[error(
        "something answers, but not as the chip's loader does (the program may still be running): set BOOT0 high and press reset, and try again"
    )]
    NotALoader,
    /// Another chip.
    #[error(
        "the chip's product id is 0x{0:03x}; the image is for 0x{PRODUCT_ID:03x}, a low-density STM32F103: nothing was changed"
    )]
    WrongChip(u16),
    /// The chip does not let itself be read.
    #[error(
        "the chip is read-out protected: nothing was changed. --unprotect --yes takes the protection away and erases everything that is on the chip"
    )]
    Protected,
    /// Pages cannot be erased or written.
    #[error(
        "page {page} (0x{address:08x}) cannot be changed, it stays as it is: is it write-protected? {GO_ON}"
    )]
    WriteProtected {
        /// The page.
        page: usize,
        /// Its first address.
        address: u32,
    },
    /// Something else is in the book's place.
    #[error(
        "at 0x{address:08x}, where the book belongs, stands something else ('{found}...'): the board's program is too long for a book, or the          book has another format. Flash a program of 26 pages at the most first; nothing was changed"
    )]
    NoBook {
        /// The book's first address.
        address: u32,
        /// What stands there.
        found: String,
    },
    /// The loader does not answer any more.
    #[error(
        "the loader does not answer any more while the server {doing}: the line is very bad or the board was reset or has no power; {GO_ON} \
         (with BOOT0 high where it was reset)"
    )]
    Lost {
        /// What was being done.
        doing: &'static str,
    },
    /// What was written does not stay.
    #[error(
        "page {page} (0x{address:08x}) differs from the image after {tries} tries: the flash is worn out or the line is very bad; {GO_ON}"
    )]
    DoesNotHold {
        /// The page.
        page: usize,
        /// Its first address.
        address: u32,
        /// How often it was written.
        tries: u32,
    },
    /// The board was compared only, and differs.
    #[error(
        "the board differs from the image in {pages} of {of} pages; the first is page {first}: nothing was changed"
    )]
    Differs {
        /// So many.
        pages: usize,
        /// Of so many.
        of: usize,
        /// The first one.
        first: usize,
    },
    /// It was flashed, but does not come back.
    #[error(
        "the image stands in the flash and was verified, but the board did not come back within {seconds} s: set BOOT0 low and press reset. The link says: {trouble}"
    )]
    NotBack {
        /// How long it was waited for.
        seconds: u64,
        /// What the link says.
        trouble: String,
    },
    /// It was flashed and came back as another version.
    #[error(
        "the image stands in the flash and was verified, but the board says that it runs version '{found}' instead of '{wanted}': set BOOT0 low and press reset"
    )]
    OtherVersion {
        /// What the board says.
        found: String,
        /// The image's.
        wanted: String,
    },
    /// Somebody stopped it.
    #[error("stopped before anything was changed")]
    CancelledUnchanged,
    /// Somebody stopped it.
    #[error("stopped half-way; {GO_ON}")]
    Cancelled,
    /// The link's task has ended.
    #[error(transparent)]
    Link(#[from] RequestError),
}
