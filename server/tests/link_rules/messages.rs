//! Events, telemetry and replies: what counts, what does not, and what becomes of it.

use super::*;
use crate::link_support::HASH;
use rookery_protocol::{Activity, Direction, Kind, NakReason, Sid, Tag, Telemetry};
use rookery_server::{
    link::v2::session::{Outcome, Payload},
    model::LinkEventKind::*,
};

#[test]
fn an_answer_in_another_session_is_counted_and_dropped() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    talk.lines();
    for sid in [talk.sid.next(), Sid::NONE, Sid(talk.sid.0.wrapping_sub(1))] {
        talk.say_as(Direction::Board, sid, Kind::Ack, 1, STATUS);
        talk.say_as(Direction::Board, sid, Kind::Event, 1, BEST);
    }
    assert!(talk.lines().is_empty(), "no acknowledgement");
    assert!(talk.replies.is_empty() && talk.heard.is_empty());
    assert_eq!(talk.counted(), [("wrong_session", 6)]);
}

#[test]
fn an_event_that_comes_again_is_acknowledged_again_and_dropped() {
    let mut talk = wifi();
    for round in 0..3 {
        talk.say(Kind::Event, 5, BEST);
        assert_eq!(talk.lines(), [format!(">K{}05", talk.sid)]);
        assert_eq!(talk.count(DuplicateEvent), round);
    }
    assert_eq!(events(&mut talk).len(), 1);
    // Also in the next session of the same boot.
    talk.session.closed("cut");
    talk.session.opened(talk.now);
    talk.resync("0000b007", 0);
    talk.say(Kind::Event, 5, BEST);
    assert_eq!(talk.lines().len(), 1);
    assert_eq!(events(&mut talk).len(), 0);
    // The next one counts, and an old one behind it does not.
    talk.say(Kind::Event, 6, BEST);
    talk.say(Kind::Event, 5, BEST);
    assert_eq!((talk.lines().len(), events(&mut talk).len()), (2, 1));
    assert_eq!(talk.count(DuplicateEvent), 4);
    // After a reset numbers begin again.
    talk.session.closed("cut");
    talk.session.opened(talk.now);
    talk.resync("0000b008", 0);
    talk.say(Kind::Event, 1, BEST);
    assert_eq!(events(&mut talk).len(), 1);
}

#[test]
fn a_move_that_was_thought_for_another_server_is_taken_off_the_board_and_dropped() {
    // It may have the very tag of the first think of this one, and come after that was begun.
    let mut talk = Talk::new(Timing::WIFI);
    talk.session.opened(talk.now);
    let lines = talk.lines_after(300);
    let nonce = talk.nonce(&lines).unwrap();
    talk.say(Kind::Sync, 0, &format!("{nonce} 0000b007 09 2b {HASH} t"));
    talk.submit(1, &Command::Think { tag: Tag(7), nodes: 100 });
    talk.lines();
    for (seq, delivered) in [(0x2a, 0), (0x2b, 0), (0x2c, 1)] {
        talk.say(Kind::Event, seq, BEST);
        assert_eq!(talk.lines(), [format!(">K{}{seq:02x}", talk.sid)]);
        assert_eq!(events(&mut talk).len(), delivered);
    }
}

#[test]
fn missing_telemetry_is_counted_and_old_telemetry_is_dropped() {
    let mut talk = wifi();
    for seq in [0xfe, 0xff, 0, 3, 3, 2, 4] {
        talk.say(Kind::Telemetry, seq, "i 07 3 100 5 e2e4 9");
    }
    talk.lines();
    let heard =
        |event: &&SessionEvent| matches!(event, SessionEvent::Telemetry(Telemetry::Iteration(_)));
    assert_eq!(talk.heard.iter().filter(heard).count(), 5);
    assert_eq!((talk.count(TelemetryGap), talk.count(StaleReply)), (1, 2));
}

#[test]
fn a_reply_that_is_older_than_a_move_does_not_set_the_board_back() {
    // The acknowledgement of a think is lost, its move comes first, and the acknowledgement is repeated from the board's memory.
    let mut talk = wifi();
    talk.submit(1, &Command::Think { tag: Tag(7), nodes: 100 });
    talk.say(Kind::Event, 1, "b 07 e2e4 5 100 3 9 B 11111111");
    talk.pass(200);
    talk.say(Kind::Ack, 1, "3706291c t");
    talk.lines();
    assert_eq!(talk.session.status().hash.0, 0x1111_1111);
    assert_eq!(talk.session.status().activity, Activity::Idle);
    let [(1, Outcome::Done(status))] = talk.replies[..] else { panic!("{:?}", talk.replies) };
    assert_eq!(status.activity, Activity::Thinking, "as it was when it was executed");
    // A fresh one does count.
    talk.submit(2, &param(5));
    talk.say(Kind::Ack, 2, "22222222 i");
    assert_eq!(talk.session.status().hash.0, 0x2222_2222);
}

