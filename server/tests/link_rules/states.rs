//! States and time: drains, syncs, time-outs, pings, resets.

use super::*;
use crate::link_support::HASH;
use rookery_protocol::{Activity, Direction, Kind, Sid, Tag};
use rookery_server::{api::LinkState, link::v2::session::Outcome, model::LinkEventKind::*};
use std::time::Duration;

#[test]
fn it_drains_syncs_and_is_ready() {
    let mut talk = Talk::new(Timing::WIFI);
    assert_eq!(talk.session.next_deadline(), None);
    talk.session.opened(talk.now);
    assert_eq!(talk.session.poll_transmit(), Some(b"\n".to_vec()));
    assert!(talk.lines_after(299).is_empty(), "not before it was quiet for so long");
    assert_eq!(talk.state, LinkState::Draining);
    let lines = talk.lines_after(1);
    assert_eq!((lines.len(), talk.state), (1, LinkState::Syncing));
    let nonce = talk.nonce(&lines).unwrap();
    talk.answer_sync(&nonce, "0000b007", 0);
    assert!(talk.lines().is_empty());
    assert_eq!(talk.state, LinkState::Ready);
    assert_eq!(talk.heard, [SessionEvent::Ready { new_boot: true }]);
    assert_eq!(talk.counted(), [("connected", 1), ("synced", 1), ("drained", 1)]);
}

#[test]
fn endless_chatter_is_drained_for_three_seconds_and_no_longer() {
    let mut talk = Talk::new(Timing::WIFI);
    talk.session.opened(talk.now);
    let mut passed = 0;
    let lines = loop {
        talk.raw(b"boot: hello from the application\r\n");
        talk.pass(10);
        passed += 10;
        let lines = talk.lines();
        if !lines.is_empty() {
            break lines;
        }
    };
    assert_eq!(passed, 3000);
    // Among the chatter the answer is known by its nonce.
    let nonce = talk.nonce(&lines).unwrap();
    talk.raw(b"more chatter\n");
    talk.answer_sync(&nonce, "0000b007", 0);
    talk.lines();
    assert_eq!(talk.state, LinkState::Ready);
}

#[test]
fn a_chatty_board_is_pinged_all_the_same() {
    // Noise is no sign of life: a board that was reset and chatters would never be found out.
    let mut talk = wifi();
    for _ in 0..210 {
        talk.raw(b"I (1234) wifi: beacon timeout\n");
        talk.pass(10);
    }
    let sid = talk.sid;
    assert_eq!(talk.lines(), [format!(">C{sid}01 .")]);
}

#[test]
fn five_syncs_without_an_answer_give_up() {
    for timing in [Timing::WIFI, Timing::WIRE] {
        let mut talk = Talk::new(timing);
        talk.session.opened(talk.now);
        let mut syncs = Vec::new();
        let begun = talk.now;
        while !talk.heard.contains(&SessionEvent::GiveUp) {
            let lines = talk.lines_after(10);
            syncs.extend(lines);
        }
        assert!(talk.now - begun < Duration::from_secs(9), "{:?}", talk.now - begun);
        assert_eq!(syncs.len(), 5);
        // Each with a session and a nonce of its own.
        let parts = |from: usize, to: usize| {
            let mut parts: Vec<_> = syncs.iter().map(|line| &line[from..to]).collect();
            parts.sort_unstable();
            parts.dedup();
            parts.len()
        };
        assert_eq!((parts(2, 4), parts(7, 15)), (5, 5), "{syncs:?}");
        assert_eq!(talk.count(SyncFailed), 1);
        // A driver that does not close at once is told again, not drowned.
        talk.pass(20_000);
        assert!(talk.lines().is_empty());
        assert!(talk.count(SyncFailed) <= 12);
        talk.session.closed("nobody answers");
        assert_eq!(talk.session.next_deadline(), None);
    }
}

