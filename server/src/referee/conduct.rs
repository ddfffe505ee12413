//! What a person or the server's end makes of a run: go on, pause between two plies, stop after this game, break it off.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// A person's word about a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Play.
    #[default]
    Run,
    /// Hold after the ply that is being thought about.
    Pause,
    /// No further game.
    StopAfterGame,
    /// Break the games off.
    Abort,
}

/// The way in which a run is conducted. Clones are the same.
#[derive(Clone, Debug)]
pub struct Conduct {
    control: watch::Receiver<Control>,
    stop: CancellationToken,
}

/// The game is to be left now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leave;

impl Conduct {
    /// `stop` is cancelled when the server stops or the run is aborted.
    #[must_use]
    pub fn new(control: watch::Receiver<Control>, stop: CancellationToken) -> Conduct {
        Conduct { control, stop }
    }

    /// The last word.
    #[must_use]
    pub fn control(&self) -> Control {
        *self.control.borrow()
    }

    /// Cancelled when thinks are to be given up.
    #[must_use]
    pub fn cancelled(&self) -> &CancellationToken {
        &self.stop
    }

    /// Waits while the run is paused.
    pub async fn wait_while_paused(&mut self) -> Result<(), Leave> {
        let unpaused = self.control.wait_for(|control| *control != Control::Pause);
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(Leave),
            waited = unpaused => match waited {
                Ok(control) if *control == Control::Abort => Err(Leave),
                Ok(_) => Ok(()),
                // Nobody can speak any more: nobody wants it paused.
                Err(_) => Ok(()),
            },
        }
    }
}