#[test]
fn refusals_by_execution_are_outcomes() {
    let mut talk = wifi();
    for (seq, reason) in NakReason::ALL.into_iter().filter(|r| r.consumes_seq()).enumerate() {
        let seq = u8::try_from(seq).unwrap() + 1;
        talk.submit(seq.into(), &param(5));
        talk.say(Kind::Nak, seq, &format!("{reason} {:02x}", seq + 1));
        talk.lines();
        let Some((_, Outcome::Refused(nak))) = talk.replies.last() else { panic!() };
        assert_eq!(nak.reason, reason);
    }
    assert!(talk.counted().is_empty());
}

/// Answers that no board of this version gives, each with a right checksum.
const STRANGE: [(Kind, &str); 6] = [
    (Kind::Ack, "what is this"),
    (Kind::Nak, "tired 03"),
    (Kind::Ack, "3706291c i and more"),
    // A run of bytes that came twice, as it was found once.
    (Kind::Ack, "120809dd9dd t"),
    (Kind::Ack, "3706291c"),
    (Kind::Nak, "busy"),
];

#[test]
fn damage_with_a_right_checksum_is_asked_for_again() {
    let mut talk = wifi();
    for (seq, (kind, payload)) in (1..).zip(STRANGE) {
        talk.submit(seq.into(), &param(5));
        let command = talk.lines();
        talk.say(kind, seq, payload);
        talk.pass(100);
        assert_eq!(talk.lines(), command, "the same command goes out again");
        talk.say(Kind::Ack, seq, STATUS);
        talk.lines();
        let Some((id, Outcome::Done(_))) = talk.replies.last() else { panic!("{payload}") };
        assert_eq!(*id, u64::from(seq));
    }
    assert_eq!(talk.counted(), [("retransmitted", 6), ("malformed", 6)]);
}

#[test]
fn an_answer_in_words_of_another_version_is_an_outcome_too() {
    // Left unanswered, it would be asked for again for ever.
    let mut talk = wifi();
    for (seq, (kind, payload)) in (1..).zip(STRANGE) {
        talk.submit(seq.into(), &param(5));
        for _ in 0..3 {
            assert_eq!(talk.replies.len() + 1, usize::from(seq));
            talk.say(kind, seq, payload);
            talk.pass(100);
            talk.lines();
        }
        let Some((_, Outcome::Garbled(text))) = talk.replies.last() else { panic!("{payload}") };
        assert!(text.starts_with(payload), "{text}");
    }
    assert_eq!(talk.counted(), [("retransmitted", 12), ("malformed", 18)]);
}

/// The case: one damaged answer that the channel tripled was believed, and ended a game.
#[test]
fn an_answer_that_comes_doubled_is_one() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    let command = talk.lines();
    for _ in 0..2 {
        for _ in 0..5 {
            talk.say(Kind::Ack, 1, "what is this");
            assert!(talk.lines().is_empty());
        }
        talk.pass(100);
        assert_eq!(talk.lines(), command);
    }
    talk.say(Kind::Ack, 1, STATUS);
    talk.lines();
    assert!(matches!(talk.replies[..], [(1, Outcome::Done(_))]), "{:?}", talk.replies);
    assert_eq!(talk.counted(), [("retransmitted", 2), ("malformed", 10)]);
}

#[test]
fn what_cannot_be_read_and_answers_nothing_is_counted_alone() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    talk.lines();
    for (kind, seq) in [(Kind::Ack, 9), (Kind::Nak, 0), (Kind::Event, 1), (Kind::Telemetry, 1)] {
        talk.say(kind, seq, "what is this");
        assert!(talk.lines().is_empty());
    }
    assert_eq!(talk.counted(), [("malformed", 4)]);
    assert!(talk.replies.is_empty());
}

#[test]
fn a_second_answer_is_stale() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    talk.say(Kind::Ack, 1, STATUS);
    talk.submit(2, &param(6));
    talk.say(Kind::Ack, 1, STATUS);
    talk.say(Kind::Nak, 1, "busy 02");
    talk.lines();
    assert_eq!((talk.replies.len(), talk.count(StaleReply)), (1, 2));
}

#[test]
fn a_text_that_would_break_a_line_is_no_command() {
    for text in ["8/8 w - - *0 1", "8/8\nw", "8/8 \u{e9}", "8\t8"] {
        let command = Command::Position { index: 0, count: 1, text };
        assert!(Payload::try_from(&command).is_err(), "{text:?}");
    }
}
