//! What runs after a reset or GO: the image in flash decides.
//!
//! The model does not execute ARM code, so it has to tell from the bytes whether a chip would run
//! this image: a vector table that makes sense, everything written that the table and the start
//! code speak of, and the tag by which the board's program names itself.

use std::fmt::Write;

use thiserror::Error;

use super::flash::{self, PAGE};
use super::memory::{SRAM_SIZE, SRAM_START};

/// How the tag begins; then come the kind of board, a space, the version and a zero.
const TAG: &[u8] = b"rookery-firmware ";
/// As a banner has room for them.
const LONGEST_BOARD: usize = 16;
const LONGEST_VERSION: usize = 14;

/// Vectors that have a meaning, behind the stack pointer and the start: two are for debuggers.
const HANDLERS: [usize; 9] = [2, 3, 4, 5, 6, 11, 12, 14, 15];
const VECTORS: usize = 16;

/// As many erased bytes are the end of something.
const GAP: usize = 16;
/// How much of the program's beginning is searched for addresses.
const START_CODE: usize = 128;

/// AIRCR, and what makes it reset the chip.
const RESET_CODE: [u8; 8] = [0x0C, 0xED, 0x00, 0xE0, 0x04, 0x00, 0xFA, 0x05];

/// The board's program, as an image says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Image {
    /// The kind of board that it is for.
    pub(crate) board: String,
    /// Its version.
    pub(crate) version: String,
}

/// Why nothing runs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Dead {
    #[error("there is nothing to boot: the flash is erased at {0:#010x}")]
    Erased(u32),
    #[error("the vector table's stack pointer {0:#010x} is not in the SRAM")]
    Stack(u32),
    #[error("the vector table's entry {index} is {value:#010x}, which is not code of the image")]
    Vector { index: usize, value: u32 },
    #[error(
        "the image is half-written: it should reach to {wanted:#010x}, and ends at {end:#010x}"
    )]
    HalfWritten { wanted: u32, end: u32 },
    #[error("the image has no tag `rookery-firmware BOARD VERSION`")]
    NoTag,
}

/// The image whose vector table is at this offset of the flash.
pub(crate) fn image(flash: &[u8], offset: usize) -> Result<Image, Dead> {
    let end = end_of_image(flash, offset);
    let address = |offset: usize| flash::START + offset as u32;
    let word = |at: usize| match flash.get(at..at + 4) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        _ => u32::MAX,
    };
    let (stack, start) = (word(offset), word(offset + 4));
    if (stack, start) == (u32::MAX, u32::MAX) {
        return Err(Dead::Erased(address(offset)));
    }
    if !(SRAM_START + 4..=SRAM_START + SRAM_SIZE as u32).contains(&stack) || stack % 4 != 0 {
        return Err(Dead::Stack(stack));
    }
    let is_code = |value: u32| {
        value % 2 == 1 && (address(offset + 4 * VECTORS)..address(end)).contains(&(value - 1))
    };
    if !is_code(start) {
        return Err(Dead::Vector { index: 1, value: start });
    }
    for index in HANDLERS {
        let value = word(offset + 4 * index);
        if value != 0 && !is_code(value) {
            return Err(Dead::Vector { index, value });
        }
    }
    // The start code knows where the first values of the variables are: behind everything else.
    let start = (start - 1 - flash::START) as usize;
    let wanted = (start.next_multiple_of(4)..start + START_CODE)
        .step_by(4)
        .map(word)
        .filter(|value| value % 2 == 0 && (address(0)..address(flash.len())).contains(value))
        .max();
    if let Some(wanted) = wanted
        && address(end + GAP) <= wanted
    {
        return Err(Dead::HalfWritten { wanted, end: address(end) });
    }
    tag(&flash[offset..end]).ok_or(Dead::NoTag)
}

/// An image ends in the first page whose end is erased. What comes behind may be left of an older,
/// longer one.
fn end_of_image(flash: &[u8], offset: usize) -> usize {
    let mut page = offset / PAGE * PAGE;
    while page < flash.len() {
        let bytes = &flash[page..page + PAGE];
        if bytes[PAGE - GAP..].iter().all(|&byte| byte == 0xFF) {
            let written = bytes.iter().rposition(|&byte| byte != 0xFF).map_or(0, |last| last + 1);
            return (page + written).max(offset);
        }
        page += PAGE;
    }
    flash.len()
}

fn tag(image: &[u8]) -> Option<Image> {
    let at = image.windows(TAG.len()).position(|window| window == TAG)?;
    let text = &image[at + TAG.len()..];
    let end = text.iter().position(|&byte| byte == 0)?;
    let (board, version) = std::str::from_utf8(&text[..end]).ok()?.split_once(' ')?;
    let fits = |word: &str, longest: usize| {
        let plain = word.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'*');
        plain && (1..=longest).contains(&word.len())
    };
    let sound = fits(board, LONGEST_BOARD) && fits(version, LONGEST_VERSION);
    sound.then(|| Image { board: board.to_owned(), version: version.to_owned() })
}

/// Whether code in the SRAM does nothing but reset the chip, as hosts of the loader send it there
/// for want of a command.
pub(crate) fn is_reset_code(code: &[u8]) -> bool {
    code.windows(RESET_CODE.len()).any(|window| window == RESET_CODE)
}

/// An image of this version that stands for the simulator's own program. A real chip would run it
/// as well: it waits for ever.
pub(crate) fn own_image(board: &str, version: &str) -> Vec<u8> {
    let mut image = Vec::new();
    let code = (4 * VECTORS) as u32;
    image.extend((SRAM_START + SRAM_SIZE as u32).to_le_bytes());
    for index in 1..VECTORS {
        let used = index == 1 || HANDLERS.contains(&index);
        let value = if used { flash::START + code + 1 } else { 0 };
        image.extend(value.to_le_bytes());
    }
    // A branch to itself, and a NOP behind it.
    image.extend([0xFE, 0xE7, 0x00, 0xBF]);
    let mut words = String::new();
    // A string takes everything.
    let _ = write!(words, "{board} {version}\0");
    image.extend(TAG);
    image.extend(words.bytes());
    image.resize(image.len().next_multiple_of(4), 0);
    image
}
