//! Forsyth-Edwards Notation, read strictly and written honestly.
//!
//! What a FEN does not tell, and the search wants to know, is derived: see [`Game::from_fen`].

use core::fmt;

use crate::board::{Board, initial_man};
use crate::game::Game;
use crate::keys::Keys;
use crate::piece::{
    BISHOP, EMPTY, KIND, KING, KNIGHT, MOVED, QUEEN, ROOK, Role, Side, WALL, WHITE, gain_of,
    role_of,
};
use crate::square::{NOWHERE, OFF_BOARD, inner, outer};

/// What is wrong with a FEN, and, as a byte index, where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenError {
    /// A field is missing: the number counts from 1.
    MissingField(usize),
    /// There is something after the sixth field.
    TrailingText(usize),
    /// This character stands for no man and no run of empty squares.
    Placement(usize),
    /// The rank that ends here does not have eight squares.
    RankLength(usize),
    /// The placement does not have eight ranks.
    RankCount(usize),
    /// A pawn on the first or last rank.
    PawnRank(usize),
    /// This side does not have exactly one king.
    Kings(Side),
    /// More men, or more promoted ones, than a side can have.
    TooManyMen(Side),
    /// The side to move is neither w nor b.
    SideToMove(usize),
    /// This castling right is unknown, repeated, or the king or rook is not at home.
    Castling(usize),
    /// No pawn can just have passed over this square.
    EnPassant(usize),
    /// The half-move clock is no number.
    HalfmoveClock(usize),
    /// The move number is no number.
    FullmoveNumber(usize),
    /// The side that is not to move stands in check.
    KingCapture,
}

impl fmt::Display for FenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, at) = match *self {
            FenError::MissingField(field) => return write!(out, "field {field} is missing"),
            FenError::Kings(side) => return write!(out, "{side:?} does not have one king"),
            FenError::TooManyMen(side) => return write!(out, "{side:?} has too many men"),
            FenError::KingCapture => return out.write_str("the side not to move is in check"),
            FenError::TrailingText(at) => ("text after the sixth field", at),
            FenError::Placement(at) => ("neither a man nor a number of empty squares", at),
            FenError::RankLength(at) => ("the rank does not have eight squares", at),
            FenError::RankCount(at) => ("there are not eight ranks", at),
            FenError::PawnRank(at) => ("a pawn on the first or last rank", at),
            FenError::SideToMove(at) => ("the side to move is w or b", at),
            FenError::Castling(at) => ("no such castling right", at),
            FenError::EnPassant(at) => ("no pawn has just passed over this square", at),
            FenError::HalfmoveClock(at) => ("the half-move clock is not a number", at),
            FenError::FullmoveNumber(at) => ("the move number is not a number", at),
        };
        write!(out, "{what} (character {})", at + 1)
    }
}

impl core::error::Error for FenError {}

impl Game {
    /// Read a position. The two counters may be missing.
    ///
    /// For the search, a king or rook without castling rights has moved, a pawn off its first rank
    /// has moved and has its advance bonus; the evaluation is the difference in material, and the
    /// captured material is what is missing from a full set: just as if the game had been played
    /// from the initial position (promotions aside, which a FEN does not show). A game read from
    /// the initial position's FEN is exactly a new game.
    pub fn from_fen(fen: &str) -> Result<Game, FenError> {
        let mut game = Game::new();
        game.set_fen(fen)?;
        Ok(game)
    }

    /// The same in the place of another game, which an error leaves as it is. A controller has no
    /// room for two.
    pub fn set_fen(&mut self, fen: &str) -> Result<(), FenError> {
        let mut fields = Fields { text: fen.as_bytes(), at: 0 };
        let (placement, at) = fields.next(1)?;
        let mut board = Board::empty();
        read_placement(&mut board, placement, at)?;
        let [white, black] = [Side::White, Side::Black].map(|side| Census::of(&board, side));
        white.check(Side::White)?;
        black.check(Side::Black)?;
        let (side, at) = fields.next(2)?;
        let side = match side {
            b"w" => Side::White,
            b"b" => Side::Black,
            _ => return Err(FenError::SideToMove(at)),
        };
        let (castling, at) = fields.next(3)?;
        read_castling(&mut board, castling, at)?;
        let (en_passant, at) = fields.next(4)?;
        let en_passant =
            read_en_passant(&board, side, en_passant).ok_or(FenError::EnPassant(at))?;
        let halfmove_clock = fields.number(0).map_err(FenError::HalfmoveClock)?;
        let fullmove_number = fields.number(1).map_err(FenError::FullmoveNumber)?;
        if let Some((_, at)) = fields.take() {
            return Err(FenError::TrailingText(at));
        }
        if board.attacked(board.kings[side.other().index()], side) {
            return Err(FenError::KingCapture);
        }
        self.keys = keys_of(&board);
        self.captured = white.missing + black.missing;
        let balance = white.worth - black.worth;
        self.eval = if side == Side::White { balance } else { -balance };
        self.passed = if is_initial(&board) { 0 } else { en_passant };
        self.board = board;
        self.side = side;
        self.en_passant = en_passant;
        self.halfmove_clock = halfmove_clock;
        self.fullmove_number = fullmove_number.max(1);
        self.history.restart();
        self.set_apart_if_en_passant();
        Ok(())
    }

