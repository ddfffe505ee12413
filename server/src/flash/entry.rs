//! Ways into the loader: by the program's own command, by lines beside the data, or by a person's hand.

use super::error::FlashError;
use crate::{
    link::transport::{ModemLine, PortControl},
    model::FlashEntry,
};
use std::{fmt, str::FromStr, time::Duration};
use tokio::time::sleep;

/// How the board gets into its loader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The program's own command `r boot`; one that is in its loader already is taken as it is.
    App,
    /// Lines beside the data pull RESET and BOOT0.
    Lines(LineSequence),
    /// A person sets BOOT0 and presses reset.
    Manual,
}

impl Entry {
    /// Its name.
    #[must_use]
    pub fn kind(&self) -> FlashEntry {
        match self {
            Entry::App => FlashEntry::App,
            Entry::Lines(_) => FlashEntry::Lines,
            Entry::Manual => FlashEntry::Manual,
        }
    }
}

/// What a line is wired to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The line.
    pub line: ModemLine,
    /// Whether the chip's pin is active (reset held, BOOT0 high) while the line is *not* asserted.
    pub inverted: bool,
}

/// A step of a sequence: `true` is a held reset, a BOOT0 that asks for the loader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The reset pin.
    Reset(bool),
    /// The BOOT0 pin.
    Boot0(bool),
    /// Milliseconds.
    Wait(u64),
}

/// Which line is which pin, and what to do with them.
///
/// As text `reset=rts,boot0=!dtr`, a `!` before a line that is inverted; optionally followed by the steps into the loader, where the
/// usual ones do not do: `reset=rts,boot0=dtr:boot0=1,reset=1,wait=100,reset=0,wait=50`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSequence {
    reset: Wire,
    boot0: Option<Wire>,
    enter: Vec<Step>,
}

/// Why a text is no sequence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' says nothing about the lines: {why}; write for example reset=rts,boot0=dtr (with ! before a line that is inverted), and the \
     steps behind a colon where the usual ones do not do: reset=rts,boot0=!dtr:boot0=1,reset=1,wait=100,reset=0,wait=50"
)]
pub struct LineSequenceError {
    text: String,
    why: &'static str,
}

/// The longest wait of a step.
const LONGEST_WAIT: u64 = 10_000;

impl Default for LineSequence {
    /// RTS holds the reset, DTR pulls BOOT0 up.
    fn default() -> LineSequence {
        LineSequence {
            reset: Wire { line: ModemLine::Rts, inverted: false },
            boot0: Some(Wire { line: ModemLine::Dtr, inverted: false }),
            enter: usual(),
        }
    }
}

fn usual() -> Vec<Step> {
    use Step::{Boot0, Reset, Wait};
    vec![Boot0(true), Reset(true), Wait(100), Reset(false), Wait(100)]
}

impl LineSequence {
    /// Resets the chip into its loader.
    pub async fn enter(&self, control: &mut dyn PortControl) -> Result<(), FlashError> {
        self.play(control, &self.enter).await
    }

    /// Resets the chip into its flash.
    pub async fn leave(&self, control: &mut dyn PortControl) -> Result<(), FlashError> {
        use Step::{Boot0, Reset, Wait};
        let steps = [Boot0(false), Reset(true), Wait(100), Reset(false), Wait(50)];
        self.play(control, &steps).await
    }

    async fn play(&self, control: &mut dyn PortControl, steps: &[Step]) -> Result<(), FlashError> {
        for step in steps {
            let (wire, active) = match *step {
                Step::Wait(millis) => {
                    sleep(Duration::from_millis(millis)).await;
                    continue;
                }
                Step::Reset(active) => (Some(self.reset), active),
                Step::Boot0(active) => (self.boot0, active),
            };
            // A BOOT0 that is not wired is fixed by a jumper.
            if let Some(wire) = wire {
                let asserted = active != wire.inverted;
                control.set_line(wire.line, asserted).await.map_err(FlashError::Lines)?;
            }
        }
        Ok(())
    }
}

