//! Intel HEX.

use super::ImageError;
use ihex::Record;

pub(super) fn read(file: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, ImageError> {
    let mut parts: Vec<(u32, Vec<u8>)> = Vec::new();
    let mut upper = 0u32;
    let mut last = 0;
    for (index, bytes) in file.split(|byte| *byte == b'\n').enumerate() {
        let line = index + 1;
        let wrong = |why: String| ImageError::Hex { line, why };
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("it is no text".into()))?.trim();
        if text.is_empty() {
            continue;
        }
        last = line;
        // The crate takes what it is given for ASCII.
        if !text.is_ascii() {
            return Err(wrong("it has other characters than a HEX file".into()));
        }
        match Record::from_record_string(text).map_err(|error| wrong(error.to_string()))? {
            Record::Data { offset, value } => {
                let address = upper
                    .checked_add(offset.into())
                    .filter(|start| start.checked_add(value.len() as u32).is_some())
                    .ok_or_else(|| wrong("its address is beyond 4 GB".into()))?;
                match parts.last_mut() {
                    Some((start, part))
                        if u64::from(*start) + part.len() as u64 == u64::from(address) =>
                    {
                        part.extend_from_slice(&value);
                    }
                    _ if value.is_empty() => {}
                    _ => parts.push((address, value)),
                }
            }
            Record::ExtendedSegmentAddress(segment) => upper = u32::from(segment) << 4,
            Record::ExtendedLinearAddress(high) => upper = u32::from(high) << 16,
            Record::StartSegmentAddress { .. } | Record::StartLinearAddress(_) => {}
            Record::EndOfFile => return Ok(parts),
        }
    }
    Err(ImageError::HexEnd(last))
}
