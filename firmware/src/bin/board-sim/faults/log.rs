//! What has struck: counted, and written down as it happens.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::lane::{Direction, Strike};
use super::{KINDS, Kind};

/// Counts faults and writes each as a line of JSON.
#[derive(Debug)]
pub(crate) struct Log {
    file: Option<File>,
    began: Instant,
    counts: [[u64; KINDS]; 2],
    seed: u64,
}

impl Log {
    pub(crate) fn open(path: Option<&Path>, seed: u64) -> io::Result<Self> {
        Ok(Self {
            file: path.map(File::create).transpose()?,
            began: Instant::now(),
            counts: [[0; KINDS]; 2],
            seed,
        })
    }

    pub(crate) fn record(&mut self, direction: Direction, strike: &Strike) {
        self.counts[direction as usize][strike.kind as usize] += 1;
        self.write(&json!({
            "ms": u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
            "kind": strike.kind.name(),
            "direction": direction.name(),
            "detail": strike.detail,
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
        let line = json!({
            "seed": self.seed,
            "totals": totals,
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
