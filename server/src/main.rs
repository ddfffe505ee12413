//! The `rookery` command.

fn main() {}
