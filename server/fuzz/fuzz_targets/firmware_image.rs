#![no_main]
//! Any file as a firmware image or a book: no panic, and what was read is read again from its own bytes.

use rookery_server::flash::{Image, chip::Region, image::check};

libfuzzer_sys::fuzz_target!(|file: &[u8]| {
    for region in Region::ALL {
        let Ok(image) = Image::read(file, region) else { continue };
        assert!(!image.bytes().is_empty() && image.bytes().len() <= region.size());
        let again = Image::from_bytes(image.bytes().to_vec(), region).expect("its own bytes");
        assert_eq!(again.bytes(), image.bytes());
        let (own, foreign) = (check(&image, false), check(&image, true));
        assert!(own.is_err() || own == foreign);
    }
});
