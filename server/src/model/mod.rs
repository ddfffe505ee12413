//! The nouns that every layer shares: identifiers, scores, outcomes, settings and records. Plain data; no tokio, SQL or wire.

mod ids;
mod limit;
mod outcome;
mod record;
mod score;
mod settings;

pub use ids::{BoardId, GameId, RunId};
pub use limit::{Limit, LimitError};
pub use outcome::{GameResult, Termination};
pub use record::{
    GameRecord, GameState, Incident, IterationRecord, LinkEvent, LinkEventKind, Mover, NewGame,
    PlyRecord, RunRecord, RunState, unix_millis,
};
pub use score::Score;
pub use settings::{
    Adjudication, BoardSpec, BookSpec, Claims, ColorPolicy, DrawRule, EngineSpec, OnIllegal,
    OpeningLine, Pick, PlayerSpec, ResignRule, RunSettings,
};
