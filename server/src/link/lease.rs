//! A link in somebody else's hands: whoever flashes a board, or types at it, gets its transport, and the session waits.

use super::{
    tape::Tape,
    transport::{Connector, Transport},
};
use std::io;
use tokio::sync::oneshot;

/// Exclusive use of a link's transport. Commands wait meanwhile; when it is dropped, the link opens its transport anew and
/// goes on with a new session.
#[derive(Debug)]
pub struct Lease {
    /// Empty only while this is dropped.
    connector: Option<Connector>,
    tape: Tape,
    back: Option<oneshot::Sender<Connector>>,
}

impl Lease {
    pub(super) fn new(connector: Connector, tape: Tape) -> (Lease, oneshot::Receiver<Connector>) {
        let (back, returned) = oneshot::channel();
        (Lease { connector: Some(connector), tape, back: Some(back) }, returned)
    }

    /// Opens the transport: nothing is open when the lease begins, so that nothing old is in it.
    pub async fn open(&mut self) -> io::Result<Box<dyn Transport>> {
        self.connector().open().await
    }

    /// The way to the board.
    pub fn connector(&mut self) -> &mut Connector {
        self.connector.as_mut().expect("it is taken by drop alone")
    }

    /// Where the traffic is kept.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let (Some(back), Some(connector)) = (self.back.take(), self.connector.take()) {
            // A link that has ended needs it no more.
            let _ = back.send(connector);
        }
    }
}
