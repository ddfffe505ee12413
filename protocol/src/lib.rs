//! The wire between a host and a chess board, version 2, and the reader of version 1.
//!
//! `README.md` beside this crate is the authority; this is its only implementation, shared by the
//! server, the board's program and the simulated board. It knows lines and messages and nothing of
//! chess: a move is five letters to it, a position is a text and a hash.
//!
//! | module | idea |
//! |---|---|
//! | [`frame`] | one line: its fields, its checksum, to bytes and back |
//! | [`decoder`] | bytes to lines on a fixed buffer |
//! | [`host`] | what a host says |
//! | [`board`] | what a board answers |
//! | [`event`] | what a board says of its own accord |
//! | [`identify`] | the pages in which a board describes itself |
//! | [`device`] | the board's side of the conversation, for every kind of board |
//! | [`v1`] | the dialect of the boards before Rookery |
//!
//! ```
//! use rookery_protocol::{Command, Decoded, Decoder, Direction, Kind, Line, PayloadBuffer};
//! use rookery_protocol::{Seq, Sid, WireBuffer};
//!
//! let mut payload = PayloadBuffer::new();
//! Command::Ping.write(&mut payload)?;
//! let line = Line {
//!     direction: Direction::Host,
//!     kind: Kind::Command,
//!     sid: Sid(0x2a),
//!     seq: Seq(7),
//!     payload: payload.as_str(),
//! };
//! let mut wire = WireBuffer::new();
//! let bytes = line.encode(&mut wire)?;
//! assert_eq!(bytes, b"\n>C2a07 .*544a\n");
//!
//! let mut decoder = Decoder::new();
//! let mut found = 0;
//! for &byte in bytes {
//!     if let Decoded::Line(line) = decoder.push(byte) {
//!         assert_eq!(Command::parse(line.payload)?, Command::Ping);
//!         found += 1;
//!     }
//! }
//! assert_eq!(found, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]

pub mod board;
pub mod buffer;
pub mod crc;
pub mod decoder;
pub mod device;
pub mod event;
pub mod field;
pub mod frame;
pub mod host;
pub mod id;
pub mod identify;
pub mod move_text;
pub mod v1;

pub use board::{
    Ack, Activity, Banner, BoardMessage, BoardStatus, Nak, NakReason, ResetCause, SyncReply,
};
pub use buffer::{Overflow, PayloadBuffer, WireBuffer};
pub use crc::crc16;
pub use decoder::{Decoded, Decoder};
pub use event::{BestMove, Event, Iteration, MoveSource, Telemetry};
pub use field::PayloadError;
pub use frame::{
    Direction, EncodeError, Kind, Line, LineError, MAX_LINE, MAX_PAYLOAD, MalformedLine,
};
pub use host::{
    Command, CommandError, FenChunks, HostMessage, MAX_CHUNKS, MAX_FEN, MoveList, ParamKey,
    RebootTarget, fen_chunks,
};
pub use id::{BootId, FenHasher, Nonce, PositionHash, Seq, Sid, Tag};
pub use identify::{IdentifyPage, PageWriter, Value};
pub use move_text::{MoveText, MoveTextError};

/// The version of the protocol that this crate speaks.
pub const PROTOCOL_VERSION: u8 = 2;

/// What a board sends under the key `proto`: the lowest and the highest version it speaks.
pub const PROTOCOL_RANGE: &str = "2-2";
