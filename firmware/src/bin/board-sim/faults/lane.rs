//! One direction of the link: lines go in, what is left of them comes out.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Kind, Rates};

/// Which way the bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Direction {
    ToBoard,
    ToHost,
}

impl Direction {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ToBoard => "to-board",
            Self::ToHost => "to-host",
        }
    }
}

/// A fault that has struck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Strike {
    pub(crate) kind: Kind,
    pub(crate) detail: String,
}

/// What comes out of a lane, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// These bytes arrive.
    Bytes(Vec<u8>),
    /// So many milliseconds pass before anything else arrives.
    Pause(u32),
    /// These bytes come back to the one who has sent them.
    Echo(Vec<u8>),
    /// The connection ends.
    Drop,
    /// For so many milliseconds nothing that is sent arrives.
    Silence(u32),
}

/// A line longer than this is dealt with in parts.
const LONGEST: usize = 256;

/// A direction with its faults.
#[derive(Debug)]
pub(crate) struct Lane {
    direction: Direction,
    rates: Rates,
    chance: ChaCha8Rng,
    /// The dialect v1 ends what a host says with `X`, without an LF.
    ends_with_x: bool,
    line: Vec<u8>,
    /// The LFs that come next are lost.
    merging: bool,
}

impl Lane {
    pub(crate) fn new(direction: Direction, rates: Rates, seed: u64, ends_with_x: bool) -> Self {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        chance.set_stream(1 + direction as u64);
        Self { direction, rates, chance, ends_with_x, line: Vec::new(), merging: false }
    }

    /// Whether a line has begun and not ended.
    pub(crate) fn is_partial(&self) -> bool {
        !self.line.is_empty()
    }

    /// Takes a byte; a complete line comes out as pieces. The LFs before a line belong to it.
    pub(crate) fn push(&mut self, byte: u8, pieces: &mut Vec<Piece>, strikes: &mut Vec<Strike>) {
        if self.merging {
            if byte == b'\n' {
                return;
            }
            self.merging = false;
        }
        self.line.push(byte);
        let end = match byte {
            b'\n' => self.line.iter().any(|&byte| byte != b'\n'),
            b'X' => self.ends_with_x,
            _ => false,
        };
        if end || self.line.len() >= LONGEST {
            self.flush(pieces, strikes);
        }
    }

    /// Takes what there is for a line: nothing has followed for a while.
    pub(crate) fn flush(&mut self, pieces: &mut Vec<Piece>, strikes: &mut Vec<Strike>) {
        let line = std::mem::take(&mut self.line);
        if line.iter().all(|&byte| byte == b'\n') {
            if !line.is_empty() {
                pieces.push(Piece::Bytes(line));
            }
            return;
        }
        self.strike(line, pieces, strikes);
    }

    fn strike(&mut self, sent: Vec<u8>, pieces: &mut Vec<Piece>, strikes: &mut Vec<Strike>) {
        // Every kind is asked in every line, so that one rate does not shift the others' chance.
        let struck: Vec<Kind> = Kind::ALL
            .into_iter()
            .filter(|&kind| self.chance.random_bool(self.rates.of(kind)) && self.applies(kind))
            .collect();
        if struck.is_empty() {
            pieces.push(Piece::Bytes(sent));
            return;
        }
        let mut line = sent.clone();
        let mut cut: Vec<(usize, Piece)> = Vec::new();
        let mut before = Vec::new();
        let mut after = Vec::new();
        for kind in struck {
            let detail = match kind {
                Kind::Stall => {
                    let ms = self.chance.random_range(50..=1500);
                    before.push(Piece::Pause(ms));
                    format!("{ms} ms")
                }
                Kind::Silence => {
                    let ms = self.chance.random_range(500..=3000);
                    before.push(Piece::Silence(ms));
                    format!("{ms} ms")
                }
                Kind::Echo => {
                    after.push(Piece::Echo(sent.clone()));
                    format!("{} bytes", sent.len())
                }
                Kind::DupLine => {
                    line.extend_from_within(..);
                    format!("{} bytes", sent.len())
                }
                Kind::Pause => {
                    let ms = self.chance.random_range(20..=400);
                    let place = self.place(&line);
                    cut.push((place, Piece::Pause(ms)));
                    format!("{ms} ms at {place}")
                }
                Kind::Drop => {
                    let place = self.place(&line);
                    cut.push((place, Piece::Drop));
                    format!("at {place}")
                }
                Kind::Merge => {
                    while line.last() == Some(&b'\n') {
                        line.pop();
                    }
                    self.merging = true;
                    String::new()
                }
                _ => self.damage(kind, &mut line),
            };
            strikes.push(Strike { kind, detail });
        }
        pieces.append(&mut before);
        cut.sort_by_key(|(place, _)| *place);
        let mut rest = line.as_slice();
        let mut taken = 0;
        for (place, piece) in cut {
            let (head, tail) = rest.split_at((place - taken).min(rest.len()));
            pieces.push(Piece::Bytes(head.to_vec()));
            taken += head.len();
            rest = tail;
            let ends = piece == Piece::Drop;
            pieces.push(piece);
            if ends {
                // What the connection has not carried is lost.
                rest = &[];
                break;
            }
        }
        pieces.push(Piece::Bytes(rest.to_vec()));
        pieces.append(&mut after);
    }

