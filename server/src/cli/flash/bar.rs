//! What a flash shows while it goes on: a bar where somebody looks, JSON lines where a program does.

use crate::{api::FlashView, cli::out, model::FlashPhase};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// The bar of one flash.
pub(super) struct Bar {
    bar: ProgressBar,
    json: bool,
    phase: Option<FlashPhase>,
    said: Option<String>,
    last: Option<FlashView>,
}

impl Bar {
    pub(super) fn new(json: bool) -> Bar {
        let bar = if json { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        Bar { bar, json, phase: None, said: None, last: None }
    }

    /// Shows how it goes now.
    pub(super) fn show(&mut self, view: &FlashView) -> anyhow::Result<()> {
        if self.json {
            if self.last.as_ref() != Some(view) {
                self.last = Some(view.clone());
                out::line(serde_json::to_string(view)?)?;
            }
            return Ok(());
        }
        if view.phase != self.phase {
            self.phase = view.phase;
            self.begin(view);
        }
        self.bar.set_position(view.done.into());
        if view.say != self.said {
            self.said.clone_from(&view.say);
            if let Some(say) = &view.say {
                self.bar.suspend(|| out::note(say));
            }
        }
        Ok(())
    }

    fn begin(&self, view: &FlashView) {
        let Some(phase) = view.phase else { return };
        let style = match (view.total, phase) {
            (0, _) => "{elapsed_precise} {msg:9} {spinner}",
            (_, FlashPhase::Erase) => "{elapsed_precise} {msg:9} {bar:30} {pos}/{len} pages",
            _ => {
                "{elapsed_precise} {msg:9} {bar:30} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec}, {eta} left"
            }
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            self.bar.set_style(style);
        }
        self.bar.set_length(view.total.into());
        self.bar.reset_eta();
        self.bar.set_message(phase.as_str());
        self.bar.enable_steady_tick(Duration::from_millis(250));
    }

    /// Nothing more comes.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
