#![no_main]
//! Any stream of a bridge that speaks RFC 2217, cut anywhere: no panic, and it means the same as in one piece.

use rookery_server::link::transport::{SerialFormat, Telnet};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&cut, stream)) = data.split_first() else { return };
    let mut whole = Telnet::new(SerialFormat::BOARD);
    let mut pieces = Telnet::new(SerialFormat::BOARD);
    let (mut one, mut other) = (Vec::new(), Vec::new());
    whole.received(stream, &mut one);
    for piece in stream.chunks(usize::from(cut).max(1)) {
        pieces.received(piece, &mut other);
    }
    assert_eq!(one, other);
    assert_eq!(whole.settled(), pieces.settled());
    assert_eq!(whole.take_output(), pieces.take_output());
    whole.give_up_waiting();
    whole.write(stream);
    let _ = whole.take_output();
});
