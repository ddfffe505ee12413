//! Images for the simulated chip's flash.

/// An image of this size that boots as this version: a vector table, code that is none, and the tag
/// at the end. The start code names the image's end, as that of a real one does.
pub fn image(board: &str, version: &str, size: usize) -> Vec<u8> {
    let mut image = vec![0; 64];
    let mut put = |index: usize, word: u32| {
        image[4 * index..4 * index + 4].copy_from_slice(&word.to_le_bytes());
    };
    put(0, 0x2000_2800);
    for index in [1, 2, 3, 4, 5, 6, 11, 12, 14, 15] {
        put(index, 0x0800_0041);
    }
    // A branch to itself, a NOP, and where the variables' values would be.
    image.extend([0xFE, 0xE7, 0x00, 0xBF]);
    image.extend((0x0800_0000 + u32::try_from(size & !3).expect("small")).to_le_bytes());
    let mut tag = format!("rookery-firmware {board} {version}\0").into_bytes();
    tag.resize(tag.len().next_multiple_of(4), 0);
    // Every block differs from the others, and none is erased.
    let filler = (0u32..).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8 & 0x7F);
    image.extend(filler.take(size - tag.len() - image.len()));
    image.extend(tag);
    image
}
