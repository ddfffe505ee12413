//! Who is there? Asked of a board that nobody is in session with, and of one that another program may be in session with: nothing is
//! acknowledged that is somebody else's, and nothing is executed but questions.

use super::transport::{Dialect, Timing};
use rand::RngExt;
use rookery_protocol::{
    Ack, BoardMessage, BootId, Command, Decoded, Decoder, Direction, Kind, Line, Nak, NakReason,
    Nonce, PayloadBuffer, Seq, Sid, SyncReply, WireBuffer,
    v1::{Reader, Said, SaidIter},
};
use std::{collections::BTreeMap, io, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    time::{Instant, timeout_at},
};

/// A line is sent so often.
const TRIES: u32 = 4;
/// A try waits no longer than this.
const LONGEST: Duration = Duration::from_secs(2);
/// An illegal move: a board of the old dialect says so, and does nothing. Without a line end, which would tell it to think.
const ILLEGAL: &[u8] = b"a1a1X";

/// Who answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nobody, or nobody who can be understood.
    Nothing,
    /// A board of the old dialect.
    V1,
    /// A board that speaks the protocol.
    V2(HailedBoard),
}

/// What a board says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HailedBoard {
    /// Its boot id.
    pub boot: BootId,
    /// Its identity; empty where it was not asked.
    pub identity: BTreeMap<String, String>,
}

/// Asks who is there, for as long as `patience` lasts. A board whose boot id is `known` is not asked anything further.
pub async fn hail<S>(
    stream: &mut S,
    dialect: Dialect,
    timing: Timing,
    patience: Duration,
    known: impl Fn(BootId) -> bool,
) -> io::Result<Heard>
where
    S: AsyncRead + AsyncWrite + Unpin + ?Sized,
{
    let mut hailer = Hailer {
        stream,
        timing,
        end: Instant::now() + patience,
        sid: Sid(rand::rng().random_range(1..=u8::MAX)),
        decoder: Decoder::new(),
        reader: Reader::new(),
        old: false,
    };
    if dialect == Dialect::V1 {
        hailer.stream.write_all(ILLEGAL).await?;
        hailer.listen(hailer.end, |_, _| None::<()>).await?;
        return Ok(if hailer.old { Heard::V1 } else { Heard::Nothing });
    }
    let Some(sync) = hailer.sync(dialect).await? else {
        return Ok(if hailer.old { Heard::V1 } else { Heard::Nothing });
    };
    let identity = match known(sync.boot) {
        true => BTreeMap::new(),
        false => hailer.identify(sync.command_seq).await?,
    };
    Ok(Heard::V2(HailedBoard { boot: sync.boot, identity }))
}

struct Hailer<'a, S: ?Sized> {
    stream: &'a mut S,
    timing: Timing,
    end: Instant,
    sid: Sid,
    decoder: Decoder,
    reader: Reader,
    /// Something was said that only a board of the old dialect says.
    old: bool,
}

/// What became of a command.
enum Answer {
    Page {
        page: u8,
        pages: u8,
        pairs: Vec<(String, String)>,
    },
    /// Executed, or refused by execution.
    Other,
    /// Another number is expected.
    Expected(Seq),
}

