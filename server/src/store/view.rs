//! Records as the API shows them.

use super::Tally;
use crate::{
    api::{GameView, IncidentView, LinkEventView, PlyView, RunView, Side},
    model::{
        ColorPolicy, EngineSpec, GameRecord, Incident, LinkEvent, PlayerSpec, PlyRecord, RunRecord,
        RunSettings, RunState, Standing, Termination,
    },
    openings::eco,
};

impl From<&GameRecord> for GameView {
    fn from(record: &GameRecord) -> GameView {
        let game = &record.game;
        GameView {
            id: record.id,
            run: game.run_id,
            number: game.number,
            board: game.board_id,
            white: game.white.clone(),
            black: game.black.clone(),
            first_color: game.first_color.into(),
            start_fen: game.start_fen.clone(),
            opening: game.opening.clone(),
            eco: record.eco.clone(),
            state: record.state,
            result: record.result,
            termination: record.termination,
            reason: record.termination.map(|t: Termination| t.describe(record.result)),
            detail: record.detail.clone(),
            plies: record.plies,
            started_at: game.started_at,
            ended_at: record.ended_at,
        }
    }
}

impl PlyView {
    /// A ply of a side.
    #[must_use]
    pub fn from_record(record: &PlyRecord, side: Side) -> PlyView {
        PlyView {
            ply: record.ply,
            side,
            mover: record.mover,
            uci: record.uci.clone(),
            san: record.san.clone(),
            fen: record.fen.clone(),
            clock_ms: record.clock_ms,
            nodes: record.nodes,
            depth: record.depth,
            score: record.score,
            score_raw: record.score_raw,
            host_ms: record.host_us.map(|us| us as f64 / 1000.0),
            board_ms: record.board_ms,
            book: record.book,
            retransmissions: record.retransmissions,
            pv: record.pv.clone(),
            opening: opening(record),
            at: record.at,
        }
    }
}

fn opening(ply: &PlyRecord) -> Option<String> {
    let eco = (ply.ply <= eco::LONGEST).then(|| eco::name_of_fen(&ply.fen)).flatten();
    eco.map(|eco| eco.to_string())
}

/// A ply's side follows from whose turn it is after it.
impl From<&PlyRecord> for PlyView {
    fn from(record: &PlyRecord) -> PlyView {
        let black_moves_next = record.fen.split(' ').nth(1) == Some("b");
        let side = if black_moves_next { Side::White } else { Side::Black };
        PlyView::from_record(record, side)
    }
}

impl From<LinkEvent> for LinkEventView {
    fn from(event: LinkEvent) -> LinkEventView {
        LinkEventView { at: event.at, event: event.kind, detail: event.detail }
    }
}

impl From<&Incident> for IncidentView {
    fn from(incident: &Incident) -> IncidentView {
        IncidentView {
            at: incident.at,
            ply: incident.ply,
            mover: incident.mover,
            kind: incident.kind.clone(),
            fen: incident.fen.clone(),
            detail: incident.detail.clone(),
        }
    }
}

impl RunView {
    /// A run with its score, without its opening lines: thousands of them would stand in every message about it.
    #[must_use]
    pub fn from_record(run: &RunRecord, tally: Tally) -> RunView {
        let settings = RunSettings { openings: Vec::new(), ..run.settings.clone() };
        let mut view = RunView {
            id: run.id,
            name: run_name(run),
            state: run.state,
            first: first_name(&run.settings),
            second: engine_name(&run.settings.second),
            settings,
            openings: run.settings.openings.len() as u32,
            played: 0,
            wins: 0,
            losses: 0,
            draws: 0,
            standing: Standing::default(),
            created_at: run.created_at,
            ended_at: run.ended_at,
            alarm: run.error.clone(),
            queue: None,
        };
        view.set_score(tally);
        view
    }

    /// As it is shown where nobody plays it: a run that is not over was left by a server that ended.
    #[must_use]
    pub fn unattended(mut self) -> RunView {
        if !self.state.is_over() {
            self.state = RunState::Interrupted;
        }
        self
    }

    /// The score as it is now.
    pub fn set_score(&mut self, tally: Tally) {
        (self.played, self.wins, self.losses, self.draws) =
            (tally.played, tally.wins, tally.losses, tally.draws);
        // Only then two games that follow each other have the same opening. Of what was played elsewhere nobody knows that.
        let paired =
            self.settings.color == ColorPolicy::Alternate && self.state != RunState::Imported;
        let pairs = paired.then_some(tally.pairs);
        self.standing = Standing::new(tally.wins, tally.losses, tally.draws, pairs);
    }
}

/// The name of a run: its own, or its number in words.
#[must_use]
pub fn run_name(run: &RunRecord) -> String {
    match &run.settings.name {
        Some(name) => name.clone(),
        None => format!("Run {}", run.id),
    }
}

/// The name of a run's first player: the board's, the engine's, or how many boards there are.
#[must_use]
pub fn first_name(settings: &RunSettings) -> String {
    match &settings.first {
        PlayerSpec::Engine(engine) => engine_name(engine),
        PlayerSpec::Boards(boards) => match boards.as_slice() {
            [board] => board.name.clone().unwrap_or_else(|| board.url.clone()),
            boards => format!("{} boards", boards.len()),
        },
    }
}

/// The name of an engine: the one given, or its program's.
#[must_use]
pub fn engine_name(engine: &EngineSpec) -> String {
    engine.name.clone().unwrap_or_else(|| {
        engine.path.file_name().unwrap_or(engine.path.as_os_str()).to_string_lossy().into_owned()
    })
}
