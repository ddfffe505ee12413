//! The men on the board, and the steps they take.

use crate::piece::{
    BISHOP, BLACK, BLACK_PAWN, EMPTY, KING, KNIGHT, MOVED, QUEEN, ROOK, Side, WALL, WHITE,
    WHITE_PAWN,
};
use crate::square::{NOWHERE, OFF_BOARD};

/// The men of one side, a bit a square: bit `square & 31` of word `square >> 5`, so that walking
/// the bits upwards is walking the board in the order of the scan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Men(pub(crate) [u32; 4]);

impl Men {
    #[inline]
    pub(crate) fn flip(&mut self, square: u8) {
        self.0[usize::from((square >> 5) & 3)] ^= 1 << (square & 31);
    }

    /// Every man's square.
    pub(crate) fn squares(self) -> impl Iterator<Item = u8> {
        (0..4u8).flat_map(move |word| {
            let mut bits = self.0[usize::from(word)];
            core::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as u8;
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    (word << 5) | bit
                })
            })
        })
    }
}

/// The way round the board from a square to it again, from man to man.
pub(crate) struct Tour<'a> {
    men: &'a Men,
    /// The men of this word that are yet to come.
    bits: u32,
    place: Place,
}

/// How far a tour has come: its word, how many words are left, and the square where it began. In one
/// register of a controller.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    #[inline]
    fn new(start: u8, word: u8, words_left: u8) -> Place {
        Place(u32::from(word) << 16 | u32::from(words_left) << 8 | u32::from(start))
    }

    fn word(self) -> usize {
        (self.0 >> 16 & 3) as usize
    }

    /// The word behind, if there is one.
    #[inline]
    fn next(self) -> Option<Place> {
        let words_left = self.0 >> 8 & 7;
        (words_left > 0).then(|| Place((self.0 + 0x1_0000 - 0x100) & 0x3_ffff))
    }

    fn is_last(self) -> bool {
        self.0 & 0x700 == 0
    }
}

impl<'a> Tour<'a> {
    /// From the first man at or after `start`.
    #[inline]
    pub(crate) fn new(men: &'a Men, start: u8) -> Tour<'a> {
        let word = start >> 5 & 3;
        let bits = men.0[usize::from(word)] & !0 << (start & 31);
        Tour { men, bits, place: Place::new(start, word, 4) }
    }

    /// The rest of the tour that began at `start`, behind the man on a square.
    #[inline]
    pub(crate) fn behind(men: &'a Men, start: u8, square: u8) -> Tour<'a> {
        let word = square >> 5 & 3;
        let mut bits = men.0[usize::from(word)] & !1 << (square & 31);
        let mut words_left = 4 - (word.wrapping_sub(start >> 5) & 3);
        if words_left == 4 && square < start {
            words_left = 0;
            bits &= below(start);
        }
        Tour { men, bits, place: Place::new(start, word, words_left) }
    }
}

impl Men {
    /// The next men behind those of a word; none: the tour is over.
    #[inline(never)]
    fn next_word(&self, mut place: Place) -> (u32, Place) {
        while let Some(next) = place.next() {
            place = next;
            let mut bits = self.0[place.word()];
            if place.is_last() {
                bits &= below(place.0 as u8);
            }
            if bits != 0 {
                return (bits, place);
            }
        }
        (0, place)
    }
}

impl Iterator for Tour<'_> {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.bits == 0 {
            (self.bits, self.place) = self.men.next_word(self.place);
            if self.bits == 0 {
                return None;
            }
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some((self.place.word() << 5) as u8 | bit as u8)
    }
}

/// The bits of the squares before this one in its word.
#[inline]
fn below(square: u8) -> u32 {
    (1 << (square & 31)) - 1
}

/// The board: a wall all around it, so that a step off it meets something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    /// What stands on each inner square.
    pub(crate) squares: [u8; 256],
    /// The men of White and of Black.
    pub(crate) men: [Men; 2],
    /// Where the two kings stand.
    pub(crate) kings: [u8; 2],
}

impl Board {
    pub(crate) const fn empty() -> Board {
        let mut squares = [WALL; 256];
        let mut square = 0;
        while square < 128 {
            if square & OFF_BOARD as usize == 0 {
                squares[square] = EMPTY;
            }
            square += 1;
        }
        Board { squares, men: [Men([0; 4]); 2], kings: [0; 2] }
    }

    pub(crate) const fn initial() -> Board {
        let mut board = Board::empty();
        let mut square = 0;
        while square < 0x78 {
            if square & OFF_BOARD == 0 {
                board.squares[square as usize] = initial_man(square);
            }
            square += 1;
        }
        board.men[0].0[3] = 0x00ff_00ff;
        board.men[1].0[0] = 0x00ff_00ff;
        board.kings = [0x74, 0x04];
        board
    }

    #[inline]
    pub(crate) fn at(&self, square: u8) -> u8 {
        self.squares[usize::from(square)]
    }

    /// Put a man on a square, or take one away with an empty byte. Whatever stood there is gone.
    pub(crate) fn put(&mut self, square: u8, byte: u8) {
        for side in [Side::White, Side::Black] {
            if self.at(square) & side.bit() != 0 {
                self.men[side.index()].flip(square);
            }
            if byte & side.bit() != 0 {
                self.men[side.index()].flip(square);
                if byte & 7 == KING {
                    self.kings[side.index()] = square;
                }
            }
        }
        self.squares[usize::from(square)] = byte;
    }

