//! The rules of the conversation, one after the other, from a host's point of view.

#[path = "../../fuzz/src/toy.rs"]
#[allow(dead_code, unreachable_pub)]
mod toy;

use rookery_protocol::device::{Endpoint, QueueFull, handle};
use rookery_protocol::{
    Banner, BestMove, BootId, Decoder, Direction, Event, Iteration, Kind, Line, MoveSource,
    MoveText, PositionHash, ResetCause, Seq, Sid, Tag, Telemetry, WireBuffer,
};
use toy::{Call, Toy};

struct Talk {
    endpoint: Endpoint,
    toy: Toy,
    decoder: Decoder,
    now: u32,
}

impl Talk {
    fn new() -> Self {
        let toy = Toy { position: "8/8 w - -".to_owned(), ..Toy::default() };
        Self {
            endpoint: Endpoint::new(BootId(0xb007)),
            toy,
            decoder: Decoder::new(),
            // The clock wraps while the tests run.
            now: u32::MAX - 500,
        }
    }

    fn synced() -> Self {
        let mut talk = Self::new();
        talk.say(Kind::Sync, 1, 0, "00000001");
        talk
    }

    fn raw(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut answers = Vec::new();
        for &byte in bytes {
            handle(
                &mut self.endpoint,
                &mut self.toy,
                self.decoder.push(byte),
                self.now,
                &mut |bytes| answers.push(bare(bytes)),
            );
        }
        answers
    }

    /// Sends a line and gives the answers, without their checksums.
    fn say(&mut self, kind: Kind, sid: u8, seq: u8, payload: &str) -> Vec<String> {
        let line = Line { direction: Direction::Host, kind, sid: Sid(sid), seq: Seq(seq), payload };
        let mut wire = WireBuffer::new();
        let bytes = line.encode(&mut wire).expect("can be sent").to_vec();
        self.raw(&bytes)
    }

    fn command(&mut self, seq: u8, payload: &str) -> String {
        let answers = self.say(Kind::Command, 1, seq, payload);
        assert_eq!(answers.len(), 1, "{payload}: {answers:?}");
        answers[0].clone()
    }

    fn hash(&self) -> String {
        PositionHash::of_fen(&self.toy.position).to_string()
    }

    fn finish(&mut self) -> Vec<String> {
        let tag = self.toy.thinking.take().expect("a think");
        let mut answers = Vec::new();
        let event = Event::BestMove(BestMove {
            tag,
            best: "e2e4".parse::<MoveText>().expect("a move"),
            depth: 5,
            nodes: 100,
            score: -3,
            millis: 7,
            source: MoveSource::Search,
            hash: PositionHash::of_fen(&self.toy.position),
        });
        self.endpoint
            .event(event, self.now, &mut |bytes| answers.push(bare(bytes)))
            .expect("there is room");
        answers
    }

    fn pass(&mut self, millis: u32) -> Vec<String> {
        let mut answers = Vec::new();
        for _ in 0..millis {
            self.now = self.now.wrapping_add(1);
            self.endpoint.tick(self.now, &mut |bytes| answers.push(bare(bytes)));
        }
        answers
    }
}

fn bare(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).expect("ASCII");
    let text = text.trim_matches('\n');
    text[..text.len() - 5].to_owned()
}

#[test]
fn before_its_first_sync_a_board_answers_only_that() {
    let mut talk = Talk::new();
    assert!(talk.say(Kind::Command, 1, 1, ".").is_empty());
    assert!(talk.say(Kind::Command, 0, 1, ".").is_empty());
    assert!(talk.raw(b"garbage\n").is_empty());
    assert!(talk.say(Kind::Sync, 0, 0, "00000001").is_empty(), "sid 00 is none");
    assert!(talk.say(Kind::Sync, 1, 0, "1").is_empty(), "not a nonce");
    let hash = talk.hash();
    assert_eq!(
        talk.say(Kind::Sync, 0x2a, 9, "deadbeef"),
        [format!("<S2a09 deadbeef 0000b007 00 00 {hash} i")]
    );
}

