//! Files with firmware or a book for a chip's flash.

use rookery_server::flash::{
    Image, ImageError,
    chip::{BLANK, Region, WORD},
    image::check,
};

/// Any file: refused with a reason, or read; and what was read is read again from its own bytes and from a HEX file of them.
pub fn file(file: &[u8]) {
    for region in Region::ALL {
        match Image::read(file, region) {
            Ok(image) => laws(&image),
            Err(ImageError::Outside { address, .. }) => {
                assert!(!region.addresses().contains(&address));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn laws(image: &Image) {
    let (region, bytes) = (image.region(), image.bytes());
    assert!(!bytes.is_empty() && bytes.len() <= region.size());
    assert!(bytes.len().is_multiple_of(WORD) && bytes[bytes.len() - WORD..] != [BLANK; WORD]);
    let again = Image::from_bytes(bytes.to_vec(), region).expect("its own bytes");
    assert_eq!((again.bytes(), again.sha256()), (bytes, image.sha256()));
    let paged: Vec<u8> = image.pages().flat_map(|(_, page)| page).collect();
    assert!(paged.starts_with(bytes) && paged[bytes.len()..].iter().all(|byte| *byte == BLANK));
    if region == Region::APPLICATION {
        let again = Image::read(hex(image).as_bytes(), region).expect("its own HEX file");
        assert_eq!(again.bytes(), bytes);
    }
    match (check(image, false), check(image, true)) {
        (Ok(tag), foreign) => assert_eq!(foreign, Ok(tag)),
        (Err(own), Err(foreign)) => assert_eq!(own, foreign),
        // What is wrong with its tag alone is nothing that keeps it from starting.
        (Err(own), Ok(_)) => assert!(
            matches!(own, ImageError::Foreign | ImageError::Tag(_) | ImageError::Board { .. }),
            "{own}"
        ),
    }
}

fn hex(image: &Image) -> String {
    use ihex::Record;
    let base = image.region().base();
    let mut records = vec![Record::ExtendedLinearAddress((base >> 16) as u16)];
    records.extend(image.bytes().chunks(16).zip(0..).map(|(chunk, line)| Record::Data {
        offset: (base & 0xffff) as u16 + 16 * line,
        value: chunk.to_vec(),
    }));
    records.push(Record::EndOfFile);
    ihex::create_object_file_representation(&records).expect("records")
}
