//! Files as images: the three formats, every way of being wrong with its own words, and anything at all.

mod flash_support;

use flash_support::images::{Part, elf, hex, program, tag};
use proptest::prelude::*;
use rookery_server::flash::{
    Image, ImageError, Tag,
    chip::{FLASH, Region},
    image::{Format, check},
};
use std::{fs, path::Path};

const ARM: u16 = 40;

fn read(file: &[u8]) -> Result<(Image, Option<Tag>), ImageError> {
    let image = Image::read(file, Region::APPLICATION)?;
    let tag = check(&image, false)?;
    Ok((image, tag))
}

/// What every image is, whatever file it came from.
fn laws(file: &[u8], region: Region) {
    let Ok(image) = Image::read(file, region) else { return };
    assert!(!image.bytes().is_empty() && image.bytes().len() <= region.size());
    assert!(image.bytes().len().is_multiple_of(4) && image.sha256().len() == 64);
    let (first, last) = (region.first, region.first + region.pages);
    assert!(image.pages().all(|(page, _)| (first..last).contains(&page)));
    // What was read and is written as a binary file is read again.
    let again = Image::from_bytes(image.bytes().to_vec(), region).expect("its own bytes");
    assert_eq!(again.bytes(), image.bytes());
    let (own, foreign) = (check(&image, false), check(&image, true));
    assert!(own.is_err() || own == foreign);
}

#[test]
fn the_three_formats_of_one_program_are_one_image() {
    let bytes = program("1.2.3", 20_001);
    let (code, data) = bytes.split_at(17_000);
    let parts = [
        Part { physical: FLASH + 17_000, bytes: data },
        Part { physical: FLASH, bytes: code },
        // Variables without first values have nothing in the file.
        Part { physical: 0x2000_0000, bytes: &[] },
    ];
    let files = [
        (Format::Bin, bytes.clone()),
        (Format::Hex, hex(FLASH, &bytes).into_bytes()),
        (Format::Elf, elf(ARM, &parts)),
    ];
    let mut hashes = Vec::new();
    for (format, file) in &files {
        let (image, tag) = read(file).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(image.format(), *format);
        assert_eq!(image.bytes()[..20_001], bytes);
        let tag = tag.expect("a tag");
        assert_eq!((&*tag.board, &*tag.version), ("stm32f103c6", "1.2.3"));
        hashes.push(image.sha256());
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1);
    // With the line ends of another system, and lower case.
    let dos = hex(FLASH, &bytes).to_lowercase().replace('\n', "\r\n");
    assert_eq!(read(dos.as_bytes()).expect("read").0.sha256(), hashes[0]);
}

#[test]
fn each_wrong_image_has_its_own_words() {
    let good = program("1.0", 5000);
    let with = |at: usize, bytes: &[u8]| {
        let mut image = good.clone();
        image[at..at + bytes.len()].copy_from_slice(bytes);
        image
    };
    let word = |at: usize, word: u32| with(at, &word.to_le_bytes());
    let mut nameless = good.clone();
    nameless[0x180..0x1c0].fill(0);
    let other = with(0x180, &tag("stm32f411", "1.0"));
    let untold = with(0x180, &[&tag("stm32f103c6", "1.0")[..28], &[b'x'; 40]].concat());
    let mut flipped = hex(FLASH, &good);
    flipped.replace_range(100..101, if &flipped[100..101] == "0" { "1" } else { "0" });
    let cut = hex(FLASH, &good);
    let cut = &cut[..cut.len() - 20];
    let twice = hex(FLASH, &good).replace(":00000001FF\n", "") + &hex(FLASH, &program("2.0", 1024));
    let part = |physical, bytes| elf(ARM, &[Part { physical, bytes }]);
    let cases: Vec<(Vec<u8>, &[&str])> = vec![
        (vec![], &["empty", "make firmware"]),
        (vec![0xff; 500], &["empty"]),
        (vec![0; (4 << 20) + 1], &["4194305 bytes", "right one"]),
        (program("1.0", 30_721), &["30724 bytes", "room for 30720", "4 bytes smaller"]),
        (vec![1, 2, 3], &["4 bytes", "vector table"]),
        (word(0, 0x2000_5000), &["stack pointer", "0x20005000", "10 KB"]),
        (word(0, 0x2000_0000), &["stack pointer"]),
        (word(0, 0x0800_0000), &["stack pointer"]),
        (word(4, 0x0800_0200), &["reset vector", "0x08000200", "even"]),
        (word(4, 0x0800_8001), &["reset vector", "0x08008001", "outside"]),
        (word(4, 0x0000_0201), &["reset vector", "outside"]),
        (nameless, &["rookery-firmware", "--force-foreign"]),
        (untold, &["tag at 0x08000180", "damaged"]),
        (other, &["'stm32f411'", "'stm32f103c6'"]),
        (flipped.into_bytes(), &["line 3", "HEX"]),
        (cut.as_bytes().to_vec(), &["HEX", "wrong"]),
        (
            cut.as_bytes()[..cut.rfind('\n').expect("lines") + 1].to_vec(),
            &["cut off", "end-of-file"],
        ),
        (b":hello\n".to_vec(), &["line 1"]),
        (b":00000001FF\n".to_vec(), &["empty"]),
        (twice.into_bytes(), &["twice", "0x08000"]),
        (hex(0x0800_2000, &good).into_bytes(), &["begins at 0x08002000", "0x08000000"]),
        (hex(0x2000_0000, &good).into_bytes(), &["0x20000000", "outside the application"]),
        (hex(0x0000_0000, &good).into_bytes(), &["0x00000000", "outside"]),
        (part(0x0801_0000, &good), &["0x08010000", "outside"]),
        (part(FLASH + 32 * 1024 - 16, &good), &["outside"]),
        (
            elf(62, &[Part { physical: FLASH, bytes: &good }]),
            &["not for a 32-bit little-endian ARM"],
        ),
        (b"\x7fELF\x02\x01\x01".to_vec(), &["64-bit"]),
        (b"\x7fELF\x01\x02\x01".to_vec(), &["big-endian"]),
        (b"\x7fELF".to_vec(), &["damaged"]),
        (part(FLASH, &good)[..500].to_vec(), &["longer than the file"]),
    ];
    let mut all: Vec<String> = Vec::new();
    for (file, words) in cases {
        let error = read(&file).expect_err(words[0]).to_string();
        for word in words {
            assert!(error.contains(word), "{word:?} is not in: {error}");
        }
        all.push(error);
    }
}

