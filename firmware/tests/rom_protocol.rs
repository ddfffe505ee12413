//! The loader byte by byte, as ST's AN3155 has it, and the flash behind it.

#[path = "../../fuzz/src/rom.rs"]
#[allow(dead_code, unreachable_pub)]
mod rom;

use rom::model::Mishap;
use rom::model::flash::{PAGE, SIZE};
use rom::model::loader::Next;
use rom::{Bench, address, command, counted};

const ACK: u8 = 0x79;
const NACK: u8 = 0x1F;
const FLASH: u32 = 0x0800_0000;
const OPTIONS: u32 = 0x1FFF_F800;

fn synced() -> Bench {
    let mut bench = Bench::default();
    assert_eq!(bench.ask(&[0x7F]), [ACK]);
    bench
}

fn write(bench: &mut Bench, at: u32, bytes: &[u8]) -> Vec<u8> {
    let mut heard = bench.ask(&command(0x31));
    heard.extend(bench.ask(&address(at)));
    heard.extend(bench.ask(&counted(bytes)));
    heard
}

fn read(bench: &mut Bench, at: u32, length: usize) -> Vec<u8> {
    let count = u8::try_from(length - 1).expect("at most 256");
    let mut heard = bench.ask(&command(0x11));
    heard.extend(bench.ask(&address(at)));
    heard.extend(bench.ask(&command(count)));
    assert_eq!((&heard[..3], heard.len()), (&[ACK; 3][..], 3 + length));
    heard.split_off(3)
}

fn erase(bench: &mut Bench, pages: &[u8]) -> Vec<u8> {
    let mut heard = bench.ask(&command(0x43));
    heard.extend(bench.ask(&counted(pages)));
    heard
}

#[test]
fn what_a_host_asks_first() {
    let mut bench = synced();
    let get =
        [0x79, 0x0B, 0x22, 0x00, 0x01, 0x02, 0x11, 0x21, 0x31, 0x43, 0x63, 0x73, 0x82, 0x92, 0x79];
    assert_eq!(bench.ask(&[0x00, 0xFF]), get);
    assert_eq!(bench.ask(&[0x01, 0xFE]), [0x79, 0x22, 0x00, 0x00, 0x79]);
    assert_eq!(bench.ask(&[0x02, 0xFD]), [0x79, 0x01, 0x04, 0x12, 0x79]);
}

#[test]
fn nothing_is_heard_before_the_first_sync() {
    let mut bench = Bench::default();
    assert_eq!(bench.ask(b"\x00\xFF\n>C0101 .*0000\n"), []);
    assert_eq!(bench.ask(&[0x7F]), [ACK]);
}

#[test]
fn a_sync_too_many_is_half_a_command() {
    let mut bench = synced();
    assert_eq!(bench.ask(&[0x7F]), []);
    assert_eq!(bench.ask(&[0x7F]), [NACK]);
    assert_eq!(bench.ask(&[0x02, 0xFD]).len(), 5);
}

#[test]
fn bad_commands_are_refused_and_forgotten() {
    let mut bench = synced();
    // No complement, no such command, and the extended erase of other loaders.
    for bytes in [[0x00, 0x00], [0x02, 0xFC], [0x99, 0x66], [0x44, 0xBB], [0xFF, 0x00]] {
        assert_eq!(bench.ask(&bytes), [NACK], "{bytes:02x?}");
    }
    assert_eq!(bench.ask(&[0x02, 0xFD]).len(), 5);
}

#[test]
fn half_a_command_waits_for_its_rest() {
    let mut bench = synced();
    assert_eq!(bench.ask(&[0x31]), []);
    assert_eq!(bench.ask(&[0xCE]), [ACK]);
    assert_eq!(bench.ask(&address(FLASH)[..4]), []);
    assert_eq!(bench.ask(&address(FLASH)[4..]), [ACK]);
    assert_eq!(bench.ask(&[3, 1, 2, 3, 4]), []);
    bench.reset(false);
    // Only a reset ends it; then there has to be a sync.
    assert_eq!(bench.ask(&[0x02, 0xFD]), []);
    assert_eq!(bench.ask(&[0x7F]), [ACK]);
    assert_eq!(bench.bytes()[..8], [0xFF; 8]);
}

