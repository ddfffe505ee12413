//! The options behind the `?` of a URL.

use super::{Dialect, encode};
use crate::link::transport::line::{
    LineAtOpen, LineOptions, ModemLine, Parity, Pin, ResetLines, SerialFormat,
};
use percent_encoding::percent_decode_str;
use std::{fmt, net::IpAddr, ops::RangeInclusive};

/// Rates that a serial port may have.
const BAUD: RangeInclusive<u32> = 300..=4_000_000;

/// Options that were read and not yet understood.
pub(super) struct Options {
    left: Vec<(String, String)>,
    /// The names that were asked for: what the scheme knows.
    known: Vec<&'static str>,
}

impl Options {
    pub(super) fn read(query: &str) -> Result<Options, String> {
        let mut left: Vec<(String, String)> = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) =
                pair.split_once('=').ok_or_else(|| format!("its option '{pair}' has no value"))?;
            let value = percent_decode_str(value)
                .decode_utf8()
                .map_err(|_| format!("its option '{name}' is not UTF-8"))?;
            if left.iter().any(|(other, _)| other == name) {
                return Err(format!("its option '{name}' is given twice"));
            }
            left.push((name.to_owned(), value.into_owned()));
        }
        Ok(Options { left, known: Vec::new() })
    }

    /// An option by its name, as whatever `read` makes of it.
    fn take<T>(
        &mut self,
        name: &'static str,
        allowed: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, String> {
        self.known.push(name);
        let Some(at) = self.left.iter().position(|(given, _)| given == name) else {
            return Ok(None);
        };
        let (_, value) = self.left.swap_remove(at);
        match read(&value) {
            Some(read) => Ok(Some(read)),
            None => Err(format!("its option {name}={value} is not {allowed}")),
        }
    }

    /// The last of the options: what was not asked for is not known.
    pub(super) fn end(self, scheme: &str) -> Result<(), String> {
        match self.left.first() {
            None => Ok(()),
            Some((name, _)) => Err(format!(
                "its option '{name}' is not known for {scheme}://, which has: {}",
                self.known.join(", ")
            )),
        }
    }

    /// Whether there is `reset=connect`, the one value that needs no line. The others are read with the lines.
    pub(super) fn resets_on_connect(&mut self) -> bool {
        let at = self.left.iter().position(|(name, value)| name == "reset" && value == "connect");
        at.map(|at| self.left.swap_remove(at)).is_some()
    }

    pub(super) fn dialect(&mut self) -> Result<Dialect, String> {
        let read = |text: &str| match text {
            "auto" => Some(Dialect::Auto),
            "v1" => Some(Dialect::V1),
            "v2" => Some(Dialect::V2),
            _ => None,
        };
        Ok(self.take("dialect", "auto, v1 or v2", read)?.unwrap_or_default())
    }

    pub(super) fn baud(&mut self) -> Result<u32, String> {
        let read = |text: &str| text.parse().ok().filter(|baud| BAUD.contains(baud));
        let allowed = format!("a rate from {} to {}", BAUD.start(), BAUD.end());
        Ok(self.take("baud", &allowed, read)?.unwrap_or(SerialFormat::BOARD.baud))
    }

    pub(super) fn format(&mut self) -> Result<SerialFormat, String> {
        let parity = |text: &str| match text {
            "none" => Some(Parity::None),
            "even" => Some(Parity::Even),
            "odd" => Some(Parity::Odd),
            _ => None,
        };
        let digit = |low: u8, high: u8| {
            move |text: &str| text.parse().ok().filter(|n| (low..=high).contains(n))
        };
        let board = SerialFormat::BOARD;
        Ok(SerialFormat {
            baud: self.baud()?,
            parity: self.take("parity", "none, even or odd", parity)?.unwrap_or(board.parity),
            data_bits: self.take("data", "7 or 8", digit(7, 8))?.unwrap_or(board.data_bits),
            stop_bits: self.take("stop", "1 or 2", digit(1, 2))?.unwrap_or(board.stop_bits),
        })
    }

    pub(super) fn pins(&mut self) -> Result<ResetLines, String> {
        fn read(text: &str) -> Option<Pin> {
            let (name, inverted) = match text.strip_prefix('!') {
                Some(name) => (name, true),
                None => (text, false),
            };
            let line = match name {
                "dtr" => ModemLine::Dtr,
                "rts" => ModemLine::Rts,
                _ => return None,
            };
            Some(Pin { line, inverted })
        }
        const ALLOWED: &str = "dtr, rts, !dtr or !rts";
        let reset = self.take("reset", "connect, dtr, rts, !dtr or !rts", read)?;
        let boot0 = self.take("boot0", ALLOWED, read)?;
        if let (Some(reset), Some(boot0)) = (reset, boot0)
            && reset.line == boot0.line
        {
            return Err(format!("{} cannot be both reset and boot0", reset.line));
        }
        Ok(ResetLines { reset, boot0 })
    }

    pub(super) fn line(&mut self) -> Result<LineOptions, String> {
        fn read(text: &str) -> Option<LineAtOpen> {
            match text {
                "keep" => Some(LineAtOpen::Keep),
                "on" => Some(LineAtOpen::On),
                "off" => Some(LineAtOpen::Off),
                _ => None,
            }
        }
        const ALLOWED: &str = "on, off or keep";
        let format = self.format()?;
        let dtr = self.take("dtr", ALLOWED, read)?.unwrap_or_default();
        let rts = self.take("rts", ALLOWED, read)?.unwrap_or_default();
        let pins = self.pins()?;
        for (name, said, line) in [("dtr", dtr, ModemLine::Dtr), ("rts", rts, ModemLine::Rts)] {
            let taken = pins.at_rest().any(|(pin, _)| pin == line);
            if taken && said != LineAtOpen::Keep {
                return Err(format!(
                    "its option '{name}' is not for a line that is reset or boot0: that is kept at rest"
                ));
            }
        }
        Ok(LineOptions { format, dtr, rts, pins })
    }

    pub(super) fn port(&mut self, name: &'static str) -> Result<Option<u16>, String> {
        let read = |text: &str| text.parse().ok().filter(|port| *port != 0);
        self.take(name, "a number from 1 to 65535", read)
    }

    pub(super) fn peer(&mut self) -> Result<Option<IpAddr>, String> {
        let read = |text: &str| text.parse::<IpAddr>().ok().map(|a| a.to_canonical());
        self.take("peer", "an IP address", read)
    }

    pub(super) fn kind(&mut self) -> Result<Option<String>, String> {
        let read = |text: &str| {
            let good = !text.is_empty()
                && text.bytes().all(|b| b.is_ascii_graphic() && !b"=*".contains(&b));
            good.then(|| text.to_owned())
        };
        self.take("kind", "a board's kind", read)
    }
}