impl<S: AsyncRead + AsyncWrite + Unpin + ?Sized> Hailer<'_, S> {
    async fn sync(&mut self, dialect: Dialect) -> io::Result<Option<SyncReply>> {
        for tried in 0..TRIES {
            self.sid = self.sid.next();
            let nonce = Nonce(rand::rng().random());
            let mut payload = PayloadBuffer::new();
            nonce.write_sync(&mut payload).expect("a nonce fits");
            // To a board of the old dialect an empty line is an order to think, so the first try goes without.
            let bare = tried == 0 && dialect == Dialect::Auto;
            self.send(Kind::Sync, Seq(0), payload.as_str(), bare).await?;
            let sid = self.sid;
            let answer = |line: &Line<'_>, message: &BoardMessage<'_>| match message {
                BoardMessage::Sync(reply) if line.sid == sid && reply.nonce == nonce => {
                    Some(*reply)
                }
                _ => None,
            };
            if let Some(reply) = self.listen(self.deadline(tried), answer).await? {
                return Ok(Some(reply));
            }
            if self.old || Instant::now() >= self.end {
                break;
            }
        }
        Ok(None)
    }

    async fn identify(&mut self, executed: Seq) -> io::Result<BTreeMap<String, String>> {
        let mut seq = executed.next();
        let mut identity = BTreeMap::new();
        let (mut page, mut pages) = (0, 1);
        while page < pages {
            match self.command(&mut seq, Command::Identify { page }).await? {
                Some(Answer::Page { page: said, pages: all, pairs }) if said == page => {
                    identity.extend(pairs);
                    pages = all;
                    page += 1;
                }
                _ => break,
            }
        }
        // One command more than is needed: a host whose own next command waits must never find that number executed, and take the
        // answer to a question for the answer to its command.
        self.command(&mut seq, Command::Ping).await?;
        Ok(identity)
    }

    /// Sends a command until it is answered; `seq` is the next one's then.
    async fn command(&mut self, seq: &mut Seq, command: Command<'_>) -> io::Result<Option<Answer>> {
        let mut payload = PayloadBuffer::new();
        command.write(&mut payload).expect("a question fits");
        for tried in 0..TRIES {
            self.send(Kind::Command, *seq, payload.as_str(), false).await?;
            let (sid, sent) = (self.sid, *seq);
            let answer = |line: &Line<'_>, message: &BoardMessage<'_>| {
                if line.sid != sid || line.seq != sent {
                    return None;
                }
                match message {
                    BoardMessage::Ack(ack) => Some(page_of(ack)),
                    BoardMessage::Nak(Nak { reason: NakReason::Seq, expected, .. }) => {
                        Some(Answer::Expected(*expected))
                    }
                    // The line was damaged: it is sent again.
                    BoardMessage::Nak(Nak { reason: NakReason::Crc, .. }) => None,
                    BoardMessage::Nak(_) => Some(Answer::Other),
                    _ => None,
                }
            };
            match self.listen(self.deadline(tried), answer).await? {
                Some(Answer::Expected(expected)) => *seq = expected,
                Some(answer) => {
                    *seq = seq.next();
                    return Ok(Some(answer));
                }
                None if Instant::now() >= self.end => break,
                None => {}
            }
        }
        Ok(None)
    }

    fn deadline(&self, tried: u32) -> Instant {
        let wait = (self.timing.first_timeout * 2u32.pow(tried)).min(LONGEST);
        (Instant::now() + wait).min(self.end)
    }

    async fn send(&mut self, kind: Kind, seq: Seq, payload: &str, bare: bool) -> io::Result<()> {
        let line = Line { direction: Direction::Host, kind, sid: self.sid, seq, payload };
        let mut wire = WireBuffer::new();
        let bytes = line.encode(&mut wire).expect("a line of ours fits");
        let bytes = if bare { bytes.strip_prefix(b"\n").unwrap_or(bytes) } else { bytes };
        match timeout_at(self.end, self.stream.write_all(bytes)).await {
            Ok(written) => written,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Reads until a line is the one that is waited for, or the time is over.
    async fn listen<T>(
        &mut self,
        deadline: Instant,
        mut answer: impl FnMut(&Line<'_>, &BoardMessage<'_>) -> Option<T>,
    ) -> io::Result<Option<T>> {
        let mut buffer = [0; 512];
        loop {
            let n = match timeout_at(deadline, self.stream.read(&mut buffer)).await {
                Err(_) => {
                    self.old |= self.reader.flush().is_some_and(is_old);
                    return Ok(None);
                }
                Ok(Ok(0)) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => read?,
            };
            for &byte in &buffer[..n] {
                self.old |= self.reader.push(byte).is_some_and(is_old);
                if let Decoded::Line(line) = self.decoder.push(byte)
                    && line.direction == Direction::Board
                    && let Ok(message) = BoardMessage::parse(&line)
                    && let Some(found) = answer(&line, &message)
                {
                    return Ok(Some(found));
                }
            }
        }
    }
}

fn page_of(ack: &Ack<'_>) -> Answer {
    match ack {
        Ack::Identify(text) => Answer::Page {
            page: text.page,
            pages: text.pages,
            pairs: text.pairs().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        },
        Ack::Status(_) => Answer::Other,
    }
}

/// What nothing but a board of the old dialect says.
fn is_old(mut said: SaidIter<'_>) -> bool {
    said.any(|said| matches!(said, Said::Prompt | Said::Moved { .. } | Said::Iteration { .. }))
}
