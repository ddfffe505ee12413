//! What the simulated board is told in words: its arguments, and the orders of its control socket.
//!
//! The simulator's modules name each other from the root of its program: whoever takes this module
//! in has `use sim::{faults, place, rom};` at its own.

#[path = "../../firmware/src/bin/board-sim/args.rs"]
pub mod args;
#[path = "../../firmware/src/bin/board-sim/faults/mod.rs"]
pub mod faults;
#[path = "../../firmware/src/bin/board-sim/order.rs"]
pub mod order;
#[path = "../../firmware/src/bin/board-sim/place.rs"]
pub mod place;
#[path = "../../firmware/src/bin/board-sim/rom/mod.rs"]
pub mod rom;

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::time::Duration;

use args::{Args, LONGEST_RESET_MS};
use clap::Parser as _;
use faults::mishaps::MishapRates;
use faults::{Kind, Rates};
use order::{LONGEST, Order, Orders};
use place::Place;

/// Any arguments, a line each: refused in words, or within all bounds.
pub fn arguments(data: &[u8]) {
    let words = data.split(|&byte| byte == b'\n').filter(|word| !word.contains(&0));
    let words = words.map(|word| OsString::from_vec(word.to_vec()));
    let args = match Args::try_parse_from(std::iter::once("board-sim".into()).chain(words)) {
        Ok(args) => args,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert!(args.cells.is_power_of_two() && args.cells >= 2);
    assert!(!args.kind.is_empty() && args.kind.len() <= 16 && args.kind.is_ascii());
    assert!(args.boot_delay <= Duration::from_millis(LONGEST_RESET_MS));
    assert!(args.level > 0);
    assert!(args.listen.is_some() != args.pty.is_some());
    rates(&args.faults);
}

/// They can be struck with, and are the same in the words of the command line.
fn rates(rates: &Rates) {
    let words = Kind::ALL.map(|kind| {
        let rate = rates.of(kind);
        assert!((0.0..=1.0).contains(&rate));
        format!("{}={rate}", kind.name())
    });
    assert_eq!(Rates::parse(&words.join(",")).as_ref(), Ok(rates));
    // What is said first is of no account when all is said again.
    assert_eq!(Rates::parse(&format!("all,{}", words.join(","))).as_ref(), Ok(rates));
}

/// Any text as a list of faults, of either sort, and as the place of the control socket.
pub fn words(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    match Rates::parse(text) {
        Ok(read) => rates(&read),
        Err(error) => assert!(!error.is_empty()),
    }
    if let Ok(read) = MishapRates::parse(text) {
        assert_eq!(MishapRates::parse(&format!("all,none,{text}")), Ok(read));
    }
    match Place::parse(text) {
        Ok(Place::Tcp(address)) => {
            assert_eq!(Place::parse(&address.to_string()), Ok(Place::Tcp(address)));
        }
        Ok(Place::Unix(path)) => assert_eq!(path.as_os_str(), OsStr::from_bytes(text.as_bytes())),
        Err(error) => assert!(!error.is_empty()),
    }
}

/// A connection whose bytes come in pieces.
struct Pieces<'a>(std::slice::Chunks<'a, u8>);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.0.next().unwrap_or_default();
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

/// Any bytes at the control socket, cut anywhere: every line has one answer, the same however it is
/// cut, and an order is written so that it is read as the same.
pub fn orders(data: &[u8]) {
    let Some((&cut, stream)) = data.split_first() else { return };
    let orders: Vec<_> = Orders::new(stream).collect();
    let pieces = Pieces(stream.chunks(usize::from(cut).max(1)));
    assert_eq!(Orders::new(pieces).collect::<Vec<_>>(), orders);
    let lines = stream.split_inclusive(|&byte| byte == b'\n');
    assert_eq!(orders.len(), lines.clone().count());
    for (line, order) in lines.zip(orders) {
        assert!(order.is_err() || line.len() <= LONGEST);
        let written = match order {
            Ok(Order::Reset) => "reset".to_owned(),
            Ok(Order::Boot0(high)) => format!("boot0 {}", u8::from(high)),
            Ok(Order::PowerCycle) => "power-cycle".to_owned(),
            Ok(Order::Cut) => "cut".to_owned(),
            Ok(Order::CutAfter(operations)) => format!("cut {operations}"),
            Ok(Order::State) => "state".to_owned(),
            Err(error) => {
                assert!(!error.is_empty() && !error.contains(char::is_control), "{error:?}");
                continue;
            }
        };
        assert_eq!(written.parse(), order);
    }
}
