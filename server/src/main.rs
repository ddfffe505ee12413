//! The `rookery` command.

use rookery_server::uci::{GUARD_SUBCOMMAND, guard_from_args};
use std::{ffi::OsString, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match args.split_first() {
        Some((first, rest)) if first == GUARD_SUBCOMMAND => guard_from_args(rest),
        _ => ExitCode::SUCCESS,
    }
}
