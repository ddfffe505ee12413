//! What people see: two LEDs, and the board on eight times eight more behind a MAX7219.

use core::cell::Cell;

use rookery_board::Display;
use rookery_engine::Game;

use crate::regs::{GPIOB_BSRR, GPIOB_CRH, GPIOB_ODR, GPIOC_BSRR, GPIOC_CRH};
use crate::spi::Spi;

/// Rows from the top, the left square in the highest bit.
type Picture = [u8; 8];

/// How long a picture of the animation stands, in milliseconds.
const FRAME_MS: u32 = 150;

/// Rings around the middle, which run outwards over the board while the engine thinks.
const RINGS: [Picture; 4] = [
    [0, 0, 0, 0x18, 0x18, 0, 0, 0],
    [0, 0, 0x3c, 0x24, 0x24, 0x3c, 0, 0],
    [0, 0x7e, 0x42, 0x42, 0x42, 0x42, 0x7e, 0],
    [0xff, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0xff],
];

const PB11: u32 = 1 << 11;
const PC13: u32 = 1 << 13;

/// Set-up of the display: no test, all eight rows, no digits, a quarter of the brightness, on.
const SETUP: [[u8; 2]; 5] = [[0x0f, 0], [0x0b, 7], [0x09, 0], [0x0a, 3], [0x0c, 1]];

/// The LEDs and the display.
#[derive(Debug)]
pub struct Panel {
    spi: Spi,
    men: Cell<Picture>,
    /// The ring that is shown, and since when.
    frame: Cell<Option<(u8, u32)>>,
}

impl Panel {
    /// Sets it up, dark.
    #[must_use]
    pub fn start() -> Self {
        // PC13 is lit by a zero.
        GPIOC_BSRR.set(PC13);
        GPIOC_CRH.change(0x00f0_0000, 0x0020_0000);
        GPIOB_CRH.change(0xf000, 0x2000);
        Self { spi: Spi::start(), men: Cell::new([0; 8]), frame: Cell::new(None) }
    }

    /// The program has come to its loop.
    pub fn ready(&self) {
        GPIOC_BSRR.set(PC13 << 16);
    }

    /// Moves the animation on, if the engine thinks and it is time to.
    pub fn tick(&self, now: u32) {
        if let Some((ring, since)) = self.frame.get()
            && now.wrapping_sub(since) >= FRAME_MS
        {
            let ring = (ring + 1) % RINGS.len() as u8;
            self.frame.set(Some((ring, now)));
            self.show();
        }
    }

    /// The set-up comes with every picture: a display that was plugged in late shows it too.
    fn show(&self) {
        let mut picture = self.men.get();
        if let Some((ring, _)) = self.frame.get() {
            for (row, ring) in picture.iter_mut().zip(RINGS[usize::from(ring) % RINGS.len()]) {
                *row ^= ring;
            }
        }
        for command in SETUP {
            self.spi.send(command);
        }
        for (digit, row) in (1..).zip(picture) {
            self.spi.send([digit, row]);
        }
    }
}

impl Display for &Panel {
    fn position(&mut self, game: &Game) {
        let mut men = [0; 8];
        for square in 0..64u8 {
            if game.piece_at(square).is_some() {
                men[usize::from(7 - square / 8)] |= 0x80 >> (square % 8);
            }
        }
        self.men.set(men);
        self.show();
    }

    fn thinking(&mut self) {
        self.frame.set(Some((0, crate::time::millis())));
        self.show();
    }

    fn iteration(&mut self) {
        let lit = GPIOB_ODR.has(PB11);
        GPIOB_BSRR.set(if lit { PB11 << 16 } else { PB11 });
    }

    fn idle(&mut self) {
        self.frame.set(None);
    }
}
