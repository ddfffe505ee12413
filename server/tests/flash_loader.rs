//! A flash against a chip's loader: whole, interrupted, and with every byte of a session struck in turn. Time is virtual.

mod flash_support;

use flash_support::{
    images::{program, sparse},
    line::{Harm, Line, Strike, Way},
    rom::Rom,
};
use rookery_server::{
    flash::{
        Done, Entry, FlashError, FlashEvent, FlashOptions, Image, LineSequence, Mode, chip::Region,
        flash,
    },
    link::{Timing, transport::SerialFormat},
    model::FlashPhase,
};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn image(bytes: &[u8]) -> Image {
    Image::read(bytes, Region::APPLICATION).expect("an image")
}

async fn flash_with(
    line: &Line,
    bytes: &Image,
    options: &FlashOptions,
) -> (Result<Done, FlashError>, Vec<FlashEvent>) {
    let mut events = Vec::new();
    let cancel = CancellationToken::new();
    let emit = &mut |event| events.push(event);
    let done = flash(&mut line.clone(), Timing::WIRE, None, bytes, options, emit, &cancel).await;
    (done, events)
}

async fn flash_to(line: &Line, bytes: &[u8]) -> Result<Done, FlashError> {
    flash_with(line, &image(bytes), &FlashOptions::default()).await.0
}

fn phases(events: &[FlashEvent]) -> Vec<FlashPhase> {
    let phase = |event: &FlashEvent| match event {
        FlashEvent::Phase { phase, .. } => Some(*phase),
        _ => None,
    };
    events.iter().filter_map(phase).collect()
}

#[tokio::test(start_paused = true)]
async fn a_new_image_is_written_read_back_and_started() {
    let (old, new) = (program("1.0", 20_000), program("2.0", 27_300));
    let line = Line::to(Rom::with(&old));
    line.look(|rom| rom.whole.push(new.clone()));
    let (done, events) = flash_with(&line, &image(&new), &FlashOptions::default()).await;
    let done = done.expect("flashed");
    line.look(|rom| {
        assert!(rom.holds(&new) && rom.is_gone());
        assert_eq!((rom.halves, rom.starts), (0, 1));
        assert_eq!(rom.erased[0], 0, "the vector table is the first to go");
        // Pages that were blank are not erased, and those behind the image stay as they are.
        assert_eq!(rom.erased, (0..20).collect::<Vec<_>>());
    });
    assert_eq!((done.written.pages, done.written.retries, done.loader), (27, 0, 0x22));
    use FlashPhase::{Erase, Read, Start, Sync, Verify, Write};
    assert_eq!(phases(&events), [Sync, Read, Erase, Write, Verify, Start]);
    // Every phase that counts comes to its end.
    let mut open = 0;
    for event in &events {
        match event {
            FlashEvent::Phase { total, .. } => {
                assert_eq!(open, 0, "{events:?}");
                open = *total;
            }
            FlashEvent::Progress { done } if *done == open => open = 0,
            _ => {}
        }
    }
    assert_eq!(open, 0);
}

#[tokio::test(start_paused = true)]
async fn only_pages_that_differ_are_changed_and_none_where_none_does() {
    let old = program("1.0", 20_000);
    let mut new = old.clone();
    new[5 * 1024 + 3] ^= 0x10;
    let line = Line::to(Rom::with(&old));
    line.look(|rom| rom.whole.push(new.clone()));
    let done = flash_to(&line, &new).await.expect("flashed");
    assert_eq!((done.written.pages, done.written.differed), (20, 1));
    line.look(|rom| {
        assert!(rom.holds(&new));
        assert_eq!((&rom.erased[..], rom.halves), (&[0, 5][..], 0));
        rom.reset();
        rom.erased.clear();
    });
    let done = flash_to(&line, &new).await.expect("nothing to do");
    assert_eq!((done.written.differed, done.written.bytes), (0, 0));
    line.look(|rom| assert!(rom.erased.is_empty() && rom.starts == 2));
}