#[test]
fn a_repeated_command_gets_the_same_answer_and_is_not_executed_again() {
    let mut talk = Talk::synced();
    let first = talk.command(1, "s pawn 20");
    assert_eq!(talk.command(1, "s pawn 20"), first);
    assert_eq!(talk.command(1, "s pawn 20"), first);
    assert_eq!(talk.toy.calls.len(), 1);
    assert_eq!(talk.endpoint.counters().repeated, 2);
    // Refusals too.
    let refused = talk.command(2, "s pawn -5");
    assert_eq!(refused, "<N0102 arg 03");
    assert_eq!(talk.command(2, "s pawn -5"), refused);
    // And pages.
    let page = talk.command(3, "i 0");
    assert_eq!(talk.command(3, "i 0"), page);
}

#[test]
fn another_number_is_refused_and_another_session_dropped() {
    let mut talk = Talk::synced();
    assert_eq!(talk.command(2, "."), "<N0102 seq 01");
    assert_eq!(talk.command(0, "."), "<N0100 seq 01", "nothing was executed under 00");
    assert!(talk.say(Kind::Command, 2, 1, ".").is_empty());
    assert_eq!(talk.endpoint.counters().foreign, 1);
    let hash = talk.hash();
    assert_eq!(talk.command(1, "."), format!("<A0101 {hash} i"));
    assert!(talk.toy.calls.is_empty());
}

#[test]
fn numbers_wrap() {
    let mut talk = Talk::synced();
    for seq in (1..=255).chain(0..=9) {
        assert!(talk.command(seq, ".").starts_with("<A"), "{seq}");
    }
    assert_eq!(talk.command(8, "."), "<N0108 seq 0a");
}

#[test]
fn a_sync_changes_the_session_and_nothing_else() {
    let mut talk = Talk::synced();
    talk.command(1, "t 05 100");
    let hash = talk.hash();
    assert_eq!(
        talk.say(Kind::Sync, 2, 1, "00000002"),
        [format!("<S0201 00000002 0000b007 01 00 {hash} t")]
    );
    // The answer may have been lost: sent again under the new session, not executed again.
    assert_eq!(talk.say(Kind::Command, 2, 1, "t 05 100"), [format!("<A0201 {hash} t")]);
    assert!(talk.say(Kind::Command, 1, 1, "t 05 100").is_empty());
    assert_eq!(talk.toy.calls, [Call::Think(Tag(5), 100)]);
    assert_eq!(talk.finish(), [format!("<E0201 b 05 e2e4 5 100 -3 7 - {hash}")]);
    // Unacknowledged, it goes on in the next session, at once.
    let answers = talk.say(Kind::Sync, 3, 1, "00000003");
    assert_eq!(
        answers,
        [
            format!("<S0301 00000003 0000b007 01 01 {hash} i"),
            format!("<E0301 b 05 e2e4 5 100 -3 7 - {hash}")
        ]
    );
}

#[test]
fn damaged_lines_are_refused_but_not_too_often() {
    let mut talk = Talk::synced();
    assert_eq!(talk.raw(b">C0101 .*0000\n"), ["<N0101 crc 01"]);
    assert!(talk.raw(b"more\nand more\n").is_empty());
    talk.pass(199);
    assert!(talk.raw(b"more\n").is_empty());
    talk.pass(1);
    assert_eq!(talk.raw(b"more\n"), ["<N0101 crc 01"]);
    // Another number is expected: at once.
    talk.command(1, ".");
    assert_eq!(talk.raw(b"more\n"), ["<N0102 crc 02"]);
    assert_eq!(talk.endpoint.counters().damaged, 6);
    // A line of another version is not damage.
    let mut sealed = b">Z0102".to_vec();
    let crc = rookery_protocol::crc16(&sealed);
    sealed.extend(format!("*{crc:04x}\n").bytes());
    talk.pass(500);
    assert!(talk.raw(&sealed).is_empty());
}

#[test]
fn an_echo_is_dropped() {
    let mut talk = Talk::synced();
    let line = Line {
        direction: Direction::Board,
        kind: Kind::Sync,
        sid: Sid(9),
        seq: Seq(0),
        payload: "00000009",
    };
    let mut wire = WireBuffer::new();
    let bytes = line.encode(&mut wire).expect("can be sent").to_vec();
    assert!(talk.raw(&bytes).is_empty());
    assert_eq!(talk.endpoint.counters().echoed, 1);
    assert_eq!(talk.endpoint.sid(), Sid(1));
}

