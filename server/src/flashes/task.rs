//! One flash as a task: waits for the board, flashes it, keeps and shows how that goes, and gives the board back to its game.

use super::{Flashes, FlashesError, Work};
use crate::{
    api::{Change, FlashView, FlashWhen, LinkState},
    boards::Board,
    flash::{Done, FlashError, FlashEvent, Mode, flash_board},
    live::Live,
    model::{FlashPhase, FlashResult, RunId, RunState, unix_millis},
    store::FlashEnd,
};
use rookery_protocol::Activity;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Progress is published at most this often.
const SHOW_EVERY: Duration = Duration::from_millis(200);
/// A board that failed to be flashed is given so long to be back in session before its game is left paused.
const BACK: Duration = Duration::from_secs(10);

/// Why a flash ended before the board was touched.
enum Stop {
    Cancelled,
    Failed(String),
}

impl From<FlashesError> for Stop {
    fn from(error: FlashesError) -> Stop {
        Stop::Failed(error.to_string())
    }
}

/// From the wait for the board to the end of it all.
pub(super) async fn run(flashes: Flashes, work: Work, view: FlashView) {
    let id = work.board.id;
    let mut show = Show::new(flashes.inner.live.clone(), view);
    let mut paused = None;
    let ready = make_ready(&flashes, &work, &mut show, &mut paused).await;
    let ended = match ready {
        Ok(()) => {
            let emit = &mut |event| show.event(event);
            let link = &work.board.link;
            match flash_board(link, &work.image, &work.options, emit, &work.cancel).await {
                Ok(done) => show.done(work.options.mode, &done),
                Err(FlashError::Cancelled | FlashError::CancelledUnchanged)
                    if flashes.inner.stop.is_cancelled() =>
                {
                    (FlashResult::Interrupted, Some("the server ended; flash again".to_owned()))
                }
                Err(error @ (FlashError::Cancelled | FlashError::CancelledUnchanged)) => {
                    (FlashResult::Cancelled, Some(error.to_string()))
                }
                Err(error) => (FlashResult::Failed, Some(error.to_string())),
            }
        }
        Err(Stop::Cancelled) => {
            (FlashResult::Cancelled, Some("stopped before anything was changed".to_owned()))
        }
        Err(Stop::Failed(why)) => (FlashResult::Failed, Some(why)),
    };
    let (result, detail) = ended;
    tracing::info!(board = %work.board.url, ?result, detail, "flashed");
    let end = FlashEnd {
        result,
        detail: detail.clone(),
        bytes: show.view.record.bytes,
        retries: show.view.record.retries,
    };
    if let Err(error) = flashes.inner.store.end_flash(show.view.record.id, &end).await {
        tracing::error!(board = %work.board.url, "the end of a flash is not kept: {error}");
    }
    let left = go_on(&flashes, &work.board, paused).await;
    drop(work.hold);
    // The place is free before anybody can see that it is over.
    flashes.active().remove(&id);
    let detail = [detail, left].into_iter().flatten().reduce(|a, b| format!("{a}; {b}"));
    show.end(result, detail);
}

/// Waits for the game's end, or pauses it.
async fn make_ready(
    flashes: &Flashes,
    work: &Work,
    show: &mut Show,
    paused: &mut Option<RunId>,
) -> Result<(), Stop> {
    let mut game = work.board.game();
    let now = *game.borrow();
    let Some(now) = now else { return Ok(()) };
    show.event(FlashEvent::Phase { phase: FlashPhase::Wait, total: 0 });
    match work.when {
        // It began in the very moment; it is between its first plies and waits for its link.
        FlashWhen::Free => Ok(()),
        FlashWhen::Finish => {
            show.event(FlashEvent::Say(format!("waiting for the end of game {now}")));
            let over = game.wait_for(|game| *game != Some(now));
            unless_cancelled(&work.cancel, over).await
        }
        FlashWhen::Pause => {
            let run = flashes.run_of(now).await?;
            let state = flashes.inner.store.run(run).await.map_err(FlashesError::from)?.state;
            if state == RunState::Running {
                flashes.inner.runs.pause(run).await.map_err(|e| Stop::Failed(e.to_string()))?;
                *paused = Some(run);
            }
            show.event(FlashEvent::Say(format!(
                "game {now} is paused; waiting for the board's move"
            )));
            let mut status = work.board.link.status();
            let idle = status.wait_for(|status| {
                status.state != LinkState::Ready
                    || status.board.is_none_or(|board| board.activity == Activity::Idle)
            });
            unless_cancelled(&work.cancel, idle).await
        }
    }
}