    /// Whether a side may still castle towards the corner of a file (0 or 7), as far as having
    /// moved goes.
    #[inline(never)]
    pub(crate) fn may_castle(&self, side: Side, corner_file: u8) -> bool {
        let row = side.home_row() << 4;
        self.at(row | 4) == KING | side.bit() && self.at(row | corner_file) == ROOK | side.bit()
    }

    /// The castling rights of both sides in one number.
    pub(crate) fn castling_rights(&self) -> u8 {
        let mut rights = 0;
        for side in [Side::White, Side::Black] {
            for corner in [7, 0] {
                rights = rights << 1 | u8::from(self.may_castle(side, corner));
            }
        }
        rights
    }

    /// Whether a side's men attack a square.
    pub(crate) fn attacked(&self, square: u8, by: Side) -> bool {
        self.attacked_behind(Step::NONE, square, by)
    }

    /// The same behind a step that is not made on the board.
    #[inline]
    pub(crate) fn attacked_behind(&self, step: Step, square: u8, by: Side) -> bool {
        const LEAPS: [u8; 8] = steps([14, -14, 18, -18, 31, -31, 33, -33]);
        const RAYS: [u8; 8] = steps([1, -1, 16, -16, 15, -15, 17, -17]);
        let look = |at: u8| {
            if at == step.to {
                step.arrives
            } else if at == step.from || at == step.taken {
                EMPTY
            } else {
                self.at(at)
            }
        };
        let bit = by.bit();
        let is = |at: u8, kind: u8| look(at) & (WALL | 7) == bit | kind;
        for leap in LEAPS {
            if is(square.wrapping_add(leap), KNIGHT) {
                return true;
            }
        }
        let pawn = crate::piece::Role::Pawn.kind(by);
        let behind = square.wrapping_sub(by.forward());
        if is(behind.wrapping_sub(1), pawn) || is(behind.wrapping_add(1), pawn) {
            return true;
        }
        for (ray, step) in RAYS.into_iter().enumerate() {
            let slider = if ray < 4 { ROOK } else { BISHOP };
            let mut at = square.wrapping_add(step);
            if is(at, KING) {
                return true;
            }
            let byte = loop {
                let byte = look(at);
                if byte != EMPTY {
                    break byte;
                }
                at = at.wrapping_add(step);
            };
            if byte & WALL == bit && (byte & 7 == slider || byte & 7 == QUEEN) {
                return true;
            }
        }
        false
    }
}

/// A step that is thought of, not made.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// Where the man stands that it captures.
    pub(crate) taken: u8,
    /// What then stands on `to`.
    pub(crate) arrives: u8,
}

impl Step {
    /// None: a piece of the wall is moved to where it stands.
    const NONE: Step = Step { from: NOWHERE, to: NOWHERE, taken: NOWHERE, arrives: WALL };
}

/// What stands on an inner square in the initial position.
pub(crate) const fn initial_man(square: u8) -> u8 {
    const BACK_ROW: [u8; 8] = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK];
    match square >> 4 {
        0 => BACK_ROW[(square & 7) as usize] | BLACK,
        1 => BLACK_PAWN | BLACK,
        6 => WHITE_PAWN | WHITE,
        7 => BACK_ROW[(square & 7) as usize] | WHITE,
        _ => EMPTY,
    }
}

const fn steps<const N: usize>(signed: [i8; N]) -> [u8; N] {
    let mut bytes = [0; N];
    let mut index = 0;
    while index < N {
        bytes[index] = signed[index] as u8;
        index += 1;
    }
    bytes
}

/// Whether a man has never moved.
pub(crate) const fn unmoved(byte: u8) -> bool {
    byte & MOVED == 0
}

/// The steps of every kind of man, in micro-Max's order, each list closed by a zero.
static STEPS: [u8; 64] = steps([
    0, // nobody's
    -16, -15, -17, 0, // white pawn, from 1
    16, 15, 17, 0, // black pawn, from 5
    -14, 14, -18, 18, -31, 31, -33, 33, 0, // knight, from 9
    -15, 15, -17, 17, 0, // bishop, from 18
    -1, 1, -16, 16, 0, // rook, from 23
    -1, 1, -16, 16, -15, 15, -17, 17, 0, // king and queen, from 28
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]);

/// Where a kind's steps begin in [`STEPS`]. An empty square's are a pawn's, as [`is_pawn_kind`] has it.
///
/// [`is_pawn_kind`]: crate::piece::is_pawn_kind
static FIRST_STEP: [u8; 8] = [1, 1, 5, 9, 28, 18, 23, 28];

/// All steps of each kind.
static STEPS_OF: [&[u8]; 8] = {
    let mut of: [&[u8]; 8] = [&[]; 8];
    let mut kind = 0;
    while kind < 8 {
        let rest = STEPS.split_at(FIRST_STEP[kind] as usize).1;
        let mut count = 0;
        while rest[count] != 0 {
            count += 1;
        }
        of[kind] = rest.split_at(count).0;
        kind += 1;
    }
    of
};

/// The steps of a kind of man.
#[inline(always)]
pub(crate) fn steps_of(kind: u8) -> &'static [u8] {
    STEPS_OF[usize::from(kind & 7)]
}

/// The step at a place in [`STEPS`].
#[inline]
pub(crate) fn step_at(vector: u8) -> u8 {
    STEPS[usize::from(vector & 63)]
}

/// Where the steps of a man begin.
#[inline]
pub(crate) fn first_step(kind: u8) -> u8 {
    FIRST_STEP[usize::from(kind & 7)]
}