    /// Write the position: all six fields, and the square passed over after every double step,
    /// whether or not a pawn can capture there.
    pub fn write_fen<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        for row in 0..8u8 {
            let mut run = 0;
            for square in row << 4..(row << 4) + 8 {
                let byte = self.board.at(square);
                let Some(role) = role_of(byte) else {
                    run += 1;
                    continue;
                };
                write_run(out, &mut run)?;
                let letter = role.letter();
                out.write_char(char::from(if byte & WHITE != 0 {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                }))?;
            }
            write_run(out, &mut run)?;
            if row < 7 {
                out.write_char('/')?;
            }
        }
        out.write_str(if self.side == Side::White { " w " } else { " b " })?;
        let mut none = true;
        for (letter, side, corner_file) in RIGHTS {
            if self.board.may_castle(side, corner_file) {
                out.write_char(char::from(letter))?;
                none = false;
            }
        }
        out.write_str(if none { "- " } else { " " })?;
        if self.en_passant == NOWHERE {
            out.write_char('-')?;
        } else {
            let square = outer(self.en_passant);
            out.write_char(char::from(b'a' + square % 8))?;
            write_number(out, u16::from(square / 8 + 1))?;
        }
        out.write_char(' ')?;
        write_number(out, self.halfmove_clock)?;
        out.write_char(' ')?;
        write_number(out, self.fullmove_number)
    }
}

const RIGHTS: [(u8, Side, u8); 4] = [
    (b'K', Side::White, 7),
    (b'Q', Side::White, 0),
    (b'k', Side::Black, 7),
    (b'q', Side::Black, 0),
];

/// The fields of a FEN, with where they begin. In bytes: no letter that counts has more than one.
struct Fields<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    fn take(&mut self) -> Option<(&'a [u8], usize)> {
        let rest = self.text.get(self.at..)?;
        let start = rest.iter().position(|letter| !letter.is_ascii_whitespace())?;
        let rest = rest.get(start..)?;
        let length = rest.iter().take_while(|letter| !letter.is_ascii_whitespace()).count();
        let start = self.at + start;
        self.at = start + length;
        rest.get(..length).map(|field| (field, start))
    }

    fn next(&mut self, field: usize) -> Result<(&'a [u8], usize), FenError> {
        self.take().ok_or(FenError::MissingField(field))
    }

    /// The next field as a number, or `missing` where there is none; else where it is wrong.
    fn number(&mut self, missing: u16) -> Result<u16, usize> {
        let Some((text, at)) = self.take() else { return Ok(missing) };
        let number = text.iter().try_fold(0u16, |number, &letter| {
            let digit = letter.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            number.checked_mul(10)?.checked_add(digit.into())
        });
        number.ok_or(at)
    }
}

fn write_run<W: fmt::Write>(out: &mut W, run: &mut u8) -> fmt::Result {
    match core::mem::take(run) {
        0 => Ok(()),
        squares => write_number(out, u16::from(squares)),
    }
}

#[inline(never)]
/// By hand: formatting as others do it takes 2.5 KB of a board's flash.
fn write_number<W: fmt::Write>(out: &mut W, number: u16) -> fmt::Result {
    let mut place = 1;
    while number / place > 9 {
        place *= 10;
    }
    while place > 0 {
        out.write_char(char::from(b'0' + (number / place % 10) as u8))?;
        place /= 10;
    }
    Ok(())
}

/// The position every game begins from, where the search sees the first square passed over.
#[inline(never)]
fn is_initial(board: &Board) -> bool {
    every_square().all(|square| board.at(square) == initial_man(square))
}

fn every_square() -> impl Iterator<Item = u8> {
    (0..64).map(inner)
}

fn read_placement(board: &mut Board, text: &[u8], start: usize) -> Result<(), FenError> {
    let (mut row, mut file) = (0u8, 0u8);
    for (index, &letter) in text.iter().enumerate() {
        let at = start + index;
        match letter {
            b'/' if file != 8 => return Err(FenError::RankLength(at)),
            b'/' if row == 7 => return Err(FenError::RankCount(at)),
            b'/' => (row, file) = (row + 1, 0),
            b'1'..=b'8' => file += letter - b'0',
            _ => {
                let role = Role::from_letter(letter).ok_or(FenError::Placement(at))?;
                let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
                if file > 7 {
                    return Err(FenError::RankLength(at));
                }
                if role == Role::Pawn && (row == 0 || row == 7) {
                    return Err(FenError::PawnRank(at));
                }
                board.put(row << 4 | file, man(role, side, row));
                file += 1;
            }
        }
        if file > 8 {
            return Err(FenError::RankLength(at));
        }
    }
    match (row, file) {
        (7, 8) => Ok(()),
        (7, _) => Err(FenError::RankLength(start + text.len())),
        _ => Err(FenError::RankCount(start + text.len())),
    }
}

