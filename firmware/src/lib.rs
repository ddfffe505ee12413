//! rookery-board
