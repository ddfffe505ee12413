//! Rookery's daemon as a library: every layer by itself, wired together in [`app`].
//!
//! Arrows: `model` imports nothing of ours; `game` knows no tokio, SQL or wire; `link` knows no chess;
//! `store` and `http` know no board; only `app` and `runner` see everyone. `tests/arrows.rs` checks them.

pub mod api;
pub mod app;
pub mod boards;
pub mod book;
pub mod books;
pub mod cli;
pub mod config;
pub mod files;
pub mod flash;
pub mod flashes;
pub mod game;
pub mod http;
pub mod import;
pub mod link;
pub mod live;
pub mod model;
pub mod openings;
pub mod pgn;
pub mod queue;
pub mod referee;
pub mod report;
pub mod runner;
pub mod runs;
pub mod store;
pub mod telemetry;
pub mod uci;