/// Writes the options that are not the defaults, in one order.
pub(super) struct OptionWriter<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    separator: char,
}

impl<'a, 'f> OptionWriter<'a, 'f> {
    pub(super) fn new(f: &'a mut fmt::Formatter<'f>) -> OptionWriter<'a, 'f> {
        OptionWriter { f, separator: '?' }
    }

    pub(super) fn write(&mut self, name: &str, value: impl fmt::Display) -> fmt::Result {
        write!(self.f, "{}{name}={}", self.separator, encode(&value.to_string()))?;
        self.separator = '&';
        Ok(())
    }

    fn unless<T: PartialEq + fmt::Display>(
        &mut self,
        name: &str,
        value: T,
        default: T,
    ) -> fmt::Result {
        if value == default { Ok(()) } else { self.write(name, value) }
    }

    pub(super) fn baud(&mut self, baud: u32) -> fmt::Result {
        self.unless("baud", baud, SerialFormat::BOARD.baud)
    }

    pub(super) fn format(&mut self, format: &SerialFormat) -> fmt::Result {
        let board = SerialFormat::BOARD;
        self.baud(format.baud)?;
        match format.parity {
            Parity::Even => {}
            Parity::None => self.write("parity", "none")?,
            Parity::Odd => self.write("parity", "odd")?,
        }
        self.unless("data", format.data_bits, board.data_bits)?;
        self.unless("stop", format.stop_bits, board.stop_bits)
    }

    pub(super) fn pins(&mut self, pins: &ResetLines) -> fmt::Result {
        for (name, pin) in [("reset", pins.reset), ("boot0", pins.boot0)] {
            if let Some(pin) = pin {
                self.write(name, pin)?;
            }
        }
        Ok(())
    }

    pub(super) fn line(&mut self, line: &LineOptions) -> fmt::Result {
        self.format(&line.format)?;
        for (name, state) in [("dtr", line.dtr), ("rts", line.rts)] {
            match state {
                LineAtOpen::Keep => {}
                LineAtOpen::On => self.write(name, "on")?,
                LineAtOpen::Off => self.write(name, "off")?,
            }
        }
        self.pins(&line.pins)
    }

    pub(super) fn dialect(&mut self, dialect: Dialect) -> fmt::Result {
        self.unless("dialect", dialect, Dialect::Auto)
    }
}
