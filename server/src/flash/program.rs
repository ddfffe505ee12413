//! An image onto the chip: reads what is there, erases and writes what differs, reads it back, and does so again until it is equal.
//!
//! What makes a region valid, its first eight bytes (for a program: stack pointer and reset vector), is the first thing erased and the
//! last thing written. So at every moment the flash holds the old image, the new one, or one that nothing starts.

use super::{
    chip::{BLANK, HEAD, PAGE, Region, WORD, address},
    error::FlashError,
    event::FlashEvent,
    image::Image,
    loader::{BLOCK, Loader},
    plan::{BLANK_PAGE, State, is_blank, runs, state},
    port::Fault,
};
use crate::model::{FlashMode as Mode, FlashPhase};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often a page is written before it is given up.
const TRIES: u32 = 8;
/// Faults of one exchange after which it is given up, with a realignment after each.
const FAULTS: u32 = 12;
/// Refusals of one exchange, in a row and in step, that are meant: the chip is protected.
const REFUSALS: u32 = 6;
/// The smallest block on a bad line.
const SMALLEST: usize = 16;
/// Blocks in a row that went well, before larger ones are tried again.
const GOOD_RUN: u32 = 8;
/// Pages of one erase command.
const ERASED_AT_ONCE: usize = 8;
/// How long a loader is asked before it is called lost: Wi-Fi may be gone for a while.
const PATIENCE: Duration = Duration::from_secs(30);

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Pages of the image.
    pub pages: u32,
    /// Pages that differed.
    pub differed: u32,
    /// Bytes that were written, those that were written again included.
    pub bytes: u32,
    /// Exchanges that were tried again.
    pub retries: u32,
}

/// A page of the image, and what is known of the chip's.
struct Page {
    number: usize,
    wanted: [u8; PAGE],
    now: [u8; PAGE],
    tries: u32,
}

impl Page {
    fn state(&self) -> State {
        state(&self.now, &self.wanted)
    }
}

/// Puts one image on one chip.
pub(super) struct Programmer<'l, 'p> {
    loader: &'l mut Loader<'p>,
    id: u16,
    emit: &'l mut (dyn FnMut(FlashEvent) + Send),
    cancel: &'l CancellationToken,
    block: usize,
    good: u32,
    changed: bool,
    pub(super) written: Written,
}

impl<'l, 'p> Programmer<'l, 'p> {
    /// `id` is what the loader said; it says it again after every fault.
    pub(super) fn new(
        loader: &'l mut Loader<'p>,
        id: u16,
        emit: &'l mut (dyn FnMut(FlashEvent) + Send),
        cancel: &'l CancellationToken,
    ) -> Programmer<'l, 'p> {
        let written = Written::default();
        Programmer { loader, id, emit, cancel, block: BLOCK, good: 0, changed: false, written }
    }

    /// Does what `mode` says.
    pub(super) async fn run(&mut self, image: &Image, mode: Mode) -> Result<(), FlashError> {
        let mut pages = self.read_all(image, mode).await?;
        self.check_place(image, &pages)?;
        let differ: Vec<usize> =
            pages.iter().filter(|page| page.state() != State::Equal).map(|p| p.number).collect();
        self.written.pages = pages.len() as u32;
        self.written.differed = differ.len() as u32;
        let Some(&first) = differ.first() else { return Ok(()) };
        match mode {
            Mode::Write => self.write_all(&mut pages).await,
            Mode::DryRun => Ok(()),
            Mode::Verify => {
                Err(FlashError::Differs { pages: differ.len(), of: pages.len(), first })
            }
        }
    }

    /// Whether anything was erased or written.
    pub(super) fn has_changed(&self) -> bool {
        self.changed
    }

