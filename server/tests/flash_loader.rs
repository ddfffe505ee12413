//! A flash against a chip's loader: whole, interrupted, and with every byte of a session struck in turn. Time is virtual.

mod flash_support;

use flash_support::{Harm, Line, Rom, Strike, Way, images::sparse, program};
use rookery_server::{
    flash::{Done, Entry, FlashError, FlashEvent, FlashOptions, Image, Mode, chip::Region, flash},
    link::Timing,
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
            for at in (0..bytes).filter(|at| *at < 60 || at % step == 0 || at + 60 > bytes) {
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
