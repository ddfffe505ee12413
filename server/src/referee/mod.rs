//! The actor that drives a game between two players: asks the one to move, has the move judged, keeps it, announces it, and says how
//! the game ended. The next think begins while the last ply is being made durable; its announcement waits for that.

mod board_player;
mod clock;
mod conduct;
mod engine_player;
mod keeper;
mod pictures;
mod player;
mod sheet;

pub use board_player::BoardPlayer;
pub use clock::Clock;
pub use conduct::{Conduct, Control};
pub use engine_player::EnginePlayer;
pub use keeper::{Alarm, Keeper};
pub use pictures::{OldBoardError, pictures, sayable_to_old_board};
pub use player::{Decision, Forfeit, Player, Seen, Thought, Turn};
pub use sheet::Sheet;

use crate::{
    api::{Change, GameView, LiveGame, PlyView, Side},
    game::{End, Game, Played},
    model::{
        GameId, GameRecord, GameState, Incident, IterationRecord, Mover, NewGame, PlyRecord,
        RunSettings, Termination, unix_millis,
    },
    store::StoreError,
};
use futures_util::FutureExt as _;
use shakmaty::{Color, Move};
use std::{convert::Infallible, future::Future, pin::pin};

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is over and kept.
    Ended(End),
    /// The server stops: it stays as it is, to be resumed.
    Interrupted,
}

/// A game being refereed.
pub struct Referee<'a> {
    keeper: &'a Keeper,
    settings: &'a RunSettings,
    conduct: Conduct,
    id: GameId,
    record: GameRecord,
    game: Game,
    sheet: Sheet,
    clocks: [Option<Clock>; 2],
}

/// A future that makes a ply durable and then announces it.
type Commit<'a> = std::pin::Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>;