    /// A book does not go where something else is: a program that is too long for one has its end there.
    fn check_place(&self, image: &Image, pages: &[Page]) -> Result<(), FlashError> {
        const MAGIC: usize = 4;
        let book = &pages[0];
        let (now, wanted) = (&book.now[..MAGIC], &book.wanted[..MAGIC]);
        let free = is_blank(&book.now[..HEAD]) || now == wanted;
        if image.region() == Region::BOOK && !free {
            let address = image.region().base();
            return Err(FlashError::NoBook { address, found: now.escape_ascii().to_string() });
        }
        Ok(())
    }

    async fn read_all(&mut self, image: &Image, mode: Mode) -> Result<Vec<Page>, FlashError> {
        let wanted: Vec<_> = image.pages().collect();
        self.begin(FlashPhase::Read, wanted.len() * PAGE);
        let mut pages = Vec::with_capacity(wanted.len());
        for (number, wanted) in wanted {
            // Where all is new, a wrong reading costs nothing.
            let care = match mode {
                Mode::Write => Care::Once,
                Mode::Verify | Mode::DryRun => Care::Unless(&wanted),
            };
            let now = self.read_page(number, care).await?;
            pages.push(Page { number, wanted, now, tries: 0 });
            self.progress(pages.len() * PAGE);
        }
        self.read_again(&mut pages).await?;
        Ok(pages)
    }

    /// Among pages that are as they are to be, a few that are not may only have been misread.
    async fn read_again(&mut self, pages: &mut [Page]) -> Result<(), FlashError> {
        let differ = pages.iter().filter(|page| page.state() != State::Equal).count();
        if differ * 2 > pages.len() {
            return Ok(());
        }
        for page in pages.iter_mut().filter(|page| page.state() != State::Equal) {
            page.now = self.read_page(page.number, Care::Unless(&page.wanted)).await?;
        }
        Ok(())
    }

    async fn write_all(&mut self, pages: &mut [Page]) -> Result<(), FlashError> {
        loop {
            self.erase_all(pages).await?;
            self.fill(pages).await?;
            self.verify(pages).await?;
            if !pages.iter().enumerate().all(|(index, page)| is_done(page, index == 0)) {
                continue;
            }
            let head = &mut pages[0];
            if head.state() == State::Equal {
                return Ok(());
            }
            // The last thing: from here on it is a whole image.
            self.write_run(head, 0..HEAD).await?;
            let now = self.read_page(head.number, Care::Unless(&head.wanted)).await?;
            head.now = now;
            if head.state() == State::Equal {
                return Ok(());
            }
        }
    }

    /// The region is made invalid, then every page that cannot be written as it is is erased.
    async fn erase_all(&mut self, pages: &mut [Page]) -> Result<(), FlashError> {
        // Whatever else is to be done: nobody takes what is here for whole from now on.
        let head_first = !is_blank(&pages[0].now[..HEAD]);
        let dirty = |(index, page): (usize, &Page)| {
            (page.state() == State::Dirty || (index == 0 && head_first)).then_some(index)
        };
        let dirty: Vec<usize> = pages.iter().enumerate().filter_map(dirty).collect();
        if dirty.is_empty() {
            return Ok(());
        }
        self.begin(FlashPhase::Erase, dirty.len());
        let (first, rest) = match dirty.split_first() {
            Some((0, rest)) => (&dirty[..1], rest),
            _ => (&dirty[..0], &dirty[..]),
        };
        let mut done = 0;
        for group in first.chunks(1).chain(rest.chunks(ERASED_AT_ONCE)) {
            self.erase(pages, group).await?;
            done += group.len();
            self.progress(done);
        }
        Ok(())
    }