async fn unless_cancelled<T>(
    cancel: &CancellationToken,
    wait: impl Future<Output = T>,
) -> Result<(), Stop> {
    cancel.run_until_cancelled(wait).await.map(drop).ok_or(Stop::Cancelled)
}

/// A game that was paused for the flash goes on, unless its board is not there any more: then the words say so.
async fn go_on(flashes: &Flashes, board: &Board, paused: Option<RunId>) -> Option<String> {
    let earlier = flashes.paused().get(&board.id).copied();
    let run = paused.or(earlier)?;
    let stop = &flashes.inner.stop;
    let mut status = board.link.status();
    let back = async { status.wait_for(|now| now.state == LinkState::Ready).await.is_ok() };
    let is_back = stop.run_until_cancelled(timeout(BACK, back)).await;
    if !matches!(is_back, Some(Ok(true))) {
        flashes.paused().insert(board.id, run);
        return Some(format!(
            "run {run} was left paused, because the board was not back. The next good flash resumes it, and so does /api/v1/runs/{run}/resume"
        ));
    }
    flashes.paused().remove(&board.id);
    if let Err(error) = flashes.inner.runs.resume(run).await {
        tracing::warn!(%run, "not resumed after a flash: {error}");
    }
    None
}

/// A flash's view, kept up to date and published.
struct Show {
    live: Live,
    view: FlashView,
    phase_began: Instant,
    shown: Instant,
}

impl Show {
    fn new(live: Live, view: FlashView) -> Show {
        let now = Instant::now();
        Show { live, view, phase_began: now, shown: now }
    }

    fn event(&mut self, event: FlashEvent) {
        let view = &mut self.view;
        match event {
            FlashEvent::Phase { phase, total } => {
                self.phase_began = Instant::now();
                view.phase = Some(phase);
                // What was to be done in the last phase is done.
                view.say = None;
                (view.done, view.total, view.rate, view.left_s) = (0, total, None, None);
                self.publish();
            }
            FlashEvent::Progress { done } => {
                view.done = done;
                let seconds = self.phase_began.elapsed().as_secs_f64();
                if seconds > 0.0 && done > 0 {
                    let rate = f64::from(done) / seconds;
                    view.rate = Some(rate);
                    view.left_s = Some(f64::from(view.total.saturating_sub(done)) / rate);
                }
                if view.phase == Some(FlashPhase::Write) {
                    view.record.bytes = view.record.bytes.max(done);
                }
                if done >= view.total || self.shown.elapsed() >= SHOW_EVERY {
                    self.publish();
                }
            }
            FlashEvent::Say(text) => {
                view.say = Some(text);
                self.publish();
            }
            FlashEvent::Retry(what) => {
                tracing::debug!(board = %view.record.board, "{what}");
                view.record.retries += 1;
            }
        }
    }

    fn done(&mut self, mode: Mode, done: &Done) -> (FlashResult, Option<String>) {
        let view = &mut self.view;
        view.differed = Some(done.written.differed);
        view.record.bytes = done.written.bytes;
        view.record.retries = view.record.retries.max(done.written.retries);
        view.firmware.clone_from(&done.firmware);
        let result = match (mode, done.written.differed) {
            (Mode::Write, 0) => FlashResult::Unchanged,
            (Mode::Write, _) => FlashResult::Flashed,
            _ => FlashResult::Compared,
        };
        (result, None)
    }

    fn end(mut self, result: FlashResult, detail: Option<String>) {
        let view = &mut self.view;
        // What was said last is still to be done.
        view.phase = None;
        (view.rate, view.left_s) = (None, None);
        view.record.result = result;
        view.record.detail = detail;
        view.record.ended_at = Some(unix_millis());
        self.publish();
    }

    fn publish(&mut self) {
        self.shown = Instant::now();
        self.live.publish(Change::Flash { flash: self.view.clone() });
    }
}