#[test]
fn a_write_byte_by_byte() {
    let mut bench = synced();
    assert_eq!(bench.ask(&[0x31, 0xCE]), [ACK]);
    assert_eq!(bench.ask(&[0x08, 0x00, 0x04, 0x10, 0x1C]), [ACK]);
    assert_eq!(bench.ask(&[0x03, 0xDE, 0xAD, 0xBE, 0xEF, 0x21]), [ACK]);
    assert_eq!(bench.bytes()[0x410..0x414], [0xDE, 0xAD, 0xBE, 0xEF]);
    assert_eq!(bench.ask(&[0x11, 0xEE]), [ACK]);
    assert_eq!(bench.ask(&[0x08, 0x00, 0x04, 0x0F, 0x03]), [ACK]);
    assert_eq!(bench.ask(&[0x05, 0xFA]), [0x79, 0xFF, 0xDE, 0xAD, 0xBE, 0xEF, 0xFF]);
}

#[test]
fn wrong_checksums_are_refused_and_nothing_is_done() {
    let mut bench = synced();
    bench.say(&command(0x31));
    assert_eq!(bench.ask(&[0x08, 0x00, 0x00, 0x00, 0x09]), [ACK, NACK]);
    bench.say(&command(0x31));
    bench.say(&address(FLASH));
    assert_eq!(bench.ask(&[0x03, 1, 2, 3, 4, 0xFF]), [ACK, ACK, NACK]);
    bench.say(&command(0x11));
    bench.say(&address(FLASH));
    assert_eq!(bench.ask(&[0x05, 0xFB]), [ACK, ACK, NACK]);
    bench.say(&command(0x43));
    assert_eq!(bench.ask(&[0x00, 0x02, 0x03]), [ACK, NACK]);
    bench.say(&command(0x43));
    assert_eq!(bench.ask(&[0xFF, 0xFF]), [ACK, NACK]);
    bench.say(&command(0x63));
    assert_eq!(bench.ask(&[0x00, 0x00, 0x01]), [ACK, NACK]);
    assert_eq!(bench.bytes(), Bench::default().bytes());
}

#[test]
fn addresses_that_the_loader_does_not_touch() {
    let mut bench = synced();
    let refused = |bench: &mut Bench, code: u8, at: u32| {
        let mut heard = bench.ask(&command(code));
        heard.extend(bench.ask(&address(at)));
        heard == [ACK, NACK]
    };
    for at in [0, 0x0800_8000, 0x2000_0000, 0x2000_01FF, 0x2000_2800, 0x4000_0000, 0xFFFF_FFFF] {
        for code in [0x11, 0x21, 0x31] {
            assert!(refused(&mut bench, code, at), "{code:#x} at {at:#x}");
        }
    }
    // What can be read is not always written or run.
    for at in [0x1FFF_F000, 0x1FFF_F802, OPTIONS + 4] {
        assert!(refused(&mut bench, 0x31, at), "{at:#x}");
        assert!(refused(&mut bench, 0x21, at), "{at:#x}");
        assert_eq!(read(&mut bench, at, 4).len(), 4);
    }
    // Words begin at multiples of four and are whole.
    assert!(refused(&mut bench, 0x31, FLASH + 2));
    assert_eq!(write(&mut bench, FLASH, &[1, 2, 3]), [ACK, ACK, NACK]);
    assert_eq!(write(&mut bench, FLASH + 0x7FFC, &[1; 8]), [ACK, ACK, NACK]);
    bench.say(&command(0x11));
    bench.say(&address(FLASH + 0x7FFF));
    assert_eq!(bench.ask(&command(1)), [ACK, ACK, NACK]);
    // How much flash there is.
    assert_eq!(read(&mut bench, 0x1FFF_F7E0, 2), [32, 0]);
    // The rest of the SRAM is free.
    assert_eq!(write(&mut bench, 0x2000_0200, b"mine"), [ACK; 3]);
    assert_eq!(read(&mut bench, 0x2000_0200, 4), b"mine");
}

#[test]
fn a_half_word_is_programmed_once_or_to_zero() {
    let mut bench = synced();
    assert_eq!(write(&mut bench, FLASH, &[1, 2, 3, 4]), [ACK; 3]);
    // The loader does not ask the flash: acknowledged, and only the zero is there.
    assert_eq!(write(&mut bench, FLASH, &[5, 6, 0, 0]), [ACK; 3]);
    assert_eq!(read(&mut bench, FLASH, 4), [1, 2, 0, 0]);
    // What was written as erased can be written.
    assert_eq!(write(&mut bench, FLASH + 4, &[0xFF, 0xFF, 7, 8]), [ACK; 3]);
    assert_eq!(write(&mut bench, FLASH + 4, &[9, 9, 7, 8]), [ACK; 3]);
    assert_eq!(read(&mut bench, FLASH + 4, 4), [9, 9, 7, 8]);
    // One byte of it is enough to be in the way.
    assert_eq!(write(&mut bench, FLASH + 8, &[0xFF, 0xFE, 0xFF, 0xFF]), [ACK; 3]);
    assert_eq!(write(&mut bench, FLASH + 8, &[1, 0xFE, 0xFF, 0xFF]), [ACK; 3]);
    assert_eq!(read(&mut bench, FLASH + 8, 4), [0xFF, 0xFE, 0xFF, 0xFF]);
}

