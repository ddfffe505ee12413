//! The dialect of the boards before Rookery.
