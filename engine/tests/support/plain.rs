//! The search of micro-Max 4.8 (H.G. Muller, public domain) once more, slow and plain: a recursive
//! scan of the board with full 32-bit locks. It shares nothing with the crate but the key table, so
//! that what the fast search leaves out can be held against a search that leaves out nothing.

const OFF_BOARD: i32 = 0x88;
const NOWHERE: i32 = 0x80;
const INFINITY: i32 = 8000;
const WORTH: [i32; 8] = [0, 2, 2, 7, -1, 8, 12, 23];
const UPWARD: &[i32] = &[-16, -15, -17];
const DOWNWARD: &[i32] = &[16, 15, 17];
const KNIGHT: &[i32] = &[-14, 14, -18, 18, -31, 31, -33, 33];
const ROYAL: &[i32] = &[-1, 1, -16, 16, -15, 15, -17, 17];
const BISHOP: &[i32] = &[-15, 15, -17, 17];
const ROOK: &[i32] = &[-1, 1, -16, 16];
const VECTORS: [&[i32]; 8] = [&[], UPWARD, DOWNWARD, KNIGHT, ROYAL, BISHOP, ROOK, ROYAL];

#[derive(Clone, Copy, Default)]
struct Entry {
    lock: u32,
    value: i32,
    from: i32,
    to: i32,
    depth: i32,
}

/// A root record: depth, counted nodes, score, best from and to (0x88).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub depth: i32,
    pub nodes: i32,
    pub score: i32,
    pub from: i32,
    pub to: i32,
}

pub struct Plain {
    board: [u8; 256],
    entries: Vec<Entry>,
    place: u32,
    lock: u32,
    side: i32,
    captured: i32,
    pub eval: i32,
    passed: i32,
    pending: Option<i32>,
    pending_to: i32,
    counter: i32,
    budget: i32,
    pub castling: [i32; 2],
    pub pawn: i32,
    played: bool,
    pub records: Vec<Record>,
    pub deepest: usize,
    ply: usize,
}

fn entry(square: i32, byte: u8) -> u32 {
    let at = (square + i32::from(byte & 8) + 128 * i32::from(byte & 7)) as usize;
    u32::from_le_bytes(rookery_engine::KEY_TABLE[at..at + 4].try_into().unwrap())
}

pub fn square88(uci: &str) -> i32 {
    let text = uci.as_bytes();
    16 * (i32::from(b'8') - i32::from(text[1])) + i32::from(text[0]) - i32::from(b'a')
}

pub fn uci(from: i32, to: i32) -> String {
    let name = |s: i32| format!("{}{}", (b'a' + (s & 7) as u8) as char, 8 - (s >> 4));
    format!("{}{}", name(from), name(to))
}

impl Plain {
    pub fn new(cells: usize, budget: i32) -> Self {
        let mut board = [0; 256];
        for (file, &kind) in [6u8, 3, 5, 7, 4, 5, 3, 6].iter().enumerate() {
            board[file] = kind + 16;
            board[file + 0x10] = 18;
            board[file + 0x60] = 9;
            board[file + 0x70] = kind + 8;
        }
        Plain {
            board,
            entries: vec![Entry::default(); cells],
            place: 0,
            lock: 0,
            side: 16,
            captured: 0,
            eval: 0,
            passed: 0,
            pending: None,
            pending_to: 0,
            counter: 0,
            budget,
            castling: [50, 50],
            pawn: 9,
            played: false,
            records: Vec::new(),
            deepest: 0,
            ply: 0,
        }
    }

    pub fn bytes(&self) -> &[u8; 256] {
        &self.board
    }

    pub fn keys(&self) -> (u32, u32) {
        (self.place, self.lock)
    }

    pub fn total(&self) -> i32 {
        self.counter - 128
    }

    pub fn enter(&mut self, uci: &str) -> bool {
        self.pending = Some(square88(uci));
        self.pending_to = square88(&uci[2..]);
        self.root()
    }

    pub fn think(&mut self) -> Option<String> {
        self.pending = None;
        self.root().then(|| uci(self.pending.unwrap(), self.pending_to))
    }

    fn root(&mut self) -> bool {
        self.counter = 121;
        self.played = false;
        self.records.clear();
        self.node(-INFINITY, INFINITY, self.eval, self.passed, true, 3);
        self.played
    }

