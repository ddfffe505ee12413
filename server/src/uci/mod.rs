//! UCI engines as subprocesses.
