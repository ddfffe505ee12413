//! One direction of the link while there are no lines on it: bytes for the loader in ROM, and from
//! it.
//!
//! Nothing is held back, as both ends wait for single bytes. Chance is asked once for every
//! [`SPAN`] bytes, so that here too the same bytes and the same seed have the same faults, however
//! they come together.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::lane::{Direction, Piece, Strike};
use super::{Kind, Rates};

/// A rate is a share of so many bytes; about as many as a line has.
pub(crate) const SPAN: usize = 64;

/// Kinds that mean something for bytes without lines, in the order in which they are applied.
pub(crate) const KINDS: [Kind; 6] =
    [Kind::Stall, Kind::Flip7, Kind::Flip8, Kind::DupBytes, Kind::Lose, Kind::Drop];

/// A fault to come.
#[derive(Debug, Clone, Copy)]
struct Planned {
    kind: Kind,
    place: usize,
    millis: u32,
    bit: u8,
}

/// A direction with its faults.
#[derive(Debug)]
pub(crate) struct Stream {
    rates: Rates,
    chance: ChaCha8Rng,
    /// How many bytes of the span have passed.
    passed: usize,
    /// How many bytes have passed altogether.
    total: u64,
    planned: Vec<Planned>,
}

impl Stream {
    pub(crate) fn new(direction: Direction, rates: Rates, seed: u64) -> Self {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        // 0 to 3 are taken: boot ids, lanes, resets.
        chance.set_stream(4 + direction as u64);
        Self { rates, chance, passed: 0, total: 0, planned: Vec::new() }
    }

    /// Takes a byte; what is left of it comes out at once.
    pub(crate) fn push(&mut self, byte: u8, pieces: &mut Vec<Piece>, strikes: &mut Vec<Strike>) {
        if self.passed == 0 {
            self.plan();
        }
        let mut bytes = vec![byte];
        let mut ends = false;
        for planned in self.planned.iter().filter(|planned| planned.place == self.passed) {
            let mut detail = format!("at {} of all", self.total);
            match planned.kind {
                Kind::Stall => {
                    pieces.push(Piece::Pause(planned.millis));
                    detail = format!("{} ms {detail}", planned.millis);
                }
                Kind::Flip7 => {
                    bytes[0] ^= 1 << planned.bit;
                    detail = format!("bit {} {detail}", planned.bit);
                }
                Kind::Flip8 => bytes[0] ^= 0x80,
                Kind::DupBytes => bytes.push(bytes[0]),
                Kind::Lose => bytes.clear(),
                _ => ends = true,
            }
            strikes.push(Strike { kind: planned.kind, detail });
            if bytes.is_empty() {
                break;
            }
        }
        self.passed = (self.passed + 1) % SPAN;
        self.total += 1;
        if ends {
            return pieces.push(Piece::Drop);
        }
        match pieces.last_mut() {
            Some(Piece::Bytes(before)) => before.extend(bytes),
            _ => pieces.push(Piece::Bytes(bytes)),
        }
    }

    /// Asks for everything, needed or not: one rate does not shift the others' chance.
    fn plan(&mut self) {
        self.planned.clear();
        for kind in KINDS {
            let strikes = self.chance.random_bool(self.rates.of(kind));
            let planned = Planned {
                kind,
                place: self.chance.random_range(0..SPAN),
                millis: self.chance.random_range(50..=1500),
                bit: self.chance.random_range(0..7),
            };
            if strikes {
                self.planned.push(planned);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(rates: Rates, seed: u64, bytes: &[u8]) -> (Vec<Piece>, Vec<Strike>) {
        let mut stream = Stream::new(Direction::ToBoard, rates, seed);
        let (mut pieces, mut strikes) = (Vec::new(), Vec::new());
        for &byte in bytes {
            stream.push(byte, &mut pieces, &mut strikes);
        }
        (pieces, strikes)
    }

    fn heard(pieces: &[Piece]) -> Vec<u8> {
        let bytes = pieces.iter().filter_map(|piece| match piece {
            Piece::Bytes(bytes) => Some(&**bytes),
            _ => None,
        });
        bytes.collect::<Vec<_>>().concat()
    }

    #[test]
    fn without_faults_every_byte_passes_at_once() {
        let all: Vec<u8> = (0..=255).collect();
        let (pieces, strikes) = run(Rates::NONE, 1, &all);
        assert_eq!(pieces, [Piece::Bytes(all)]);
        assert!(strikes.is_empty());
    }

    #[test]
    fn every_kind_does_what_it_says_once_a_span() {
        let sent: Vec<u8> = (0..SPAN as u8).collect();
        for kind in KINDS {
            let rates = Rates::parse(&format!("{}=1", kind.name())).expect("a rate");
            let (pieces, strikes) = run(rates, 5, &sent);
            assert_eq!(strikes.len(), 1, "{kind:?}");
            assert_eq!(strikes[0].kind, kind);
            let heard = heard(&pieces);
            let differ: Vec<u8> =
                heard.iter().zip(&sent).map(|(a, b)| a ^ b).filter(|&bits| bits != 0).collect();
            match kind {
                Kind::Lose | Kind::Drop => {
                    assert_eq!(heard.len(), SPAN - 1);
                    assert_eq!(pieces.contains(&Piece::Drop), kind == Kind::Drop);
                }
                Kind::DupBytes => assert_eq!(heard.len(), SPAN + 1),
                Kind::Flip7 => assert!(differ.len() == 1 && differ[0] < 0x80),
                Kind::Flip8 => assert_eq!(differ, [0x80]),
                _ => {
                    assert_eq!(heard, sent);
                    assert!(pieces.iter().any(|piece| matches!(piece, Piece::Pause(50..=1500))));
                }
            }
        }
    }

    #[test]
    fn rates_are_kept_and_do_not_shift_each_other() {
        let sent = vec![0x55; SPAN * 2000];
        let (_, strikes) = run(Rates::all(), 7, &sent);
        assert_eq!(strikes, run(Rates::all(), 7, &sent).1);
        let of = |strikes: &[Strike], kind| -> Vec<Strike> {
            strikes.iter().filter(|strike| strike.kind == kind).cloned().collect()
        };
        for kind in KINDS {
            let struck = of(&strikes, kind);
            let share = struck.len() as f64 / 2000.0;
            assert!((share - Rates::all().of(kind)).abs() < 0.006, "{kind:?}: {share}");
        }
        let alone = Rates::parse(&format!("flip8={}", Rates::all().of(Kind::Flip8)));
        let (_, alone) = run(alone.expect("a rate"), 7, &sent);
        assert_eq!(of(&strikes, Kind::Flip8), alone);
    }
}
