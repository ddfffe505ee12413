//! What the fuzz targets check: a function a target, which panics when something that must hold does not. The test `corpora` of the
//! server replays the corpora through the same functions, so that they hold without a fuzzer too.

pub mod book;
pub mod config;
pub mod esp_link;
pub mod http;
pub mod image;
pub mod import;
pub mod link;
pub mod loader;
pub mod openings;
pub mod pgn_file;
pub mod telnet;
pub mod uci;
pub mod words;