#[test]
fn a_reply_to_an_older_sync_is_not_taken() {
    let mut talk = Talk::new(Timing::WIFI);
    talk.session.opened(talk.now);
    let first = talk.lines_after(300);
    let (old_nonce, old_sid) = (talk.nonce(&first).unwrap(), talk.sid);
    let second = talk.lines_after(400);
    assert_eq!(second.len(), 1);
    let nonce = talk.nonce(&second).unwrap();
    let payload = |nonce: &str| format!("{nonce} 0000b007 00 00 {HASH} i");
    for (sid, nonce) in
        [(old_sid, &old_nonce), (talk.sid, &old_nonce), (old_sid, &nonce), (Sid::NONE, &nonce)]
    {
        talk.say_as(Direction::Board, sid, Kind::Sync, 0, &payload(nonce));
    }
    talk.lines();
    assert_eq!((talk.state, talk.count(StaleReply)), (LinkState::Syncing, 4));
    talk.answer_sync(&nonce, "0000b007", 0);
    talk.lines();
    assert_eq!(talk.state, LinkState::Ready);
    // Nor is the same one taken twice.
    talk.answer_sync(&nonce, "0000b008", 9);
    talk.lines();
    assert_eq!((talk.session.boot().unwrap().0, talk.count(StaleReply)), (0xb007, 5));
}

#[test]
fn a_lost_line_is_sent_again_after_the_time_out_with_its_own_number() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    talk.submit(2, &param(6));
    let sent = talk.lines();
    assert_eq!(sent, [format!(">C{}01 s pawn 5", talk.sid)], "a window of one");
    assert!(talk.lines_after(199).is_empty());
    assert_eq!(talk.lines_after(1), sent);
    assert!(talk.lines_after(399).is_empty(), "twice as long");
    assert_eq!(talk.lines_after(1), sent);
    talk.say(Kind::Ack, 1, STATUS);
    assert_eq!(talk.lines(), [format!(">C{}02 s pawn 6", talk.sid)]);
    assert_eq!(talk.replies.len(), 1);
    assert_eq!(talk.counted(), [("timeout", 2), ("retransmitted", 2)]);
}

#[test]
fn what_was_sent_twice_measures_nothing() {
    // Karn: which of the two was answered?
    let mut talk = wifi();
    let before = talk.session.round_trip();
    talk.submit(1, &param(5));
    talk.pass(250);
    talk.say(Kind::Ack, 1, STATUS);
    assert_eq!(talk.session.round_trip(), before);
    // And the longer wait stays until something was measured.
    talk.submit(2, &param(6));
    assert_eq!(talk.lines().len(), 3);
    assert!(talk.lines_after(399).is_empty());
    talk.say(Kind::Ack, 2, STATUS);
    let measured = talk.session.round_trip().unwrap();
    assert!(measured > before.unwrap(), "{measured:?}");
}

#[test]
fn a_sync_measures_the_round_trip() {
    let mut talk = Talk::new(Timing::WIFI);
    talk.session.opened(talk.now);
    let lines = talk.lines_after(300);
    talk.pass(120);
    talk.answer_sync(&talk.nonce(&lines).unwrap(), "0000b007", 0);
    assert_eq!(talk.session.round_trip(), Some(Duration::from_millis(120)));
}

#[test]
fn a_damaged_line_is_sent_again_at_once() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    let sent = talk.lines();
    talk.pass(3);
    talk.say(Kind::Nak, 1, "crc 01");
    assert_eq!(talk.lines(), sent);
    assert_eq!(talk.counted(), [("retransmitted", 1), ("nak_crc", 1)]);
    // It was another line that was damaged: this one has been executed, only its answer is missing.
    talk.say(Kind::Nak, 2, "crc 02");
    assert!(talk.lines().is_empty());
    assert_eq!(talk.state, LinkState::Ready);
    // Nothing is outstanding: nothing to send again.
    talk.say(Kind::Ack, 1, STATUS);
    talk.say(Kind::Nak, 2, "crc 02");
    assert!(talk.lines().is_empty());
    assert_eq!(talk.state, LinkState::Ready);
}