#[test]
fn a_text_takes_effect_whole_or_not_at_all() {
    let mut talk = Talk::synced();
    let before = talk.hash();
    assert_eq!(talk.command(1, "p 0/2 4k3/8/"), format!("<A0101 {before} i"));
    assert_eq!(talk.command(1, "p 0/2 4k3/8/"), format!("<A0101 {before} i"));
    let after = PositionHash::of_fen("4k3/8/8 w - -");
    assert_eq!(talk.command(2, "p 1/2 8 w - -"), format!("<A0102 {after} i"));
    assert_eq!(talk.toy.calls, [Call::Position("4k3/8/8 w - -".to_owned())]);
    // Another command between abandons the text, and so does a chunk out of order.
    talk.command(3, "p 0/2 9");
    talk.command(4, ".");
    assert_eq!(talk.command(5, "p 1/2 9"), "<N0105 fen 06");
    talk.command(6, "p 0/3 9");
    assert_eq!(talk.command(7, "p 2/3 9"), "<N0107 fen 08");
    assert_eq!(talk.command(8, "p 1/3 9"), "<N0108 fen 09");
    talk.command(9, "p 0/3 9");
    assert_eq!(talk.command(10, "p 1/2 9"), "<N010a fen 0b");
    assert_eq!(talk.command(11, "p 0/1 no"), "<N010b fen 0c");
    assert_eq!(talk.command(12, "p 3/3 9"), "<N010c arg 0d");
    // More than a FEN can have.
    let long = "9".repeat(40);
    talk.command(13, &format!("p 0/3 {long}"));
    talk.command(14, &format!("p 1/3 {long}"));
    assert_eq!(talk.command(15, &format!("p 2/3 {long}")), "<N010f fen 10");
    assert_eq!(talk.toy.calls.len(), 1);
    // And it goes on.
    assert!(talk.command(16, "p 0/1 8 b - -").starts_with("<A"));
}

#[test]
fn moves_say_where_they_start() {
    let mut talk = Talk::synced();
    let hash = talk.hash();
    assert_eq!(talk.command(1, "m 00000000 e2e4"), "<N0101 hash 02");
    assert_eq!(talk.command(2, &format!("m {hash} e2e4 0000")), "<N0102 move 03 1");
    assert_eq!(talk.command(3, &format!("m {hash}")), "<N0103 arg 04");
    assert_eq!(talk.command(4, &format!("m {hash} e2e9")), "<N0104 arg 05");
    assert!(talk.toy.calls.is_empty());
    assert!(talk.command(5, &format!("m {hash} e2e4 e7e8q")).starts_with("<A"));
    assert_ne!(talk.hash(), hash);
}

#[test]
fn while_it_thinks_a_board_answers_what_does_not_disturb() {
    let mut talk = Talk::synced();
    let hash = talk.hash();
    assert_eq!(talk.command(1, "t 05 0"), "<N0101 arg 02");
    assert_eq!(talk.command(2, "t 05 100"), format!("<A0102 {hash} t"));
    assert_eq!(talk.command(3, "."), format!("<A0103 {hash} t"));
    assert!(talk.command(4, "i 0").starts_with("<A0104 0/3 kind=toy_board fw=0.0.0"));
    assert_eq!(talk.command(5, "t 06 100"), "<N0105 busy 06");
    assert_eq!(talk.command(6, &format!("m {hash} e2e4")), "<N0106 busy 07");
    assert_eq!(talk.command(7, "p 0/1 8"), "<N0107 busy 08");
    assert_eq!(talk.command(8, "s pawn 9"), "<N0108 busy 09");
    assert_eq!(talk.command(9, "zzz"), "<N0109 what 0a");
    assert_eq!(talk.command(10, "x"), format!("<A010a {hash} t"));
    assert_eq!(talk.command(11, "r app"), format!("<A010b {hash} t"));
    assert_eq!(talk.command(12, "r boot"), "<N010c arg 0d");
    assert!(talk.say(Kind::Sync, 1, 0, "00000002")[0].ends_with(" t"));
}

#[test]
fn pages_hold_every_pair() {
    let mut talk = Talk::synced();
    let mut pairs = Vec::new();
    for page in 0..3 {
        let answer = talk.command(page + 1, &format!("i {page}"));
        assert!(answer.starts_with(&format!("<A010{} {page}/3 ", page + 1)), "{answer}");
        pairs.extend(answer[11..].split(' ').map(str::to_owned));
    }
    assert_eq!(pairs.len(), 5, "{pairs:?}");
    assert_eq!(pairs[0], "kind=toy_board");
    assert!(pairs[3].starts_with("long=xxxx"));
    assert_eq!(pairs[4], "book=deadbeef,12");
    assert_eq!(talk.command(4, "i 3"), "<N0104 arg 05");
}