/// Writes the first word of every page.
fn mark_pages(bench: &mut Bench) {
    for page in 0..32 {
        assert_eq!(write(bench, FLASH + page * 1024, &[page as u8; 4]), [ACK; 3]);
    }
}

fn erased_pages(bench: &Bench) -> Vec<usize> {
    let bytes = bench.bytes();
    let pages = bytes[..SIZE].chunks(PAGE).enumerate();
    pages.filter(|(_, page)| page.iter().all(|&byte| byte == 0xFF)).map(|(at, _)| at).collect()
}

#[test]
fn pages_are_erased_one_by_one_or_all() {
    let mut bench = synced();
    mark_pages(&mut bench);
    assert_eq!(erase(&mut bench, &[3, 31, 3]), [ACK, ACK]);
    assert_eq!(erased_pages(&bench), [3, 31]);
    assert_eq!(erase(&mut bench, &[4, 32]), [ACK, NACK], "there is no page 32");
    assert_eq!(erased_pages(&bench), [3, 31]);
    assert_eq!(bench.ask(&[0x43, 0xBC, 0xFF, 0x00]), [ACK, ACK]);
    assert_eq!(erased_pages(&bench).len(), 32);
}

#[test]
fn write_protection_counts_from_the_reset_and_is_silent() {
    let mut bench = synced();
    mark_pages(&mut bench);
    bench.say(&command(0x63));
    // Groups 0 and 7; the chip has no group 9, and the loader does not say so.
    assert_eq!(bench.say(&counted(&[0, 7, 9])), Next::Reset);
    assert_eq!(bench.ask(&[]), [ACK, ACK]);
    assert_eq!(bench.ask(&[0x7F]), [ACK], "a reset needs a new sync");
    assert_eq!(read(&mut bench, OPTIONS, 2), [0xA5, 0x5A]);
    assert_eq!(read(&mut bench, OPTIONS + 8, 2), [0x7E, 0x81]);
    assert_eq!(erase(&mut bench, &[0, 3, 4, 27, 28, 31]), [ACK, ACK]);
    assert_eq!(erased_pages(&bench), [4, 27]);
    assert_eq!(write(&mut bench, FLASH + 4, &[1; 4]), [ACK; 3]);
    assert_eq!(read(&mut bench, FLASH + 4, 4), [0xFF; 4]);
    // With a protected page there is no erasing of all.
    assert_eq!(bench.ask(&[0x43, 0xBC, 0xFF, 0x00]), [ACK, ACK]);
    assert_eq!(erased_pages(&bench), [4, 27]);
    assert_eq!(bench.say(&command(0x73)), Next::Reset);
    assert_eq!(bench.ask(&[0x7F]), [ACK, ACK, ACK]);
    assert_eq!(bench.ask(&[0x43, 0xBC, 0xFF, 0x00]), [ACK, ACK]);
    assert_eq!(erased_pages(&bench).len(), 32);
}

#[test]
fn readout_protection_leaves_little_and_ends_with_everything() {
    let mut bench = synced();
    mark_pages(&mut bench);
    write(&mut bench, 0x2000_0200, b"mine");
    assert_eq!(bench.say(&command(0x82)), Next::Reset);
    assert_eq!(bench.ask(&[0x7F]), [ACK, ACK, ACK]);
    for code in [0x11, 0x21, 0x31, 0x43, 0x63, 0x73, 0x82] {
        assert_eq!(bench.ask(&command(code)), [NACK], "{code:#x}");
    }
    assert_eq!(bench.ask(&command(0x00)).len(), 15);
    assert_eq!(bench.ask(&command(0x01)).len(), 5);
    assert_eq!(bench.ask(&command(0x02)).len(), 5);
    assert_eq!(erased_pages(&bench), [0; 0]);
    assert_eq!(bench.say(&command(0x92)), Next::Reset);
    assert_eq!(bench.ask(&[0x7F]), [ACK, ACK, ACK]);
    assert_eq!(erased_pages(&bench).len(), 32);
    assert_eq!(read(&mut bench, OPTIONS, 4), [0xA5, 0x5A, 0xFF, 0x00]);
    assert_eq!(read(&mut bench, 0x2000_0200, 4), [0; 4]);
}