#[test]
fn a_board_that_finds_every_line_damaged_is_synced_again() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    let mut resent = 0;
    while talk.state == LinkState::Ready {
        talk.pass(200);
        talk.say(Kind::Nak, 1, "crc 01");
        resent += talk.lines().len();
        assert!(resent < 20, "a storm without an end");
    }
    assert!(resent >= 5, "{resent}");
    assert_eq!(talk.count(Drained), 1);
}

#[test]
fn another_expected_number_drains() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    talk.lines();
    talk.say(Kind::Nak, 1, "seq 09");
    talk.lines();
    assert_eq!((talk.state, talk.count(NakSeq)), (LinkState::Draining, 1));
    // The board says where it is: what was outstanding cannot be told and is not sent again.
    assert!(talk.resync("0000b007", 8).is_empty());
    assert_eq!(talk.replies, [(1, Outcome::Unknown)]);
    talk.submit(2, &param(6));
    assert_eq!(talk.lines(), [format!(">C{}09 s pawn 6", talk.sid)]);
    // The number of the line that is outstanding anyway: sent again, no drain.
    talk.say(Kind::Nak, 9, "seq 09");
    assert_eq!(talk.lines().len(), 1);
    assert_eq!(talk.state, LinkState::Ready);
}

#[test]
fn three_time_outs_in_a_row_drain_and_the_same_boot_gets_the_line_again() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    let mut sent = talk.lines();
    sent.extend(talk.lines_after(200 + 400 + 800));
    assert_eq!((sent.len(), talk.state), (3, LinkState::Draining));
    assert_eq!((talk.count(Timeout), talk.count(Retransmitted)), (3, 2));
    // Not executed yet, or executed with the answer lost: the board knows by its number.
    for executed in [0, 1] {
        let again = talk.resync("0000b007", executed);
        assert_eq!(again, [format!(">C{}01 s pawn 5", talk.sid)]);
        assert_ne!(again[0], sent[0], "in another session");
        talk.pass(200 + 400 + 800);
        talk.lines();
        assert_eq!(talk.state, LinkState::Draining);
    }
    talk.resync("0000b007", 1);
    talk.say(Kind::Ack, 1, STATUS);
    talk.lines();
    assert_eq!(talk.replies.len(), 1);
    assert_eq!(talk.heard, vec![SessionEvent::Ready { new_boot: false }; 3]);
}

#[test]
fn time_outs_with_an_answer_between_them_do_not_drain() {
    let mut talk = wifi();
    for seq in 1..20 {
        talk.submit(seq.into(), &param(5));
        talk.lines();
        while talk.lines_after(10).is_empty() {}
        talk.say(Kind::Ack, seq, STATUS);
        talk.lines();
        assert_eq!(talk.state, LinkState::Ready);
    }
    assert_eq!(talk.counted(), [("timeout", 19), ("retransmitted", 19)]);
}

#[test]
fn telemetry_does_not_hide_that_nothing_arrives_at_the_board() {
    // One way is dead: the board goes on talking, and hears nothing.
    let mut talk = wifi();
    talk.submit(1, &Command::Stop);
    for seq in 0..100u8 {
        talk.pass(50);
        talk.say(Kind::Telemetry, seq, "i 07 3 100 5 e2e4 9");
        talk.lines();
        if talk.state == LinkState::Draining {
            assert!(seq < 35, "{seq}: three time-outs are 1.4 s");
            return;
        }
    }
    panic!("never drained");
}

#[test]
fn a_line_without_an_answer_drains_within_two_seconds_however_long_the_time_outs_are() {
    let mut talk = wifi();
    // A link that was slow for a while.
    for seq in 1..10 {
        talk.submit(seq.into(), &param(5));
        talk.pass(190);
        talk.say(Kind::Ack, seq, STATUS);
        talk.lines();
    }
    talk.submit(10, &param(6));
    talk.pass(1999);
    talk.lines();
    let early = talk.state;
    talk.pass(1);
    talk.lines();
    assert_eq!(talk.state, LinkState::Draining, "{early:?}");
}

