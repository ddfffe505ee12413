//! The dialect of the boards before Rookery: text without a checksum, over a link that loses
//! bytes.
//!
//! What is known of it is what journals quote. A host says `d2c3X` to play a move and `0X` (or an
//! empty line) to have one played. A board answers, in any order and with losses, several of the
//! following on one line:
//!
//! | text | [`Said`] |
//! |---|---|
//! | `enter=` | [`Said::Prompt`] |
//! | `d2c3X`, `0X` | [`Said::Echo`]: what the board has received |
//! | `GO d2c3 OK` | [`Said::Accepted`] |
//! | `#` | [`Said::Rejected`] |
//! | `rnbqkbnr`, `****.***`, eight of them | [`Said::Row`], the eighth rank first |
//! | `mov c7c5 b` | [`Said::Moved`]: also for the host's own move |
//! | ` d=5 uz=45012 oc=-34` | [`Said::Iteration`] |
//! | `book,`, `B`, `D` | [`Said::BookMarker`], [`Said::SearchMarker`] |
//! | anything else | [`Said::Noise`] |
//!
//! [`Reader`] is the host's side, [`Console`] the board's.

mod input;
mod reader;
mod said;

pub use input::{Console, HostInput, Order};
pub use reader::{MAX_TEXT, Reader};
pub use said::{Row, Said, SaidIter, Side, Symbol, read};