    fn applies(&self, kind: Kind) -> bool {
        match kind {
            Kind::Echo => self.direction == Direction::ToBoard,
            Kind::Silence => self.direction == Direction::ToHost,
            // Strikes the board, not the line.
            Kind::Reboot => false,
            _ => true,
        }
    }

    fn place(&mut self, line: &[u8]) -> usize {
        self.chance.random_range(0..line.len().max(1))
    }

    /// Changes bytes of the line.
    fn damage(&mut self, kind: Kind, line: &mut Vec<u8>) -> String {
        let length = line.len();
        let place = self.place(line);
        if length == 0 {
            return "nothing left".to_owned();
        }
        match kind {
            Kind::Lose => {
                let byte = line.remove(place);
                format!("{} at {place} of {length}", show(byte))
            }
            Kind::Run => {
                let end = (place + self.chance.random_range(2..=20)).min(length);
                line.drain(place..end);
                format!("{} bytes at {place} of {length}", end - place)
            }
            Kind::DupBytes => {
                let end = (place + self.chance.random_range(1..=4)).min(length);
                let twice = line[place..end].to_vec();
                line.splice(place..place, twice);
                format!("{} bytes at {place} of {length}", end - place)
            }
            Kind::Split => {
                line.insert(place, b'\n');
                format!("at {place} of {length}")
            }
            Kind::Flip7 => {
                let bit = self.chance.random_range(0..7);
                line[place] ^= 1 << bit;
                format!("bit {bit} at {place} of {length}")
            }
            Kind::Flip8 => {
                line[place] ^= 0x80;
                format!("at {place} of {length}")
            }
            Kind::Swap => {
                let place = place.min(length.saturating_sub(2));
                let other = (place + 1).min(length - 1);
                line.swap(place, other);
                format!("at {place} of {length}")
            }
            _ => String::new(),
        }
    }
}