impl FromStr for LineSequence {
    type Err = LineSequenceError;

    fn from_str(text: &str) -> Result<LineSequence, LineSequenceError> {
        let fail = |why| LineSequenceError { text: text.to_owned(), why };
        let (wires, steps) = text.split_once(':').unwrap_or((text, ""));
        let (mut reset, mut boot0) = (None, None);
        for wire in wires.split(',') {
            let (pin, line) = wire.split_once('=').ok_or(fail("a pin has no line"))?;
            let (line, inverted) = match line.strip_prefix('!') {
                Some(line) => (line, true),
                None => (line, false),
            };
            let line = match line {
                "rts" => ModemLine::Rts,
                "dtr" => ModemLine::Dtr,
                _ => return Err(fail("the lines are rts and dtr")),
            };
            let place = match pin {
                "reset" => &mut reset,
                "boot0" => &mut boot0,
                _ => return Err(fail("the pins are reset and boot0")),
            };
            if place.replace(Wire { line, inverted }).is_some() {
                return Err(fail("a pin is named twice"));
            }
        }
        let reset = reset.ok_or(fail("reset has no line"))?;
        if boot0.is_some_and(|boot0| boot0.line == reset.line) {
            return Err(fail("both pins have one line"));
        }
        let enter =
            match steps {
                "" => usual(),
                steps => steps.split(',').map(read_step).collect::<Option<_>>().ok_or(fail(
                    "a step is reset=0, reset=1, boot0=0, boot0=1 or wait=MILLISECONDS",
                ))?,
            };
        Ok(LineSequence { reset, boot0, enter })
    }
}

fn read_step(step: &str) -> Option<Step> {
    match step.split_once('=')? {
        ("reset", bit) => read_bit(bit).map(Step::Reset),
        ("boot0", bit) => read_bit(bit).map(Step::Boot0),
        ("wait", millis) => {
            millis.parse().ok().filter(|wait| *wait <= LONGEST_WAIT).map(Step::Wait)
        }
        _ => None,
    }
}

fn read_bit(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

impl fmt::Display for LineSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |wire: Wire| {
            let line = match wire.line {
                ModemLine::Rts => "rts",
                ModemLine::Dtr => "dtr",
            };
            format!("{}{line}", if wire.inverted { "!" } else { "" })
        };
        write!(f, "reset={}", name(self.reset))?;
        if let Some(boot0) = self.boot0 {
            write!(f, ",boot0={}", name(boot0))?;
        }
        for (index, step) in self.enter.iter().enumerate() {
            let before = if index == 0 { ':' } else { ',' };
            match step {
                Step::Reset(active) => write!(f, "{before}reset={}", u8::from(*active))?,
                Step::Boot0(active) => write!(f, "{before}boot0={}", u8::from(*active))?,
                Step::Wait(millis) => write!(f, "{before}wait={millis}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn says_what_is_wrong() {
        for (bad, why) in [
            ("", "no line"),
            ("reset", "no line"),
            ("boot0=dtr", "reset has no line"),
            ("reset=cts", "rts and dtr"),
            ("nrst=rts", "reset and boot0"),
            ("reset=rts,reset=dtr", "twice"),
            ("reset=rts,boot0=rts", "one line"),
            ("reset=rts:reset=2", "a step is"),
            ("reset=rts:wait=99999", "a step is"),
        ] {
            let error = bad.parse::<LineSequence>().expect_err(bad).to_string();
            assert!(error.contains(why) && error.contains("reset=rts"), "{bad}: {error}");
        }
        let usual: LineSequence = "reset=rts,boot0=dtr".parse().unwrap();
        assert_eq!(usual, LineSequence::default());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            text in "(reset=!?(rts|dtr))?(,boot0=!?(rts|dtr))?(:(reset=[01],|wait=[0-9]{1,5},|boot0=[01],){0,4}wait=1)?.{0,5}"
        ) {
            if let Ok(sequence) = text.parse::<LineSequence>() {
                prop_assert_eq!(sequence.to_string().parse(), Ok(sequence));
            }
        }
    }
}
