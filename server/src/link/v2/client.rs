//! Leads a board that speaks v2. A position is a text and moves with the hash after each; what they mean is not known here.

use super::session::{Outcome, Payload};
use crate::{
    api::LinkState,
    link::{
        board::{BoardError, BoardMove, Placement, Progress, ThinkLimits},
        handle::{LinkHandle, LinkStatus, ThinkEvent},
    },
    model::LinkEventKind::{self, MoveLost, PositionDiffers, PositionPushed},
};
use rand::RngExt;
use rookery_protocol::{
    Activity, BestMove, BoardStatus, BootId, Command, CommandError, Iteration, MoveList, MoveText,
    Nak, NakReason, PositionHash, Tag, fen_chunks,
};
use std::time::{Duration, Instant};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout, timeout_at},
};
use tokio_util::sync::CancellationToken;

/// Whole pushes of one position before the board is called unable to take it.
const PUSHES: u32 = 5;
/// Resets during one move before the board is called dead.
const RESETS: u32 = 12;
/// A board that is idle for so long has no move to tell: it repeats one every 3.2 s at the latest.
const MOVELESS: Duration = Duration::from_secs(10);
/// Patience for the end of a think that was told to stop.
const STOP_PATIENCE: Duration = Duration::from_secs(10);

/// Where the board was led.
#[derive(Clone, Copy, Debug)]
struct At {
    game: i64,
    boot: BootId,
    ply: usize,
}

/// What a command led to.
enum Step {
    Done(BoardStatus),
    Refused(Nak),
    /// The board was reset: begin again.
    Reset,
}

/// What leading a board to a position came to.
enum Led {
    There,
    Not(Step),
    /// Every command was executed, but the board is not where it should be.
    Elsewhere {
        hash: PositionHash,
        wanted: PositionHash,
    },
}

/// What an accepted think came to.
enum Heard {
    Best(BestMove),
    /// The board was reset.
    Reset,
    /// The think is over and its move does not come: it was damaged and its checksum does not show it, or somebody else has
    /// acknowledged it.
    NoMove,
}

/// The client of a board that speaks v2.
#[derive(Debug)]
pub(in crate::link) struct Client {
    link: LinkHandle,
    at: Option<At>,
    tag: u8,
}

impl Client {
    pub(in crate::link) fn new(link: LinkHandle) -> Client {
        // Not always the same: a board may still be at a think for a server that was here before.
        Client { link, at: None, tag: rand::rng().random() }
    }

    /// Forgets where the board was led, so that the next placement is pushed whole.
    pub(in crate::link) async fn distrust(&mut self, kind: LinkEventKind, why: String) {
        self.at = None;
        let _ = self.link.note(kind, why).await;
    }

    /// Has the board think in a position and play its move. `observe` sees the iterations as they come.
    pub(in crate::link) async fn think(
        &mut self,
        placement: &Placement,
        limits: ThinkLimits,
        cancel: &CancellationToken,
        mut observe: impl FnMut(Progress),
    ) -> Result<BoardMove, BoardError> {
        let before = self.link.retransmitted();
        let deadline = Instant::now() + limits.time;
        let (mut resets, mut strays) = (0, 0);
        loop {
            self.place(placement, limits.patience, cancel).await?;
            let at = self.at;
            self.tag = self.tag.wrapping_add(1);
            let tag = Tag(self.tag);
            let mut events = self.link.watch(tag).await?;
            let begun = Instant::now();
            let think = Command::Think { tag, nodes: limits.nodes };
            let heard = match self.step(&think, limits.patience, cancel).await? {
                Step::Done(status) if thinks_elsewhere(placement, status) => {
                    let text = format!("it thinks at {}", status.hash);
                    let strayed = self.strayed(PositionDiffers, text, &mut strays).await;
                    self.stop(limits.patience, cancel).await?;
                    strayed?;
                    continue;
                }
                Step::Done(_) => {
                    self.hear_out(&mut events, deadline, limits, cancel, &mut observe).await?
                }
                Step::Reset => Heard::Reset,
                Step::Refused(nak) if nak.reason == NakReason::Busy => {
                    self.at = None;
                    if Instant::now() >= deadline {
                        return Err(BoardError::Overtime(limits.time));
                    }
                    self.stop(limits.patience, cancel).await?;
                    // It has room for another think once the moves of those before have arrived.
                    sleep(Duration::from_millis(20)).await;
                    continue;
                }
                Step::Refused(nak) => {
                    // It has another command or stands elsewhere: one damaged line in 65,536 has a right checksum.
                    let text = format!("it refuses to think: {}", nak.reason);
                    self.strayed(PositionDiffers, text, &mut strays).await?;
                    continue;
                }
            };
            match heard {
                Heard::Best(best) => {
                    self.at = at.map(|at| At { ply: at.ply + 1, ..at });
                    let retransmissions = self.link.retransmitted() - before;
                    return Ok(BoardMove {
                        mv: best.best,
                        source: best.source,
                        depth: Some(best.depth),
                        nodes: Some(best.nodes),
                        score: Some(best.score),
                        millis: Some(best.millis),
                        hash: Some(best.hash),
                        elapsed: begun.elapsed(),
                        retransmissions: u32::try_from(retransmissions).unwrap_or(u32::MAX),
                    });
                }
                Heard::Reset => {
                    resets += 1;
                    if resets >= RESETS {
                        return Err(BoardError::Resets(resets));
                    }
                }
                Heard::NoMove => {
                    let text = "its think ended without a move".to_owned();
                    self.strayed(MoveLost, text, &mut strays).await?;
                }
            }
        }
    }

