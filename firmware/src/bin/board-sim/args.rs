//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Parser, ValueEnum};
use rookery_engine::{Params, Preset};

use crate::faults::Rates;
use crate::faults::mishaps::MishapRates;
use crate::place::Place;

/// The kind of board that the image stands for which the simulator puts into a new flash.
pub(crate) const OWN_BOARD: &str = "sim";

/// An hour. Who waits longer for a board takes it for a dead one.
pub(crate) const LONGEST_RESET_MS: u64 = 3_600_000;

/// A chess board without the wood: the board's own program behind a socket or a pseudo terminal.
#[derive(Debug, Parser)]
#[command(name = "board-sim", version, after_help = EXAMPLES)]
#[command(group = ArgGroup::new("transport").required(true).args(["listen", "pty"]))]
pub(crate) struct Args {
    /// Listen here; port 0 picks a free one. `listening on ADDRESS` is printed
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,

    /// Open a pseudo terminal, with a symbolic link PATH to it. `listening on TERMINAL` is printed
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pub(crate) pty: Option<Option<PathBuf>>,

    /// The protocol to speak
    #[arg(long, value_enum, default_value_t = Dialect::V2)]
    pub(crate) dialect: Dialect,

    /// Cells of the engine's hash table, a power of two
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = parse_cells)]
    pub(crate) cells: usize,

    /// The engine's parameters after a reset
    #[arg(long, value_name = "NAME", default_value = "classic", value_parser = parse_preset)]
    pub(crate) preset: Preset,

    /// Where all chance comes from: boot ids and faults. Any number, when it is not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Faults of the link: `none`, `light`, `all`, and KIND=RATE, joined by commas; see below
    #[arg(long, value_name = "LIST", default_value = "none", value_parser = Rates::parse)]
    pub(crate) faults: Rates,

    /// Write every injected fault to FILE as a line of JSON, and the totals at the end
    #[arg(long, value_name = "FILE")]
    pub(crate) fault_log: Option<PathBuf>,

    /// Search no faster than this, as a chip does; 0 is as fast as it can
    #[arg(long, value_name = "NODES_PER_SECOND", default_value_t = 0)]
    pub(crate) speed: u32,

    /// Node budget of a think, for the dialect v1, whose hosts cannot say one
    #[arg(long, value_name = "NODES", default_value_t = 45_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) level: u32,

    /// What the board says it is
    #[arg(long, value_name = "NAME", default_value = "sim", value_parser = parse_kind)]
    pub(crate) kind: String,

    /// How long a reset takes, in milliseconds; nothing is heard meanwhile
    #[arg(long, value_name = "MS", default_value = "20", value_parser = parse_millis)]
    pub(crate) boot_delay: Duration,

    /// Every new connection resets the board, as a line wired to its port's DTR does
    #[arg(long, requires = "listen")]
    pub(crate) reset_on_connect: bool,

    /// Think in every position, without the small book of openings
    #[arg(long, conflicts_with = "book")]
    pub(crate) no_book: bool,

    /// Keep flash and option bytes in FILE, which is made when it is missing; without this they are forgotten
    #[arg(long, value_name = "FILE")]
    pub(crate) flash: Option<PathBuf>,

    /// BOOT0 is high: every reset enters the loader in ROM (STM32F103C6, AN3155), and a new flash is erased
    #[arg(long)]
    pub(crate) rom_loader: bool,

    /// The flash takes its time: 20 ms for a page erased, 52.5 us for a half-word programmed
    #[arg(long)]
    pub(crate) flash_time: bool,

    /// Faults of the loader: `none`, `all`, and KIND=RATE, joined by commas; see below
    #[arg(long, value_name = "LIST", default_value = "none", value_parser = MishapRates::parse)]
    pub(crate) loader_faults: MishapRates,

    /// Take orders here, a line each: reset, boot0 0|1, power-cycle, cut, `cut OPERATIONS`, state. With a port 0 the address is written to the standard error
    #[arg(long, value_name = "ADDRESS|PATH", value_parser = Place::parse)]
    pub(crate) control: Option<Place>,

    /// Run an image that is for QEMU in `qemu-system-arm`
    #[arg(long)]
    pub(crate) qemu: bool,

    /// Play from this book instead of the small one: a board's (.rkb) or Polyglot's (.bin)
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,

    /// Draw a Polyglot book's moves by their weights with this seed, instead of playing the heaviest
    #[arg(long, value_name = "N", requires = "book")]
    pub(crate) book_seed: Option<u64>,

    /// End when the standard input ends, so that no board outlives the process that started it
    #[arg(long)]
    pub(crate) exit_with_parent: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// Rookery's protocol, with checksums and numbers
    V2,
    /// The dialect of the boards before
    V1,
}

