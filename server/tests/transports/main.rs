//! Every way to a board, against the programs that people have at the other end: pseudo terminals by socat and the simulated board,
//! ser2net, pyserial's RFC 2217 server, a model of esp-link, and bridges that dial in.
//!
//! A pseudo terminal drops the parity bit, has no modem lines, and knows nothing of a rate: what becomes of these is shown by the unit
//! tests of the serial port's settings, and by the bridges, which print what they are asked for.

#![allow(clippy::unwrap_used, reason = "only tests come here")]

#[path = "../link_support/mod.rs"]
mod link_support;
#[path = "../run_support/mod.rs"]
mod run_support;

mod boards_command;
mod dial_in;
mod esp_link;
mod esp_model;
mod peers;
mod rfc2217;
mod serial;

use link_support::*;
use rookery_server::{
    api::LinkState,
    link::{BoardError, BoardMove, ThinkLimits, Ways},
};
use run_support::Place;
use tokio_util::sync::CancellationToken;

/// A short game of the real program with the real board at a URL; every move is checked by python-chess.
#[track_caller]
fn game_at(url: &str, plies: &str) {
    let place = Place::new();
    let more =
        ["--engine-limit", "nodes=200", "--level", "300", "--games", "1", "--max-plies", plies];
    place.ended(&mut place.board_run(url, &more)).ok();
    let games = place.verify();
    assert_eq!(games.len(), 1);
    assert_eq!(place.count("SELECT count(*) FROM plies").to_string(), plies);
}

/// The same from a test that runs other things meanwhile.
async fn game_meanwhile(url: String, plies: &'static str) {
    tokio::task::spawn_blocking(move || game_at(&url, plies)).await.unwrap();
}

async fn ready(linked: &Linked) {
    linked.until("ready", |s| s.state == LinkState::Ready).await;
}

/// A think of so many milliseconds by a board that knows no chess.
async fn think(linked: &mut Linked, plies: usize, millis: u32) -> Result<BoardMove, BoardError> {
    let limits = ThinkLimits { nodes: millis, time: PATIENT, patience: PATIENT };
    let cancel = CancellationToken::new();
    linked.client.think(&placement(1, plies), limits, &cancel, |_| {}).await
}

#[track_caller]
fn assert_moved(moved: &Result<BoardMove, BoardError>, plies: usize) {
    let moved = moved.as_ref().expect("a move");
    assert_eq!(moved.hash, Some(placement(1, plies + 1).hashes[plies + 1]));
}

fn linked(ways: &Ways, url: &str) -> Linked {
    Linked::through(ways.connector(url.parse().unwrap()))
}
