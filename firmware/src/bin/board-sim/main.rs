//! A simulated chess board: the board's own program behind a socket or a pseudo terminal, with
//! seeded faults of the link. `--help` tells its options.

mod args;
mod book;
mod faults;
mod pty;
mod sim;
mod tcp;
mod wire;

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::thread;

use clap::Parser;
use rookery_engine::{Cell, MicroMax};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use args::{Args, Dialect};
use book::{FileBook, Shelf, SmallBook};
use faults::log::Log;
use wire::Wire;

fn main() -> ExitCode {
    let args = Args::parse();
    match start(&args) {
        Ok(never) => match never {},
        Err(error) => {
            eprintln!("board-sim: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(args: &Args) -> Result<Infallible, String> {
    let seed = args.seed.unwrap_or_else(rand::random);
    let book = match &args.book {
        Some(path) => Some(Shelf::File(FileBook::open(path, args.book_seed)?)),
        None => (!args.no_book).then(|| Shelf::Small(SmallBook::new())),
    };
    let log = Log::open(args.fault_log.as_deref(), seed)
        .map_err(|error| format!("the fault log cannot be opened: {error}"))?;
    let wire = Arc::new(Wire::new(args.faults, seed, args.dialect == Dialect::V1, log));
    let mut end = End { wire: Arc::clone(&wire), link: None };
    // Before anything is announced, so that whoever has read the announcement can end it.
    let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(|error| error.to_string())?;
    let place = match (&args.listen, &args.pty) {
        (Some(address), _) => tcp::serve(*address, &wire)
            .map_err(|error| format!("cannot listen on {address}: {error}"))?
            .to_string(),
        (None, path) => {
            let terminal =
                pty::serve(&wire).map_err(|error| format!("no pseudo terminal: {error}"))?;
            if let Some(Some(path)) = path {
                pty::link(path, &terminal)
                    .map_err(|error| format!("cannot link {}: {error}", path.display()))?;
                end.link = Some((path.clone(), terminal.clone()));
            }
            terminal.display().to_string()
        }
    };
    watch(signals, args.exit_with_parent, end).map_err(|error| error.to_string())?;
    let mut cells = vec![Cell::EMPTY; args.cells];
    let engine = MicroMax::new(&mut cells).map_err(|error| error.to_string())?;
    sim::run(args, seed, &wire, engine, book, || {
        let mut out = io::stdout();
        writeln!(out, "listening on {place}")
            .and_then(|()| out.flush())
            .map_err(|error| format!("the standard output: {error}"))
    })
}

/// What there is to do before the process ends.
struct End {
    wire: Arc<Wire>,
    link: Option<(PathBuf, PathBuf)>,
}

impl End {
    fn exit(&self) -> ! {
        self.wire.finish();
        if let Some((path, terminal)) = &self.link {
            unlink(path, terminal);
        }
        std::process::exit(0);
    }
}

/// Removes our link, not one that another board has put in its place.
fn unlink(path: &Path, terminal: &Path) {
    if std::fs::read_link(path).is_ok_and(|target| target == terminal) {
        // Nothing is left to be done about a failure.
        let _ = std::fs::remove_file(path);
    }
}

/// Ends the process with status 0 at a signal, and at the end of the standard input if asked to.
fn watch(mut signals: Signals, with_parent: bool, end: End) -> io::Result<()> {
    let end = Arc::new(Mutex::new(end));
    let exit = |end: &Mutex<End>| match end.lock() {
        Ok(end) => end.exit(),
        Err(poisoned) => poisoned.into_inner().exit(),
    };
    if with_parent {
        let end = Arc::clone(&end);
        thread::Builder::new().name("parent".to_owned()).spawn(move || {
            let mut buffer = [0; 256];
            while io::stdin().read(&mut buffer).is_ok_and(|length| length > 0) {}
            exit(&end)
        })?;
    }
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if signals.forever().next().is_some() {
            exit(&end);
        }
    })?;
    Ok(())
}
