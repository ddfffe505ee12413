//! What the driver asks of a dialect: everything between bytes and requests, without I/O and without a clock of its own.

use super::handle::Request;
use crate::{api::LinkState, model::LinkEventKind};
use rookery_protocol::{BoardStatus, BootId};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// A dialect that a board speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spoken {
    /// The text dialect of the boards before Rookery.
    V1,
    /// Rookery's own protocol.
    V2,
}

/// What a dialect has to say to the driver.
#[derive(Debug)]
pub(super) enum Notice {
    /// Something happened on the link.
    Link(LinkEventKind, String),
    /// The link's state is another.
    State(LinkState),
    /// The board answers: the next connection need not wait.
    Answers,
    /// Why the board cannot be used now.
    Trouble(Option<String>),
    /// What the board says of itself, or what is known of its kind.
    Identity(BTreeMap<String, String>),
    /// The board is to be reset by the way that its URL names.
    Reset,
    /// The transport is to be closed and opened again.
    Close(&'static str),
}

/// What is known of the board beside its state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Health {
    pub(super) spoken: Option<Spoken>,
    pub(super) boot: Option<BootId>,
    pub(super) board: Option<BoardStatus>,
    pub(super) round_trip: Option<Duration>,
}

/// The host's side of a dialect.
pub(super) trait Dialect: Send {
    /// The transport is open.
    fn opened(&mut self, now: Instant);
    /// The transport is gone. What is outstanding is held for the next one.
    fn closed(&mut self, why: &str);
    /// Bytes came.
    fn received(&mut self, bytes: &[u8], now: Instant);
    /// The instant of [`Dialect::next_deadline`] has come.
    fn tick(&mut self, now: Instant);
    /// When there is something to do if nothing comes before.
    fn next_deadline(&self) -> Option<Instant>;
    /// The next bytes for the transport.
    fn poll_transmit(&mut self) -> Option<Vec<u8>>;
    /// Somebody asks for something.
    fn request(&mut self, request: Request, now: Instant);
    /// Forgets the requests that nobody waits for any more.
    fn forget_given_up(&mut self, now: Instant);
    /// What there is to say, in pieces: link events first, so that they are counted before anybody is woken. Empty: nothing more.
    fn news(&mut self, now: Instant) -> Vec<Notice>;
    /// What is known of the board now.
    fn health(&self) -> Health;
}

/// Counts something that only a link's user or its driver can see.
pub(super) fn note(dialect: &mut dyn Dialect, kind: LinkEventKind, detail: String) {
    dialect.request(Request::Note { kind, detail }, Instant::now());
}
