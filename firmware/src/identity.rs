//! What a board says it is.

use rookery_engine::{ChessEngine, Params};
use rookery_protocol::{BootId, PROTOCOL_RANGE, PageWriter, ParamKey, ResetCause, Value};

use crate::book::{Book, BookId};

/// What a board is told about itself when it starts.
#[derive(Debug, Clone, Copy)]
pub struct Config<'a> {
    /// The kind of board, such as `stm32f103c6`; without spaces.
    pub kind: &'a str,
    /// The version of the program; without spaces.
    pub firmware: &'a str,
    /// The clock of the core in Hz, 0 where there is none to speak of.
    pub core_hz: u32,
    /// Names the time since this reset.
    pub boot: BootId,
    /// Why there was a reset.
    pub cause: ResetCause,
    /// Whether there is a loader that a host can ask for.
    pub has_loader: bool,
    /// Asked for how the chip itself is; `None`: there is nothing to tell.
    pub vitals: Option<fn() -> Vitals>,
}

/// How a chip is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vitals {
    /// Bytes of the stack that were never used.
    pub stack_left: u32,
    /// Bytes that were damaged or lost on their way in, whatever the reason.
    pub serial_errors: u32,
}

/// The description, apart from the engine: while that thinks nobody else can ask it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Identity<'a> {
    config: Config<'a>,
    engine: &'static str,
    cells: u32,
    unit: u16,
    book: Option<BookId>,
    params: Params,
    /// Taken once, as the pages are listed twice.
    vitals: Option<Vitals>,
}

impl<'a> Identity<'a> {
    pub(crate) fn of<E: ChessEngine>(config: Config<'a>, engine: &E, book: &impl Book) -> Self {
        Self {
            config,
            engine: engine.name(),
            cells: engine.cells(),
            unit: engine.pawn_units(),
            book: book.id(),
            params: *engine.params(),
            vitals: config.vitals.map(|ask| ask()),
        }
    }

    /// The parameters were changed.
    pub(crate) fn refresh<E: ChessEngine>(&mut self, engine: &E) {
        self.params = *engine.params();
    }

    pub(crate) fn list(&self, pages: &mut PageWriter<'_>) {
        pages.pair("kind", Value::Text(self.config.kind));
        pages.pair("fw", Value::Text(self.config.firmware));
        pages.pair("proto", Value::Text(PROTOCOL_RANGE));
        pages.pair("eng", Value::Text(self.engine));
        pages.pair("cells", number(self.cells));
        pages.pair("unit", Value::Number(i32::from(self.unit)));
        pages.pair("hz", number(self.config.core_hz));
        pages.pair(
            "book",
            match self.book {
                Some(BookId { hash, size }) => Value::Book(hash, size),
                None => Value::Text("-"),
            },
        );
        for key in ParamKey::ALL {
            pages.pair(key.name(), Value::Number(param(&self.params, key)));
        }
        if let Some(vitals) = self.vitals {
            pages.pair("stack", number(vitals.stack_left));
            pages.pair("errors", number(vitals.serial_errors));
        }
    }
}

fn number(value: u32) -> Value<'static> {
    Value::Number(i32::try_from(value).unwrap_or(i32::MAX))
}

fn param(params: &Params, key: ParamKey) -> i32 {
    match key {
        ParamKey::CastleShort => params.castling_short.into(),
        ParamKey::CastleLong => params.castling_long.into(),
        ParamKey::Pawn => params.pawn_coefficient.into(),
        ParamKey::Depth => params.depth_ceiling.into(),
    }
}

/// The parameters with one of them changed, if it can have that value.
pub(crate) fn with_param(mut params: Params, key: ParamKey, value: i32) -> Option<Params> {
    match key {
        ParamKey::CastleShort => params.castling_short = value.try_into().ok()?,
        ParamKey::CastleLong => params.castling_long = value.try_into().ok()?,
        ParamKey::Pawn => params.pawn_coefficient = value.try_into().ok()?,
        ParamKey::Depth => params.depth_ceiling = value.try_into().ok()?,
    }
    (params.bounded() == params).then_some(params)
}
