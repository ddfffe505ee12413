//! What has struck: counted, and written down as it happens.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::lane::{Direction, Strike};
use super::mishaps::MISHAPS;
use super::{KINDS, Kind};
use crate::rom::Mishap;

/// Counts faults and writes each as a line of JSON.
#[derive(Debug)]
pub(crate) struct Log {
    file: Option<File>,
    began: Instant,
    counts: [[u64; KINDS]; 2],
    mishaps: [u64; MISHAPS],
    seed: u64,
}

impl Log {
    pub(crate) fn open(path: Option<&Path>, seed: u64) -> io::Result<Self> {
        Ok(Self {
            file: path.map(File::create).transpose()?,
            began: Instant::now(),
            counts: [[0; KINDS]; 2],
            mishaps: [0; MISHAPS],
            seed,
        })
    }

    pub(crate) fn record(&mut self, direction: Direction, strike: &Strike) {
        self.counts[direction as usize][strike.kind as usize] += 1;
        self.strike(strike.kind.name(), direction.name(), &strike.detail);
    }

    /// Something has gone wrong in the loader itself.
    pub(crate) fn record_mishap(&mut self, mishap: Mishap) {
        self.mishaps[mishap as usize] += 1;
        self.strike(mishap.name(), "loader", "");
    }

    fn strike(&mut self, kind: &str, direction: &str, detail: &str) {
        self.write(&json!({
            "ms": u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
            "kind": kind,
            "direction": direction,
            "detail": detail,
        }));
    }

    /// The last line: how often each kind has struck, also those that have not.
    pub(crate) fn finish(&mut self) {
        let count = |direction: Direction| -> Value {
            let counts = &self.counts[direction as usize];
            Kind::ALL
                .into_iter()
                .map(|kind| (kind.name().to_owned(), counts[kind as usize].into()))
                .collect::<Map<_, _>>()
                .into()
        };
        let totals: Map<_, _> = Kind::ALL
            .into_iter()
            .map(|kind| {
                let total: u64 = self.counts.iter().map(|counts| counts[kind as usize]).sum();
                (kind.name().to_owned(), total.into())
            })
            .collect();
        let mishaps: Map<_, _> = Mishap::ALL
            .into_iter()
            .map(|mishap| (mishap.name().to_owned(), self.mishaps[mishap as usize].into()))
            .collect();
        let line = json!({
            "seed": self.seed,
            "totals": totals,
            "loader": mishaps,
            "to-board": count(Direction::ToBoard),
            "to-host": count(Direction::ToHost),
        });
        self.write(&line);
    }

    fn write(&mut self, line: &Value) {
        if let Some(file) = &mut self.file
            && let Err(error) = writeln!(file, "{line}").and_then(|()| file.flush())
        {
            eprintln!("board-sim: the fault log cannot be written: {error}");
            self.file = None;
        }
    }
}