fn show(byte: u8) -> String {
    format!("`{}`", byte.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = b"\n<A2a07 3706291c i*1234\n";

    fn run(
        rates: Rates,
        direction: Direction,
        seed: u64,
        lines: usize,
    ) -> (Vec<Piece>, Vec<Strike>) {
        let mut lane = Lane::new(direction, rates, seed, false);
        let (mut pieces, mut strikes) = (Vec::new(), Vec::new());
        for _ in 0..lines {
            for &byte in LINE {
                lane.push(byte, &mut pieces, &mut strikes);
            }
        }
        lane.flush(&mut pieces, &mut strikes);
        (pieces, strikes)
    }

    fn only(kind: Kind, rate: &str) -> Rates {
        Rates::parse(&format!("{}={rate}", kind.name())).expect("a rate")
    }

    fn bytes(pieces: &[Piece]) -> Vec<u8> {
        let mut all = Vec::new();
        for piece in pieces {
            if let Piece::Bytes(bytes) = piece {
                all.extend(bytes);
            }
        }
        all
    }

    #[test]
    fn without_faults_everything_arrives_at_once() {
        let (pieces, strikes) = run(Rates::NONE, Direction::ToHost, 1, 3);
        assert!(strikes.is_empty());
        assert_eq!(bytes(&pieces), LINE.repeat(3));
        assert!(pieces.iter().all(|piece| matches!(piece, Piece::Bytes(_))));
    }

    #[test]
    fn the_seed_decides_and_nothing_else() {
        for direction in [Direction::ToBoard, Direction::ToHost] {
            let first = run(Rates::all(), direction, 7, 500);
            assert_eq!(first, run(Rates::all(), direction, 7, 500));
            assert_ne!(first, run(Rates::all(), direction, 8, 500));
        }
        let to_board = run(Rates::all(), Direction::ToBoard, 7, 500).1;
        assert_ne!(to_board, run(Rates::all(), Direction::ToHost, 7, 500).1);
    }

    #[test]
    fn how_the_bytes_come_together_does_not_matter() {
        let mut lane = Lane::new(Direction::ToHost, Rates::all(), 7, false);
        let (mut pieces, mut strikes) = (Vec::new(), Vec::new());
        for part in LINE.repeat(200).chunks(7) {
            for &byte in part {
                lane.push(byte, &mut pieces, &mut strikes);
            }
        }
        lane.flush(&mut pieces, &mut strikes);
        assert_eq!((pieces, strikes), run(Rates::all(), Direction::ToHost, 7, 200));
    }

    #[test]
    fn every_kind_does_what_it_says() {
        for kind in Kind::ALL {
            let direction = match kind {
                Kind::Echo => Direction::ToBoard,
                _ => Direction::ToHost,
            };
            let (pieces, strikes) = run(only(kind, "1"), direction, 3, 1);
            let heard = bytes(&pieces);
            let count = |wanted: fn(&Piece) -> bool| pieces.iter().filter(|p| wanted(p)).count();
            if kind == Kind::Reboot {
                assert!(strikes.is_empty());
                continue;
            }
            assert_eq!(strikes.len(), 1, "{kind:?}");
            assert_eq!(strikes[0].kind, kind);
            match kind {
                Kind::Lose => assert_eq!(heard.len(), LINE.len() - 1),
                Kind::Run => {
                    assert!(heard.len() <= LINE.len() - 2 || strikes[0].detail.starts_with('1'))
                }
                Kind::DupBytes => assert!((1..=4).contains(&(heard.len() - LINE.len()))),
                Kind::DupLine => assert_eq!(heard, LINE.repeat(2)),
                Kind::Merge => assert_eq!(heard, &LINE[..LINE.len() - 1]),
                Kind::Split => assert_eq!(heard.len(), LINE.len() + 1),
                Kind::Pause => {
                    assert_eq!(heard, LINE);
                    assert_eq!(count(|p| matches!(p, Piece::Pause(20..=400))), 1);
                }
                Kind::Flip7 | Kind::Flip8 => {
                    let differ: Vec<u8> = heard
                        .iter()
                        .zip(LINE)
                        .map(|(a, b)| a ^ b)
                        .filter(|&bits| bits != 0)
                        .collect();
                    assert_eq!(differ.len(), 1);
                    assert_eq!(differ[0] == 0x80, kind == Kind::Flip8);
                    assert_eq!(differ[0].count_ones(), 1);
                }
                Kind::Swap => {
                    let (mut a, mut b) = (heard.clone(), LINE.to_vec());
                    a.sort_unstable();
                    b.sort_unstable();
                    assert_eq!(a, b);
                }
                Kind::Echo => {
                    assert_eq!(heard, LINE);
                    assert_eq!(pieces.last(), Some(&Piece::Echo(LINE.to_vec())));
                }
                Kind::Stall => {
                    assert_eq!(heard, LINE);
                    assert!(matches!(pieces[0], Piece::Pause(50..=1500)));
                }
                Kind::Drop => {
                    assert!(LINE.starts_with(&heard) && heard.len() < LINE.len());
                    assert_eq!(count(|p| *p == Piece::Drop), 1);
                }
                Kind::Silence => assert!(matches!(pieces[0], Piece::Silence(500..=3000))),
                Kind::Reboot => unreachable!("not a fault of a line"),
            }
        }
    }

    #[test]
    fn a_merge_takes_both_lfs_between_two_lines() {
        let (pieces, _) = run(only(Kind::Merge, "1"), Direction::ToHost, 3, 2);
        let text = &LINE[1..LINE.len() - 1];
        assert_eq!(bytes(&pieces), [b"\n", text, text].concat());
    }

    #[test]
    fn rates_are_kept() {
        let (_, strikes) = run(Rates::all(), Direction::ToBoard, 11, 20_000);
        for kind in Kind::ALL {
            let share = strikes.iter().filter(|s| s.kind == kind).count() as f64 / 20_000.0;
            let expected = match kind {
                Kind::Reboot | Kind::Silence => 0.0,
                _ => Rates::all().of(kind),
            };
            assert!((share - expected).abs() < 0.004, "{kind:?}: {share}");
        }
    }

    #[test]
    fn a_line_without_end_passes_all_the_same() {
        let mut lane = Lane::new(Direction::ToBoard, Rates::NONE, 1, true);
        let (mut pieces, mut strikes) = (Vec::new(), Vec::new());
        for &byte in b"d2c3X" {
            lane.push(byte, &mut pieces, &mut strikes);
        }
        assert_eq!(bytes(&pieces), b"d2c3X");
        assert!(!lane.is_partial());
        lane.push(b'0', &mut pieces, &mut strikes);
        assert!(lane.is_partial());
        lane.flush(&mut pieces, &mut strikes);
        assert_eq!(bytes(&pieces), b"d2c3X0");
        for _ in 0..1000 {
            lane.push(b'y', &mut pieces, &mut strikes);
        }
        assert!(lane.line.len() < LONGEST);
    }
}
