//! What a bridge that speaks RFC 2217 sends.

use rookery_server::link::transport::{SerialFormat, Telnet};

const IAC: u8 = 255;

/// Any stream, cut anywhere: it means the same as in one piece, answers stay bounded, and in the end nothing is held back.
pub fn stream(data: &[u8]) {
    let Some((&cut, stream)) = data.split_first() else { return };
    let mut whole = Telnet::new(SerialFormat::BOARD);
    let mut pieces = Telnet::new(SerialFormat::BOARD);
    let (mut one, mut other) = (Vec::new(), Vec::new());
    whole.received(stream, &mut one);
    for piece in stream.chunks(usize::from(cut).max(1)) {
        pieces.received(piece, &mut other);
    }
    assert_eq!(one, other);
    assert!(one.len() <= stream.len());
    assert_eq!(whole.settled(), pieces.settled());
    let output = whole.take_output();
    assert_eq!(output, pieces.take_output());
    assert!(output.len() <= 64 + 48 * stream.len());
    // Whatever was begun and not finished.
    whole.give_up_waiting();
    whole.write(stream);
    let escaped: Vec<u8> =
        stream.iter().flat_map(|&byte| [byte].repeat(1 + usize::from(byte == IAC))).collect();
    assert!(whole.take_output().ends_with(&escaped));
    // Bytes of the port come through, but for what the stream has left to be finished.
    let mut payload = Vec::new();
    whole.received(b"answer", &mut payload);
    assert!(b"answer".ends_with(&payload));
}