#[test]
fn a_foreign_program_has_to_start_all_the_same() {
    let mut bytes = program("1.0", 5000);
    bytes[0x180..0x1c0].fill(0);
    let image = Image::read(&bytes, Region::APPLICATION).expect("an image");
    assert_eq!(check(&image, true), Ok(None));
    bytes[0..4].fill(0);
    let image = Image::read(&bytes, Region::APPLICATION).expect("an image");
    assert!(matches!(check(&image, true), Err(ImageError::Stack(0))));
}

#[test]
fn a_book_is_opaque() {
    for bytes in [&b"BOOK 1"[..], b"\x7fELF is how it begins", b":00000001FF"] {
        let image = Image::read(bytes, Region::BOOK).expect("a book");
        assert!(image.bytes().starts_with(bytes) && check(&image, false) == Ok(None));
        assert_eq!(image.pages().next().expect("a page").0, 26);
    }
    assert!(matches!(
        Image::read(&[1; 4097], Region::BOOK),
        Err(ImageError::TooLarge { room: 4096, .. })
    ));
}

/// The images of `make firmware`, where somebody has built them.
#[test]
fn the_firmware_of_this_repository_can_be_flashed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/firmware");
    for end in ["elf", "hex", "bin"] {
        let Ok(file) = fs::read(folder.join(format!("rookery-stm32f103c6.{end}"))) else {
            eprintln!("skipped: target/firmware has no .{end} (make firmware)");
            continue;
        };
        let (_, tag) = read(&file).unwrap_or_else(|e| panic!("{end}: {e}"));
        assert_eq!(tag.expect("a tag").board, "stm32f103c6");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
        laws(&bytes, Region::APPLICATION);
        laws(&bytes, Region::BOOK);
    }

    #[test]
    fn any_change_of_a_file_is_read_or_refused(
        kind in 0..3,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes = program("1.0", 1500);
        let mut file = match kind {
            0 => hex(FLASH, &bytes).into_bytes(),
            1 => elf(ARM, &[Part { physical: FLASH, bytes: &bytes }]),
            _ => bytes,
        };
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        laws(&file, Region::APPLICATION);
        file.truncate(cut.index(file.len()));
        laws(&file, Region::APPLICATION);
    }

    /// HEX has a sum in every line: one digit that is wrong is found.
    #[test]
    fn one_wrong_digit_of_a_hex_file_is_found(at in any::<prop::sample::Index>(), digit in 1..16u32) {
        let text = hex(FLASH, &program("1.0", 1024));
        let places: Vec<usize> = text
            .char_indices()
            .filter(|(_, c)| c.is_ascii_hexdigit())
            .map(|(at, _)| at)
            .collect();
        let at = places[at.index(places.len())];
        let now = text[at..=at].chars().next().unwrap().to_digit(16).unwrap();
        let other = char::from_digit(now ^ digit, 16).unwrap().to_string();
        let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        prop_assert!(Image::read(changed.as_bytes(), Region::APPLICATION).is_err(), "{}", changed);
    }
}