impl<'a> Referee<'a> {
    /// Begins a game: its row and the plies of its opening.
    pub async fn begin(
        keeper: &'a Keeper,
        settings: &'a RunSettings,
        conduct: Conduct,
        new: NewGame,
        game: Game,
    ) -> Result<Referee<'a>, StoreError> {
        let plies: Vec<PlyRecord> = game.played().iter().map(opening_ply).collect();
        let id = keeper.durably(&conduct, || keeper.store().begin_game(&new, &plies)).await?;
        let referee = Referee::assemble(keeper, settings, conduct, id, new, game, &plies);
        referee.announce_start(&plies);
        Ok(referee)
    }

    /// Goes on with a game that was interrupted: every kept ply is played again, on paper.
    pub async fn resume(
        keeper: &'a Keeper,
        settings: &'a RunSettings,
        conduct: Conduct,
        record: GameRecord,
    ) -> Result<Referee<'a>, ResumeError> {
        let plies = keeper.store().plies(record.id).await?;
        let rules =
            crate::game::Rules { claims: settings.claims, adjudication: settings.adjudication };
        let mut game = Game::new(Some(&record.game.start_fen), rules)?;
        for ply in &plies {
            let broken = |why: &str| ResumeError::Broken {
                ply: ply.ply,
                uci: ply.uci.clone(),
                why: why.to_owned(),
            };
            let uci: shakmaty::uci::UciMove =
                ply.uci.parse().map_err(|_| broken("it is no move"))?;
            let mv = uci.to_move(game.position()).map_err(|_| broken("it is illegal"))?;
            if game.end().is_some() {
                return Err(broken("the game was over before it"));
            }
            game.play(mv, ply.score);
        }
        let (id, new) = (record.id, record.game);
        let referee = Referee::assemble(keeper, settings, conduct, id, new, game, &plies);
        referee.incident("resumed", None, format!("resumed after ply {}", plies.len())).await?;
        referee.announce_start(&plies);
        Ok(referee)
    }

    fn assemble(
        keeper: &'a Keeper,
        settings: &'a RunSettings,
        conduct: Conduct,
        id: GameId,
        new: NewGame,
        game: Game,
        plies: &[PlyRecord],
    ) -> Referee<'a> {
        let sheet = Sheet::new(id, &game);
        let clocks = [Mover::First, Mover::Second].map(|mover| {
            let limit = match (mover, &settings.first) {
                (Mover::First, crate::model::PlayerSpec::Engine(engine)) => Some(engine.limit),
                (Mover::First, crate::model::PlayerSpec::Boards(_)) => None,
                _ => Some(settings.second.limit),
            };
            let last =
                plies.iter().rev().find(|ply| ply.mover == mover).and_then(|ply| ply.clock_ms);
            Clock::new(limit?, last)
        });
        let record = GameRecord {
            id,
            game: new,
            state: GameState::Playing,
            result: crate::model::GameResult::Unfinished,
            termination: None,
            detail: None,
            plies: plies.len() as u32,
            eco: None,
            ended_at: None,
            tags: Vec::new(),
        };
        Referee { keeper, settings, conduct, id, record, game, sheet, clocks }
    }

    /// The game's number.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.id
    }

    /// Plays the game to its end, or to the server's.
    pub async fn play(mut self, players: &mut [Player; 2]) -> Result<Verdict, StoreError> {
        let mut commit: Option<Commit<'_>> = None;
        let mut asked_again = false;
        let mut detail = None;
        while self.game.end().is_none() {
            let left = {
                let mut wait = std::pin::pin!(self.conduct.wait_while_paused());
                match wait.as_mut().now_or_never() {
                    Some(left) => left,
                    None => {
                        // No think begins beside which the last ply could become durable: it would stay unseen until the run
                        // goes on.
                        settle(commit.take()).await?;
                        let left = wait.await;
                        if left.is_ok() {
                            let side = self.game.turn().into();
                            self.keeper.announce(Change::ThinkStarted { game: self.id, side });
                        }
                        left
                    }
                }
            };
            if left.is_err() {
                settle(commit.take()).await?;
                return self.broken_off().await;
            }
            let color = self.game.turn();
            let mover = self.mover_of(color);
            let mut iterations = Vec::new();
            let mut notices = Vec::new();
            let decision = {
                let turn = Turn {
                    game: &self.game,
                    sheet: &self.sheet,
                    color,
                    mover,
                    settings: self.settings,
                    clocks: &self.clocks,
                    cancel: self.conduct.cancelled(),
                };
                let watcher = self.keeper.watch_think(self.id, &turn);
                let mut observe = |seen| match seen {
                    Seen::Iteration(iteration) => {
                        watcher.see(&iteration);
                        iterations.push(iteration);
                    }
                    Seen::Notice { kind, text } => notices.push((kind, text)),
                };
                let think = players[index(mover)].decide(&turn, &mut observe);
                let commit = settle(commit.take());
                let (committed, decision) = beside(commit, think, watcher.keep_showing()).await;
                committed?;
                watcher.show();
                decision
            };
            for (kind, text) in notices {
                tracing::warn!(game = %self.id, ?mover, kind, "{text}");
                self.incident(kind, Some(mover), text).await?;
            }
            match decision {
                Decision::Move(thought) => {
                    asked_again = false;
                    let ply = self.apply(mover, &thought);
                    players[index(mover)].played(&self.sheet).await;
                    commit = Some(self.commit(ply, iterations));
                }
                Decision::Forfeit(forfeit) => {
                    settle(commit.take()).await?;
                    let again = self.may_ask_again(&forfeit, players, mover) && !asked_again;
                    self.fault(mover, &forfeit, again).await?;
                    if again {
                        asked_again = true;
                        players[index(mover)].distrust(&forfeit.detail).await;
                        continue;
                    }
                    self.game.forfeit(color, forfeit.termination);
                    detail = Some(forfeit.detail);
                }
                Decision::Cancelled => {
                    settle(commit.take()).await?;
                    return self.broken_off().await;
                }
            }
        }
        settle(commit.take()).await?;
        let end = self.game.end().expect("the loop ends with the game");
        self.finish(end, detail).await
    }

    fn mover_of(&self, color: Color) -> Mover {
        if color == self.record.game.first_color { Mover::First } else { Mover::Second }
    }

    fn may_ask_again(&self, forfeit: &Forfeit, players: &[Player; 2], mover: Mover) -> bool {
        forfeit.termination == Termination::IllegalMove
            && matches!(players[index(mover)], Player::Board(_))
            && self.settings.on_illegal == crate::model::OnIllegal::Retry
    }

    fn apply(&mut self, mover: Mover, thought: &Thought) -> PlyRecord {
        let played = self.game.play(thought.mv, thought.score).clone();
        self.sheet.push(&self.game);
        let clock_ms = self.clocks[index(mover)].as_mut().map(|clock| clock.spend(thought.elapsed));
        self.record.plies = played.ply;
        PlyRecord {
            ply: played.ply,
            uci: played.uci,
            san: played.san,
            fen: played.fen,
            mover,
            clock_ms,
            nodes: thought.nodes,
            depth: thought.depth,
            score_raw: thought.score_raw,
            score: thought.score,
            host_us: Some(u64::try_from(thought.elapsed.as_micros()).unwrap_or(u64::MAX)),
            board_ms: thought.reported_ms,
            book: thought.book,
            retransmissions: thought.retransmissions,
            pv: thought.pv.clone(),
            at: unix_millis(),
        }
    }

    fn commit(&self, ply: PlyRecord, iterations: Vec<IterationRecord>) -> Commit<'a> {
        let (keeper, id, conduct) = (self.keeper, self.id, self.conduct.clone());
        let over = self.game.end().is_some();
        let next: Side = self.game.turn().into();
        Box::pin(async move {
            keeper.durably(&conduct, || keeper.store().append_ply(id, &ply, &iterations)).await?;
            keeper.announce(Change::Ply { game: id, ply: PlyView::from(&ply) });
            metrics::counter!("rookery_plies_total", "mover" => ply.mover.as_str()).increment(1);
            // Nobody thinks while the run is held: then it is said when the run goes on.
            if !over && conduct.control() != Control::Pause {
                keeper.announce(Change::ThinkStarted { game: id, side: next });
            }
            Ok(())
        })
    }

    async fn fault(&self, mover: Mover, forfeit: &Forfeit, again: bool) -> Result<(), StoreError> {
        let next = if again { "; asked once more" } else { "" };
        tracing::warn!(game = %self.id, ?mover, "{}{next}", forfeit.detail);
        let mut detail = format!("{}{next}", forfeit.detail);
        for line in &forfeit.raw {
            detail.push('\n');
            detail.push_str(line);
        }
        self.incident(forfeit.termination.as_str(), Some(mover), detail).await
    }

    async fn incident(
        &self,
        kind: &str,
        mover: Option<Mover>,
        detail: String,
    ) -> Result<(), StoreError> {
        let incident = Incident {
            at: unix_millis(),
            ply: self.record.plies + 1,
            mover,
            kind: kind.to_owned(),
            fen: Some(self.game.fen()),
            detail,
        };
        let add = || self.keeper.store().add_incident(self.id, &incident);
        self.keeper.durably(&self.conduct, add).await
    }

    /// The server stops, or a person ended the game.
    async fn broken_off(mut self) -> Result<Verdict, StoreError> {
        if self.conduct.control() != Control::Abort {
            return Ok(Verdict::Interrupted);
        }
        let end =
            End { result: crate::model::GameResult::Unfinished, termination: Termination::Aborted };
        self.finish(end, None).await
    }

    async fn finish(&mut self, end: End, detail: Option<String>) -> Result<Verdict, StoreError> {
        let detail = detail.as_deref();
        let finish =
            || self.keeper.store().finish_game(self.id, end.result, end.termination, detail);
        self.record.eco = self.keeper.durably(&self.conduct, finish).await?;
        self.record.state = GameState::Finished;
        self.record.result = end.result;
        self.record.termination = Some(end.termination);
        self.record.detail = detail.map(str::to_owned);
        self.record.ended_at = Some(unix_millis());
        self.keeper.announce(Change::GameEnded { game: GameView::from(&self.record) });
        metrics::counter!("rookery_games_total", "termination" => end.termination.as_str())
            .increment(1);
        Ok(Verdict::Ended(end))
    }

    fn announce_start(&self, plies: &[PlyRecord]) {
        self.keeper.announce(Change::GameStarted {
            live: LiveGame {
                game: GameView::from(&self.record),
                plies: plies.iter().map(PlyView::from).collect(),
                white_thinking: None,
                black_thinking: None,
                thinking_since: Some(unix_millis()),
            },
        });
    }
}

