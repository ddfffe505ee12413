//! Sides, roles and the byte that stands for a man on the board.
//!
//! The byte is micro-Max's: kind in bits 0 to 2, side in bits 3 and 4, "has moved" in bit 5, and a
//! pawn's advance bonus in the two top bits, where it is at once part of what capturing the man
//! gains.

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that begins.
    White,
    /// The other side.
    Black,
}

impl Side {
    /// The opponent.
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The bit that marks this side's men.
    pub(crate) const fn bit(self) -> u8 {
        match self {
            Side::White => WHITE,
            Side::Black => BLACK,
        }
    }

    /// 0 for White, 1 for Black.
    pub(crate) const fn index(self) -> usize {
        match self {
            Side::White => 0,
            Side::Black => 1,
        }
    }

    /// The step of this side's pawns.
    pub(crate) const fn forward(self) -> u8 {
        match self {
            Side::White => 0xf0,
            Side::Black => 0x10,
        }
    }

    /// The 0x88 row (0 is the eighth rank) of this side's king and rooks at the start.
    pub(crate) const fn home_row(self) -> u8 {
        match self {
            Side::White => 7,
            Side::Black => 0,
        }
    }
}

/// What a man is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// P
    Pawn,
    /// N
    Knight,
    /// B
    Bishop,
    /// R
    Rook,
    /// Q
    Queen,
    /// K
    King,
}

impl Role {
    /// The lower-case letter that FEN and UCI use.
    pub const fn letter(self) -> u8 {
        match self {
            Role::Pawn => b'p',
            Role::Knight => b'n',
            Role::Bishop => b'b',
            Role::Rook => b'r',
            Role::Queen => b'q',
            Role::King => b'k',
        }
    }

    /// The role of a letter of either case.
    pub const fn from_letter(letter: u8) -> Option<Role> {
        Some(match letter.to_ascii_lowercase() {
            b'p' => Role::Pawn,
            b'n' => Role::Knight,
            b'b' => Role::Bishop,
            b'r' => Role::Rook,
            b'q' => Role::Queen,
            b'k' => Role::King,
            _ => return None,
        })
    }

    /// The kind bits of a man of this role.
    pub(crate) const fn kind(self, side: Side) -> u8 {
        match (self, side) {
            (Role::Pawn, Side::White) => WHITE_PAWN,
            (Role::Pawn, Side::Black) => BLACK_PAWN,
            (Role::Knight, _) => KNIGHT,
            (Role::King, _) => KING,
            (Role::Bishop, _) => BISHOP,
            (Role::Rook, _) => ROOK,
            (Role::Queen, _) => QUEEN,
        }
    }
}

pub(crate) const EMPTY: u8 = 0;
pub(crate) const WHITE_PAWN: u8 = 1;
pub(crate) const BLACK_PAWN: u8 = 2;
pub(crate) const KNIGHT: u8 = 3;
pub(crate) const KING: u8 = 4;
pub(crate) const BISHOP: u8 = 5;
pub(crate) const ROOK: u8 = 6;
pub(crate) const QUEEN: u8 = 7;

pub(crate) const KIND: u8 = 7;
pub(crate) const WHITE: u8 = 8;
pub(crate) const BLACK: u8 = 16;
pub(crate) const MOVED: u8 = 32;
/// The advance bonus of a pawn.
pub(crate) const BONUS: u8 = 192;
/// What stands around the board: of both sides, so that it is in every man's way.
pub(crate) const WALL: u8 = WHITE | BLACK;

/// What capturing a man gains.
#[inline]
pub(crate) fn gain_of(target: u8) -> i32 {
    i32::from(GAIN[usize::from(target & KIND)]) + i32::from(target & BONUS)
}

static GAIN: [i16; 8] = {
    // Worth of each kind in 37ths; a king's is negative, which is how its capture is noticed.
    let mut gain = [0, 2, 2, 7, -1, 8, 12, 23];
    let mut kind = 0;
    while kind < 8 {
        gain[kind] *= 37;
        kind += 1;
    }
    gain
};

/// The role of a kind of man, if it is one.
pub(crate) const fn role_of(byte: u8) -> Option<Role> {
    Some(match byte & KIND {
        WHITE_PAWN | BLACK_PAWN => Role::Pawn,
        KNIGHT => Role::Knight,
        KING => Role::King,
        BISHOP => Role::Bishop,
        ROOK => Role::Rook,
        QUEEN => Role::Queen,
        _ => return None,
    })
}

/// Whether the byte is a pawn's of either side (or, by the same cheap test, an empty square's).
pub(crate) const fn is_pawn_kind(kind: u8) -> bool {
    kind < KNIGHT
}
