//! A flash from its beginning to its end: into the loader, the image, out of the loader, and the board's own word for what it runs now.

use super::{
    chip::{FLASH, PRODUCT_ID, Region},
    entry::Entry,
    error::FlashError,
    event::FlashEvent,
    image::Image,
    loader::{Loader, check_id},
    port::{Fault, Opener, Port},
    program::{Programmer, Written},
};
use crate::{
    api::LinkState,
    link::{
        LinkHandle, LinkStatus, RequestError, Tape,
        transport::Timing,
        v2::session::{Outcome, Payload},
    },
    model::{FlashMode as Mode, FlashPhase},
};
use rookery_protocol::{BootId, Command, RebootTarget};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// A board in session is given so long to be there: it may be between two connections.
const SESSION_PATIENCE: Duration = Duration::from_secs(5);
/// The answer to the program's own command.
const COMMAND_PATIENCE: Duration = Duration::from_secs(10);
/// From the command to a loader that listens: the program says good-bye, and the chip starts anew.
const RESET: Duration = Duration::from_millis(400);
/// Syncs go on for so long where the way into the loader was taken by a machine.
const SYNC_PATIENCE: Duration = Duration::from_secs(8);
/// And where a person has to find a jumper.
const HAND_PATIENCE: Duration = Duration::from_secs(180);
/// Pulses of the lines before they are called of no use.
const PULSES: u32 = 3;
/// Words to the loader about where to go.
const STARTS: u32 = 5;
const PATIENCE: Duration = Duration::from_secs(20);
/// A board comes back within some seconds; its bridge may need some more.
const BACK_PATIENCE: Duration = Duration::from_secs(30);

/// How a board is flashed.
#[derive(Clone, Debug)]
pub struct FlashOptions {
    /// The way into the loader.
    pub entry: Entry,
    /// What is done there.
    pub mode: Mode,
    /// Whether a read-out protection is taken away, with everything that is on the chip.
    pub unprotect: bool,
}

impl Default for FlashOptions {
    fn default() -> FlashOptions {
        FlashOptions { entry: Entry::App, mode: Mode::Write, unprotect: false }
    }
}

/// A flash that came to a good end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// What was written.
    pub written: Written,
    /// The loader's version: 0x22 is 2.2.
    pub loader: u8,
    /// What the board says that it runs, once it is back in session.
    pub firmware: Option<String>,
    /// The way there and back.
    pub round_trip: Option<Duration>,
}

/// Flashes a board whose link is in session, or was: takes the link, and gives it back whatever happens.
pub async fn flash_board(
    link: &LinkHandle,
    image: &Image,
    options: &FlashOptions,
    emit: &mut (dyn FnMut(FlashEvent) + Send),
    cancel: &CancellationToken,
) -> Result<Done, FlashError> {
    emit(FlashEvent::Phase { phase: FlashPhase::Enter, total: 0 });
    if options.entry == Entry::App {
        ask_program(link, emit).await?;
    }
    let boot = link.status().borrow().boot;
    let mut lease = link.lease().await?;
    let timing = lease.connector().url().timing();
    let tape = lease.tape().clone();
    let flashed = flash(&mut lease, timing, Some(tape), image, options, emit, cancel).await;
    // The session goes on, or waits for a board that stays in its loader.
    drop(lease);
    let mut done = flashed?;
    done.firmware = wait_for_board(link, image, options, boot).await?;
    Ok(done)
}

/// Has the program enter the loader by itself, where there is a program that can be asked.
async fn ask_program(
    link: &LinkHandle,
    emit: &mut (dyn FnMut(FlashEvent) + Send),
) -> Result<(), FlashError> {
    let mut status = link.status();
    let ready = status.wait_for(|status| status.state == LinkState::Ready);
    match timeout(SESSION_PATIENCE, ready).await {
        Ok(Ok(_)) => {}
        Ok(Err(_)) => return Err(RequestError::Closed.into()),
        Err(_) => {
            emit(FlashEvent::Say(
                "the board is not in session: it may be in its loader already".into(),
            ));
            return Ok(());
        }
    }
    let command = Command::Reboot(RebootTarget::Loader);
    let payload = Payload::try_from(&command).expect("a reboot fits");
    match timeout(COMMAND_PATIENCE, link.command(payload)).await {
        Ok(Ok(Outcome::Refused(nak))) => Err(FlashError::NoLoader(format!("it says {nak:?}"))),
        Ok(Ok(_)) => Ok(()),
        Ok(Err(closed)) => Err(closed.into()),
        // It may be there already: the sync tells.
        Err(_) => Ok(()),
    }
}

/// Flashes whatever is at the other end of a transport, and starts it.
pub async fn flash(
    opener: &mut dyn Opener,
    timing: Timing,
    tape: Option<Tape>,
    image: &Image,
    options: &FlashOptions,
    emit: &mut (dyn FnMut(FlashEvent) + Send),
    cancel: &CancellationToken,
) -> Result<Done, FlashError> {
    let mut loader = Loader::new(Port::open(opener, timing, tape).await?);
    let id = match enter(&mut loader, &options.entry, emit, cancel).await {
        Ok(id) => id,
        Err(error) => {
            // Whatever can be started again is started: nothing was changed.
            if let FlashError::WrongChip(id) = error {
                start(&mut loader, &options.entry, id, emit).await?;
            } else if loader.port.transport().control().is_some()
                && matches!(options.entry, Entry::Lines(_))
            {
                start(&mut loader, &options.entry, PRODUCT_ID, emit).await?;
            }
            return Err(error);
        }
    };
    let mut done = Done::default();
    match loader.get().await {
        Ok((version, _)) => done.loader = version,
        Err(fault) => drop(realign(&mut loader, fault, id, "asks what it can").await?),
    }
    if options.unprotect {
        unprotect(&mut loader, &options.entry, id, emit, cancel).await?;
    }
    let mut programmer = Programmer::new(&mut loader, id, emit, cancel);
    let programmed = programmer.run(image, options.mode).await;
    let changed = programmer.has_changed();
    done.written = programmer.written;
    // What was not changed is started again, also after a failure.
    if programmed.is_ok() || !changed {
        let started = start(&mut loader, &options.entry, id, emit).await;
        programmed.and(started)?;
    } else {
        programmed?;
    }
    done.round_trip = loader.port.round_trip();
    Ok(done)
}