#[test]
fn the_option_bytes_are_written_together_and_reset_the_chip() {
    let mut bench = synced();
    // The complements that the host sends do not matter: the flash makes them.
    let values = [0xA5, 9, 0xFE, 9, 0x12, 9, 0x34, 9, 0xF7, 9, 0xFF, 9, 0xFF, 9, 0xFF, 9];
    assert_eq!(write(&mut bench, OPTIONS, &values), [ACK; 3]);
    assert_eq!(bench.ask(&[0x7F]), [ACK]);
    let expected =
        [0xA5, 0x5A, 0xFE, 1, 0x12, 0xED, 0x34, 0xCB, 0xF7, 8, 0xFF, 0, 0xFF, 0, 0xFF, 0];
    assert_eq!(read(&mut bench, OPTIONS, 16), expected);
    // The user's bytes outlive a change of the protection.
    bench.say(&command(0x73));
    bench.say(&[0x7F]);
    bench.heard.clear();
    assert_eq!(read(&mut bench, OPTIONS + 2, 8), [0xFE, 1, 0x12, 0xED, 0x34, 0xCB, 0xFF, 0]);
}

#[test]
fn a_power_failure_while_options_change_locks_the_chip() {
    let mut bench = synced();
    mark_pages(&mut bench);
    // The option bytes are erased, and nothing is programmed yet.
    bench.fuse = Some(1);
    assert_eq!(bench.say(&command(0x73)), Next::Interrupted);
    assert_eq!(bench.ask(&[0x7F]), [ACK, ACK]);
    assert_eq!(bench.ask(&command(0x11)), [NACK]);
    // Unprotecting is interrupted as well: the flash goes first.
    bench.fuse = Some(5);
    assert_eq!(bench.say(&command(0x92)), Next::Interrupted);
    assert_eq!(bench.ask(&[0x7F]), [ACK, ACK]);
    assert_eq!(erased_pages(&bench), [0, 1, 2, 3, 4]);
    assert_eq!(bench.ask(&command(0x11)), [NACK], "still locked");
    assert_eq!(bench.say(&command(0x92)), Next::Reset);
    bench.say(&[0x7F]);
    bench.heard.clear();
    assert_eq!(read(&mut bench, OPTIONS, 2), [0xA5, 0x5A]);
}

#[test]
fn a_power_failure_leaves_what_was_written_so_far() {
    let mut bench = synced();
    bench.fuse = Some(3);
    bench.say(&command(0x31));
    bench.say(&address(FLASH));
    assert_eq!(bench.say(&counted(&[1, 2, 3, 4, 5, 6, 7, 8])), Next::Interrupted);
    assert_eq!(bench.ask(&[]), [ACK, ACK]);
    assert_eq!(bench.bytes()[..8], [1, 2, 3, 4, 5, 6, 0xFF, 0xFF]);
}

#[test]
fn go_says_where() {
    let mut bench = synced();
    bench.say(&command(0x21));
    assert_eq!(bench.say(&address(FLASH + 0x1000)), Next::Go(FLASH + 0x1000));
    assert_eq!(bench.ask(&[]), [ACK, ACK]);
}

#[test]
fn mishaps_are_what_they_are_called() {
    let mut bench = synced();
    mark_pages(&mut bench);
    bench.mishap = Some(Mishap::Nack);
    assert_eq!(bench.ask(&command(0x02)), [NACK]);
    assert_eq!(bench.ask(&command(0x02)).len(), 5);
    bench.mishap = Some(Mishap::AbortErase);
    assert_eq!(erase(&mut bench, &[8, 9, 10, 11]), [ACK, NACK]);
    assert_eq!(erased_pages(&bench), [8, 9]);
    bench.mishap = Some(Mishap::AckLost);
    assert_eq!(erase(&mut bench, &[10]), [ACK]);
    assert_eq!(erased_pages(&bench), [8, 9, 10]);
    bench.mishap = Some(Mishap::AckLost);
    assert_eq!(write(&mut bench, FLASH + 8192, &[1; 4]), [ACK, ACK]);
    assert_eq!(read(&mut bench, FLASH + 8192, 4), [1; 4]);
}
