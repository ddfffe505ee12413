//! The `rookery` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    rookery_server::cli::main()
}
