//! `/metrics` for Prometheus. Counters are counted where things happen; gauges are read from the live state when they are asked for.

use super::State;
use crate::{
    api::LinkState,
    model::{Mover, RunState, Termination},
};
use axum::{extract::State as Extract, http::header, response::IntoResponse};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Begins to count. Called at the start of the program, so that nothing is missed; later calls do nothing.
pub fn install() -> &'static PrometheusHandle {
    RECORDER.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        // It fails only where a program has its own recorder already; then that one counts.
        let _ = metrics::set_global_recorder(recorder);
        describe();
        handle
    })
}

/// Names what is counted. A counter that nothing has counted yet stands at zero: one that is missing says nothing.
fn describe() {
    metrics::describe_counter!("rookery_link_events_total", "Events on a board's link, by kind");
    metrics::describe_counter!("rookery_games_total", "Games over, by termination");
    metrics::describe_counter!("rookery_plies_total", "Plies played, by mover");
    for mover in [Mover::First, Mover::Second] {
        metrics::counter!("rookery_plies_total", "mover" => mover.as_str()).increment(0);
    }
    for end in Termination::ALL {
        metrics::counter!("rookery_games_total", "termination" => end.as_str()).increment(0);
    }
    metrics::describe_gauge!("rookery_board_ready", "1 while the board is in session");
    metrics::describe_gauge!("rookery_board_round_trip_seconds", "Smoothed round trip");
    metrics::describe_gauge!("rookery_runs_active", "Runs that are running or paused");
    metrics::describe_gauge!("rookery_games_live", "Games being played");
    metrics::describe_gauge!("rookery_delta_sequence", "Number of the last delta");
}

pub(super) async fn metrics(Extract(state): Extract<State>) -> impl IntoResponse {
    let snapshot = state.live.snapshot();
    for board in &snapshot.boards {
        let ready = f64::from(u8::from(board.link == LinkState::Ready));
        metrics::gauge!("rookery_board_ready", "board" => board.url.clone()).set(ready);
        if let Some(ms) = board.rtt_ms {
            metrics::gauge!("rookery_board_round_trip_seconds", "board" => board.url.clone())
                .set(ms / 1000.0);
        }
    }
    let active = |state: RunState| matches!(state, RunState::Running | RunState::Paused);
    let runs = snapshot.runs.iter().filter(|run| active(run.state)).count();
    metrics::gauge!("rookery_runs_active").set(runs as f64);
    metrics::gauge!("rookery_games_live").set(snapshot.live.len() as f64);
    metrics::gauge!("rookery_delta_sequence").set(snapshot.seq as f64);
    let handle = install();
    handle.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], handle.render())
}
