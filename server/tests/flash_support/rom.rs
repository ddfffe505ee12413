//! The loader in a low-density STM32F10x's ROM, byte by byte, and the flash behind it. It watches its flash: whatever could be started
//! must be one of the images that are meant to be there, whole.

const ACK: u8 = 0x79;
const NACK: u8 = 0x1f;
const PAGE: usize = 1024;
const SIZE: usize = 32 * PAGE;
const FLASH: usize = 0x0800_0000;

/// What it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wait {
    /// The first byte after reset decides the speed.
    Speed,
    /// It took a wrong one for the speed: only a reset helps.
    Deaf,
    Command(Option<u8>),
    Address(u8, Vec<u8>),
    ReadCount(usize, Vec<u8>),
    WriteData(usize, Vec<u8>),
    Erase(Vec<u8>),
    /// It has left for the flash.
    Gone,
}

pub(crate) struct Rom {
    wait: Wait,
    pub(crate) flash: Vec<u8>,
    pub(crate) id: u16,
    pub(crate) protected: bool,
    /// Pages that stay as they are.
    pub(crate) locked: Vec<usize>,
    /// Half-words written and pages erased.
    pub(crate) changes: u64,
    /// It has no power any more after so many.
    pub(crate) cut_after: Option<u64>,
    /// Images that may be started.
    pub(crate) whole: Vec<Vec<u8>>,
    /// What could be started and was none of them.
    pub(crate) halves: u64,
    pub(crate) erased: Vec<usize>,
    pub(crate) starts: u64,
}

impl Rom {
    /// A chip in its loader with an image.
    pub(crate) fn with(image: &[u8]) -> Rom {
        let mut flash = vec![0xff; SIZE];
        flash[..image.len()].copy_from_slice(image);
        Rom {
            wait: Wait::Speed,
            flash,
            id: 0x412,
            protected: false,
            locked: Vec::new(),
            changes: 0,
            cut_after: None,
            whole: vec![image.to_vec()],
            halves: 0,
            erased: Vec::new(),
            starts: 0,
        }
    }

    /// A reset with BOOT0 high.
    pub(crate) fn reset(&mut self) {
        self.wait = Wait::Speed;
    }

    /// A reset with BOOT0 low.
    pub(crate) fn start(&mut self) {
        self.wait = Wait::Gone;
        self.starts += 1;
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.wait == Wait::Gone
    }

    /// Whether a chip would start this, and whether it is one of the images that are whole.
    fn starts_half(&self) -> bool {
        let word =
            |at: usize| u32::from_le_bytes(self.flash[at..at + 4].try_into().expect("four bytes"));
        let starts = (0x2000_0001..=0x2000_2800).contains(&word(0))
            && !word(4).is_multiple_of(2)
            && (0x0800_0000..0x0800_8000).contains(&word(4));
        starts && !self.whole.iter().any(|image| self.flash.starts_with(image))
    }

    pub(crate) fn holds(&self, image: &[u8]) -> bool {
        self.flash.starts_with(image)
    }

    fn is_cut(&self) -> bool {
        self.cut_after.is_some_and(|after| self.changes >= after)
    }

    fn changed(&mut self) {
        self.changes += 1;
        self.halves += u64::from(self.starts_half());
    }

    fn erase(&mut self, page: usize) -> bool {
        // A page beyond the end is no page.
        if page >= 32 || self.locked.contains(&page) {
            return page >= 32;
        }
        if self.is_cut() {
            return false;
        }
        self.flash[page * PAGE..(page + 1) * PAGE].fill(0xff);
        self.erased.push(page);
        self.changed();
        true
    }

    fn write(&mut self, at: usize, bytes: &[u8]) -> bool {
        for (index, half) in bytes.chunks(2).enumerate() {
            let at = at + 2 * index;
            if self.is_cut() || self.locked.contains(&(at / PAGE)) {
                return false;
            }
            if half == [0xff, 0xff] {
                continue;
            }
            if self.flash[at..at + 2] != [0xff, 0xff] {
                return false;
            }
            self.flash[at..at + 2].copy_from_slice(half);
            self.changed();
        }
        true
    }

    /// Takes a byte; what it answers.
    pub(crate) fn feed(&mut self, byte: u8) -> Vec<u8> {
        if self.is_cut() {
            return Vec::new();
        }
        let answer = self.answer(byte);
        if self.is_cut() { Vec::new() } else { answer }
    }

