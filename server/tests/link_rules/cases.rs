//! Small inputs that broke others: bytes that are no lines, and lines that come when nobody expects them.

use super::*;
use crate::link_support::{HASH, World};
use rookery_protocol::{Direction, Kind, MAX_LINE, Sid, Tag};
use rookery_server::{api::LinkState, link::v2::session::Outcome, model::LinkEventKind::*};
use std::time::Duration;

#[test]
fn crlf_and_blank_lines_count_as_nothing() {
    let mut talk = wifi();
    talk.raw(b"\r\n\n\n\r\r\n");
    talk.submit(1, &param(5));
    let line = encode(Direction::Board, talk.sid, Kind::Ack, 1, STATUS);
    let crlf = [b"\r".as_slice(), &line[..line.len() - 1], b"\r\n\r\n"].concat();
    talk.raw(&crlf);
    talk.raw(b"\r\n");
    talk.lines();
    assert_eq!(talk.replies.len(), 1);
    assert!(talk.counted().is_empty(), "{:?}", talk.counted());
}

#[test]
fn a_line_that_never_ends_is_dropped_after_200_ms() {
    let mut talk = wifi();
    talk.raw(b"\n<A");
    talk.pass(199);
    assert_eq!(talk.count(Partial), 0);
    talk.raw(b"0");
    talk.pass(199);
    assert_eq!(talk.count(Partial), 0, "it goes on");
    talk.pass(1);
    assert_eq!(talk.count(Partial), 1);
    // What comes then is not glued to it.
    talk.submit(1, &param(5));
    let line = encode(Direction::Board, talk.sid, Kind::Ack, 1, STATUS);
    talk.raw(&line[1..]);
    talk.lines();
    assert_eq!((talk.replies.len(), talk.count(Malformed)), (1, 0));
    // A line that hangs costs itself and never the next, which begins with a line end.
    talk.submit(2, &param(6));
    talk.raw(b"<A0102 tor");
    talk.raw(&encode(Direction::Board, talk.sid, Kind::Ack, 2, STATUS));
    talk.lines();
    assert_eq!((talk.replies.len(), talk.count(Malformed)), (2, 1));
}

#[test]
fn an_over_long_line_is_counted_once_and_skipped() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    for length in [64, 65, 200, 5000] {
        talk.raw(&vec![b'x'; length]);
        talk.raw(b"\n");
    }
    talk.say(Kind::Ack, 1, STATUS);
    talk.lines();
    assert_eq!((talk.replies.len(), talk.count(TooLong)), (1, 4));
    assert_eq!(talk.counted().len(), 1);
    // Without an end it is dropped like any other.
    talk.raw(&[b'x'; 500]);
    talk.pass(200);
    assert_eq!((talk.count(TooLong), talk.count(Partial)), (4, 1));
}

#[test]
fn an_echo_is_counted_and_never_taken_for_an_answer() {
    let mut talk = wifi();
    talk.submit(1, &param(5));
    while let Some(bytes) = talk.session.poll_transmit() {
        talk.raw(&bytes);
    }
    let sid = talk.sid;
    talk.say_as(Direction::Host, sid, Kind::EventAck, 1, "");
    talk.say_as(Direction::Host, sid, Kind::Sync, 0, "deadbeef");
    talk.lines();
    assert!(talk.replies.is_empty());
    assert_eq!(talk.counted(), [("echo", 3)]);
    // A line on which all comes back and nobody answers is no board.
    let mut talk = Talk::new(Timing::WIRE);
    talk.session.opened(talk.now);
    for _ in 0..10_000 {
        while let Some(bytes) = talk.session.poll_transmit() {
            talk.raw(&bytes);
        }
        talk.pass(1);
        if talk.count(SyncFailed) == 1 {
            assert_eq!(talk.count(Echo), 5);
            return;
        }
    }
    panic!("never given up");
}

#[test]
fn a_flipped_bit_in_a_number_makes_nobody_jump() {
    // Every bit of every byte of a refusal and of an answer.
    for (kind, payload) in [(Kind::Nak, "seq 01"), (Kind::Ack, STATUS), (Kind::Event, BEST)] {
        let sid = wifi().sid;
        let line = encode(Direction::Board, sid, kind, 1, payload);
        for bit in 8..8 * (line.len() - 1) {
            let mut talk = wifi();
            talk.submit(1, &param(5));
            talk.lines();
            let mut bytes = line.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            talk.raw(&bytes);
            assert!(talk.lines().is_empty(), "{}", bytes.escape_ascii());
            assert_eq!((talk.replies.len(), talk.heard.len()), (0, 0));
            assert_eq!(talk.state, LinkState::Ready);
            // A byte may have become a line end, or one that is ignored at a line's end.
            assert!(!talk.counted().is_empty(), "{}", bytes.escape_ascii());
        }
    }
}