impl Args {
    /// The engine's parameters after a reset.
    pub(crate) fn params(&self) -> Params {
        Params::preset(self.preset)
    }
}

fn parse_cells(text: &str) -> Result<usize, String> {
    let cells: usize = text.parse().map_err(|_| "not a number".to_owned())?;
    if cells.is_power_of_two() && (2..=1 << 24).contains(&cells) {
        Ok(cells)
    } else {
        Err("a power of two from 2 to 16777216 is needed".to_owned())
    }
}

fn parse_preset(text: &str) -> Result<Preset, String> {
    Preset::from_name(text).ok_or_else(|| {
        let names = Preset::ALL.map(Preset::name).join(", ");
        format!("the presets are {names}")
    })
}

fn parse_kind(text: &str) -> Result<String, String> {
    let plain = text.bytes().all(|b| b.is_ascii_graphic() && b != b'*');
    if plain && (1..=16).contains(&text.len()) {
        Ok(text.to_owned())
    } else {
        Err("1 to 16 printable letters without spaces and `*` are needed".to_owned())
    }
}

fn parse_millis(text: &str) -> Result<Duration, String> {
    let millis = text.parse().ok().filter(|millis| *millis <= LONGEST_RESET_MS);
    millis.map(Duration::from_millis).ok_or_else(|| {
        format!("a whole number of milliseconds from 0 to {LONGEST_RESET_MS} is needed")
    })
}

const EXAMPLES: &str = "\
Examples:
  board-sim --listen 127.0.0.1:0
  board-sim --listen 127.0.0.1:7777 --faults all --seed 3 --fault-log faults.jsonl
  board-sim --pty /tmp/board --dialect v1 --level 3000 --speed 9000
  board-sim --listen 127.0.0.1:0 --faults light,drop=0,reboot=0.5
  board-sim --pty /tmp/board --rom-loader --flash flash.bin --control /tmp/board.control

Kinds of faults, with the rate at which `all` has them for every line (`reboot`: every think):
  lose       a byte is lost                        0.008
  run        2 to 20 bytes are lost                0.008
  dup-bytes  1 to 4 bytes come twice               0.008
  dup-line   the line comes twice                  0.008
  merge      the LFs behind the line are lost      0.008
  split      an LF comes into the line             0.008
  pause      20 to 400 ms pass within the line     0.008
  flip7      one of the lower seven bits flips     0.008
  flip8      the highest bit of a byte flips       0.008
  swap       two neighbours change places          0.008
  echo       the host's line comes back to it      0.02
  stall      50 to 1500 ms pass before the line    0.008
  drop       the connection ends (not on a pty)    0.006
  reboot     the board is reset while it thinks    0.1
  silence    the board is not heard for 0.5 to 3 s 0.01

`light` has every kind at about a quarter of the rates. A rate is a number from 0 to 1.

On bytes for the loader, which have no lines, lose, dup-bytes, flip7, flip8, stall and drop strike
at these rates for every 64 bytes, a byte each.

Kinds of faults of the loader, with the rate that `all` has for every command or erase:
  nack         a command is refused              0.05
  abort-erase  an erase ends half-way, with NACK 0.05
  ack-lost     the ACK at the end is not said    0.05";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Kind;
    use crate::rom::Mishap;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_help_tells_the_rates_that_are_in_force() {
        let rate_in_help = |name: &str| -> f64 {
            let line = EXAMPLES
                .lines()
                .find(|line| line.trim_start().starts_with(&format!("{name} ")))
                .unwrap_or_else(|| panic!("no line for {name}"));
            line.rsplit(' ').next().and_then(|rate| rate.parse().ok()).expect("a rate at the end")
        };
        for kind in Kind::ALL {
            assert_eq!(rate_in_help(kind.name()), Rates::all().of(kind), "{kind:?}");
        }
        let all = MishapRates::parse("all").expect("a profile");
        for mishap in Mishap::ALL {
            assert_eq!(rate_in_help(mishap.name()), all.of(mishap), "{mishap:?}");
        }
    }
}
