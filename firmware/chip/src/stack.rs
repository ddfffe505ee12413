//! How deep the stack has been: cortex-m-rt paints it before the program starts.

/// What it is painted with.
const PAINT: u32 = 0xcccc_cccc;

#[allow(unsafe_code)]
// SAFETY: both come from memory.x; only their addresses are used.
unsafe extern "C" {
    static _stack_start: u32;
    static _stack_end: u32;
}

/// How large it is, in bytes.
#[must_use]
pub fn size() -> u32 {
    (&raw const _stack_start as u32).wrapping_sub(&raw const _stack_end as u32)
}

/// How many bytes of it were never used.
#[must_use]
pub fn untouched() -> u32 {
    let end = &raw const _stack_end;
    let words = (0..size() as usize / 4).take_while(|&word| {
        #[allow(unsafe_code)]
        // SAFETY: within the stack, aligned; volatile, for what is read may be in use.
        unsafe {
            end.add(word).read_volatile() == PAINT
        }
    });
    words.count() as u32 * 4
}
