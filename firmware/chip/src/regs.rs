//! The registers that are used, by their names in the reference manual (RM0008).

/// A register of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Reg(u32);

impl Reg {
    /// What it holds. Reading may have effects on the chip, as the manual says.
    #[inline]
    #[must_use]
    pub fn get(self) -> u32 {
        #[allow(unsafe_code)]
        // SAFETY: only the constants below are registers, each an aligned address that the chip has
        // and that is no memory of the program's.
        unsafe {
            (self.0 as *const u32).read_volatile()
        }
    }

    /// Writes it.
    #[inline]
    pub fn set(self, value: u32) {
        #[allow(unsafe_code)]
        // SAFETY: as above; no register here makes the chip write to memory by itself.
        unsafe {
            (self.0 as *mut u32).write_volatile(value);
        }
    }

    /// Writes some of its bits. Not for a register that an interrupt writes too.
    #[inline]
    pub fn change(self, mask: u32, bits: u32) {
        self.set(self.get() & !mask | bits);
    }

    /// Whether one of these bits is set.
    #[inline]
    #[must_use]
    pub fn has(self, bits: u32) -> bool {
        self.get() & bits != 0
    }
}

macro_rules! registers {
    ($($(#[$doc:meta])* $name:ident = $address:literal;)*) => {
        $($(#[$doc])* pub const $name: Reg = Reg($address);)*
    };
}

registers! {
    /// Independent watchdog: key.
    IWDG_KR = 0x4000_3000;
    /// Independent watchdog: prescaler.
    IWDG_PR = 0x4000_3004;
    /// Independent watchdog: reload.
    IWDG_RLR = 0x4000_3008;
    /// Backup data 1, 16 bits.
    BKP_DR1 = 0x4000_6c04;
    /// Backup data 2.
    BKP_DR2 = 0x4000_6c08;
    /// Backup data 3.
    BKP_DR3 = 0x4000_6c0c;
    /// Power control.
    PWR_CR = 0x4000_7000;
    /// Port A: pins 0 to 7.
    GPIOA_CRL = 0x4001_0800;
    /// Port A: pins 8 to 15.
    GPIOA_CRH = 0x4001_0804;
    /// Port A: set and reset.
    GPIOA_BSRR = 0x4001_0810;
    /// Port B: pins 8 to 15.
    GPIOB_CRH = 0x4001_0c04;
    /// Port B: what is driven.
    GPIOB_ODR = 0x4001_0c0c;
    /// Port B: set and reset.
    GPIOB_BSRR = 0x4001_0c10;
    /// Port C: pins 8 to 15.
    GPIOC_CRH = 0x4001_1004;
    /// Port C: set and reset.
    GPIOC_BSRR = 0x4001_1010;
    /// SPI 1: control.
    SPI1_CR1 = 0x4001_3000;
    /// SPI 1: status.
    SPI1_SR = 0x4001_3008;
    /// SPI 1: data.
    SPI1_DR = 0x4001_300c;
    /// USART 1: status.
    USART1_SR = 0x4001_3800;
    /// USART 1: data.
    USART1_DR = 0x4001_3804;
    /// USART 1: rate.
    USART1_BRR = 0x4001_3808;
    /// USART 1: control.
    USART1_CR1 = 0x4001_380c;
    /// Clocks: control.
    RCC_CR = 0x4002_1000;
    /// Clocks: configuration.
    RCC_CFGR = 0x4002_1004;
    /// Clocks of the second bus.
    RCC_APB2ENR = 0x4002_1018;
    /// Clocks of the first bus.
    RCC_APB1ENR = 0x4002_101c;
    /// Why there was a reset.
    RCC_CSR = 0x4002_1024;
    /// Flash: access.
    FLASH_ACR = 0x4002_2000;
}
