//! Images from files: ELF, Intel HEX and plain binary, read into the bytes that are to stand in the flash, and checked before anything
//! is erased.

mod check;
mod elf;
mod hex;

pub use check::{Tag, check};

use super::chip::{BLANK, FLASH, FLASH_SIZE, PAGE, Region, WORD};
use sha2::{Digest, Sha256};
use std::fmt;

/// The largest file that is read: an ELF file with everything for a debugger has some hundred kilobytes.
pub const LARGEST_FILE: usize = 4 << 20;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Executable and linkable format.
    Elf,
    /// Intel HEX.
    Hex,
    /// The bytes themselves, from the region's first address on.
    Bin,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Elf => "ELF",
            Format::Hex => "Intel HEX",
            Format::Bin => "binary",
        })
    }
}

/// Why a file is no image for this chip: what, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The file is too large.
    #[error(
        "the file has {0} bytes; an image's file has at most {LARGEST_FILE}: is it the right one?"
    )]
    FileTooLarge(usize),
    /// The file is empty.
    #[error("the file is empty: build the image again (make firmware)")]
    Empty,
    /// The ELF file is damaged.
    #[error("the ELF file cannot be read ({0}): build it again, or use the .hex or .bin file")]
    Elf(String),
    /// An ELF file of another machine.
    #[error(
        "the ELF file is for {0}, not for a 32-bit little-endian ARM: this is a program of another machine"
    )]
    Machine(String),
    /// A line of the HEX file is wrong.
    #[error("line {line} of the HEX file is wrong: {why}; copy or build it again")]
    Hex {
        /// From 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The HEX file has no end.
    #[error(
        "the HEX file has no end-of-file record after line {0}: it was cut off; copy or build it again"
    )]
    HexEnd(usize),
    /// Something of the image is outside the flash.
    #[error(
        "the image has bytes at 0x{address:08x}, outside the {region} at 0x{start:08x} to 0x{last:08x}: link it for this chip and region"
    )]
    Outside {
        /// The first such address.
        address: u32,
        /// The region's name.
        region: &'static str,
        /// The region's first address.
        start: u32,
        /// Its last.
        last: u32,
    },
    /// Two parts of the image disagree.
    #[error("the image says twice, and differently, what stands at 0x{0:08x}: build it again")]
    Twice(u32),
    /// The image does not begin where its region begins.
    #[error(
        "the image begins at 0x{found:08x}, but must begin at 0x{wanted:08x}: link it for that address"
    )]
    Base {
        /// Where it begins.
        found: u32,
        /// Where it must.
        wanted: u32,
    },
    /// Too large.
    #[error("the image has {size} bytes; there is room for {room}: make it {} bytes smaller", size - room)]
    TooLarge {
        /// Its size.
        size: usize,
        /// The region's size.
        room: usize,
    },
    /// No vector table.
    #[error("the image has {0} bytes, too few for a vector table: this is no program")]
    TooSmall(usize),
    /// The stack pointer.
    #[error(
        "the image's stack pointer (its first word) is 0x{0:08x}, which is not in the chip's 10 KB of SRAM at 0x20000000 to 0x20002800: \
         it is linked for another chip, or it is no program"
    )]
    Stack(u32),
    /// The reset vector is even.
    #[error(
        "the image's reset vector (its second word) is 0x{0:08x}, which is even: a Cortex-M3 starts at odd addresses only; this is no program"
    )]
    ResetEven(u32),
    /// The reset vector points elsewhere.
    #[error(
        "the image's reset vector (its second word) is 0x{vector:08x}, outside the image at 0x{start:08x} to 0x{last:08x}: it is linked for another place"
    )]
    ResetOutside {
        /// The vector.
        vector: u32,
        /// The image's first address.
        start: u32,
        /// Its last.
        last: u32,
    },
    /// No tag.
    #[error(
        "the image does not say that it is Rookery's (it has no 'rookery-firmware BOARD VERSION'): flash a foreign one with --force-foreign"
    )]
    Foreign,
    /// A tag that cannot be read.
    #[error(
        "the image's tag at 0x{0:08x} is not 'rookery-firmware BOARD VERSION' with a zero behind: it is damaged; build it again, or use --force-foreign"
    )]
    Tag(u32),
    /// For another board.
    #[error(
        "the image is for the board '{found}', this is for '{wanted}': build that one (make firmware), or use --force-foreign"
    )]
    Board {
        /// The image's board.
        found: String,
        /// The board that can be flashed.
        wanted: &'static str,
    },
}

