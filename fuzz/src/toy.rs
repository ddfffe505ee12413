//! A board without chess: it writes down what it is told.

use rookery_protocol::device::{
    BadPosition, BadValue, Device, IllegalMove, NoSuchTarget, ThinkRefused,
};
use rookery_protocol::{
    Activity, MoveText, PageWriter, ParamKey, PositionHash, RebootTarget, Tag, Value,
};

/// What was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// A position was set.
    Position(String),
    /// Moves were played.
    Play(Vec<MoveText>),
    /// A think was begun.
    Think(Tag, u32),
    /// A think was to be stopped.
    Stop,
    /// A parameter was set.
    Param(ParamKey, i32),
    /// A reset was asked for.
    Reboot(RebootTarget),
}

/// The board. Any FEN that begins with a figure is a position, any move but the null move is
/// legal, and the position after a move is the text with the move behind it.
#[derive(Debug, Default)]
pub struct Toy {
    /// The position.
    pub position: String,
    /// The think that is under way.
    pub thinking: Option<Tag>,
    /// What was called.
    pub calls: Vec<Call>,
}

impl Device for Toy {
    fn position_hash(&self) -> PositionHash {
        PositionHash::of_fen(&self.position)
    }

    fn activity(&self) -> Activity {
        match self.thinking {
            Some(_) => Activity::Thinking,
            None => Activity::Idle,
        }
    }

    fn identify(&self, pages: &mut PageWriter<'_>) {
        pages.pair("kind", Value::Text("toy board"));
        pages.pair("fw", Value::Text("0.0.0"));
        pages.pair("cells", Value::Number(512));
        pages.pair("long", Value::Text(&"x".repeat(80)));
        pages.pair("book", Value::Book(0xdead_beef, 12));
    }

    fn set_position(&mut self, fen: &str) -> Result<(), BadPosition> {
        assert!(self.thinking.is_none());
        if !fen.starts_with(|letter: char| letter.is_ascii_digit()) {
            return Err(BadPosition);
        }
        self.position = fen.to_owned();
        self.calls.push(Call::Position(fen.to_owned()));
        Ok(())
    }

    fn play(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove> {
        assert!(self.thinking.is_none());
        if let Some(index) = moves.iter().position(MoveText::is_null) {
            return Err(IllegalMove(index as u8));
        }
        for mv in moves {
            self.position.push_str(mv.as_str());
        }
        self.calls.push(Call::Play(moves.to_vec()));
        Ok(())
    }

    fn think(&mut self, tag: Tag, nodes: u32) -> Result<(), ThinkRefused> {
        assert!(self.thinking.is_none());
        if nodes == 0 {
            return Err(ThinkRefused::Budget);
        }
        self.thinking = Some(tag);
        self.calls.push(Call::Think(tag, nodes));
        Ok(())
    }

    fn stop(&mut self) {
        self.calls.push(Call::Stop);
    }

    fn set_param(&mut self, key: ParamKey, value: i32) -> Result<(), BadValue> {
        assert!(self.thinking.is_none());
        if value < 0 {
            return Err(BadValue);
        }
        self.calls.push(Call::Param(key, value));
        Ok(())
    }

    fn reboot(&mut self, target: RebootTarget) -> Result<(), NoSuchTarget> {
        if target == RebootTarget::Loader {
            return Err(NoSuchTarget);
        }
        self.calls.push(Call::Reboot(target));
        Ok(())
    }
}
