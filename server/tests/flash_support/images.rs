//! Programs that a chip could start, and the files they come in.

/// Where the tag of [`program`] stands.
const TAG: usize = 0x180;
/// Where its first instruction stands, behind its vectors and its tag.
const START: u32 = 0x0800_0201;

/// A program of about `size` bytes that says what it is, with an empty vector table behind its reset vector. Its bytes differ from
/// version to version.
pub(crate) fn program(version: &str, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size.max(1024)];
    let mut state = version.bytes().fold(0x2545_f491u32, |s, b| s.rotate_left(5) ^ u32::from(b));
    for word in bytes[TAG..].chunks_mut(4) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        word.copy_from_slice(&state.to_le_bytes()[..word.len()]);
    }
    bytes[..4].copy_from_slice(&0x2000_08e0u32.to_le_bytes());
    bytes[4..8].copy_from_slice(&START.to_le_bytes());
    bytes[TAG..TAG + 64].fill(0);
    let tag = tag("stm32f103c6", version);
    bytes[TAG..TAG + tag.len()].copy_from_slice(&tag);
    bytes
}

/// What an image says that it is.
pub(crate) fn tag(board: &str, version: &str) -> Vec<u8> {
    format!("rookery-firmware {board} {version}\0").into_bytes()
}

/// Pages that are mostly blank: little to write, so that every byte of a session can be struck.
pub(crate) fn sparse(version: &str, pages: usize) -> Vec<u8> {
    let mut bytes = vec![0xff; pages * 1024];
    bytes[..8].copy_from_slice(&program(version, 0)[..8]);
    let mark = version.as_bytes()[0];
    bytes[8..40].fill(mark);
    for page in 1..pages {
        bytes[page * 1024 + 8..page * 1024 + 24].fill(mark);
    }
    bytes[pages * 1024 - 4..].fill(mark);
    bytes
}

/// Intel HEX, as linkers write it.
pub(crate) fn hex(base: u32, bytes: &[u8]) -> String {
    fn record(out: &mut String, kind: u8, offset: u16, data: &[u8]) {
        let mut body = vec![data.len() as u8, (offset >> 8) as u8, offset as u8, kind];
        body.extend_from_slice(data);
        let sum = body.iter().fold(0u8, |sum, byte| sum.wrapping_sub(*byte));
        out.push(':');
        for byte in body.iter().chain([&sum]) {
            out.push_str(&format!("{byte:02X}"));
        }
        out.push('\n');
    }
    let mut out = String::new();
    let mut upper = None;
    for (index, data) in bytes.chunks(16).enumerate() {
        let address = base + 16 * index as u32;
        if upper != Some(address >> 16) {
            upper = Some(address >> 16);
            record(&mut out, 4, 0, &((address >> 16) as u16).to_be_bytes());
        }
        record(&mut out, 0, address as u16, data);
    }
    record(&mut out, 5, 0, &START.to_be_bytes());
    record(&mut out, 1, 0, &[]);
    out
}

/// A part of an ELF file.
pub(crate) struct Part<'a> {
    pub(crate) physical: u32,
    pub(crate) bytes: &'a [u8],
}

/// A 32-bit little-endian ELF file of a machine (40: ARM), with one program header for each part.
pub(crate) fn elf(machine: u16, parts: &[Part<'_>]) -> Vec<u8> {
    let mut file = Vec::from(*b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0");
    let half = |file: &mut Vec<u8>, value: u16| file.extend_from_slice(&value.to_le_bytes());
    half(&mut file, 2);
    half(&mut file, machine);
    let word = |file: &mut Vec<u8>, value: u32| file.extend_from_slice(&value.to_le_bytes());
    for value in [1, START, 52, 0, 0x0500_0200] {
        word(&mut file, value);
    }
    for value in [52, 32, parts.len() as u16, 40, 0, 0] {
        half(&mut file, value);
    }
    let mut offset = 52 + 32 * parts.len() as u32;
    for part in parts {
        let size = part.bytes.len() as u32;
        for value in [1, offset, part.physical, part.physical, size, size, 5, 4] {
            word(&mut file, value);
        }
        offset += size;
    }
    for part in parts {
        file.extend_from_slice(part.bytes);
    }
    file
}