    async fn erase(&mut self, pages: &mut [Page], group: &[usize]) -> Result<(), FlashError> {
        for &index in group {
            pages[index].tries += 1;
            self.check_tries(&pages[index])?;
        }
        let mut left = group.to_vec();
        let mut trouble = Trouble::default();
        while !left.is_empty() {
            self.check_cancel()?;
            self.changed = true;
            let numbers: Vec<u8> = left.iter().map(|index| pages[*index].number as u8).collect();
            match self.loader.erase(&numbers).await {
                Ok(()) => {
                    for index in left.drain(..) {
                        pages[index].now = BLANK_PAGE;
                    }
                }
                Err(fault) => {
                    let number = pages[left[0]].number;
                    self.mend(fault, &mut trouble, "erases", number).await?;
                    // Some of them may be erased, and one of which that is not known is not written.
                    for index in std::mem::take(&mut left) {
                        let page = &mut pages[index];
                        page.now = self.read_page(page.number, Care::Unless(&BLANK_PAGE)).await?;
                        if !is_blank(&page.now) {
                            left.push(index);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes everything but the head.
    async fn fill(&mut self, pages: &mut [Page]) -> Result<(), FlashError> {
        let open = |page: &Page, index: usize| -> usize {
            let from = if index == 0 { HEAD } else { 0 };
            runs(&page.now[from..], &page.wanted[from..], BLOCK)
                .iter()
                .map(ExactSizeIterator::len)
                .sum()
        };
        let total = pages.iter().enumerate().map(|(index, page)| open(page, index)).sum();
        self.begin(FlashPhase::Write, total);
        let mut done = 0;
        for (index, page) in pages.iter_mut().enumerate() {
            let from = if index == 0 { HEAD } else { 0 };
            // A page that turns out to be dirty on the way is erased in the next round.
            while state(&page.now[from..], &page.wanted[from..]) == State::Blank {
                let next = runs(&page.now[from..], &page.wanted[from..], self.block);
                let Some(run) = next.first() else { break };
                let run = from + run.start..from + run.end;
                let length = run.len();
                self.write_run(page, run).await?;
                done += length;
                self.progress(done.min(total));
            }
        }
        Ok(())
    }

    /// Writes a part of a page that is blank; afterwards it is known what stands in the page.
    async fn write_run(
        &mut self,
        page: &mut Page,
        run: std::ops::Range<usize>,
    ) -> Result<(), FlashError> {
        debug_assert!(run.len().is_multiple_of(WORD));
        self.check_cancel()?;
        let mut trouble = Trouble::default();
        self.changed = true;
        let start = address(page.number) + run.start as u32;
        while page.now[run.clone()] != page.wanted[run.clone()] {
            self.written.bytes += run.len() as u32;
            match self.loader.write(start, &page.wanted[run.clone()]).await {
                Ok(()) => {
                    page.now[run.clone()].copy_from_slice(&page.wanted[run.clone()]);
                    self.went_well();
                }
                Err(fault) => {
                    self.mend(fault, &mut trouble, "writes", page.number).await?;
                    page.now = self.read_page(page.number, Care::Twice).await?;
                    // It is begun again with other blocks, or after another erase.
                    if !is_blank(&page.now[run.clone()]) || run.len() > self.block {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    async fn verify(&mut self, pages: &mut [Page]) -> Result<(), FlashError> {
        self.begin(FlashPhase::Verify, pages.len() * PAGE);
        for (index, page) in pages.iter_mut().enumerate() {
            let mut expected = page.wanted;
            if index == 0 && is_blank(&page.now[..HEAD]) {
                expected[..HEAD].fill(BLANK);
            }
            page.now = self.read_page(page.number, Care::Unless(&expected)).await?;
            if page.now != expected {
                page.tries += 1;
                self.check_tries(page)?;
                self.retry(format!("page {} differs after it was written", page.number));
            }
            self.progress((index + 1) * PAGE);
        }
        Ok(())
    }

    /// Reads a page.
    async fn read_page(&mut self, page: usize, care: Care<'_>) -> Result<[u8; PAGE], FlashError> {
        let mut read = BLANK_PAGE;
        let mut at = 0;
        let mut trouble = Trouble::default();
        let mut earlier: Vec<Vec<u8>> = Vec::new();
        while at < PAGE {
            self.check_cancel()?;
            let part = at..PAGE.min(at + self.block);
            let start = address(page) + at as u32;
            if let Err(fault) = self.loader.read(start, &mut read[part.clone()]).await {
                self.mend(fault, &mut trouble, "reads", page).await?;
                continue;
            }
            let block = &read[part.clone()];
            let expected = match care {
                Care::Once => true,
                Care::Twice => false,
                Care::Unless(expected) => expected[part.clone()] == *block,
            };
            if expected || earlier.iter().any(|earlier| earlier == block) {
                at = part.end;
                trouble = Trouble::default();
                earlier.clear();
                self.went_well();
                continue;
            }
            earlier.push(block.to_vec());
            // The first one stands against what was expected, the others against each other.
            match earlier.len() as u32 {
                0 | 1 => {}
                2..FAULTS => self.went_badly(),
                _ => return Err(FlashError::Lost { doing: "reads" }),
            }
        }
        Ok(read)
    }

    /// After a fault: both sides in step again, smaller blocks, or the insight that it is no fault.
    async fn mend(
        &mut self,
        fault: Fault,
        trouble: &mut Trouble,
        doing: &'static str,
        page: usize,
    ) -> Result<(), FlashError> {
        self.retry(format!("{fault:?} while the server {doing} page {page}"));
        trouble.faults += 1;
        trouble.refusals = match fault {
            Fault::Refused => trouble.refusals + 1,
            _ => 0,
        };
        if trouble.refusals >= REFUSALS {
            return Err(match doing {
                "reads" => FlashError::Protected,
                _ => FlashError::WriteProtected { page, address: address(page) },
            });
        }
        if trouble.faults >= FAULTS {
            return Err(FlashError::Lost { doing });
        }
        self.went_badly();
        let realigned = self.loader.realign(fault, Some(self.id), PATIENCE, doing);
        match self.cancel.run_until_cancelled(realigned).await {
            Some(realigned) => realigned.map(drop),
            None => self.check_cancel(),
        }
    }

    fn went_badly(&mut self) {
        self.good = 0;
        self.block = (self.block / 2).max(SMALLEST);
    }

    fn went_well(&mut self) {
        self.good += 1;
        if self.good >= GOOD_RUN {
            self.good = 0;
            self.block = (self.block * 2).min(BLOCK);
        }
    }

    fn check_tries(&self, page: &Page) -> Result<(), FlashError> {
        if page.tries <= TRIES {
            return Ok(());
        }
        let (page, tries) = (page.number, TRIES);
        Err(FlashError::DoesNotHold { page, address: address(page), tries })
    }

    fn check_cancel(&self) -> Result<(), FlashError> {
        match (self.cancel.is_cancelled(), self.changed) {
            (false, _) => Ok(()),
            (true, false) => Err(FlashError::CancelledUnchanged),
            (true, true) => Err(FlashError::Cancelled),
        }
    }

    fn begin(&mut self, phase: FlashPhase, total: usize) {
        (self.emit)(FlashEvent::Phase { phase, total: total as u32 });
    }

    fn progress(&mut self, done: usize) {
        (self.emit)(FlashEvent::Progress { done: done as u32 });
    }

    fn retry(&mut self, what: String) {
        self.written.retries += 1;
        (self.emit)(FlashEvent::Retry(what));
    }
}

/// How carefully a page is read. What comes back has no checksum: two readings of a block agree, or one is what was expected.
#[derive(Clone, Copy)]
enum Care<'a> {
    Once,
    Twice,
    /// Twice, unless it is this.
    Unless(&'a [u8; PAGE]),
}

/// What went wrong with one exchange so far.
#[derive(Default)]
struct Trouble {
    faults: u32,
    refusals: u32,
}

/// Whether a page is as it is to be; the first one may still lack its head.
fn is_done(page: &Page, is_first: bool) -> bool {
    let from = if is_first && is_blank(&page.now[..HEAD]) { HEAD } else { 0 };
    page.now[from..] == page.wanted[from..]
}
