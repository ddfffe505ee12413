//! The nouns that every layer shares: identifiers, scores, outcomes, settings and records. Plain data; no tokio, SQL or wire.

mod adjudication;
mod book;
mod encoding;
mod flash;
mod ids;
mod limit;
mod outcome;
mod record;
mod score;
mod settings;
mod standing;
mod time;

pub use adjudication::RuleError;
pub use book::{BookForm, KeptBook, OpeningOrder};
pub use encoding::{is_control, not_text, read_text};
pub use flash::{FirmwareImage, FlashEntry, FlashMode, FlashPhase, FlashRecord, FlashResult};
pub use ids::{BoardId, GameId, RunId};
pub use limit::{Limit, LimitError};
pub use outcome::{GameResult, Termination, WordError};
pub use record::{
    GameRecord, GameState, Incident, IterationRecord, LinkEvent, LinkEventKind, Mover, NewGame,
    PlyRecord, RunRecord, RunState,
};
pub use score::Score;
pub use settings::{
    Adjudication, BoardSpec, BookSpec, Claims, ColorPolicy, DEFAULT_LEVEL, DrawRule, EngineSpec,
    OnIllegal, OpeningLine, Pick, PlayerSpec, ResignRule, RunSettings,
};
pub use standing::{Estimate, Standing};
pub use time::{iso, unix_millis, utc};