#[tokio::test(start_paused = true)]
async fn to_compare_and_to_try_change_nothing_and_start_the_program_again() {
    let (old, new) = (program("1.0", 5000), program("2.0", 5000));
    for (mode, wanted) in [(Mode::Verify, &new), (Mode::DryRun, &new), (Mode::Verify, &old)] {
        let line = Line::to(Rom::with(&old));
        let options = FlashOptions { mode, ..FlashOptions::default() };
        let (done, _) = flash_with(&line, &image(wanted), &options).await;
        match (mode, wanted == &old) {
            (Mode::Verify, false) => {
                let said = done.expect_err("it differs").to_string();
                assert!(said.contains("5 of 5 pages") && said.contains("nothing"), "{said}");
            }
            (Mode::Verify, true) => assert_eq!(done.expect("equal").written.differed, 0),
            _ => assert_eq!(done.expect("said").written.differed, 5),
        }
        line.look(|rom| assert!(rom.changes == 0 && rom.is_gone() && rom.holds(&old)));
    }
}

/// The kinds of harm that a byte can come to.
const HARMS: [Harm; 6] = [
    Harm::Lose,
    Harm::Flip(0),
    Harm::Flip(6),
    Harm::Double,
    Harm::Stall(Duration::from_millis(300)),
    Harm::Stall(Duration::from_secs(7)),
];

