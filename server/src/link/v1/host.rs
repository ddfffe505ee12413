//! The old dialect for the driver: the session, what is known of such boards, and who waits for the end of an errand.

use super::{
    session::Session,
    words::{Failure, Goal, Played, SessionEvent},
};
use crate::{
    api::LinkState,
    link::{
        board::Progress,
        dialect::{Dialect, Health, Notice, Spoken},
        handle::{Request, RequestError},
        transport::{Reset, Timing},
    },
    model::LinkEventKind,
};
use std::{
    collections::{BTreeMap, VecDeque},
    time::Instant,
};
use tokio::sync::mpsc;

/// A goal, and who waits for it.
#[derive(Debug)]
pub(in crate::link) struct Errand {
    pub(super) goal: Goal,
    pub(super) sink: mpsc::Sender<News>,
}

/// How an errand goes.
#[derive(Debug)]
pub(super) enum News {
    Begun,
    Progress(Progress),
    Placed,
    Moved(Played),
    Failed(Failure),
}

/// The host's side of the old dialect.
pub(in crate::link) struct Host {
    session: Session,
    heard: VecDeque<SessionEvent>,
    sink: Option<mpsc::Sender<News>>,
    identified: bool,
}

impl Host {
    pub(in crate::link) fn new(
        timing: Timing,
        seed: u64,
        reset: Option<Reset>,
        now: Instant,
    ) -> Host {
        let session = Session::new(timing, seed, reset, now);
        Host { session, heard: VecDeque::new(), sink: None, identified: false }
    }

    fn hear(&mut self, event: SessionEvent) -> Vec<Notice> {
        match event {
            SessionEvent::Link(kind, detail) => vec![Notice::Link(kind, detail)],
            SessionEvent::State(LinkState::Ready) => {
                let mut notices = vec![Notice::Answers];
                if !std::mem::replace(&mut self.identified, true) {
                    notices.push(Notice::Identity(identity()));
                }
                notices.push(Notice::State(LinkState::Ready));
                notices
            }
            SessionEvent::State(state) => vec![Notice::State(state)],
            SessionEvent::Trouble(text) => vec![Notice::Trouble(Some(text))],
            SessionEvent::Reset => vec![Notice::Reset],
            SessionEvent::GiveUp => vec![Notice::Close("the board does not answer")],
            SessionEvent::Begun => self.tell(News::Begun, false),
            SessionEvent::Progress(progress) => self.tell(News::Progress(progress), false),
            SessionEvent::Placed => self.tell(News::Placed, true),
            SessionEvent::Moved(played) => self.tell(News::Moved(played), true),
            SessionEvent::Failed(failure) => self.tell(News::Failed(failure), true),
        }
    }

    /// Tells whoever waits. One who is that far behind misses an iteration; the last places are for the rest.
    fn tell(&mut self, news: News, last: bool) -> Vec<Notice> {
        let iteration = matches!(news, News::Progress(_));
        if let Some(sink) = self.sink.as_ref().filter(|sink| !iteration || sink.capacity() > 32) {
            let _ = sink.try_send(news);
        }
        if last {
            self.sink = None;
        }
        Vec::new()
    }
}

/// What is known of every board of this dialect: it says nothing of itself. Its scores are micro-Max's, in which a pawn counts 74.
fn identity() -> BTreeMap<String, String> {
    [("kind", "v1"), ("eng", "micro-Max"), ("proto", "1-1"), ("unit", "74"), ("level", "board")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into()
}

impl Dialect for Host {
    fn opened(&mut self, now: Instant) {
        self.session.opened(now);
    }

    fn closed(&mut self, why: &str) {
        self.session.closed(why);
    }

    fn received(&mut self, bytes: &[u8], now: Instant) {
        self.session.received(bytes, now);
    }

    fn tick(&mut self, now: Instant) {
        self.session.tick(now);
    }

    fn next_deadline(&self) -> Option<Instant> {
        self.session.next_deadline()
    }

    fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.session.poll_transmit()
    }

    fn request(&mut self, request: Request, now: Instant) {
        match request {
            Request::Errand(Errand { goal, sink }) => {
                self.sink = Some(sink);
                self.session.set_goal(goal, now);
            }
            Request::Command { reply, .. } => {
                let _ = reply.send(Err(RequestError::OldDialect));
            }
            Request::Note { kind, detail } => {
                if kind == LinkEventKind::PositionDiffers {
                    self.session.distrust();
                }
                self.session.emit(kind, detail);
            }
            // Dropped: whoever asks sees the channel end. The driver keeps leases and raw bytes for itself.
            Request::Watch { .. } | Request::Lease { .. } | Request::Raw { .. } => {}
        }
    }

    fn forget_given_up(&mut self, _now: Instant) {
        if self.sink.take_if(|sink| sink.is_closed()).is_some() {
            self.session.drop_goal();
        }
    }

    fn news(&mut self, _now: Instant) -> Vec<Notice> {
        let mut notices = Vec::new();
        loop {
            while let Some(event) = self.session.poll_event() {
                match event {
                    SessionEvent::Link(kind, detail) => notices.push(Notice::Link(kind, detail)),
                    event => self.heard.push_back(event),
                }
            }
            if !notices.is_empty() {
                return notices;
            }
            let Some(event) = self.heard.pop_front() else { return notices };
            notices = self.hear(event);
        }
    }

    fn health(&self) -> Health {
        Health { spoken: Some(Spoken::V1), ..Health::default() }
    }
}
