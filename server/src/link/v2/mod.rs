//! Rookery's own protocol: a session with checksums and numbers, and a client that leads the board by position hashes.

mod client;
mod host;
mod rtt;
pub mod session;

pub(super) use client::Client;
pub(super) use host::Host;
pub use rtt::RoundTrip;