/// One flash with strikes; a flash that has failed is done again without any. Gives whether the first one succeeded.
async fn survives(old: &[u8], new: &[u8], strikes: &[Strike]) -> bool {
    let line = Line::to(Rom::with(old)).struck(strikes);
    line.look(|rom| rom.whole.push(new.to_vec()));
    let flashed = flash_to(&line, new).await;
    line.look(|rom| {
        assert_eq!(rom.halves, 0, "half an image could be started: {strikes:?}");
        match &flashed {
            Ok(_) => assert!(rom.holds(new), "{strikes:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        rom.reset();
    });
    let good = flashed.is_ok();
    if !good {
        let again = Line::clone(&line).struck(&[]);
        flash_to(&again, new).await.unwrap_or_else(|e| panic!("{strikes:?}: {e}"));
        again.look(|rom| assert!(rom.holds(new) && rom.halves == 0, "{strikes:?}"));
    }
    good
}

/// Every byte that goes to the chip, and every byte that comes from it outside of what is read.
#[tokio::test(start_paused = true)]
async fn whatever_byte_is_struck_the_image_is_whole_or_there_is_an_error() {
    let (old, new) = (sparse("1", 2), sparse("2", 2));
    let clean = Line::to(Rom::with(&old));
    flash_to(&clean, &new).await.expect("flashed");
    let [to, from] = clean.seen();
    assert!(to > 250 && from > 4000, "{to} {from}");
    let (mut struck, mut failed) = (0, Vec::new());
    for (way, bytes) in [(Way::ToChip, to), (Way::FromChip, from)] {
        for harm in HARMS {
            // What is read is long and all the same.
            let step = if way == Way::FromChip { 13 } else { 1 };
            for at in (0..bytes).filter(|at| *at < 60 || at.is_multiple_of(step) || at + 60 > bytes)
            {
                let strike = Strike { way, at, harm };
                struck += 1;
                if !survives(&old, &new, &[strike]).await {
                    failed.push(strike);
                }
            }
        }
    }
    assert!(struck > 3000, "{struck}");
    // The first byte decides the chip's idea of the speed: one that arrives flipped makes it deaf until a reset.
    let first = |strike: &Strike| {
        strike.way == Way::ToChip && strike.at == 0 && matches!(strike.harm, Harm::Flip(_))
    };
    failed.retain(|strike| !first(strike));
    assert!(failed.is_empty(), "{} of {struck} were not mended: {failed:?}", failed.len());
}

/// A line on which any byte may be struck.
#[tokio::test(start_paused = true)]
async fn over_a_bad_line_it_takes_longer() {
    let (old, new) = (program("1.0", 6000), program("2.0", 9000));
    let (mut retries, mut failed) = (0, 0);
    for (rate, seeds) in [(0.0002, 0..12), (0.001, 0..12), (0.005, 0..6)] {
        for seed in seeds {
            let line = Line::to(Rom::with(&old)).bad(rate, seed);
            line.look(|rom| rom.whole.push(new.clone()));
            let flashed = flash_to(&line, &new).await;
            match &flashed {
                Ok(done) => {
                    retries += done.written.retries;
                    line.look(|rom| assert!(rom.holds(&new), "{rate} {seed}"));
                }
                // The first byte may have made the chip deaf, and nothing mends a line that never carries a block.
                Err(error) => {
                    eprintln!("{rate} {seed}: {error}");
                    failed += 1;
                }
            }
            line.look(|rom| assert_eq!(rom.halves, 0, "{rate} {seed}: {flashed:?}"));
        }
    }
    assert!(retries > 100, "{retries}");
    assert!(failed <= 2, "{failed}");
}

#[tokio::test(start_paused = true)]
async fn power_that_goes_at_any_moment_leaves_nothing_that_starts_half_and_the_next_flash_goes_on()
{
    let (old, new) = (program("1.0", 3000), program("2.0", 4000));
    let clean = Line::to(Rom::with(&old));
    let whole = flash_to(&clean, &new).await.expect("flashed").written.bytes;
    let changes = clean.look(|rom| rom.changes);
    assert!(changes > 1900, "{changes}");
    // Every moment near the ends, and some between.
    for cut in (1..changes).filter(|cut| *cut < 12 || cut.is_multiple_of(97) || cut + 12 > changes)
    {
        let line = Line::to(Rom::with(&old));
        line.look(|rom| {
            rom.whole.push(new.clone());
            rom.cut_after = Some(cut);
        });
        let lost = flash_to(&line, &new).await.expect_err("it has no power").to_string();
        assert!(lost.contains("flash again"), "{cut}: {lost}");
        line.look(|rom| {
            rom.cut_after = None;
            rom.reset();
        });
        let done = flash_to(&line, &new).await.unwrap_or_else(|e| panic!("{cut}: {e}"));
        // What had been written by then is not written again, but for a page that was begun.
        let before = u32::try_from(cut).unwrap().saturating_sub(8) * 2;
        assert!(done.written.bytes <= whole.saturating_sub(before) + 1024, "{cut}: {done:?}");
        line.look(|rom| assert!(rom.holds(&new) && rom.halves == 0, "{cut}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_lost_is_made_again_and_the_flash_goes_on() {
    let (old, new) = (program("1.0", 3000), program("2.0", 3000));
    for (way, at) in
        [(Way::ToChip, 5), (Way::ToChip, 900), (Way::FromChip, 2000), (Way::ToChip, 2500)]
    {
        let line = Line::to(Rom::with(&old)).struck(&[Strike { way, at, harm: Harm::Drop }]);
        let done = flash_to(&line, &new).await.unwrap_or_else(|e| panic!("{way:?} {at}: {e}"));
        assert!(done.written.retries <= 2 && line.opened() == 2, "{done:?}");
        line.look(|rom| assert!(rom.holds(&new)));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_on_the_line_before_the_loader_answers_is_passed_over() {
    let new = program("2.0", 2000);
    // A stray zero after a reset; the last words of the program; a framing error's bytes.
    for noise in [&b"\0"[..], b"\0\0\xff", b"bye, i rebootyy\r\n", b"\xe0\x1f"] {
        let line = Line::to(Rom::with(&program("1.0", 2000))).saying(noise);
        flash_to(&line, &new).await.unwrap_or_else(|e| panic!("{noise:?}: {e}"));
        line.look(|rom| assert!(rom.holds(&new)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_loader_that_an_earlier_flash_left_in_the_middle_of_anything_is_found_again() {
    let (old, new) = (program("1.0", 2000), program("2.0", 2000));
    let address = [0x08, 0x00, 0x04, 0x00, 0x0c];
    let begun: [&[u8]; 8] = [
        &[],
        &[0x31],
        &[0x31, 0xce],
        &[&[0x31, 0xce], &address[..3]].concat(),
        &[&[0x31, 0xce], &address[..]].concat(),
        &[&[0x31, 0xce], &address[..], &[0xff, 1, 2, 3]].concat(),
        &[&[0x11, 0xee], &address[..], &[0xff]].concat(),
        &[0x43, 0xbc],
    ];
    for bytes in begun {
        let line = Line::to(Rom::with(&old));
        line.look(|rom| {
            rom.whole.push(new.clone());
            rom.feed(0x7f);
            for byte in bytes {
                rom.feed(*byte);
            }
        });
        flash_to(&line, &new).await.unwrap_or_else(|e| panic!("{bytes:02x?}: {e}"));
        line.look(|rom| assert!(rom.holds(&new) && rom.halves == 0, "{bytes:02x?}"));
    }
}

#[tokio::test(start_paused = true)]
async fn another_chip_and_a_protected_one_are_refused_and_stay_as_they_are() {
    let (old, new) = (program("1.0", 2000), program("2.0", 2000));
    let line = Line::to(Rom::with(&old));
    line.look(|rom| rom.id = 0x410);
    let said = flash_to(&line, &new).await.expect_err("another chip").to_string();
    assert!(said.contains("0x410") && said.contains("0x412"), "{said}");
    line.look(|rom| assert!(rom.is_gone() && rom.changes == 0));
    let protected = Line::to(Rom::with(&old));
    protected.look(|rom| rom.protected = true);
    let said = flash_to(&protected, &new).await.expect_err("protected").to_string();
    assert!(said.contains("--unprotect") && said.contains("erases everything"), "{said}");
    protected.look(|rom| assert!(rom.changes == 0 && rom.holds(&old)));
    let options = FlashOptions { unprotect: true, entry: Entry::Manual, ..FlashOptions::default() };
    protected.look(Rom::reset);
    let (done, events) = flash_with(&protected, &image(&new), &options).await;
    done.expect("unprotected and flashed");
    protected.look(|rom| assert!(rom.holds(&new) && !rom.protected));
    assert!(phases(&events).contains(&FlashPhase::Unprotect));
    let said = |words: &str| {
        events.iter().any(|e| matches!(e, FlashEvent::Say(text) if text.contains(words)))
    };
    assert!(said("set BOOT0 high") && said("set BOOT0 low"), "{events:?}");
    let locked = Line::to(Rom::with(&old));
    locked.look(|rom| rom.locked = vec![1]);
    let said = flash_to(&locked, &new).await.expect_err("page 1 is locked").to_string();
    assert!(said.contains("page 1 (0x08000400)") && said.contains("write-protected"), "{said}");
    locked.look(|rom| assert_eq!(rom.halves, 0));
}

#[tokio::test(start_paused = true)]
async fn nobody_there_and_lines_that_are_none_are_said() {
    let new = program("2.0", 2000);
    let line = Line::to(Rom::with(&new));
    line.look(|rom| drop(rom.feed(0x55)));
    let said = flash_to(&line, &new).await.expect_err("deaf").to_string();
    assert!(said.contains("BOOT0") && said.contains("8E1"), "{said}");
    let options =
        FlashOptions { entry: Entry::Lines(LineSequence::default()), ..FlashOptions::default() };
    let said = flash_with(&line, &image(&new), &options).await.0.expect_err("none").to_string();
    assert!(said.contains("no lines") && said.contains("--entry"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn lines_lead_into_the_loader_and_out_of_it() {
    let (old, new) = (program("1.0", 2000), program("2.0", 2000));
    let line = Line::to(Rom::with(&old)).wired();
    line.look(Rom::start);
    let usual = LineSequence::default();
    let options = FlashOptions { entry: Entry::Lines(usual), ..FlashOptions::default() };
    flash_with(&line, &image(&new), &options).await.0.expect("flashed");
    line.look(|rom| assert!(rom.holds(&new) && rom.is_gone() && rom.starts == 2));
    assert_eq!(line.pins(), (false, false, Some(SerialFormat::BOARD)));
    // Wired the other way round, the chip never comes into its loader; three pulses are tried.
    let wrong = "reset=!rts,boot0=!dtr".parse().expect("a sequence");
    let options = FlashOptions { entry: Entry::Lines(wrong), ..FlashOptions::default() };
    let said = flash_with(&line, &image(&old), &options).await.0.expect_err("never").to_string();
    assert!(said.contains("does not answer"), "{said}");
    line.look(|rom| assert!(rom.holds(&new)));
    // What cannot be flashed is started again.
    let other = Line::to(Rom::with(&old)).wired();
    other.look(|rom| rom.id = 0x410);
    let options =
        FlashOptions { entry: Entry::Lines(LineSequence::default()), ..FlashOptions::default() };
    flash_with(&other, &image(&new), &options).await.0.expect_err("another chip");
    other.look(|rom| assert!(rom.is_gone() && rom.starts == 1));
}

#[tokio::test(start_paused = true)]
async fn a_flash_that_is_stopped_stops_between_two_blocks_and_is_gone_on_with() {
    let (old, new) = (program("1.0", 5000), program("2.0", 5000));
    let mut stopped = 0;
    for after in [0, 1, 3, 6, 9, 14, 20] {
        let line = Line::to(Rom::with(&old));
        line.look(|rom| rom.whole.push(new.clone()));
        let cancel = CancellationToken::new();
        let mut count = 0;
        let emit = &mut |event| {
            count += u32::from(matches!(event, FlashEvent::Progress { .. }));
            if count > after {
                cancel.cancel();
            }
        };
        let options = FlashOptions::default();
        let (way, image) = (&mut line.clone(), image(&new));
        let ended = flash(way, Timing::WIRE, None, &image, &options, emit, &cancel).await;
        let changes = line.look(|rom| rom.changes);
        match ended {
            Err(FlashError::CancelledUnchanged) => assert_eq!(changes, 0, "{after}"),
            Err(FlashError::Cancelled) => assert!(changes > 0, "{after}"),
            other => panic!("{after}: {other:?}"),
        }
        stopped += 1;
        line.look(|rom| {
            assert_eq!(rom.halves, 0);
            rom.reset();
        });
        flash_to(&line, &new).await.expect("gone on with");
        line.look(|rom| assert!(rom.holds(&new) && rom.halves == 0));
    }
    assert_eq!(stopped, 7);
}

#[tokio::test(start_paused = true)]
async fn a_book_is_written_into_its_own_pages_and_a_program_leaves_it_alone() {
    let (app, newer) = (program("1.0", 20_000), program("2.0", 25_000));
    let book = [&b"BOOK"[..], &program("book", 3000)].concat();
    let line = Line::to(Rom::with(&app));
    line.look(|rom| rom.whole.push(newer.clone()));
    let page = 26 * 1024;
    let book_image = Image::read(&book, Region::BOOK).expect("a book");
    let (done, _) = flash_with(&line, &book_image, &FlashOptions::default()).await;
    done.expect("flashed");
    line.look(|rom| {
        assert!(rom.holds(&app) && rom.flash[page..].starts_with(&book) && rom.erased.is_empty());
        rom.reset();
    });
    flash_to(&line, &newer).await.expect("flashed");
    line.look(|rom| {
        assert!(rom.holds(&newer) && rom.flash[page..].starts_with(&book) && rom.halves == 0);
        rom.reset();
    });
    // A program that reaches into the book's pages has the right to them; a book has none to the program's.
    let long = program("3.0", 29_000);
    line.look(|rom| rom.whole.push(long.clone()));
    flash_to(&line, &long).await.expect("flashed");
    line.look(|rom| {
        rom.reset();
        rom.changes = 0;
    });
    let (done, _) = flash_with(&line, &book_image, &FlashOptions::default()).await;
    let said = done.expect_err("no place").to_string();
    assert!(said.contains("0x08006800") && said.contains("26 pages"), "{said}");
    line.look(|rom| assert!(rom.holds(&long) && rom.changes == 0));
}