async fn enter(
    loader: &mut Loader<'_>,
    entry: &Entry,
    emit: &mut (dyn FnMut(FlashEvent) + Send),
    cancel: &CancellationToken,
) -> Result<u16, FlashError> {
    let (tries, patience) = match entry {
        Entry::App => (1, SYNC_PATIENCE),
        Entry::Lines(_) => (PULSES, SYNC_PATIENCE),
        Entry::Manual => (1, HAND_PATIENCE),
    };
    let mut tried = 0;
    loop {
        tried += 1;
        match entry {
            Entry::App => sleep(RESET).await,
            Entry::Lines(sequence) => {
                let control = loader.port.transport().control().ok_or(FlashError::NoLines)?;
                sequence.enter(control).await?;
            }
            Entry::Manual => {}
        }
        emit(FlashEvent::Phase { phase: FlashPhase::Sync, total: 0 });
        if *entry == Entry::Manual {
            emit(FlashEvent::Say(
                "set BOOT0 high (3.3 V), then press reset; the loader is waited for".into(),
            ));
        }
        match loader.sync(patience, cancel).await {
            Err(FlashError::NoSync | FlashError::NotALoader) if tried < tries => {}
            synced => return synced,
        }
    }
}

async fn realign(
    loader: &mut Loader<'_>,
    fault: Fault,
    id: u16,
    doing: &'static str,
) -> Result<u16, FlashError> {
    loader.realign(fault, Some(id), PATIENCE, doing).await
}

/// Takes the protection away. The chip is reset by that, and has to be synced with anew.
async fn unprotect(
    loader: &mut Loader<'_>,
    entry: &Entry,
    id: u16,
    emit: &mut (dyn FnMut(FlashEvent) + Send),
    cancel: &CancellationToken,
) -> Result<(), FlashError> {
    emit(FlashEvent::Phase { phase: FlashPhase::Unprotect, total: 0 });
    for _ in 0..STARTS {
        match loader.readout_unprotect().await {
            Ok(()) => break,
            Err(fault @ Fault::Refused) => {
                realign(loader, fault, id, "takes the protection away").await?;
            }
            // It may have been done and be past: a sync and a reading tell.
            Err(_) => break,
        }
    }
    sleep(RESET).await;
    if *entry == Entry::App {
        emit(FlashEvent::Say(
            "the chip is erased and was reset: where BOOT0 is low, set it high and press reset"
                .into(),
        ));
    }
    let entry = match entry {
        Entry::App => &Entry::Manual,
        other => other,
    };
    enter(loader, entry, emit, cancel).await.and_then(check_id).map(drop)
}

/// Starts the program. A word that was lost is said again as long as the loader is there to hear it.
async fn start(
    loader: &mut Loader<'_>,
    entry: &Entry,
    id: u16,
    emit: &mut (dyn FnMut(FlashEvent) + Send),
) -> Result<(), FlashError> {
    emit(FlashEvent::Phase { phase: FlashPhase::Start, total: 0 });
    if let Entry::Lines(sequence) = entry
        && let Some(control) = loader.port.transport().control()
    {
        return sequence.leave(control).await;
    }
    for _ in 0..STARTS {
        match loader.go(FLASH).await {
            Ok(()) => break,
            // A loader that does not answer any more has gone.
            Err(fault) => {
                let short = Duration::from_secs(1);
                if loader.realign(fault, Some(id), short, "starts the program").await.is_err() {
                    break;
                }
            }
        }
    }
    if *entry == Entry::Manual {
        emit(FlashEvent::Say("set BOOT0 low again (GND)".into()));
    }
    Ok(())
}

/// Waits until the board is in session again, and says what it runs. Only what says a version of its own is held to it.
async fn wait_for_board(
    link: &LinkHandle,
    image: &Image,
    options: &FlashOptions,
    boot: Option<BootId>,
) -> Result<Option<String>, FlashError> {
    let wanted = match (options.mode, image.region() == Region::APPLICATION) {
        (Mode::Write | Mode::Verify, true) => image.tag().ok().flatten().map(|tag| tag.version),
        _ => None,
    };
    if options.mode == Mode::Write && wanted.is_none() {
        // A foreign program speaks its own language.
        return Ok(None);
    }
    let back = |status: &LinkStatus| {
        status.state == LinkState::Ready && (status.boot != boot || boot.is_none())
    };
    let mut status = link.status();
    let (end, mut found) = (Instant::now() + BACK_PATIENCE, None);
    loop {
        let now = status.borrow_and_update().clone();
        if back(&now) {
            found = now.identity.get("fw").cloned();
            if wanted.is_none() || found == wanted {
                return Ok(found);
            }
        }
        // Its own word may be a moment old.
        match timeout_at(end, status.changed()).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(RequestError::Closed.into()),
            Err(_) => break,
        }
    }
    match (found, wanted) {
        (Some(found), Some(wanted)) => Err(FlashError::OtherVersion { found, wanted }),
        _ => {
            let trouble = status.borrow().trouble.clone().unwrap_or_else(|| "no answer".into());
            Err(FlashError::NotBack { seconds: BACK_PATIENCE.as_secs(), trouble })
        }
    }
}
