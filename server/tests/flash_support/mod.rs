//! A chip's loader behind a line that does harm, and images for it.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod images;
pub(crate) mod line;
pub(crate) mod rom;
