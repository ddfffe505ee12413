//! Numbers that must not be taken for one another.

use core::fmt;

use crate::buffer::{Overflow, PayloadBuffer};
use crate::field::{PayloadError, hex_field};

macro_rules! hex_number {
    ($(#[$doc:meta])* $name:ident($inner:ty), $digits:literal, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $inner);

        impl $name {
            /// Reads exactly as many lower-case hex digits as the wire carries.
            ///
            /// # Errors
            #[doc = concat!("[`PayloadError::Field`] naming `", $what, "`.")]
            pub fn parse(text: &str) -> Result<Self, PayloadError> {
                hex_field(text, $digits, $what).map(|value| Self(value as $inner))
            }

            /// Appends the digits.
            ///
            /// # Errors
            /// [`Overflow`] when they do not fit.
            pub fn write(self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
                out.hex(u32::from(self.0), $digits)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("{:0", $digits, "x}"), self.0)
            }
        }
    };
}

hex_number!(
    /// A session: the time between two syncs. `00` is no session.
    Sid(u8), 2, "sid"
);

hex_number!(
    /// A sequence number: of commands, of events or of telemetry, each counted apart.
    Seq(u8), 2, "seq"
);

hex_number!(
    /// What a host made up for one sync, so that only the answer to this very one counts.
    Nonce(u32), 8, "nonce"
);

hex_number!(
    /// Names the time between two resets of a board.
    BootId(u32), 8, "boot id"
);

hex_number!(
    /// Names a position: placement, side, castling rights, en passant square.
    PositionHash(u32), 8, "position hash"
);

hex_number!(
    /// Chosen by the host for a think; comes back in everything the think sends.
    Tag(u8), 2, "tag"
);

impl Sid {
    /// No session: before the first sync, and in a banner.
    pub const NONE: Self = Self(0);

    /// The session after this one; never [`Sid::NONE`].
    #[must_use]
    pub const fn next(self) -> Self {
        match self.0 {
            0xff => Self(1),
            sid => Self(sid + 1),
        }
    }
}

impl Seq {
    /// The number after this one; `00` follows `ff`.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

impl PositionHash {
    const OFFSET: u32 = 0x811c_9dc5;
    const PRIME: u32 = 0x0100_0193;

    /// FNV-1a over the first four fields of a FEN, with single spaces between them.
    ///
    /// The counters do not take part, nor does the way in which the fields are spaced.
    ///
    /// ```
    /// use rookery_protocol::PositionHash;
    /// let start = PositionHash::of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// assert_eq!(start, PositionHash::of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 7 9"));
    /// assert_eq!(start.to_string(), "3706291c");
    /// ```
    #[must_use]
    pub fn of_fen(fen: &str) -> Self {
        let mut hasher = FenHasher::new();
        fen.bytes().for_each(|byte| hasher.add(byte));
        hasher.finish()
    }
}

/// [`PositionHash::of_fen`] of a FEN that comes byte by byte, so that a board need not keep it.
#[derive(Debug, Clone, Copy)]
pub struct FenHasher {
    hash: u32,
    fields: u8,
    in_field: bool,
}

impl FenHasher {
    /// Before the first byte.
    #[must_use]
    pub const fn new() -> Self {
        Self { hash: PositionHash::OFFSET, fields: 0, in_field: false }
    }

    /// Takes the next byte.
    #[inline(never)]
    pub fn add(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            self.in_field = false;
            return;
        }
        if !self.in_field {
            self.in_field = true;
            self.fields = self.fields.saturating_add(1);
            if self.fields > 1 {
                self.mix(b' ');
            }
        }
        self.mix(byte);
    }

    /// The hash of what has come.
    #[must_use]
    pub const fn finish(&self) -> PositionHash {
        PositionHash(self.hash)
    }

    fn mix(&mut self, byte: u8) {
        if self.fields <= 4 {
            self.hash = (self.hash ^ u32::from(byte)).wrapping_mul(PositionHash::PRIME);
        }
    }
}

impl Default for FenHasher {
    fn default() -> Self {
        Self::new()
    }
}
