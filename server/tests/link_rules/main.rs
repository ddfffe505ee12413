//! The rules of the protocol's section 8, one after the other: what the session sends, counts and reports when this or that comes.

#[path = "../link_support/mod.rs"]
mod link_support;

mod cases;
mod messages;
mod states;

use link_support::{Talk, encode};
use rookery_protocol::{Command, Event, ParamKey};
use rookery_server::link::{Timing, v2::session::SessionEvent};

const STATUS: &str = "3706291c i";
const BEST: &str = "b 07 e2e4 5 100 3 9 - 3706291c";

fn param(value: i32) -> Command<'static> {
    Command::Param { key: ParamKey::Pawn, value }
}

fn wifi() -> Talk {
    Talk::ready(Timing::WIFI, 0)
}

fn events(talk: &mut Talk) -> Vec<Event> {
    talk.lines();
    let event = |event| match event {
        SessionEvent::Event(event) => Some(event),
        _ => None,
    };
    talk.heard.drain(..).filter_map(event).collect()
}
