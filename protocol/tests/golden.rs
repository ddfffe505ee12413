//! The bytes of version 2, one line of every message. They are never edited: a board in the field
//! speaks them.

use rookery_protocol::{
    Ack, Activity, Banner, BestMove, BoardMessage, BoardStatus, BootId, Command, Decoded, Decoder,
    Event, HostMessage, Iteration, Line, MoveSource, MoveText, Nak, NakReason, Nonce, ParamKey,
    PayloadBuffer, PositionHash, RebootTarget, ResetCause, Seq, SyncReply, Tag, Telemetry,
    WireBuffer,
};

const GOLDEN: &str = include_str!("../testdata/golden-v2.txt");

fn golden() -> impl Iterator<Item = (&'static str, &'static str)> {
    GOLDEN
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').expect("name, tab, line"))
}

fn line(name: &str) -> Line<'static> {
    let (_, text) = golden()
        .find(|(found, _)| *found == name)
        .unwrap_or_else(|| panic!("no golden line `{name}`"));
    Line::parse(text.as_bytes()).expect("a golden line is a line")
}

fn mv(text: &str) -> MoveText {
    text.parse().expect("a move")
}

#[test]
fn every_line_is_read_and_written_as_it_stands() {
    let mut wire = WireBuffer::new();
    let mut decoder = Decoder::new();
    for (name, text) in golden() {
        let line = Line::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let bytes = line.encode(&mut wire).expect("can be sent");
        assert_eq!(bytes, format!("\n{text}\n").as_bytes(), "{name}");
        let mut found = 0;
        for &byte in bytes {
            if let Decoded::Line(decoded) = decoder.push(byte) {
                assert_eq!(decoded, line, "{name}");
                found += 1;
            }
        }
        assert_eq!(found, 1, "{name}");
    }
}

#[test]
fn every_payload_is_written_as_it_was_read() {
    for (name, _) in golden() {
        let line = line(name);
        let mut out = PayloadBuffer::new();
        if let Ok(message) = HostMessage::parse(&line) {
            match message {
                HostMessage::Command(command) => command.write(&mut out).expect("fits"),
                HostMessage::Sync(nonce) => nonce.write_sync(&mut out).expect("fits"),
                HostMessage::EventAck => {}
            }
        } else {
            match BoardMessage::parse(&line).unwrap_or_else(|error| panic!("{name}: {error}")) {
                BoardMessage::Ack(Ack::Status(status)) => status.write(&mut out).expect("fits"),
                BoardMessage::Ack(Ack::Identify(_)) => out.text(line.payload).expect("fits"),
                BoardMessage::Nak(nak) => nak.write(&mut out).expect("fits"),
                BoardMessage::Event(event) => event.write(&mut out).expect("fits"),
                BoardMessage::Telemetry(telemetry) => telemetry.write(&mut out).expect("fits"),
                BoardMessage::Banner(banner) => banner.write(&mut out).expect("fits"),
                BoardMessage::Sync(reply) => reply.write(&mut out).expect("fits"),
            }
        }
        assert_eq!(out.as_str(), line.payload, "{name}");
    }
}

#[test]
fn a_host_s_lines_mean_this() {
    let start = PositionHash::of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let cases = [
        ("identify", Command::Identify { page: 0 }),
        (
            "position, first chunk",
            Command::Position {
                index: 0,
                count: 2,
                text: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
            },
        ),
        ("position, last chunk", Command::Position { index: 1, count: 2, text: " KQkq - 0 1" }),
        (
            "moves",
            Command::Moves {
                before: start,
                moves: [mv("e2e4"), mv("e7e8q"), mv("0000")].into_iter().collect(),
            },
        ),
        ("think", Command::Think { tag: Tag(0x5f), nodes: 45_000 }),
        ("stop", Command::Stop),
        ("parameter", Command::Param { key: ParamKey::CastleLong, value: -20 }),
        ("ping", Command::Ping),
        ("restart", Command::Reboot(RebootTarget::App)),
        ("loader", Command::Reboot(RebootTarget::Loader)),
    ];
    for (name, command) in cases {
        let message = HostMessage::parse(&line(name)).expect("a message");
        assert_eq!(message, HostMessage::Command(command), "{name}");
    }
    assert_eq!(
        HostMessage::parse(&line("sync request")),
        Ok(HostMessage::Sync(Nonce(0xdead_beef)))
    );
    assert_eq!(HostMessage::parse(&line("event acknowledged")), Ok(HostMessage::EventAck));
}

#[test]
fn a_board_s_lines_mean_this() {
    let after_e4 = PositionHash::of_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3");
    let best = BestMove {
        tag: Tag(0x5f),
        best: mv("e2e4"),
        depth: 5,
        nodes: 45_012,
        score: -34,
        millis: 4711,
        source: MoveSource::Search,
        hash: after_e4,
    };
    let cases = [
        (
            "sync reply",
            BoardMessage::Sync(SyncReply {
                nonce: Nonce(0xdead_beef),
                boot: BootId(0x0bad_cafe),
                command_seq: Seq(0),
                event_seq: Seq(0),
                hash: PositionHash(0x3706_291c),
                activity: Activity::Idle,
            }),
        ),
        (
            "status, thinking",
            BoardMessage::Ack(Ack::Status(BoardStatus {
                hash: after_e4,
                activity: Activity::Thinking,
            })),
        ),
        (
            "refused, move",
            BoardMessage::Nak(Nak { reason: NakReason::Move, expected: Seq(0), detail: Some(3) }),
        ),
        (
            "iteration",
            BoardMessage::Telemetry(Telemetry::Iteration(Iteration {
                tag: Tag(0x5f),
                depth: 5,
                nodes: 45_012,
                score: -34,
                best: mv("c7c5"),
                millis: 4711,
            })),
        ),
        ("best move", BoardMessage::Event(Event::BestMove(best))),
        (
            "best move, none",
            BoardMessage::Event(Event::BestMove(BestMove {
                tag: Tag(0x62),
                best: MoveText::NULL,
                depth: 0,
                nodes: 0,
                score: 0,
                millis: 0,
                ..best
            })),
        ),
        (
            "banner",
            BoardMessage::Banner(Banner {
                boot: BootId(0x0bad_cafe),
                cause: ResetCause::Watchdog,
                protocol: 2,
                firmware: "0.1.0",
                kind: "stm32f103c6",
            }),
        ),
    ];
    for (name, message) in cases {
        assert_eq!(BoardMessage::parse(&line(name)), Ok(message), "{name}");
    }
    let page = line("identify page");
    let Ok(BoardMessage::Ack(Ack::Identify(page))) = BoardMessage::parse(&page) else {
        panic!("not a page: {page:?}");
    };
    assert_eq!((page.page, page.pages), (0, 3));
    assert_eq!(
        page.pairs().collect::<Vec<_>>(),
        [("kind", "sim"), ("fw", "0.1.0"), ("proto", "2-2"), ("cells", "512")]
    );
}

#[test]
fn every_reason_has_a_line() {
    for reason in NakReason::ALL {
        let Ok(BoardMessage::Nak(nak)) = BoardMessage::parse(&line(&format!("refused, {reason}")))
        else {
            panic!("{reason}");
        };
        assert_eq!(nak.reason, reason);
        assert_eq!(nak.consumes_seq(), !matches!(nak.reason, NakReason::Crc | NakReason::Seq));
    }
}
