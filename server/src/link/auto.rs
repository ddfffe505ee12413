//! A board whose dialect nobody has said. It is spoken to in v2, in a way that is harmless to a board of version 1: to that one an
//! empty line means think, so that none is sent before it is known. What answers as only the old dialect does is spoken to in that.

use super::{
    dialect::{Dialect, Health, Notice, Spoken},
    handle::Request,
    transport::{Reset, Timing},
    v1, v2,
};
use crate::{api::LinkState, model::LinkEventKind};
use rookery_protocol::v1::{Reader, Said, SaidIter};
use std::time::Instant;

/// Sent first. A board of version 1 answers `#` and its prompt; one of version 2 waits for the end of the line, and drops it.
const GREETING: &[u8] = b"??qlX";
/// Stands before every LF that would end nothing.
const GUARD: u8 = b'?';

/// The host's side of a dialect that is still to be found.
pub(super) struct Auto {
    v2: v2::Host,
    v1: v1::Host,
    spoken: Option<Spoken>,
    greet: bool,
    /// The board does not answer any more: another program may run on it by now.
    given_up: bool,
    reader: Reader,
    /// Link events of a session that has not found its board yet are the other's as well: they are said once.
    news: Vec<Notice>,
}

impl Auto {
    pub(super) fn new(timing: Timing, seed: u64, reset: Option<Reset>, now: Instant) -> Auto {
        Auto {
            v2: v2::Host::new(timing, seed, now),
            v1: v1::Host::new(timing, seed, reset, now),
            spoken: None,
            greet: false,
            given_up: false,
            reader: Reader::new(),
            news: Vec::new(),
        }
    }

    fn current(&mut self) -> &mut dyn Dialect {
        match self.spoken {
            Some(Spoken::V1) => &mut self.v1,
            _ => &mut self.v2,
        }
    }

    /// It is a board of version 1.
    fn found_old(&mut self, now: Instant) {
        self.v2.closed("the board speaks the old dialect");
        // Nobody is to see a line that is cut and made again: it is the same one.
        while !self.v2.news(now).is_empty() {}
        self.spoken = Some(Spoken::V1);
        self.v1.opened(now);
        self.news = self.v1.news(now);
        let again = |notice: &Notice| !matches!(notice, Notice::Link(LinkEventKind::Connected, _));
        self.news.retain(again);
    }
}

impl Dialect for Auto {
    fn opened(&mut self, now: Instant) {
        self.reader = Reader::new();
        self.greet = self.spoken.is_none();
        self.current().opened(now);
    }

    fn closed(&mut self, why: &str) {
        self.current().closed(why);
        if std::mem::take(&mut self.given_up) {
            self.spoken = None;
        }
    }

    fn received(&mut self, bytes: &[u8], now: Instant) {
        if self.spoken.is_some() {
            return self.current().received(bytes, now);
        }
        let mut old = false;
        for &byte in bytes {
            old |= self.reader.push(byte).is_some_and(is_old);
        }
        if self.reader.text().ends_with("enter=") {
            old |= self.reader.flush().is_some_and(is_old);
        }
        if old { self.found_old(now) } else { self.v2.received(bytes, now) }
    }

    fn tick(&mut self, now: Instant) {
        self.current().tick(now);
    }

    fn next_deadline(&self) -> Option<Instant> {
        match self.spoken {
            Some(Spoken::V1) => self.v1.next_deadline(),
            _ => self.v2.next_deadline(),
        }
    }

    fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        let line = self.current().poll_transmit()?;
        if self.spoken.is_some() || line.first() != Some(&b'\n') {
            return Some(line);
        }
        if std::mem::take(&mut self.greet) {
            // The drain's LF: nothing has to be ended yet.
            return Some(GREETING.to_vec());
        }
        Some([&[GUARD], &*line].concat())
    }

    fn request(&mut self, request: Request, now: Instant) {
        match (&request, self.spoken) {
            // Held until the board answers again.
            (Request::Errand(_), None) => self.v1.request(request, now),
            _ => self.current().request(request, now),
        }
    }

    fn forget_given_up(&mut self, now: Instant) {
        self.v1.forget_given_up(now);
        self.v2.forget_given_up(now);
    }

    fn news(&mut self, now: Instant) -> Vec<Notice> {
        let news = match std::mem::take(&mut self.news) {
            news if news.is_empty() => self.current().news(now),
            news => news,
        };
        for notice in &news {
            match notice {
                Notice::State(LinkState::Ready) | Notice::Answers => {
                    self.spoken = self.spoken.or(Some(Spoken::V2));
                }
                Notice::Close(_) => self.given_up = true,
                _ => {}
            }
        }
        news
    }

    fn health(&self) -> Health {
        match self.spoken {
            Some(Spoken::V1) => self.v1.health(),
            Some(Spoken::V2) => self.v2.health(),
            None => Health::default(),
        }
    }
}

/// Whether something was said that only a board of the old dialect says.
fn is_old(said: SaidIter<'_>) -> bool {
    said.into_iter().any(|said| {
        matches!(
            said,
            Said::Prompt
                | Said::Row(_)
                | Said::Moved { .. }
                | Said::Accepted(_)
                | Said::Iteration { .. }
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An opened line, and everything that was sent in the next so many ticks.
    fn opened(ticks: usize) -> (Auto, Instant, Vec<Vec<u8>>) {
        let mut now = Instant::now();
        let mut auto = Auto::new(Timing::WIRE, 7, None, now);
        auto.opened(now);
        let mut sent = Vec::new();
        for _ in 0..ticks {
            while let Some(bytes) = auto.poll_transmit() {
                sent.push(bytes);
            }
            while !auto.news(now).is_empty() {}
            now = auto.next_deadline().expect("it waits for something");
            auto.tick(now);
        }
        (auto, now, sent)
    }

    #[test]
    fn no_board_of_version_1_is_made_to_think_before_it_is_known() {
        use rookery_protocol::v1::{Console, HostInput, Order};
        let (_, _, sent) = opened(6);
        assert!(sent.len() >= 4 && sent[0] == GREETING, "{sent:?}");
        let (mut console, mut refused) = (Console::new(), 0);
        for &byte in sent.iter().flatten() {
            match console.push(byte) {
                Some(HostInput::Order(Order::Think | Order::Play(_))) => panic!("{sent:?}"),
                Some(HostInput::Senseless(_)) => refused += 1,
                None => {}
            }
        }
        assert!(refused >= 3, "it would have answered each of them");
    }

    #[test]
    fn what_answers_like_an_old_board_is_spoken_to_as_one() {
        for said in ["??ql #\nenter=", "mov e2e4 w\n", " d=5 uz=45012 oc=-34\n", "rnbqkbnr\n"] {
            let (mut auto, now, _) = opened(1);
            auto.received(said.as_bytes(), now);
            assert_eq!(auto.health().spoken, Some(Spoken::V1), "{said}");
            let mut connected = 0;
            loop {
                let news = auto.news(now);
                if news.is_empty() {
                    break;
                }
                let is_new = |n: &&Notice| matches!(n, Notice::Link(LinkEventKind::Connected, _));
                connected += news.iter().filter(is_new).count();
            }
            assert_eq!(connected, 0, "it is the same line");
        }
    }

    #[test]
    fn echoes_and_noise_are_no_old_board() {
        let (mut auto, now, sent) = opened(3);
        auto.received(&sent.concat(), now);
        auto.received(b"\n# B D e2e4X 0X ets Jan  8 2013 app: hello\n\xff\x00#\n", now);
        assert_eq!(auto.health().spoken, None);
    }
}