    fn node(
        &mut self,
        alpha: i32,
        beta: i32,
        eval: i32,
        passed: i32,
        root: bool,
        depth: i32,
    ) -> i32 {
        self.ply += 1;
        self.deepest = self.deepest.max(self.ply);
        let value = self.node_body(alpha - 1, beta, eval, passed, root, depth);
        self.ply -= 1;
        value
    }

    fn node_body(
        &mut self,
        alpha: i32,
        beta: i32,
        eval: i32,
        passed: i32,
        root: bool,
        wanted: i32,
    ) -> i32 {
        let at = (self.place.wrapping_add((self.side * passed) as u32) as usize)
            & (self.entries.len() - 1);
        self.side ^= 24;
        let own = self.side as u8;
        let (place, lock) = (self.place, self.lock);
        let found = self.entries[at];
        let (mut depth, mut value, mut to) = (found.depth, found.value, found.to);
        let above = found.from & 8 != 0;
        let below = found.from & 128 != 0;
        if found.lock != self.lock
            || root
            || !((value <= alpha || above) && (value >= beta || below))
        {
            depth = 0;
            to = 0;
        }
        let mut from = found.from & !OFF_BOARD;
        loop {
            let again = depth < wanted || depth < 2;
            depth += 1;
            if !again {
                if !(root && self.pending.is_none()) {
                    break;
                }
                if !(self.counter < self.budget && depth < 98) {
                    self.pending = Some(from);
                    self.pending_to = to & !OFF_BOARD;
                    depth = 3;
                }
            }
            let start = from;
            let mut hint = to & 128;
            let null = if depth < 3 {
                INFINITY
            } else {
                self.node(-beta, 1 - beta, -eval, NOWHERE, false, depth - 3)
            };
            value = if -null < beta || self.captured > 35 {
                if depth > 2 { -INFINITY } else { eval }
            } else {
                -null
            };
            self.counter += 1;
            let mut x = start;
            'scan: loop {
                let mover = self.board[x as usize];
                if mover & own != 0 {
                    let kind = i32::from(mover & 7);
                    let mut vector = 0;
                    while vector < VECTORS[kind as usize].len() {
                        let step = VECTORS[kind as usize][vector];
                        let mut y = x;
                        let mut rook_to = NOWHERE;
                        let mut corner = NOWHERE;
                        loop {
                            y = if hint != 0 { to ^ hint } else { y + step };
                            if y & OFF_BOARD != 0 {
                                break;
                            }
                            if (passed - NOWHERE) & i32::from(self.board[passed as usize] as i8)
                                != 0
                                && (y - passed).abs() < 2
                            {
                                value = INFINITY;
                            }
                            let target_square = if kind < 3 && y == passed { y ^ 16 } else { y };
                            let mut target = self.board[target_square as usize];
                            if target & own != 0
                                || (kind < 3 && ((y - x) & 7 == 0) != (target == 0))
                            {
                                break;
                            }
                            let mut gain =
                                37 * WORTH[usize::from(target & 7)] + i32::from(target & 192);
                            if gain < 0 {
                                value = INFINITY;
                            }
                            if value >= beta && depth > 1 {
                                break 'scan;
                            }
                            let mut v = if depth > 1 { eval } else { gain - kind };
                            if depth - i32::from(target == 0) > 1 {
                                v = if kind < 6 { centre(x) - centre(y) } else { 0 };
                                self.board[corner as usize] = 0;
                                self.board[target_square as usize] = 0;
                                self.board[x as usize] = 0;
                                self.board[y as usize] = mover | 32;
                                if corner != NOWHERE {
                                    self.board[rook_to as usize] = own + 6;
                                    v += self.castling[usize::from(corner & 7 == 0)];
                                }
                                if kind == 4 && self.captured <= 29 {
                                    v -= 20;
                                }
                                if kind < 3 {
                                    let no_peer = |s: i32| {
                                        s & OFF_BOARD != 0 || self.board[s as usize] != mover
                                    };
                                    let shield = self.board[(x ^ 16) as usize] == own + 36;
                                    v -= self.pawn
                                        * (i32::from(no_peer(x - 2)) + i32::from(no_peer(x + 2))
                                            - 1
                                            + i32::from(shield));
                                    v += self.captured >> 2;
                                    let bonus = if (y + step + 1) & 128 != 0 {
                                        647 - kind
                                    } else {
                                        2 * (i32::from(mover) & (y + 16) & 32)
                                    };
                                    self.board[y as usize] =
                                        self.board[y as usize].wrapping_add(bonus as u8);
                                    gain += bonus;
                                }
                                v += eval + gain;
                                let floor = value.max(alpha);
                                let after = self.board[y as usize];
                                self.place = place
                                    .wrapping_add(entry(y, after))
                                    .wrapping_sub(entry(x, mover))
                                    .wrapping_sub(entry(target_square, target));
                                self.lock = lock
                                    .wrapping_add(entry(y + 8, after))
                                    .wrapping_sub(entry(x + 8, mover))
                                    .wrapping_sub(entry(target_square + 8, target))
                                    .wrapping_add((corner - NOWHERE) as u32);
                                let mut reply = depth
                                    - 1
                                    - i32::from(depth > 5 && kind > 2 && target == 0 && hint == 0);
                                if self.captured <= 29 && depth > 2 && null == INFINITY {
                                    reply = depth;
                                }
                                let mut s;
                                loop {
                                    s = if reply > 2 || v > floor {
                                        -self.node(-beta, -floor, -v, rook_to, false, reply)
                                    } else {
                                        v
                                    };
                                    reply += 1;
                                    if !(s > alpha && reply < depth) {
                                        break;
                                    }
                                }
                                v = s;
                                if root
                                    && self.pending == Some(x)
                                    && self.pending_to == y
                                    && v != -INFINITY
                                {
                                    self.eval = -eval - gain;
                                    self.passed = rook_to;
                                    self.entries[at].depth = 99;
                                    self.entries[at].value = 0;
                                    self.captured += gain >> 7;
                                    self.played = true;
                                    return beta;
                                }
                                self.place = place;
                                self.lock = lock;
                                self.board[corner as usize] = own + 6;
                                self.board[rook_to as usize] = 0;
                                self.board[y as usize] = 0;
                                self.board[x as usize] = mover;
                                self.board[target_square as usize] = target;
                                self.board[NOWHERE as usize] = 0;
                            }
                            if v > value {
                                value = v;
                                from = x;
                                to = y | (128 & rook_to);
                            }
                            if hint != 0 {
                                hint = 0;
                                y = x;
                                rook_to = NOWHERE;
                                corner = NOWHERE;
                                continue;
                            }
                            let lateral_king = kind == 4 && vector < 2;
                            let may_go_on =
                                x + step == y && mover & 32 == 0 && (kind < 3 || lateral_king) && {
                                    kind < 3 || {
                                        corner = (x + 3) ^ ((step >> 1) & 7);
                                        self.board[corner as usize] == own + 6
                                            && self.board[(corner ^ 1) as usize]
                                                | self.board[(corner ^ 2) as usize]
                                                == 0
                                    }
                                };
                            if may_go_on {
                                rook_to = y;
                            } else if kind < 5 {
                                target += 1;
                            }
                            if target != 0 {
                                break;
                            }
                        }
                        vector += 1;
                    }
                }
                x = (x + 9) & !OFF_BOARD;
                if x == start {
                    break;
                }
            }
            if !(-(INFINITY - 136)..=INFINITY - 136).contains(&value) {
                depth = 98;
            }
            if value == -INFINITY && null != INFINITY {
                value = 0;
            }
            let cell = &mut self.entries[at];
            if cell.depth < 99 {
                *cell = Entry {
                    lock,
                    value,
                    depth,
                    from: from
                        | if value > alpha { 8 } else { 0 }
                        | if value < beta { 128 } else { 0 },
                    to,
                };
            }
            if root {
                self.records.push(Record {
                    depth: depth - 1,
                    nodes: self.counter - 128,
                    score: value,
                    from,
                    to: to & !OFF_BOARD,
                });
            }
        }
        self.side ^= 24;
        value + i32::from(value < eval)
    }
}

fn centre(square: i32) -> i32 {
    let (file, row) = (square & 7, square >> 4);
    let twice = 2 * row - 7;
    (file - 4) * (file - 4) + twice * twice / 4
}