#[test]
fn a_storm_of_refusals_is_no_storm_of_lines() {
    // The board is limited to one for a number in 200 ms; a broken one is not.
    let mut talk = wifi();
    talk.submit(1, &param(5));
    let mut sent = talk.lines().len();
    for _ in 0..100 {
        talk.say(Kind::Nak, 1, "crc 01");
        talk.pass(1);
        sent += talk.lines().len();
    }
    assert!(sent <= 3, "{sent} lines in 100 ms");
}

#[test]
fn a_bridge_that_closes_idle_connections_never_sees_one() {
    let mut world = World::new(1, Timing::WIFI, Duration::from_millis(5));
    world.run_millis(1000);
    let begun = world.events;
    let mut gap = 0;
    for _ in 0..10 * 60 {
        let before = world.events;
        world.run_millis(1000);
        gap = if world.events == before { gap + 1 } else { 0 };
        assert!(gap < 3, "silent for {gap} s");
    }
    // And does nothing else: a ping and an answer every two seconds.
    assert!(world.events - begun < 10 * 60 * 5, "{}", world.events - begun);
    assert_eq!(world.count(Drained), 1);
}

#[test]
fn a_board_without_power_is_not_shown_as_connected() {
    for timing in [Timing::WIFI, Timing::WIRE] {
        let mut talk = Talk::ready(timing, 0);
        talk.pass(5_000);
        talk.lines();
        assert_ne!(talk.state, LinkState::Ready);
        talk.pass(15_000);
        talk.lines();
        assert_eq!(talk.heard.first(), Some(&SessionEvent::GiveUp));
    }
}

#[test]
fn one_line_is_under_way_and_none_is_longer_than_64_bytes() {
    let mut talk = wifi();
    let fen = "r1b1k1nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 w kq h3 99 1000";
    let long = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut id = 0;
    for chunk in rookery_protocol::fen_chunks(fen).chain(rookery_protocol::fen_chunks(long)) {
        id += 1;
        talk.submit(id, &chunk);
    }
    talk.submit(id + 1, &Command::Think { tag: Tag(255), nodes: u32::MAX });
    for seq in 1..=u8::try_from(id).unwrap() + 1 {
        let mut lines = 0;
        while let Some(bytes) = talk.session.poll_transmit() {
            lines += 1;
            assert!(bytes.len() <= MAX_LINE + 1, "with the line end before it");
        }
        assert_eq!(lines, 1);
        talk.say(Kind::Ack, seq, STATUS);
    }
    talk.lines();
    assert_eq!(talk.replies.len() as u64, id + 1);
}

#[test]
fn an_application_that_talks_is_not_taken_for_an_answer() {
    let mut talk = Talk::new(Timing::WIFI);
    talk.session.opened(talk.now);
    let lines = talk.lines_after(300);
    let nonce = talk.nonce(&lines).unwrap();
    let sid = talk.sid;
    for text in
        ["y\n", "OK\n", "ets Jan  8 2013,rst cause:2\n", "\0\u{1f}y\n", "<S\n", "<A0101 ok*0000\n"]
    {
        talk.raw(text.as_bytes());
    }
    talk.raw(format!("<S{sid}00 {nonce}*0000\n").as_bytes());
    talk.say(Kind::Ack, 0, STATUS);
    talk.say_as(
        Direction::Board,
        Sid::NONE,
        Kind::Sync,
        0,
        &format!("{nonce} 0000b007 00 00 {HASH} i"),
    );
    talk.lines();
    assert_eq!(talk.state, LinkState::Syncing);
    talk.answer_sync(&nonce, "0000b007", 0);
    talk.lines();
    assert_eq!(talk.state, LinkState::Ready);
}

#[test]
fn a_command_in_an_old_session_is_not_executed_twice_by_an_answer_that_comes_late() {
    // The answer of the old session comes after the new one stands: it is not the answer to what is outstanding in the new one.
    let mut talk = wifi();
    talk.submit(1, &param(5));
    let old = talk.sid;
    talk.pass(200 + 400 + 800);
    assert_eq!(talk.resync("0000b007", 0).len(), 1);
    talk.say_as(Direction::Board, old, Kind::Ack, 1, "99999999 i");
    talk.lines();
    assert!(talk.replies.is_empty());
    talk.say(Kind::Ack, 1, STATUS);
    talk.lines();
    let [(1, Outcome::Done(status))] = talk.replies[..] else { panic!("{:?}", talk.replies) };
    assert_eq!(status.hash.to_string(), HASH);
}