/// The bytes that are to stand in a region.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    region: Region,
    bytes: Vec<u8>,
    format: Format,
}

impl Image {
    /// Reads a file; the format is that of its first bytes. Nothing is checked but that it fits into its region.
    pub fn read(file: &[u8], region: Region) -> Result<Image, ImageError> {
        if file.len() > LARGEST_FILE {
            return Err(ImageError::FileTooLarge(file.len()));
        }
        if file.is_empty() {
            return Err(ImageError::Empty);
        }
        let first = file.iter().find(|byte| !byte.is_ascii_whitespace());
        // A book is what its maker says that it is; a program's first word is a stack pointer, which is neither of the two.
        if region == Region::APPLICATION && file.starts_with(b"\x7fELF") {
            Image::laid_out(elf::read(file)?, region, Format::Elf)
        } else if region == Region::APPLICATION && first == Some(&b':') {
            Image::laid_out(hex::read(file)?, region, Format::Hex)
        } else {
            Image::whole(file.to_vec(), region, Format::Bin)
        }
    }

    /// Bytes that were an image's already.
    pub fn from_bytes(bytes: Vec<u8>, region: Region) -> Result<Image, ImageError> {
        Image::whole(bytes, region, Format::Bin)
    }

    fn laid_out(
        parts: Vec<(u32, Vec<u8>)>,
        region: Region,
        format: Format,
    ) -> Result<Image, ImageError> {
        let start = parts.iter().map(|(address, _)| *address).min().ok_or(ImageError::Empty)?;
        let addresses = region.addresses();
        let outside = |address| ImageError::Outside {
            address,
            region: region.name,
            start: addresses.start,
            last: addresses.end - 1,
        };
        let mut cells: Vec<Option<u8>> = vec![None; FLASH_SIZE];
        let mut end = 0;
        for (address, part) in &parts {
            let at = address.checked_sub(FLASH).ok_or_else(|| outside(*address))? as usize;
            if at + part.len() > FLASH_SIZE {
                return Err(outside((*address).max(FLASH + FLASH_SIZE as u32)));
            }
            for (cell, (byte, place)) in cells[at..].iter_mut().zip(part.iter().zip(*address..)) {
                if cell.replace(*byte).is_some_and(|earlier| earlier != *byte) {
                    return Err(ImageError::Twice(place));
                }
            }
            end = end.max(at + part.len());
        }
        if start != region.base() {
            return Err(ImageError::Base { found: start, wanted: region.base() });
        }
        let from = (start - FLASH) as usize;
        let bytes = cells[from..end].iter().map(|cell| cell.unwrap_or(BLANK)).collect();
        Image::whole(bytes, region, format)
    }

    fn whole(mut bytes: Vec<u8>, region: Region, format: Format) -> Result<Image, ImageError> {
        // Erased flash behind the last byte is no part of an image: of two files that leave the same behind, one is enough.
        let used = bytes.iter().rposition(|byte| *byte != BLANK).map_or(0, |last| last + 1);
        bytes.resize(used.next_multiple_of(WORD), BLANK);
        if bytes.is_empty() {
            return Err(ImageError::Empty);
        }
        if bytes.len() > region.size() {
            return Err(ImageError::TooLarge { size: bytes.len(), room: region.size() });
        }
        Ok(Image { region, bytes, format })
    }

    /// Where it belongs.
    #[must_use]
    pub fn region(&self) -> Region {
        self.region
    }

    /// Its bytes, from the region's first address on, in whole words and without erased ones at the end.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What its file was.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// SHA-256 of the bytes in 64 hex digits: the same for the ELF, HEX and binary file of one program.
    #[must_use]
    pub fn sha256(&self) -> String {
        Sha256::digest(&self.bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whole pages, the last one filled up, with their numbers.
    pub fn pages(&self) -> impl Iterator<Item = (usize, [u8; PAGE])> + '_ {
        self.bytes.chunks(PAGE).enumerate().map(|(index, chunk)| {
            let mut page = [BLANK; PAGE];
            page[..chunk.len()].copy_from_slice(chunk);
            (self.region.first + index, page)
        })
    }

    /// What it says that it is, where it does.
    pub fn tag(&self) -> Result<Option<Tag>, ImageError> {
        check::tag(&self.bytes, self.region.base())
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image")
            .field("region", &self.region.name)
            .field("size", &self.bytes.len())
            .field("format", &self.format)
            .finish()
    }
}
