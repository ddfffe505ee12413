//! One function a target; each panics when something that must hold does not.

use rookery_protocol::device::{Endpoint, handle};
use rookery_protocol::v1::{Console, Reader, read};
use rookery_protocol::{
    Ack, Activity, Banner, BestMove, BoardMessage, BoardStatus, BootId, Command, Decoded, Decoder,
    Direction, Event, HostMessage, Kind, Line, MAX_LINE, MAX_PAYLOAD, MoveSource, MoveText, Nak,
    PayloadBuffer, PositionHash, Seq, Sid, SyncReply, Tag, Telemetry, WireBuffer, crc16,
};

use super::toy::Toy;

/// A line that must be found whatever came before it.
const GOOD: Line<'static> = Line {
    direction: Direction::Board,
    kind: Kind::Ack,
    sid: Sid(0x2a),
    seq: Seq(7),
    payload: "3706291c i",
};

/// Any bytes, then a good line: the good line is decoded, and it is the last.
pub fn decoder(data: &[u8]) {
    let mut decoder = Decoder::new();
    let mut wire = WireBuffer::new();
    for &byte in data {
        match decoder.push(byte) {
            Decoded::Pending => {}
            Decoded::Line(line) => {
                let bytes = line.encode(&mut wire).expect("a decoded line can be sent");
                assert!(bytes.len() <= MAX_LINE + 1);
                assert_eq!(Line::parse(&bytes[1..bytes.len() - 1]), Ok(line));
            }
            Decoded::Bad(error, raw) => {
                assert!(!raw.is_empty() && raw.len() < MAX_LINE);
                assert!(!error.to_string().is_empty());
            }
        }
    }
    let mut last = None;
    for &byte in GOOD.encode(&mut wire).expect("a good line") {
        // The LF before it may complete a good line that was left hanging.
        if let Decoded::Line(line) = decoder.push(byte) {
            last = Some(line == GOOD);
        }
    }
    assert_eq!(last, Some(true), "the good line was not found");
    assert!(!decoder.is_partial());
}

/// Any text as the payload of every message: no panic, and what is understood is written so that
/// it is understood again as the same.
pub fn messages(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut out = PayloadBuffer::new();
    if let Ok(command) = Command::parse(text)
        && command.write(&mut out).is_ok()
    {
        assert_eq!(Command::parse(out.as_str()), Ok(command));
    }
    if let Ok(Ack::Status(status)) = Ack::parse(text) {
        status.write(&mut out).expect("fits");
        assert_eq!(BoardStatus::parse(out.as_str()), Ok(status));
    }
    if let Ok(Ack::Identify(page)) = Ack::parse(text) {
        assert!(page.page < page.pages);
        for (key, _) in page.pairs() {
            assert!(!key.is_empty());
        }
    }
    if let Ok(nak) = Nak::parse(text) {
        nak.write(&mut out).expect("fits");
        assert_eq!(Nak::parse(out.as_str()), Ok(nak));
    }
    if let Ok(reply) = SyncReply::parse(text) {
        reply.write(&mut out).expect("fits");
        assert_eq!(SyncReply::parse(out.as_str()), Ok(reply));
    }
    if let Ok(banner) = Banner::parse(text)
        && banner.write(&mut out).is_ok()
    {
        let again = out.clone();
        assert_eq!(Banner::parse(again.as_str()), Ok(banner));
    }
    // What is beyond the limits is written as the limit: the second time nothing changes.
    if let Ok(event) = Event::parse(text) {
        event.write(&mut out).expect("fits");
        let event = Event::parse(out.as_str()).expect("as written");
        let first = out.clone();
        event.write(&mut out).expect("fits");
        assert_eq!(first.as_str(), out.as_str());
    }
    if let Ok(telemetry) = Telemetry::parse(text) {
        telemetry.write(&mut out).expect("fits");
        let telemetry = Telemetry::parse(out.as_str()).expect("as written");
        let first = out.clone();
        telemetry.write(&mut out).expect("fits");
        assert_eq!(first.as_str(), out.as_str());
    }
    if let Ok(mv) = text.parse::<MoveText>() {
        assert_eq!(mv.as_str(), text);
    }
    for (direction, kind) in [
        (Direction::Host, Kind::Command),
        (Direction::Host, Kind::Sync),
        (Direction::Host, Kind::EventAck),
        (Direction::Board, Kind::Ack),
        (Direction::Board, Kind::Event),
        (Direction::Board, Kind::Banner),
    ] {
        let line = Line { direction, kind, sid: Sid(1), seq: Seq(1), payload: text };
        let _ = HostMessage::parse(&line);
        let _ = BoardMessage::parse(&line);
        let mut wire = WireBuffer::new();
        if let Ok(bytes) = line.encode(&mut wire) {
            assert_eq!(Line::parse(&bytes[1..bytes.len() - 1]), Ok(line));
        }
    }
    let _ = PositionHash::of_fen(text);
    for command in rookery_protocol::fen_chunks(text) {
        if command.write(&mut out).is_ok() {
            assert!(out.len() <= MAX_PAYLOAD);
        }
    }
}