/// Why an interrupted game cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its start is none.
    #[error(transparent)]
    Start(#[from] crate::game::StartError),
    /// A kept ply does not fit.
    #[error("ply {ply} ({uci}) of the kept game does not fit: {why}")]
    Broken {
        /// Which.
        ply: u32,
        /// Its move.
        uci: String,
        /// What is wrong.
        why: String,
    },
}

/// Commits the last ply while the next is thought about; once it is announced, the think is shown. Both ends are waited for.
async fn beside<C, T>(
    commit: impl Future<Output = C>,
    think: impl Future<Output = T>,
    show: impl Future<Output = Infallible>,
) -> (C, T) {
    let (mut commit, mut think) = (pin!(commit), pin!(think));
    tokio::select! {
        committed = &mut commit => tokio::select! {
            decision = &mut think => (committed, decision),
            never = show => match never {},
        },
        decision = &mut think => (commit.await, decision),
    }
}

async fn settle(commit: Option<Commit<'_>>) -> Result<(), StoreError> {
    match commit {
        Some(commit) => commit.await,
        None => Ok(()),
    }
}

fn index(mover: Mover) -> usize {
    match mover {
        Mover::First | Mover::Opening => 0,
        Mover::Second => 1,
    }
}

fn opening_ply(played: &Played) -> PlyRecord {
    PlyRecord {
        ply: played.ply,
        uci: played.uci.clone(),
        san: played.san.clone(),
        fen: played.fen.clone(),
        mover: Mover::Opening,
        clock_ms: None,
        nodes: None,
        depth: None,
        score_raw: None,
        score: None,
        host_us: None,
        board_ms: None,
        book: false,
        retransmissions: 0,
        pv: None,
        at: unix_millis(),
    }
}

/// The legal move of a text in exact UCI notation.
fn legal(text: &str, game: &Game) -> Option<Move> {
    text.parse::<shakmaty::uci::UciMove>().ok()?.to_move(game.position()).ok()
}
