//! A serial line: rate, format, and the outputs beside the data.

use futures_util::future::BoxFuture;
use std::{fmt, io, time::Duration};

/// What a serial port has beside its bytes, here or at the far end of a network.
pub trait PortControl: Send {
    /// Sets a modem line; `true` is the asserted state, which is a low level at a TTL adapter.
    fn set_line(&mut self, line: ModemLine, asserted: bool) -> BoxFuture<'_, io::Result<()>>;

    /// Changes rate and format, once everything written before is on the wire.
    fn set_format(&mut self, format: SerialFormat) -> BoxFuture<'_, io::Result<()>>;

    /// Throws away what has come and was not read, and what was written and is not on the wire.
    fn purge(&mut self) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async { Ok(()) })
    }
}

/// An output beside the data lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModemLine {
    /// Data terminal ready.
    Dtr,
    /// Request to send.
    Rts,
}

impl fmt::Display for ModemLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModemLine::Dtr => "dtr",
            ModemLine::Rts => "rts",
        })
    }
}

/// Rate and format of a serial line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialFormat {
    /// Bits a second.
    pub baud: u32,
    /// Data bits, without the parity bit.
    pub data_bits: u8,
    /// Parity.
    pub parity: Parity,
    /// Stop bits.
    pub stop_bits: u8,
}

impl SerialFormat {
    /// What Rookery's firmware and the chip's loader in ROM speak.
    pub const BOARD: SerialFormat =
        SerialFormat { baud: 115_200, data_bits: 8, parity: Parity::Even, stop_bits: 1 };

    /// The short form without the rate: `8E1`.
    #[must_use]
    pub fn shape(&self) -> String {
        let parity = match self.parity {
            Parity::None => 'N',
            Parity::Even => 'E',
            Parity::Odd => 'O',
        };
        format!("{}{parity}{}", self.data_bits, self.stop_bits)
    }
}

/// `115200 8E1`
impl fmt::Display for SerialFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.baud, self.shape())
    }
}

/// The parity bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parity {
    /// There is none.
    None,
    /// The number of ones is even.
    Even,
    /// The number of ones is odd.
    Odd,
}

/// A modem line that does something to the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pin {
    /// Which.
    pub line: ModemLine,
    /// It is at work while the line is not asserted: written `!dtr`.
    pub inverted: bool,
}

impl Pin {
    /// Whether the line is to be asserted so that the pin is at work, or is not.
    #[must_use]
    pub fn level(self, at_work: bool) -> bool {
        at_work != self.inverted
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.inverted { "!" } else { "" }, self.line)
    }
}

/// The lines that reset the chip and choose what it starts. An asserted line is low at a TTL adapter, so RTS wired straight to NRST is
/// `reset=rts`, and DTR wired straight to BOOT0 is `boot0=!dtr`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResetLines {
    /// Holds the chip in reset while it is at work.
    pub reset: Option<Pin>,
    /// Has the chip start its loader in ROM where it is at work at the end of a reset.
    pub boot0: Option<Pin>,
}

impl ResetLines {
    /// How long a reset lasts: esp-link's own lasts 2 ms, and a capacitor at NRST wants more.
    const PULSE: Duration = Duration::from_millis(20);

    /// Which line does something to the chip, and its level when it does nothing.
    pub(super) fn at_rest(&self) -> impl Iterator<Item = (ModemLine, bool)> + use<> {
        self.boot0.into_iter().chain(self.reset).map(|pin| (pin.line, pin.level(false)))
    }

    /// Resets the chip into its program, or into the loader. Nothing happens where no line is known to reset it: `false`.
    pub async fn pulse(&self, control: &mut dyn PortControl, loader: bool) -> io::Result<bool> {
        let Some(reset) = self.reset else { return Ok(false) };
        if let Some(boot0) = self.boot0 {
            control.set_line(boot0.line, boot0.level(loader)).await?;
        }
        control.set_line(reset.line, reset.level(true)).await?;
        tokio::time::sleep(ResetLines::PULSE).await;
        control.set_line(reset.line, reset.level(false)).await?;
        Ok(true)
    }
}

/// What becomes of a modem line when the port is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LineAtOpen {
    /// Whatever the system makes of it.
    #[default]
    Keep,
    /// Asserted.
    On,
    /// Not asserted.
    Off,
}

/// A serial line as a URL describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LineOptions {
    pub(super) format: SerialFormat,
    pub(super) dtr: LineAtOpen,
    pub(super) rts: LineAtOpen,
    pub(super) pins: ResetLines,
}

impl LineOptions {
    /// The levels to set when the port is opened: what the URL says, and lines that do something to the chip at rest.
    pub(super) fn at_open(&self) -> Vec<(ModemLine, bool)> {
        let said = [(ModemLine::Dtr, self.dtr), (ModemLine::Rts, self.rts)];
        let said = said.into_iter().filter_map(|(line, state)| match state {
            LineAtOpen::Keep => None,
            LineAtOpen::On => Some((line, true)),
            LineAtOpen::Off => Some((line, false)),
        });
        let mut levels: Vec<_> = self.pins.at_rest().collect();
        for (line, level) in said {
            if !levels.iter().any(|(set, _)| *set == line) {
                levels.push((line, level));
            }
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Recorder(Vec<(ModemLine, bool)>);

    impl PortControl for Recorder {
        fn set_line(&mut self, line: ModemLine, asserted: bool) -> BoxFuture<'_, io::Result<()>> {
            self.0.push((line, asserted));
            Box::pin(async { Ok(()) })
        }

        fn set_format(&mut self, _format: SerialFormat) -> BoxFuture<'_, io::Result<()>> {
            Box::pin(async { Ok(()) })
        }
    }

    #[tokio::test]
    async fn a_pulse_chooses_first_and_ends_released() {
        use ModemLine::{Dtr, Rts};
        let pins = ResetLines {
            reset: Some(Pin { line: Rts, inverted: false }),
            boot0: Some(Pin { line: Dtr, inverted: true }),
        };
        for (loader, dtr) in [(true, false), (false, true)] {
            let mut lines = Recorder::default();
            assert!(pins.pulse(&mut lines, loader).await.unwrap());
            assert_eq!(lines.0, [(Dtr, dtr), (Rts, true), (Rts, false)]);
        }
        let mut lines = Recorder::default();
        assert!(!ResetLines::default().pulse(&mut lines, true).await.unwrap());
        assert!(lines.0.is_empty(), "no line is known to do it");
    }

    #[test]
    fn lines_that_do_something_are_at_rest_after_opening() {
        let pins =
            ResetLines { reset: Some(Pin { line: ModemLine::Dtr, inverted: true }), boot0: None };
        let options = LineOptions {
            format: SerialFormat::BOARD,
            dtr: LineAtOpen::Keep,
            rts: LineAtOpen::Off,
            pins,
        };
        assert_eq!(options.at_open(), [(ModemLine::Dtr, true), (ModemLine::Rts, false)]);
        assert_eq!(options.format.to_string(), "115200 8E1");
    }
}