    fn answer(&mut self, byte: u8) -> Vec<u8> {
        match std::mem::replace(&mut self.wait, Wait::Command(None)) {
            wait @ (Wait::Deaf | Wait::Gone) => {
                self.wait = wait;
                Vec::new()
            }
            Wait::Speed if byte == 0x7f => vec![ACK],
            Wait::Speed => {
                self.wait = Wait::Deaf;
                Vec::new()
            }
            Wait::Command(None) => {
                self.wait = Wait::Command(Some(byte));
                Vec::new()
            }
            Wait::Command(Some(command)) if byte == !command => self.command(command),
            Wait::Command(Some(_)) => vec![NACK],
            Wait::Address(command, mut bytes) => {
                bytes.push(byte);
                if bytes.len() < 5 {
                    self.wait = Wait::Address(command, bytes);
                    return Vec::new();
                }
                if sum(&bytes) != 0 {
                    return vec![NACK];
                }
                let address =
                    u32::from_be_bytes(bytes[..4].try_into().expect("four bytes")) as usize;
                match (command, address.checked_sub(FLASH).filter(|at| *at < SIZE)) {
                    (_, None) => vec![NACK],
                    (0x11, Some(at)) => {
                        self.wait = Wait::ReadCount(at, Vec::new());
                        vec![ACK]
                    }
                    (0x31, Some(at)) => {
                        self.wait = Wait::WriteData(at, Vec::new());
                        vec![ACK]
                    }
                    _ => {
                        self.wait = Wait::Gone;
                        self.starts += 1;
                        vec![ACK]
                    }
                }
            }
            Wait::ReadCount(at, mut bytes) => {
                bytes.push(byte);
                match bytes[..] {
                    [count, check] if check == !count => {
                        let end = (at + usize::from(count) + 1).min(SIZE);
                        [&[ACK], &self.flash[at..end]].concat()
                    }
                    [_, _] => vec![NACK],
                    _ => {
                        self.wait = Wait::ReadCount(at, bytes);
                        Vec::new()
                    }
                }
            }
            Wait::WriteData(at, mut bytes) => {
                bytes.push(byte);
                let wanted = usize::from(bytes[0]) + 3;
                if bytes.len() < wanted {
                    self.wait = Wait::WriteData(at, bytes);
                    return Vec::new();
                }
                let data = bytes[1..wanted - 1].to_vec();
                let good = sum(&bytes) == 0 && at.is_multiple_of(4) && data.len().is_multiple_of(4);
                vec![if good && at + data.len() <= SIZE && self.write(at, &data) {
                    ACK
                } else {
                    NACK
                }]
            }
            Wait::Erase(mut bytes) => {
                bytes.push(byte);
                let wanted = if bytes[0] == 0xff { 2 } else { usize::from(bytes[0]) + 3 };
                if bytes.len() < wanted {
                    self.wait = Wait::Erase(bytes);
                    return Vec::new();
                }
                let pages: Vec<usize> = match bytes[0] {
                    0xff if bytes[1] == 0 => (0..32).collect(),
                    0xff => return vec![NACK],
                    _ if sum(&bytes) != 0 => return vec![NACK],
                    _ => bytes[1..wanted - 1].iter().map(|page| usize::from(*page)).collect(),
                };
                vec![if pages.into_iter().all(|page| self.erase(page)) { ACK } else { NACK }]
            }
        }
    }

    fn command(&mut self, command: u8) -> Vec<u8> {
        match command {
            0x00 => vec![
                ACK, 11, 0x22, 0x00, 0x01, 0x02, 0x11, 0x21, 0x31, 0x43, 0x63, 0x73, 0x82, 0x92,
                ACK,
            ],
            0x01 => vec![ACK, 0x22, 0, 0, ACK],
            0x02 => {
                let [high, low] = self.id.to_be_bytes();
                vec![ACK, 1, high, low, ACK]
            }
            0x11 | 0x21 | 0x31 | 0x43 if self.protected => vec![NACK],
            0x11 | 0x21 | 0x31 => {
                self.wait = Wait::Address(command, Vec::new());
                vec![ACK]
            }
            0x43 => {
                self.wait = Wait::Erase(Vec::new());
                vec![ACK]
            }
            0x92 => {
                for page in 0..32 {
                    self.erase(page);
                }
                self.protected = false;
                self.wait = Wait::Speed;
                vec![ACK, ACK]
            }
            _ => vec![NACK],
        }
    }
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}
