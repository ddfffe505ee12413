//! What a position's keys are made of.

/// The first four fields of a FEN. Not checked against the rules of chess: two kings of one colour
/// are no error here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The man on each square, as a FEN writes it (`P`, `k`), 0 on an empty one; a1 is 0, h8 is 63.
    pub men: [u8; 64],
    /// White is to move.
    pub white_to_move: bool,
    /// The castling rights: White's short and long, Black's short and long.
    pub castling: [bool; 4],
    /// The square that a pawn has just passed over.
    pub en_passant: Option<u8>,
}

/// Why a text is no FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The first field.
    #[error("the first field of the FEN is not eight ranks of eight squares")]
    Placement,
    /// The second field.
    #[error("the second field of the FEN, the side to move, is neither w nor b")]
    Side,
    /// The third field.
    #[error("the third field of the FEN, the castling rights, is neither - nor some of KQkq")]
    Castling,
    /// The fourth field.
    #[error("the fourth field of the FEN is neither - nor a square that a pawn can pass over")]
    EnPassant,
}

impl Placement {
    /// Reads a FEN; what follows the fourth field is not looked at.
    ///
    /// # Errors
    /// [`FenError`] names the field that is missing or wrong.
    pub fn of_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let men = men(fields.next().unwrap_or_default()).ok_or(FenError::Placement)?;
        let white_to_move = match fields.next() {
            Some("w") => true,
            Some("b") => false,
            _ => return Err(FenError::Side),
        };
        let castling = castling(fields.next().unwrap_or_default()).ok_or(FenError::Castling)?;
        let en_passant = match fields.next().unwrap_or_default().as_bytes() {
            b"-" => None,
            [file @ b'a'..=b'h', b'6'] if white_to_move => Some(40 + file - b'a'),
            [file @ b'a'..=b'h', b'3'] if !white_to_move => Some(16 + file - b'a'),
            _ => return Err(FenError::EnPassant),
        };
        Ok(Self { men, white_to_move, castling, en_passant })
    }

    /// The file of the en passant square, if a pawn of the side to move stands beside the pawn that
    /// passed over it. Whether a pin forbids the capture is not looked at.
    #[must_use]
    pub fn en_passant_file_ready(&self) -> Option<u8> {
        let square = self.en_passant?;
        let (pawn, rank) = if self.white_to_move { (b'P', 4) } else { (b'p', 3) };
        let file = square & 7;
        let stands = |file: u8| self.men[usize::from(rank * 8 + file)] == pawn;
        let ready = (file > 0 && stands(file - 1)) || (file < 7 && stands(file + 1));
        ready.then_some(file)
    }
}

fn men(field: &str) -> Option<[u8; 64]> {
    let mut men = [0; 64];
    let mut ranks = 0;
    for (index, rank) in field.split('/').enumerate() {
        let first = 56_usize.checked_sub(index * 8)?;
        let mut file = 0;
        for byte in rank.bytes() {
            match byte {
                b'1'..=b'8' => file += usize::from(byte - b'0'),
                _ if b"pnbrqkPNBRQK".contains(&byte) => {
                    *men.get_mut(first..first + 8)?.get_mut(file)? = byte;
                    file += 1;
                }
                _ => return None,
            }
        }
        if file != 8 {
            return None;
        }
        ranks += 1;
    }
    (ranks == 8).then_some(men)
}

fn castling(field: &str) -> Option<[bool; 4]> {
    let mut rights = [false; 4];
    if field == "-" {
        return Some(rights);
    }
    if field.is_empty() {
        return None;
    }
    for byte in field.bytes() {
        let index = b"KQkq".iter().position(|right| *right == byte)?;
        if core::mem::replace(&mut rights[index], true) {
            return None;
        }
    }
    Some(rights)
}