/// A man's byte as a game would have left it; kings and rooks count as moved until a castling right
/// says otherwise.
fn man(role: Role, side: Side, row: u8) -> u8 {
    let bytes = role.kind(side) | side.bit();
    let steps_to_go = if side == Side::White { row } else { 7 - row };
    match role {
        Role::Pawn => match steps_to_go {
            6 => bytes,
            2 => bytes | MOVED | 64,
            1 => bytes | MOVED | 128,
            _ => bytes | MOVED,
        },
        Role::King | Role::Rook => bytes | MOVED,
        _ if row == side.home_row() => bytes,
        _ => bytes | MOVED,
    }
}

/// How many men of each kind a side begins with, the king and pawns aside.
const FULL_SET: [i32; 8] = {
    let mut full = [0; 8];
    full[KNIGHT as usize] = 2;
    full[BISHOP as usize] = 2;
    full[ROOK as usize] = 2;
    full[QUEEN as usize] = 1;
    full
};

/// The men of one side.
struct Census {
    /// How many of each kind.
    men: [i32; 8],
    /// What they are worth, the king aside.
    worth: i32,
    /// How much of a full set is missing, in units of 128.
    missing: i32,
}

impl Census {
    #[inline(never)]
    fn of(board: &Board, side: Side) -> Census {
        let mut census = Census { men: [0; 8], worth: 0, missing: 0 };
        for square in board.men[side.index()].squares() {
            let byte = board.at(square);
            census.men[usize::from(byte & KIND)] += 1;
            census.worth += gain_of(byte);
        }
        census.worth -= census.men[usize::from(KING)] * gain_of(KING);
        for (kind, (full, men)) in (0..).zip(FULL_SET.into_iter().zip(census.men)) {
            census.missing += (full - men).max(0) * (gain_of(kind) >> 7);
        }
        census
    }

    fn check(&self, side: Side) -> Result<(), FenError> {
        if self.men[usize::from(KING)] != 1 {
            return Err(FenError::Kings(side));
        }
        // Pawns are of one of two kinds, and in no full set; so is the king.
        let promoted_or_pawns: i32 =
            FULL_SET.into_iter().zip(self.men).map(|(full, men)| (men - full).max(0)).sum();
        if promoted_or_pawns - 1 > 8 {
            return Err(FenError::TooManyMen(side));
        }
        Ok(())
    }
}

fn read_castling(board: &mut Board, text: &[u8], start: usize) -> Result<(), FenError> {
    if text == b"-" {
        return Ok(());
    }
    for (index, &letter) in text.iter().enumerate() {
        let error = FenError::Castling(start + index);
        let (_, side, corner_file) =
            RIGHTS.into_iter().find(|right| right.0 == letter).ok_or(error)?;
        let row = side.home_row() << 4;
        let (king, corner) = (row | 4, row | corner_file);
        let king_stands = board.at(king) & !MOVED == KING | side.bit();
        // The rook's mark of having moved goes with its right, so a repeated letter finds none to
        // take away.
        if !king_stands || board.at(corner) != ROOK | side.bit() | MOVED {
            return Err(error);
        }
        board.put(king, KING | side.bit());
        board.put(corner, ROOK | side.bit());
    }
    Ok(())
}

fn read_en_passant(board: &Board, side: Side, text: &[u8]) -> Option<u8> {
    let &[file, rank] = text else {
        return (text == b"-").then_some(NOWHERE);
    };
    if !(b'a'..=b'h').contains(&file) || !(b'1'..=b'8').contains(&rank) {
        return None;
    }
    let square = inner((rank - b'1') * 8 + file - b'a');
    let mover = side.other();
    let (came_from, went_to) =
        (square.wrapping_sub(mover.forward()), square.wrapping_add(mover.forward()));
    let row = if side == Side::White { 2 } else { 5 };
    let pawn = Role::Pawn.kind(mover) | mover.bit();
    let fits = square >> 4 == row
        && square & OFF_BOARD == 0
        && board.at(square) == EMPTY
        && board.at(came_from) == EMPTY
        && board.at(went_to) & (WALL | KIND) == pawn;
    fits.then_some(square)
}

fn keys_of(board: &Board) -> Keys {
    let mut keys = Keys::default();
    for square in every_square() {
        keys.add(square, board.at(square));
        keys.remove(square, initial_man(square));
    }
    keys
}
