//! What an image must be before anything is erased for it.

use super::{Image, ImageError};
use crate::flash::chip::{HEAD, Region, STACK};

/// The board whose program is flashed, as the tag names it.
pub(super) const BOARD: &str = "stm32f103c6";
/// What begins a tag.
const TAG: &[u8] = b"rookery-firmware ";
/// No tag is longer: the firmware keeps 64 bytes for it.
const LONGEST_TAG: usize = 64;

/// What an image says that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The board: `stm32f103c6`.
    pub board: String,
    /// The version, which the board says as `fw`.
    pub version: String,
}

/// Checks a program: that the chip can start it and that it is Rookery's, for this board. A foreign one only has to start. A book is
/// opaque. Gives the tag where there is one.
pub fn check(image: &Image, foreign: bool) -> Result<Option<Tag>, ImageError> {
    if image.region() != Region::APPLICATION {
        return Ok(None);
    }
    starts(image)?;
    match image.tag() {
        Ok(Some(tag)) if tag.board == BOARD || foreign => Ok(Some(tag)),
        Ok(Some(tag)) => Err(ImageError::Board { found: tag.board, wanted: BOARD }),
        Ok(None) | Err(_) if foreign => Ok(None),
        Ok(None) => Err(ImageError::Foreign),
        Err(error) => Err(error),
    }
}

/// The vector table: what a Cortex-M3 takes its stack pointer and its first instruction from.
fn starts(image: &Image) -> Result<(), ImageError> {
    let bytes = image.bytes();
    let word = |at: usize| {
        let word = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(word.try_into().expect("four bytes")))
    };
    let (Some(stack), Some(reset)) = (word(0), word(HEAD / 2)) else {
        return Err(ImageError::TooSmall(bytes.len()));
    };
    if !STACK.contains(&stack) || !stack.is_multiple_of(4) {
        return Err(ImageError::Stack(stack));
    }
    if reset.is_multiple_of(2) {
        return Err(ImageError::ResetEven(reset));
    }
    let start = image.region().base();
    let last = start + (bytes.len() as u32 - 1);
    if !(start + HEAD as u32..=last).contains(&reset) {
        return Err(ImageError::ResetOutside { vector: reset, start, last });
    }
    Ok(())
}

/// Finds the tag. A text that only begins like one (the program may speak of it) is passed over where a whole one follows.
pub(super) fn tag(bytes: &[u8], base: u32) -> Result<Option<Tag>, ImageError> {
    let mut damaged = None;
    for at in memmem(bytes, TAG) {
        let text = &bytes[at..bytes.len().min(at + LONGEST_TAG)];
        match read_tag(text) {
            Some(tag) => return Ok(Some(tag)),
            None => damaged = damaged.or(Some(base + at as u32)),
        }
    }
    damaged.map_or(Ok(None), |at| Err(ImageError::Tag(at)))
}

fn read_tag(text: &[u8]) -> Option<Tag> {
    let end = text.iter().position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(&text[TAG.len()..end]).ok()?;
    let (board, version) = text.split_once(' ')?;
    let word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_graphic());
    (word(board) && word(version))
        .then(|| Tag { board: board.to_owned(), version: version.to_owned() })
}

fn memmem<'a>(bytes: &'a [u8], what: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    bytes.windows(what.len()).enumerate().filter(move |(_, at)| *at == what).map(|(at, _)| at)
}
