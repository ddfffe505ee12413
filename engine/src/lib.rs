//! rookery-engine
