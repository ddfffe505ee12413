//! The option bytes, as they lie at 0x1FFFF800 (PM0075): eight bytes, each with its complement.

/// How many bytes there are, complements included.
pub(crate) const LENGTH: usize = 16;

/// How many of them carry something.
pub(crate) const VALUES: usize = LENGTH / 2;

/// Read-out protection is off with this value in the first byte, and with no other.
pub(crate) const READABLE: u8 = 0xA5;

/// Where the values are among [`VALUES`].
pub(crate) const RDP: usize = 0;
/// One bit a group of four pages; a zero protects. The other three are for larger chips.
pub(crate) const WRP0: usize = 4;

/// Pages that one bit of the write protection stands for.
const GROUP: usize = 4;

/// A new chip's values: nothing is protected.
pub(crate) const FACTORY: [u8; VALUES] = [READABLE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];

/// What the chip has taken from the option bytes at its last reset; what was written since counts
/// from the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Options {
    values: [u8; VALUES],
}

impl Options {
    /// Reads the bytes as a reset does: one that does not fit its complement is taken for erased.
    pub(crate) fn load(bytes: &[u8]) -> Self {
        let mut values = [0xFF; VALUES];
        for (value, pair) in values.iter_mut().zip(bytes.chunks_exact(2)) {
            if pair[0] == !pair[1] {
                *value = pair[0];
            }
        }
        Self { values }
    }

    /// Whether the flash can be read, written and run by the loader.
    pub(crate) fn is_locked(self) -> bool {
        self.values[RDP] != READABLE
    }

    /// Whether this page can be erased and programmed.
    pub(crate) fn is_protected(self, page: usize) -> bool {
        let group = page / GROUP;
        group < 8 && self.values[WRP0] & 1 << group == 0
    }
}

/// Both bytes of a value; the flash makes the complement itself.
pub(crate) const fn with_complement(value: u8) -> [u8; 2] {
    [value, !value]
}

/// All bytes for these values.
pub(crate) fn bytes_of(values: [u8; VALUES]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    for (pair, value) in bytes.chunks_exact_mut(2).zip(values) {
        pair.copy_from_slice(&with_complement(value));
    }
    bytes
}

/// The value of the write protection with these groups of four pages protected. The loader does
/// not check the numbers; what this chip does not have changes nothing.
pub(crate) fn protecting(groups: &[u8]) -> u8 {
    groups.iter().filter(|&&group| group < 8).fold(0xFF, |value, group| value & !(1 << group))
}