    /// A think led to nothing: the position is pushed again, but not for ever.
    async fn strayed(
        &mut self,
        kind: LinkEventKind,
        text: String,
        strays: &mut u32,
    ) -> Result<(), BoardError> {
        self.distrust(kind, text.clone()).await;
        *strays += 1;
        if *strays == PUSHES { Err(BoardError::Position(text)) } else { Ok(()) }
    }

    /// Follows an accepted think to its end.
    async fn hear_out(
        &mut self,
        events: &mut mpsc::Receiver<ThinkEvent>,
        deadline: Instant,
        limits: ThinkLimits,
        cancel: &CancellationToken,
        observe: &mut impl FnMut(Progress),
    ) -> Result<Heard, BoardError> {
        loop {
            let event = tokio::select! {
                event = timeout_at(deadline.into(), events.recv()) => event,
                () = self.moveless() => return Ok(Heard::NoMove),
                dead = self.link.wait_dead(limits.patience) => return Err(dead),
                () = cancel.cancelled() => {
                    // The board need not go on; whether it hears is not waited for long.
                    let stop = Payload::try_from(&Command::Stop)?;
                    let _ = timeout(Duration::from_millis(200), self.link.command(stop)).await;
                    self.at = None;
                    return Err(BoardError::Cancelled);
                }
            };
            match event {
                Ok(Some(ThinkEvent::Iteration(iteration))) => observe(progress(&iteration)),
                Ok(Some(ThinkEvent::Best(best))) => return Ok(Heard::Best(best)),
                Ok(Some(ThinkEvent::Lost) | None) => return Ok(Heard::Reset),
                Err(_) => {
                    self.at = None;
                    let _ = self.stop(limits.patience, cancel).await;
                    return Err(BoardError::Overtime(limits.time));
                }
            }
        }
    }

    /// Waits until the board was in session and idle for so long that the move of a think would have come.
    async fn moveless(&self) {
        let is_idle = |status: &LinkStatus| {
            let activity = status.board.map(|board| board.activity);
            status.state == LinkState::Ready && activity == Some(Activity::Idle)
        };
        let mut status = self.link.status();
        loop {
            if status.wait_for(is_idle).await.is_err() {
                // The link's task has ended, which others say.
                return std::future::pending().await;
            }
            if timeout(MOVELESS, status.wait_for(|status| !is_idle(status))).await.is_err() {
                return;
            }
        }
    }

