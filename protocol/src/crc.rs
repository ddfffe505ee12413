//! CRC-16/CCITT-FALSE, the checksum of a line.
//!
//! Without a table: a line is 64 bytes and the flash of a board is small.

const POLYNOMIAL: u16 = 0x1021;
const START: u16 = 0xffff;

/// The checksum of `bytes`.
///
/// ```
/// assert_eq!(rookery_protocol::crc16(b"123456789"), 0x29b1);
/// ```
#[must_use]
pub fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(START, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            let shifted = crc << 1;
            if crc & 0x8000 == 0 { shifted } else { shifted ^ POLYNOMIAL }
        })
    })
}
