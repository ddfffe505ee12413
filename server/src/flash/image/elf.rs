//! ELF: what is loaded, at its physical addresses (where variables' first values stand in the flash).

use super::{ImageError, LARGEST_FILE};
use object::{
    Endianness,
    elf::{EM_ARM, FileHeader32, PT_LOAD},
    read::elf::{FileHeader as _, ProgramHeader as _},
};

pub(super) fn read(file: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, ImageError> {
    let broken = |error: object::read::Error| ImageError::Elf(error.to_string());
    // The class and the order of bytes stand before everything that depends on them.
    match file.get(4..6) {
        Some([1, 1]) => {}
        Some([2, _]) => return Err(ImageError::Machine("a 64-bit machine".into())),
        Some([1, 2]) => return Err(ImageError::Machine("a big-endian machine".into())),
        _ => return Err(ImageError::Elf("its header is damaged".into())),
    }
    let header = FileHeader32::<Endianness>::parse(file).map_err(broken)?;
    let endian = header.endian().map_err(broken)?;
    let machine = header.e_machine(endian);
    if machine != EM_ARM {
        return Err(ImageError::Machine(format!("machine {}", u64::from(machine.0))));
    }
    let mut parts = Vec::new();
    let mut total = 0;
    for segment in header.program_headers(endian, file).map_err(broken)? {
        if segment.p_type(endian) != PT_LOAD || segment.p_filesz(endian) == 0 {
            continue;
        }
        let data = segment
            .data(endian, file)
            .map_err(|()| ImageError::Elf("a part is longer than the file".into()))?;
        // Headers may name the same bytes again and again.
        total += data.len();
        if total > LARGEST_FILE {
            return Err(ImageError::FileTooLarge(total));
        }
        parts.push((segment.p_paddr(endian), data.to_vec()));
    }
    Ok(parts)
}