/// Any bytes from a board or host of version 1: no panic, and what is recognised is recognised
/// again where it is printed.
pub fn v1(data: &[u8]) {
    let mut reader = Reader::new();
    for &byte in data {
        for said in reader.push(byte).into_iter().flatten() {
            let text = said.to_string();
            assert!(!text.is_empty());
            if !matches!(said, rookery_protocol::v1::Said::Noise(_)) {
                assert!(read(&text).any(|again| again == said), "{text}");
            }
        }
    }
    if let Some(said) = reader.flush() {
        let _ = said.count();
    }
    let mut console = Console::new();
    for &byte in data {
        let _ = console.push(byte);
    }
    if let Ok(text) = std::str::from_utf8(data) {
        assert!(read(text).count() <= text.len());
    }
}

/// Any conversation: every answer is one good line of a board, a line leads to at most one call of
/// the device, and a think is never disturbed.
///
/// The data is split at LF; a piece that begins with `!` is sent with a right checksum, `~` ends
/// the think, `+` lets a second pass, anything else is sent as it stands.
pub fn endpoint(data: &[u8]) {
    let mut endpoint = Endpoint::new(BootId(1));
    let mut toy = Toy::default();
    let mut decoder = Decoder::new();
    let mut now = u32::MAX - 2000;
    for piece in data.split(|&byte| byte == b'\n') {
        now = now.wrapping_add(10);
        match piece {
            [b'!', text @ ..] => {
                let mut line = text.to_vec();
                line.extend_from_slice(format!("*{:04x}", crc16(text)).as_bytes());
                feed(&mut endpoint, &mut toy, &mut decoder, &line, now);
            }
            [b'~'] => {
                if let Some(tag) = toy.thinking.take() {
                    let best = BestMove {
                        tag,
                        best: MoveText::NULL,
                        depth: 1,
                        nodes: 1,
                        score: 0,
                        millis: 1,
                        source: MoveSource::Search,
                        hash: PositionHash(0),
                    };
                    endpoint
                        .event(Event::BestMove(best), now, &mut |bytes| check_answer(bytes))
                        .expect("the event of a think has room");
                }
            }
            [b'+'] => {
                now = now.wrapping_add(1000);
                endpoint.tick(now, &mut |bytes| check_answer(bytes));
            }
            _ => feed(&mut endpoint, &mut toy, &mut decoder, piece, now),
        }
    }
}

fn feed(endpoint: &mut Endpoint, toy: &mut Toy, decoder: &mut Decoder, line: &[u8], now: u32) {
    for &byte in line.iter().chain(b"\n") {
        let calls = toy.calls.len();
        let mut answers = 0;
        handle(endpoint, toy, decoder.push(byte), now, &mut |bytes| {
            check_answer(bytes);
            answers += 1;
        });
        assert!(toy.calls.len() <= calls + 1);
        // A sync is answered and sends what waits.
        assert!(answers <= 2);
    }
}

fn check_answer(bytes: &[u8]) {
    assert!(bytes.len() <= MAX_LINE + 1);
    let text = bytes
        .strip_prefix(b"\n")
        .and_then(|bytes| bytes.strip_suffix(b"\n"))
        .expect("an LF before and after");
    let line = Line::parse(text).expect("a good line");
    assert_eq!(line.direction, Direction::Board);
    match BoardMessage::parse(&line).expect("a known message") {
        BoardMessage::Ack(Ack::Status(status)) => {
            assert!(matches!(status.activity, Activity::Idle | Activity::Thinking));
        }
        BoardMessage::Event(Event::BestMove(best)) => assert!(best.tag >= Tag(0)),
        _ => {}
    }
}