#[test]
fn an_event_is_repeated_until_it_is_acknowledged() {
    let mut talk = Talk::synced();
    talk.command(1, "t 05 100");
    assert_eq!(talk.finish().len(), 1);
    let mut at = Vec::new();
    for millis in 1..=12_000 {
        if !talk.pass(1).is_empty() {
            at.push(millis);
        }
    }
    assert_eq!(at, [400, 1200, 2800, 6000, 9200]);
    assert_eq!(talk.endpoint.wait(talk.now), Some(400));
    assert!(talk.say(Kind::EventAck, 1, 2, "").is_empty(), "another number");
    assert!(talk.say(Kind::EventAck, 2, 1, "").is_empty(), "another session");
    assert_eq!(talk.pass(400).len(), 1);
    assert!(talk.say(Kind::EventAck, 1, 1, "").is_empty());
    assert!(talk.pass(10_000).is_empty());
    assert_eq!(talk.endpoint.wait(talk.now), None);
}

#[test]
fn a_second_event_waits_for_the_first_and_a_third_is_not_made() {
    let mut talk = Talk::synced();
    talk.command(1, "t 05 100");
    assert!(talk.finish()[0].starts_with("<E0101 b 05"));
    talk.command(2, "t 06 100");
    assert!(talk.finish().is_empty());
    assert!(talk.say(Kind::Sync, 1, 0, "00000002")[0].contains(" 02 02 "));
    assert_eq!(talk.command(3, "t 07 100"), "<N0103 busy 04");
    let event = Event::BestMove(BestMove {
        tag: Tag(9),
        best: MoveText::NULL,
        depth: 0,
        nodes: 0,
        score: 0,
        millis: 0,
        source: MoveSource::Stopped,
        hash: PositionHash(0),
    });
    assert_eq!(talk.endpoint.event(event, talk.now, &mut |_| ()), Err(QueueFull));
    assert!(talk.say(Kind::EventAck, 1, 1, "")[0].starts_with("<E0102 b 06"));
    assert!(talk.command(4, "t 07 100").starts_with("<A"));
    assert!(talk.say(Kind::EventAck, 1, 2, "").is_empty());
    assert!(talk.finish()[0].starts_with("<E0103 b 07"));
}

#[test]
fn what_a_board_says_before_a_session_waits_for_it() {
    let mut talk = Talk::new();
    talk.toy.thinking = Some(Tag(1));
    assert!(talk.finish().is_empty());
    assert!(talk.pass(5000).is_empty());
    let answers = talk.say(Kind::Sync, 1, 0, "00000001");
    assert!(answers[1].starts_with("<E0101 b 01"), "{answers:?}");
}

#[test]
fn telemetry_counts_on() {
    let mut talk = Talk::new();
    let iteration = Telemetry::Iteration(Iteration {
        tag: Tag(1),
        depth: 1,
        nodes: 2,
        score: 3,
        best: MoveText::NULL,
        millis: 4,
    });
    let mut lines = Vec::new();
    talk.endpoint.telemetry(&iteration, &mut |bytes| lines.push(bare(bytes)));
    assert!(lines.is_empty(), "nobody listens");
    talk.say(Kind::Sync, 1, 0, "00000001");
    for _ in 0..2 {
        talk.endpoint.telemetry(&iteration, &mut |bytes| lines.push(bare(bytes)));
    }
    assert_eq!(lines, ["<T0101 i 01 1 2 3 0000 4", "<T0102 i 01 1 2 3 0000 4"]);
}

#[test]
fn a_banner_has_no_session() {
    let talk = Talk::new();
    let banner = Banner {
        boot: talk.endpoint.boot(),
        cause: ResetCause::PowerOn,
        protocol: 2,
        firmware: "0.1.0",
        kind: "toy",
    };
    let mut lines = Vec::new();
    talk.endpoint.banner(&banner, &mut |bytes| lines.push(bare(bytes)));
    assert_eq!(lines, ["<B0000 0000b007 por 2 0.1.0 toy"]);
}

/// Invariant 5: what a board needs of RAM for the wire.
#[test]
fn it_fits_into_300_bytes() {
    let endpoint = size_of::<Endpoint>();
    let decoder = size_of::<Decoder>();
    eprintln!("Endpoint {endpoint}, Decoder {decoder}");
    assert!(endpoint + decoder <= 300, "{endpoint} + {decoder}");
}
