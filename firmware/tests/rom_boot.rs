//! What boots and what does not.

#[path = "../../fuzz/src/rom.rs"]
#[allow(dead_code, unreachable_pub)]
mod rom;

use image::image;
use rom::model::boot::{self, Dead, Image};
use rom::model::flash::SIZE;

#[path = "common/image.rs"]
#[allow(unreachable_pub)]
mod image;

fn flash(image: &[u8]) -> Vec<u8> {
    let mut flash = image.to_vec();
    flash.resize(SIZE, 0xFF);
    flash
}

fn boots(flash: &[u8]) -> Result<String, Dead> {
    boot::image(flash, 0).map(|Image { board, version }| format!("{board} {version}"))
}

#[test]
fn an_image_boots_under_its_name() {
    assert_eq!(boots(&flash(&boot::own_image("sim", "0.1.0"))), Ok("sim 0.1.0".to_owned()));
    for size in [1024, 5000, 20_480, SIZE] {
        let image = image("stm32f103c6", "2.0.1", size);
        assert_eq!(boots(&flash(&image)), Ok("stm32f103c6 2.0.1".to_owned()), "{size} bytes");
    }
}

#[test]
fn a_half_written_image_is_dead_wherever_it_ends() {
    let whole = image("stm32f103c6", "2.0.1", 6000);
    for end in (0..whole.len() - 15).step_by(2) {
        let dead = boots(&flash(&whole[..end])).expect_err("it is not whole");
        assert_eq!(dead == Dead::Erased(0x0800_0000), end == 0, "{end}: {dead}");
    }
    // A hole where a page was lost.
    for page in 0..5 {
        let mut flash = flash(&whole);
        flash[page * 1024..(page + 1) * 1024].fill(0xFF);
        assert!(boots(&flash).is_err(), "page {page}");
    }
}

#[test]
fn what_is_left_of_an_older_image_does_not_count() {
    let old = image("sim", "1.0.0", 20_000);
    let new = image("sim", "2.0.0", 9000);
    let mut mixed = flash(&old);
    // As far as whole pages reach, erased; then written.
    mixed[..9 * 1024].fill(0xFF);
    for end in (0..new.len() - 15).step_by(2) {
        let mut half = mixed.clone();
        half[..end].copy_from_slice(&new[..end]);
        assert!(boots(&half).is_err(), "{end}");
    }
    mixed[..new.len()].copy_from_slice(&new);
    assert_eq!(boots(&mixed), Ok("sim 2.0.0".to_owned()));
}

#[test]
fn vector_tables_that_a_chip_cannot_start_with() {
    let change = |at: usize, word: u32| {
        let mut image = image("sim", "1.0.0", 2000);
        image[at..at + 4].copy_from_slice(&word.to_le_bytes());
        boots(&flash(&image))
    };
    for stack in [0, 0x2000_0000, 0x2000_2804, 0x2000_0102, 0x0800_0000] {
        assert_eq!(change(0, stack), Err(Dead::Stack(stack)));
    }
    assert!(change(0, 0x2000_2800).is_ok());
    // Not Thumb, beyond the image, in the table itself, not in the flash.
    for start in [0x0800_0040, 0x0800_07D1, 0x0800_0005, 0x2000_0201, 0, u32::MAX] {
        assert_eq!(change(4, start), Err(Dead::Vector { index: 1, value: start }));
    }
    assert_eq!(change(12, 0x0800_7001), Err(Dead::Vector { index: 3, value: 0x0800_7001 }));
    assert!(change(28, 0x1234_5678).is_ok(), "reserved");
}

#[test]
fn only_the_boards_program_is_known() {
    for (board, version) in
        [("", "1"), ("sim", ""), ("s*m", "1"), ("sim", "1.2 3"), ("sim", "123456789012345")]
    {
        let image = image(board, version, 2000);
        assert_eq!(boots(&flash(&image)), Err(Dead::NoTag), "{board} {version}");
    }
    let mut image = image("sim", "1", 2000);
    let at = image.windows(4).position(|four| four == b"rook").expect("a tag");
    image[at] = b'R';
    assert_eq!(boots(&flash(&image)), Err(Dead::NoTag));
}

#[test]
fn code_that_resets_is_known() {
    let code = b"\x01\x49\x02\x4A\x0A\x60\xFE\xE7\x0C\xED\x00\xE0\x04\x00\xFA\x05";
    assert!(boot::is_reset_code(code));
    assert!(!boot::is_reset_code(&code[..15]));
}
