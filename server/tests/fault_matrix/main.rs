//! The fault matrix: `matrix.toml`, cell by cell, with the real program, a simulated board and whatever lies between them.
//!
//!     cargo nextest run -p rookery-server --test fault_matrix                       # every cell
//!     cargo test -p rookery-server --test fault_matrix -- half-open --nocapture      # some, with their recovery times

#![allow(clippy::unwrap_used, reason = "only tests come here")]

mod bridge;
mod cell;
#[path = "../../../firmware/tests/common/control.rs"]
#[allow(dead_code, unreachable_pub)]
mod control;
mod deeds;
mod matrix;
#[path = "../transports/peers.rs"]
mod peers;
mod recovery;
#[path = "../run_support/mod.rs"]
mod run_support;

use libtest_mimic::{Arguments, Failed, Trial};
use matrix::{Dialect, Matrix};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn main() {
    let arguments = Arguments::from_args();
    let matrix: Matrix =
        toml::from_str(include_str!("matrix.toml")).expect("the matrix can be read");
    let mut trials = vec![Trial::test("the_matrix_is_whole", {
        let matrix = matrix.clone();
        move || attempt(|| matrix.check())
    })];
    for (number, row) in (1..).zip(&matrix.row) {
        for (dialect, transports) in [(Dialect::V2, &row.v2), (Dialect::V1, &row.v1)] {
            for &transport in transports {
                let (row, name) = (row.clone(), format!("{}/{dialect}/{transport}", row.fault));
                trials.push(Trial::test(name, move || {
                    attempt(|| cell::play(&row, dialect, transport, number))
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A failed assertion is a failed cell.
fn attempt(test: impl FnOnce()) -> Result<(), Failed> {
    catch_unwind(AssertUnwindSafe(test)).map_err(|_| Failed::from("see above"))
}
