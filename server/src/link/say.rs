//! What a person says to a board by hand: a command in its session, or a raw line beside it.

use super::{
    handle::{LinkHandle, RequestError},
    v2::session::{Outcome, Payload},
};
use crate::api::LinkState;
use rookery_protocol::Command;
use std::{str::FromStr, time::Duration};
use tokio::time::timeout;

/// Patience with the answer to a command.
const PATIENCE: Duration = Duration::from_secs(6);
/// The longest raw line: more than either dialect takes.
const LONGEST: usize = 128;

/// Something to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// A command of protocol v2, which the session numbers, secures and repeats.
    Command(Payload),
    /// Bytes, sent as they are with a line end behind them.
    Raw(Vec<u8>),
}

/// Why a text cannot be said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SayError {
    /// It is no command.
    #[error(
        "'{text}' is no command of protocol v2 ({why}); `.` is a ping, `i 0` identify, `x` stop; a raw line begins with '!'"
    )]
    NoCommand {
        /// What was said.
        text: String,
        /// What is wrong.
        why: String,
    },
    /// A raw line that cannot be sent.
    #[error(
        "a raw line is 1 to {LONGEST} characters, with \\n, \\r, \\\\ and \\xHH for bytes that are none"
    )]
    Raw,
}

/// `!text` is raw, everything else a command.
impl FromStr for Say {
    type Err = SayError;

    fn from_str(text: &str) -> Result<Say, SayError> {
        if let Some(raw) = text.strip_prefix('!') {
            let bytes = unescape(raw).ok_or(SayError::Raw)?;
            return match bytes.len() {
                1..=LONGEST => Ok(Say::Raw(bytes)),
                _ => Err(SayError::Raw),
            };
        }
        let fail = |why: String| SayError::NoCommand { text: text.to_owned(), why };
        let command = Command::parse(text.trim()).map_err(|error| fail(error.to_string()))?;
        Payload::try_from(&command).map(Say::Command).map_err(|error| fail(error.to_string()))
    }
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                b'x' => {
                    let digit = |byte: u8| char::from(byte).to_digit(16);
                    let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
                    u8::try_from(value).expect("two hex digits are a byte")
                }
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

/// Says it; the answer in words. A raw line has none but what the tape shows.
pub async fn say(link: &LinkHandle, what: Say) -> Result<String, RequestError> {
    let payload = match what {
        Say::Raw(bytes) => {
            return Ok(match timeout(PATIENCE, send_raw(link, bytes)).await {
                Ok(sent) => sent.map(|()| "sent")?,
                Err(_) => "not sent: there is no transport",
            }
            .into());
        }
        Say::Command(payload) => payload,
    };
    // A board that was just opened is not in session yet, and what it speaks not known.
    let mut status = link.status();
    let _ = timeout(PATIENCE, status.wait_for(|s| s.state == LinkState::Ready)).await;
    let Ok(outcome) = timeout(PATIENCE, link.command(payload)).await else {
        return Ok(format!("no answer within {} s: the command is withdrawn", PATIENCE.as_secs()));
    };
    Ok(match outcome? {
        Outcome::Done(status) => format!("executed; it stands at {}", status.hash),
        Outcome::Page(text) => format!("executed: {text}"),
        Outcome::Refused(nak) => format!("refused: {}", nak.reason),
        Outcome::Unknown => "unknown: the board was reset before it answered".into(),
        Outcome::Garbled(text) => format!("an answer that the protocol does not have: {text}"),
    })
}

/// Sends the line once there is a transport: a board that was just opened may have none yet.
async fn send_raw(link: &LinkHandle, bytes: Vec<u8>) -> Result<(), RequestError> {
    let mut status = link.status();
    while !link.send_raw(bytes.clone()).await? {
        // A link that has ended changes no more; the next request says so.
        let _ = status.changed().await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn commands_are_checked_before_they_are_sent() {
        for good in [".", "i 0", "x", "t 2a 1000", "s pawn 14"] {
            assert!(matches!(good.parse(), Ok(Say::Command(_))), "{good}");
        }
        let error = "frobnicate".parse::<Say>().unwrap_err().to_string();
        assert!(error.contains("frobnicate") && error.contains('!'), "{error}");
    }

    #[test]
    fn raw_lines_can_be_any_bytes() {
        assert_eq!("!0X".parse(), Ok(Say::Raw(b"0X".to_vec())));
        assert_eq!(r"!a\x00\\\n\r".parse(), Ok(Say::Raw(b"a\0\\\n\r".to_vec())));
        for bad in ["!", r"!\", r"!\q", r"!\x1", r"!\xg0"] {
            assert_eq!(bad.parse::<Say>(), Err(SayError::Raw), "{bad}");
        }
        assert_eq!(format!("!{}", "x".repeat(129)).parse::<Say>(), Err(SayError::Raw));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            let _ = text.parse::<Say>();
        }
    }
}