#[test]
fn an_idle_board_is_pinged_every_two_seconds_and_a_thinking_one_too() {
    let mut talk = wifi();
    talk.submit(1, &Command::Think { tag: Tag(7), nodes: 100 });
    talk.lines();
    talk.say(Kind::Ack, 1, "3706291c t");
    for seq in 2..6u8 {
        assert!(talk.lines_after(1999).is_empty());
        assert_eq!(talk.lines_after(1), [format!(">C{}{seq:02x} .", talk.sid)]);
        talk.say(Kind::Ack, seq, "3706291c t");
    }
    // Telemetry is a sign of life.
    talk.pass(1500);
    talk.say(Kind::Telemetry, 1, "i 07 3 100 5 e2e4 9");
    assert!(talk.lines_after(1999).is_empty());
    assert_eq!(talk.lines_after(1).len(), 1);
    talk.pass(200);
    assert_eq!((talk.count(PingMissed), talk.count(Timeout)), (1, 1));
    assert!(talk.replies.iter().all(|(id, _)| *id == 1), "pings are the session's own");
    assert_eq!(talk.session.status().activity, Activity::Thinking);
}

#[test]
fn a_banner_of_the_same_boot_is_ignored_and_one_of_another_drains() {
    let mut talk = wifi();
    let banner = |boot: &str| format!("{boot} por 2 0.1.0 toy");
    talk.say_as(Direction::Board, Sid::NONE, Kind::Banner, 0, &banner("0000b007"));
    talk.lines();
    assert_eq!((talk.state, talk.count(StaleReply)), (LinkState::Ready, 1));
    talk.submit(1, &param(5));
    talk.submit(2, &param(6));
    talk.lines();
    talk.say_as(Direction::Board, Sid::NONE, Kind::Banner, 0, &banner("0000b008"));
    talk.lines();
    assert_eq!(talk.state, LinkState::Draining);
    // What was outstanding and what waited was meant for a board that knew where it was.
    assert!(talk.resync("0000b008", 0).is_empty());
    assert_eq!(talk.replies, [(1, Outcome::Unknown), (2, Outcome::Unknown)]);
    assert_eq!(talk.heard, [SessionEvent::Ready { new_boot: true }]);
    assert_eq!((talk.count(Rebooted), talk.count(Drained)), (1, 1));
    talk.submit(3, &param(7));
    assert_eq!(talk.lines(), [format!(">C{}01 s pawn 7", talk.sid)]);
}

#[test]
fn what_waits_for_the_first_session_is_sent_with_it() {
    let mut talk = Talk::new(Timing::WIFI);
    talk.submit(1, &param(5));
    assert!(talk.lines().is_empty());
    talk.session.opened(talk.now);
    // The board has been at work for long, with another server: its numbers go on.
    let sent = talk.resync("0000b007", 0xff);
    assert_eq!(sent, [format!(">C{}00 s pawn 5", talk.sid)]);
    talk.say(Kind::Ack, 0, STATUS);
    talk.lines();
    assert_eq!(talk.replies.len(), 1);
}

#[test]
fn what_is_outstanding_outlives_the_connection() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    talk.submit(2, &param(6));
    talk.lines();
    talk.session.closed("cut");
    talk.pass(60_000);
    assert!(talk.lines().is_empty());
    // A late reply on no connection is nobody's.
    talk.say(Kind::Ack, 1, STATUS);
    talk.session.withdraw(2);
    talk.session.opened(talk.now);
    assert_eq!(talk.resync("0000b007", 1), [format!(">C{}01 s pawn 5", talk.sid)]);
    talk.say(Kind::Ack, 1, STATUS);
    assert!(talk.lines().is_empty(), "the second is not wanted any more");
    assert_eq!(talk.replies.len(), 1);
}
