//! Why there was a reset, and a name for the time since it that no other reset has.
//!
//! The name goes up by one with each reset. It is kept where resets leave it alone: in the backup
//! registers, and in a part of the RAM that nobody clears. After a power failure it begins at what
//! the RAM happens to hold, and at how long the crystal took to start.

use core::mem::MaybeUninit;
use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;
use cortex_m_rt::exception;
use rookery_protocol::{BootId, ResetCause};

use crate::regs::{BKP_DR1, BKP_DR2, BKP_DR3, PWR_CR, RCC_CSR};

/// Makes a record be one.
const MAGIC: u32 = 0x526f_6f6b;
/// The same in a backup register.
const BACKUP_MAGIC: u32 = 0x526f;

/// Why the program itself has asked for a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A host wanted it.
    Command,
    /// A panic.
    Panic,
    /// A fault of the processor, or a crystal that stopped.
    Fault,
    /// A host wants the loader in the chip's ROM.
    Loader,
}

impl Reason {
    const ALL: [Self; 4] = [Self::Command, Self::Panic, Self::Fault, Self::Loader];

    fn word(self) -> u32 {
        0x6b00 + self as u32
    }
}

/// What survives a reset.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Record {
    magic: u32,
    boot: u32,
    /// [`Reason::word`], or anything else: none.
    reason: u32,
    /// The three together, so that noise is not taken for a record.
    check: u32,
}

/// What the RAM happens to hold after a power failure.
type Noise = [u32; 12];

#[allow(unsafe_code)]
// SAFETY: cortex-m-rt's section of what is not initialised; nothing there needs to be.
#[unsafe(link_section = ".uninit.record")]
static mut RECORD: MaybeUninit<Record> = MaybeUninit::uninit();

#[allow(unsafe_code)]
// SAFETY: as above.
#[unsafe(link_section = ".uninit.noise")]
static mut NOISE: MaybeUninit<Noise> = MaybeUninit::uninit();

fn noise() -> Noise {
    #[allow(unsafe_code)]
    // SAFETY: as for the record; nobody writes it.
    unsafe {
        (&raw const NOISE).cast::<Noise>().read_volatile()
    }
}

impl Record {
    #[inline(never)]
    fn load() -> Self {
        #[allow(unsafe_code)]
        // SAFETY: only words, for which every content is a value; volatile, because what the RAM
        // holds after a reset is there without the program having written it. No interrupt and no
        // other function has a reference to it.
        unsafe {
            (&raw const RECORD).cast::<Self>().read_volatile()
        }
    }

    #[inline(never)]
    fn store(mut self) {
        self.check = self.sum();
        #[allow(unsafe_code)]
        // SAFETY: as above.
        unsafe {
            (&raw mut RECORD).cast::<Self>().write_volatile(self);
        }
    }

    fn sum(&self) -> u32 {
        !self.magic.wrapping_add(self.boot.rotate_left(7)) ^ self.reason.rotate_left(16)
    }

    fn is_valid(&self) -> bool {
        self.magic == MAGIC && self.check == self.sum()
    }
}

/// The reset that has just been.
#[derive(Clone, Copy, Debug)]
pub struct Boot {
    /// Its name.
    pub id: BootId,
    /// Why it was.
    pub cause: ResetCause,
}

/// Why the program asked for the reset that has just been, if it did. To be called first.
#[must_use]
pub fn wants_loader() -> bool {
    let mut record = Record::load();
    let wanted = record.is_valid() && record.reason == Reason::Loader.word();
    if wanted {
        record.reason = Reason::Command.word();
        record.store();
    }
    wanted
}

/// Takes the reset down. `chance` is a number that is hardly ever the same.
#[must_use]
pub fn take(chance: u32) -> Boot {
    // The backup registers can be written.
    PWR_CR.change(0, 1 << 8);
    let flags = RCC_CSR.get();
    RCC_CSR.set(flags | 1 << 24);

    let mut record = Record::load();
    let warm = record.is_valid();
    let last = if BKP_DR1.get() & 0xffff == BACKUP_MAGIC {
        BKP_DR2.get() & 0xffff | BKP_DR3.get() << 16
    } else if warm {
        record.boot
    } else {
        let mix = |hash: u32, word: u32| (hash ^ word).wrapping_mul(0x0100_0193).rotate_left(11);
        let of_record = [record.magic, record.boot, record.reason, record.check];
        noise().into_iter().fold(of_record.into_iter().fold(chance ^ 0x811c_9dc5, mix), mix)
    };
    let id = last.wrapping_add(1);
    let reason = Reason::ALL.into_iter().find(|reason| warm && reason.word() == record.reason);
    let cause = cause(flags >> 26, reason, warm);

    record.magic = MAGIC;
    record.boot = id;
    record.reason = 0;
    record.store();
    BKP_DR1.set(BACKUP_MAGIC);
    BKP_DR2.set(id & 0xffff);
    BKP_DR3.set(id >> 16);
    Boot { id: BootId(id), cause }
}

/// The flags as they stand from bit 26 of RCC_CSR: pin, power, software, both watchdogs, low power.
/// Every reset sets the first, too. QEMU sets none.
fn cause(flags: u32, reason: Option<Reason>, warm: bool) -> ResetCause {
    let of_program = match reason {
        Some(Reason::Panic) => ResetCause::Panic,
        Some(Reason::Fault) => ResetCause::Fault,
        _ => ResetCause::Software,
    };
    match flags & 0b11_1111 {
        0 if reason.is_some() => of_program,
        0 if !warm => ResetCause::PowerOn,
        flags if flags & 0b10 != 0 => ResetCause::PowerOn,
        flags if flags & 0b10_0000 != 0 => ResetCause::LowPower,
        flags if flags & 0b1_1000 != 0 => ResetCause::Watchdog,
        flags if flags & 0b100 != 0 => of_program,
        _ => ResetCause::Pin,
    }
}

/// Resets the chip.
pub fn reset(reason: Reason) -> ! {
    let mut record = Record::load();
    record.reason = reason.word();
    record.store();
    SCB::sys_reset()
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    reset(Reason::Panic)
}

#[allow(unsafe_code)]
// SAFETY: it touches nothing but the record, and returns nowhere. An interrupt that nobody has
// asked for, or the crystal that stopped (NMI).
#[exception]
unsafe fn DefaultHandler(_: i16) -> ! {
    reset(Reason::Fault)
}