    /// Leads the board to a position: by the moves it does not know yet where it stands in the same game, whole otherwise.
    pub(in crate::link) async fn place(
        &mut self,
        target: &Placement,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<(), BoardError> {
        debug_assert_eq!(target.hashes.len(), target.moves.len() + 1);
        let mut trouble = String::new();
        let (mut pushes, mut resets) = (0, 0);
        loop {
            let status = self.link.ready(patience, cancel).await?;
            let known = self.known_ply(target, &status);
            if known.is_none() {
                if pushes == PUSHES {
                    return Err(BoardError::Position(trouble));
                }
                pushes += 1;
                let detail = format!("{} and {} moves", target.start_fen, target.moves.len());
                self.link.note(PositionPushed, detail).await?;
            }
            self.at = None;
            match self.lead(target, known, patience, cancel).await? {
                Led::There => {
                    // The boot from before: where there is another by now, the board does not stand there any more.
                    let (game, ply) = (target.game, target.moves.len());
                    self.at = status.boot.map(|boot| At { game, boot, ply });
                    return Ok(());
                }
                Led::Not(Step::Reset) if resets == RESETS => {
                    return Err(BoardError::Resets(resets));
                }
                Led::Not(Step::Reset) => (pushes, resets) = (0, resets + 1),
                other => trouble = self.mend(other, patience, cancel).await?,
            }
        }
    }

    /// The ply of `target` at which the board stands, if it was led there in this game and its hash agrees.
    fn known_ply(&self, target: &Placement, status: &LinkStatus) -> Option<usize> {
        let at = self.at?;
        let same = at.game == target.game && status.boot == Some(at.boot);
        let hash = status.board?.hash;
        (same && target.hashes.get(at.ply) == Some(&hash)).then_some(at.ply)
    }

    /// After a refusal: makes the next push possible and says what was wrong.
    async fn mend(
        &mut self,
        led: Led,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<String, BoardError> {
        let text = match led {
            Led::Not(Step::Refused(nak)) if nak.reason == NakReason::Busy => {
                self.stop(patience, cancel).await?;
                return Ok("it goes on thinking".into());
            }
            Led::Not(Step::Refused(Nak { reason, detail: Some(index), .. })) => {
                format!("it answers '{reason}' to move {index} of a line")
            }
            Led::Not(Step::Refused(nak)) => format!("it answers '{}'", nak.reason),
            Led::Elsewhere { hash, wanted } => format!("it stands at {hash} instead of {wanted}"),
            Led::There | Led::Not(_) => return Ok(String::new()),
        };
        self.link.note(PositionDiffers, text.clone()).await?;
        Ok(text)
    }

    /// From `known` of the target's plies, or from its start, to its end.
    async fn lead(
        &mut self,
        target: &Placement,
        known: Option<usize>,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<Led, BoardError> {
        let mut ply = known.unwrap_or(0);
        let mut last = BoardStatus { hash: target.hashes[ply], activity: Activity::Idle };
        if known.is_none() {
            for chunk in fen_chunks(&target.start_fen) {
                match self.step(&chunk, patience, cancel).await? {
                    Step::Done(status) => last = status,
                    other => return Ok(Led::Not(other)),
                }
            }
        }
        while last.hash == target.hashes[ply] && ply < target.moves.len() {
            let (payload, count) = pack_moves(target.hashes[ply], &target.moves[ply..])?;
            match self.send(payload, patience, cancel).await? {
                Step::Done(status) => last = status,
                other => return Ok(Led::Not(other)),
            }
            ply += count;
        }
        match target.hashes[ply] {
            wanted if wanted != last.hash => Ok(Led::Elsewhere { hash: last.hash, wanted }),
            _ => Ok(Led::There),
        }
    }

    /// Ends a think that nobody waits for.
    async fn stop(
        &mut self,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<(), BoardError> {
        let until = Instant::now() + STOP_PATIENCE;
        let mut command = Command::Stop;
        while Instant::now() < until {
            if let Step::Done(status) = self.step(&command, patience, cancel).await?
                && status.activity == Activity::Idle
            {
                return Ok(());
            }
            command = Command::Ping;
            sleep(Duration::from_millis(20)).await;
        }
        Err(BoardError::Overtime(STOP_PATIENCE))
    }

    async fn step(
        &self,
        command: &Command<'_>,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<Step, BoardError> {
        self.send(Payload::try_from(command)?, patience, cancel).await
    }

    async fn send(
        &self,
        payload: Payload,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<Step, BoardError> {
        let outcome = tokio::select! {
            outcome = self.link.command(payload) => outcome?,
            dead = self.link.wait_dead(patience) => return Err(dead),
            // In session again and again, but this line does not get through.
            () = sleep(patience * 2) => return Err(self.link.dead(patience * 2)),
            () = cancel.cancelled() => return Err(BoardError::Cancelled),
        };
        match outcome {
            Outcome::Done(status) => Ok(Step::Done(status)),
            Outcome::Refused(nak) => Ok(Step::Refused(nak)),
            Outcome::Unknown => Ok(Step::Reset),
            Outcome::Page(text) | Outcome::Garbled(text) => {
                Err(BoardError::Position(format!("it answers '{text}'")))
            }
        }
    }
}

/// A think names no position, its acknowledgement does: a piece was moved by hand, or the board was reset after it was placed.
fn thinks_elsewhere(placement: &Placement, status: BoardStatus) -> bool {
    status.activity == Activity::Thinking && placement.hashes.last() != Some(&status.hash)
}

fn progress(iteration: &Iteration) -> Progress {
    Progress {
        depth: iteration.depth,
        nodes: iteration.nodes,
        score: iteration.score,
        best: Some(iteration.best),
        millis: Some(iteration.millis),
    }
}

/// As many moves as one line holds.
fn pack_moves(before: PositionHash, moves: &[MoveText]) -> Result<(Payload, usize), CommandError> {
    let mut list = MoveList::new();
    let mut fits = None;
    for mv in moves {
        if list.push(*mv).is_err() {
            break;
        }
        match Payload::try_from(&Command::Moves { before, moves: list.clone() }) {
            Ok(payload) => fits = Some((payload, list.len())),
            Err(error) if fits.is_none() => return Err(error),
            Err(_) => break,
        }
    }
    fits.ok_or(CommandError::NoMoves)
}
