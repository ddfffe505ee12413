//! What is said to people and programs. A reader that went away (`rookery pgn | head -1`) is no failure and no reason to panic, as
//! `println!` does.

use crate::model::is_control;
use std::{
    fmt::Display,
    io::{self, Write as _},
};

/// A line on standard output.
pub(super) fn line(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// A line on standard error, where somebody may be watching or not. Messages cite files and wires, and a terminal would obey the
/// control characters in them.
pub(super) fn note(text: impl Display) {
    let shown = |c: char| c != '\n' && is_control(c);
    let text = text.to_string().replace(shown, "\u{FFFD}");
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether a failure is only that nobody reads any more.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().or_else(|| {
            let csv = cause.downcast_ref::<csv::Error>()?;
            match csv.kind() {
                csv::ErrorKind::Io(error) => Some(error),
                _ => None,
            }
        });
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
