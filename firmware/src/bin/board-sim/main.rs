//! A simulated chess board: the board's own program behind a socket or a pseudo terminal, with
//! seeded faults of the link. `--help` tells its options.

mod args;
mod book;
mod bootloader;
mod control;
mod faults;
mod guard;
mod lines;
mod order;
mod place;
mod platform;
mod program;
mod pty;
mod qemu;
mod rom;
mod sim;
mod store;
mod tcp;
mod wire;

use std::convert::Infallible;
use std::ffi::OsString;
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
use lines::Lines;
use place::Place;
use rom::flash::{self, Flash};
use rom::memory::Memory;
use rom::{Store, boot};
use store::FileStore;
use wire::Wire;

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(ended) = guard::from_args(&given) {
        return ended;
    }
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
    if args.qemu {
        qemu::check()?;
    }
    let memory = Memory::new(flash(args)?, seed);
    let lines = Lines::new(args.rom_loader);
    let wire = Arc::new(Wire::new(args.faults, seed, args.dialect == Dialect::V1, lines, log));
    let mut end = End { wire: Arc::clone(&wire), link: None, control: None };
    // Before anything is announced, so that whoever has read the announcement can end it.
    let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(|error| error.to_string())?;
    let place = open(args, &wire, &mut end).inspect_err(|_| end.clean())?;
    watch(signals, args.exit_with_parent, end).map_err(|error| error.to_string())?;
    let mut cells = vec![Cell::EMPTY; args.cells];
    let engine = MicroMax::new(&mut cells).map_err(|error| error.to_string())?;
    sim::run(args, seed, &wire, memory, (engine, book), || {
        let mut out = io::stdout();
        writeln!(out, "listening on {place}")
            .and_then(|()| out.flush())
            .map_err(|error| format!("the standard output: {error}"))
    })
}

/// Opens what others can reach the board by; gives the place of its port.
fn open(args: &Args, wire: &Arc<Wire>, end: &mut End) -> Result<String, String> {
    if let Some(control) = &args.control {
        let serving = control::serve(control, wire)
            .map_err(|error| format!("the control socket cannot be opened: {error}"))?;
        match serving {
            Place::Tcp(address) => eprintln!("board-sim: control on {address}"),
            Place::Unix(path) => end.control = Some(path),
        }
    }
    if let Some(address) = args.listen {
        return tcp::serve(address, wire, args.reset_on_connect)
            .map(|address| address.to_string())
            .map_err(|error| format!("cannot listen on {address}: {error}"));
    }
    let terminal = pty::serve(wire).map_err(|error| format!("no pseudo terminal: {error}"))?;
    if let Some(Some(path)) = &args.pty {
        pty::link(path, &terminal)
            .map_err(|error| format!("cannot link {}: {error}", path.display()))?;
        end.link = Some((path.clone(), terminal.clone()));
    }
    Ok(terminal.display().to_string())
}

/// The flash as it was kept; a new one holds the simulator's own program, or nothing when it is to
/// be flashed.
fn flash(args: &Args) -> Result<Flash<Box<dyn Store>>, String> {
    let mut fresh = flash::blank();
    if !args.rom_loader {
        let image = boot::own_image(args::OWN_BOARD, rookery_board::VERSION);
        fresh[..image.len()].copy_from_slice(&image);
    }
    let Some(path) = &args.flash else {
        return Ok(Flash::new(fresh, Box::new(())));
    };
    let (bytes, store) = FileStore::open(path, &fresh).map_err(|error| error.to_string())?;
    Ok(Flash::new(bytes, Box::new(store)))
}

/// What there is to do before the process ends.
struct End {
    wire: Arc<Wire>,
    link: Option<(PathBuf, PathBuf)>,
    control: Option<PathBuf>,
}

impl End {
    fn exit(&self) -> ! {
        self.wire.finish();
        self.clean();
        std::process::exit(0);
    }

    /// Removes what was put into the file system. Nothing is left to be done about a failure.
    fn clean(&self) {
        if let Some((path, terminal)) = &self.link {
            unlink(path, terminal);
        }
        if let Some(path) = &self.control {
            let _ = std::fs::remove_file(path);
        }
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
