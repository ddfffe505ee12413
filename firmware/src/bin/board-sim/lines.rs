//! The wires to the chip that carry no bytes: reset, BOOT0, power.

use rookery_protocol::ResetCause;

/// What the chip is doing, as far as it can be seen from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doing {
    /// A reset has not led to anything yet.
    Starting,
    /// The loader in ROM listens.
    Loader,
    /// The board's program runs, this version of it.
    Program(String),
    /// Nothing that could be heard.
    Nothing,
}

/// See the module. Whoever holds the other end changes them at any time.
#[derive(Debug)]
pub(crate) struct Lines {
    boot0: bool,
    power: bool,
    /// A reset that the chip has not noticed yet.
    reset: Option<ResetCause>,
    /// How many operations of the flash are left until the power fails.
    fuse: Option<u32>,
    doing: Doing,
    /// How often something has been started.
    starts: u64,
}

impl Lines {
    pub(crate) fn new(boot0: bool) -> Self {
        Self { boot0, power: true, reset: None, fuse: None, doing: Doing::Starting, starts: 0 }
    }

    /// The button. Without power it has no effect.
    pub(crate) fn reset(&mut self) {
        if self.power {
            // A power failure that was not noticed yet weighs more.
            self.reset.get_or_insert(ResetCause::Pin);
        }
    }

    /// What a reset samples: high is the loader, low is the flash.
    pub(crate) fn set_boot0(&mut self, high: bool) {
        self.boot0 = high;
    }

    pub(crate) fn boot0(&self) -> bool {
        self.boot0
    }

    /// The power fails now, whatever the chip is at.
    pub(crate) fn cut(&mut self) {
        self.power = false;
        self.fuse = None;
        self.reset = Some(ResetCause::PowerOn);
    }

    /// The power fails after so many operations of the flash.
    pub(crate) fn cut_after(&mut self, operations: u32) {
        self.fuse = Some(operations);
    }

    /// The power goes, if it is there, and comes.
    pub(crate) fn power_cycle(&mut self) {
        self.cut();
        self.power = true;
    }

    pub(crate) fn has_power(&self) -> bool {
        self.power
    }

    /// Whether what runs has to end.
    pub(crate) fn is_reset(&self) -> bool {
        self.reset.is_some()
    }

    /// The chip notices a reset; it is over when there is power.
    pub(crate) fn take_reset(&mut self) -> Option<ResetCause> {
        self.doing = Doing::Starting;
        self.reset.take()
    }

    /// The same, and what the chip does stays as it is when there is none.
    pub(crate) fn take_reset_if_any(&mut self) -> Option<ResetCause> {
        if self.is_reset() { self.take_reset() } else { None }
    }

    /// The flash is about to do something: `false` when the chip has no time left for it.
    pub(crate) fn spend(&mut self) -> bool {
        match &mut self.fuse {
            Some(0) => self.cut(),
            Some(left) => *left -= 1,
            None => {}
        }
        !self.is_reset()
    }

    pub(crate) fn does(&mut self, doing: Doing) {
        if doing != Doing::Starting {
            self.starts += 1;
        }
        self.doing = doing;
    }

    /// What the chip does, BOOT0, and how often something has been started: who has caused a reset
    /// waits until that number has grown.
    pub(crate) fn state(&self) -> String {
        let doing = match &self.doing {
            _ if !self.power => "off".to_owned(),
            _ if self.is_reset() => "starting".to_owned(),
            Doing::Starting => "starting".to_owned(),
            Doing::Loader => "loader".to_owned(),
            Doing::Program(version) => format!("program {version}"),
            Doing::Nothing => "nothing".to_owned(),
        };
        format!("{doing} boot0={} starts={}", u8::from(self.boot0), self.starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fuse_lets_so_many_operations_pass() {
        let mut lines = Lines::new(false);
        lines.cut_after(2);
        assert_eq!([(); 3].map(|()| lines.spend()), [true, true, false]);
        assert!(!lines.has_power());
        assert_eq!(lines.take_reset(), Some(ResetCause::PowerOn));
        // It has burnt.
        lines.power_cycle();
        assert_eq!(lines.take_reset(), Some(ResetCause::PowerOn));
        assert!((0..10).all(|_| lines.spend()));
    }

    #[test]
    fn the_button_does_nothing_without_power() {
        let mut lines = Lines::new(true);
        lines.reset();
        assert_eq!(lines.state(), "starting boot0=1 starts=0");
        assert_eq!(lines.take_reset(), Some(ResetCause::Pin));
        lines.cut();
        lines.reset();
        assert_eq!(lines.take_reset(), Some(ResetCause::PowerOn));
        assert!(!lines.is_reset());
        lines.reset();
        assert!(!lines.is_reset());
        assert_eq!(lines.state(), "off boot0=1 starts=0");
    }
}
