//! rookery-protocol
