//! What a raw line means, in words, for people who watch a link.

use super::tape::Way;
use rookery_protocol::{
    Ack, Activity, BoardMessage, BoardStatus, Command, Direction, Event, HostMessage, Line,
    MoveSource, Telemetry, v1,
};

/// The meaning of a line in either dialect; none where it is noise.
#[must_use]
pub fn meaning(way: Way, bytes: &[u8]) -> Option<String> {
    let bytes = bytes.trim_ascii_end();
    match Line::parse(bytes) {
        Ok(line) => Some(in_v2(way, &line)),
        Err(error) if bytes.len() > 3 && matches!(bytes[0], b'<' | b'>') => {
            Some(format!("damaged: {error}"))
        }
        Err(_) => in_v1(way, std::str::from_utf8(bytes).ok()?),
    }
}

fn in_v2(way: Way, line: &Line<'_>) -> String {
    let seq = line.seq;
    match (way, line.direction) {
        (Way::In, Direction::Host) => "an echo of what the host has sent".into(),
        (Way::Out, Direction::Board) => "a board's line, sent by hand".into(),
        (_, Direction::Host) => match HostMessage::parse(line) {
            Ok(HostMessage::Command(command)) => {
                format!("command {seq}: {}", command_words(&command))
            }
            Ok(HostMessage::EventAck) => format!("event {seq} has arrived"),
            Ok(HostMessage::Sync(nonce)) => format!("sync, nonce {nonce}"),
            Err(error) => format!("not understood: {error}"),
        },
        (_, Direction::Board) => match BoardMessage::parse(line) {
            Ok(message) => board_words(&message, seq),
            Err(error) => format!("not understood: {error}"),
        },
    }
}

fn command_words(command: &Command<'_>) -> String {
    match command {
        Command::Identify { page } => format!("identify, page {page}"),
        Command::Position { index, count, text } => {
            format!("position, part {} of {count}: {text}", index + 1)
        }
        Command::Moves { before, moves } => {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            format!("moves from {before}: {}", moves.join(" "))
        }
        Command::Think { tag, nodes } => format!("think {tag} with {nodes} nodes"),
        Command::Stop => "stop thinking".into(),
        Command::Param { key, value } => format!("parameter {} = {value}", key.name()),
        Command::Ping => "ping".into(),
        Command::Reboot(target) => match target {
            rookery_protocol::RebootTarget::App => "reset".into(),
            rookery_protocol::RebootTarget::Loader => "reset into the loader in ROM".into(),
        },
    }
}

fn board_words(message: &BoardMessage<'_>, seq: rookery_protocol::Seq) -> String {
    match message {
        BoardMessage::Ack(Ack::Status(BoardStatus { hash, activity })) => {
            format!("command {seq} executed; {} at {hash}", activity_words(*activity))
        }
        BoardMessage::Ack(Ack::Identify(page)) => {
            let pairs: Vec<String> = page.pairs().map(|(k, v)| format!("{k}={v}")).collect();
            format!(
                "command {seq} executed; page {} of {}: {}",
                page.page + 1,
                page.pages,
                pairs.join(" ")
            )
        }
        BoardMessage::Nak(nak) => {
            format!("refused: {}; it expects command {}", nak.reason, nak.expected)
        }
        BoardMessage::Event(Event::BestMove(best)) => format!(
            "event {seq}: think {} has played {}{} d={} nodes={} score={} {} ms; now at {}",
            best.tag,
            best.best,
            match best.source {
                MoveSource::Search => "",
                MoveSource::Book => " from the book,",
                MoveSource::Stopped => " when stopped,",
            },
            best.depth,
            best.nodes,
            best.score,
            best.millis,
            best.hash
        ),
        BoardMessage::Telemetry(Telemetry::Iteration(found)) => format!(
            "think {}: d={} nodes={} score={} {} {} ms",
            found.tag, found.depth, found.nodes, found.score, found.best, found.millis
        ),
        BoardMessage::Banner(banner) => format!(
            "reset ({}): boot {}, {} {}, protocol {}",
            banner.cause, banner.boot, banner.kind, banner.firmware, banner.protocol
        ),
        BoardMessage::Sync(reply) => format!(
            "in session: boot {}, last command {}, last event {}; {} at {}",
            reply.boot,
            reply.command_seq,
            reply.event_seq,
            activity_words(reply.activity),
            reply.hash
        ),
    }
}

fn activity_words(activity: Activity) -> &'static str {
    match activity {
        Activity::Idle => "idle",
        Activity::Thinking => "thinking",
    }
}

fn in_v1(way: Way, text: &str) -> Option<String> {
    if way == Way::Out {
        let mut console = v1::Console::new();
        let input = text.bytes().find_map(|byte| match console.push(byte) {
            Some(v1::HostInput::Order(order)) => Some(order),
            _ => None,
        });
        return input.map(|order| match order {
            v1::Order::Play(mv) => format!("play {mv}"),
            v1::Order::Think => "think and play".into(),
        });
    }
    let words: Vec<String> = v1::read(text).filter_map(|said| v1_words(&said)).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

fn v1_words(said: &v1::Said<'_>) -> Option<String> {
    use v1::Said;
    Some(match said {
        Said::Prompt => "it waits".into(),
        Said::Echo(v1::Order::Play(mv)) => format!("it has received {mv}"),
        Said::Echo(v1::Order::Think) => "it has received the order to think".into(),
        Said::Accepted(mv) => format!("{mv} accepted"),
        Said::Rejected => "refused".into(),
        Said::Row(_) => "a row of its board".into(),
        Said::Moved { mv, side } => {
            let side = match side {
                v1::Side::White => "White",
                v1::Side::Black => "Black",
            };
            format!("{side} has played {mv}")
        }
        Said::Iteration { depth, nodes, score } => format!("d={depth} nodes={nodes} score={score}"),
        Said::BookMarker => "from the book".into(),
        Said::SearchMarker => "searched".into(),
        Said::Noise(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_dialects_are_put_in_words() {
        for (way, line, words) in [
            (Way::Out, ">C2a07 .*544a", "command 07: ping"),
            (Way::In, ">C2a07 .*544a", "an echo of what the host has sent"),
            (Way::Out, "d2c3X", "play d2c3"),
            (Way::Out, "0X", "think and play"),
            (Way::In, "enter=d2c3X GO d2c3 OK", "it waits; it has received d2c3; d2c3 accepted"),
            (Way::In, " d=5 uz=45012 oc=-34", "d=5 nodes=45012 score=-34"),
            (Way::In, "mov c7c5 b", "Black has played c7c5"),
        ] {
            assert_eq!(meaning(way, line.as_bytes()).as_deref(), Some(words), "{line}");
        }
        assert!(meaning(Way::In, b">C2a07 .*544b").unwrap().starts_with("damaged"));
        assert_eq!(meaning(Way::In, b"\xff\x00"), None);
    }

    proptest! {
        #[test]
        fn nothing_is_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = meaning(Way::In, &bytes);
            let _ = meaning(Way::Out, &bytes);
        }
    }
}
