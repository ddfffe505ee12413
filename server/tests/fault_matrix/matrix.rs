//! The matrix as data.

use serde::Deserialize;
use std::{collections::BTreeSet, fmt};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Matrix {
    pub(crate) row: Vec<Row>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) fault: String,
    pub(crate) strike: Strike,
    pub(crate) seen: Vec<String>,
    #[serde(default)]
    pub(crate) v2: Vec<Transport>,
    #[serde(default)]
    pub(crate) v1: Vec<Transport>,
    pub(crate) within: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Strike {
    /// Faults of the simulated board's own line.
    Line(String),
    /// Something that is done to the board, the bridge or the server.
    Deed(Deed),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Deed {
    HalfOpen,
    ResetMidCommand,
    TwoBoots,
    StaleBytes,
    EspReboot,
    Replug,
    ServerRestart,
    FullDisk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    V1,
    V2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Transport {
    Tcp,
    TcpListen,
    Serial,
    Rfc2217,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::V1 => "v1",
            Dialect::V2 => "v2",
        })
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Transport::Tcp => "tcp",
            Transport::TcpListen => "tcp-listen",
            Transport::Serial => "serial",
            Transport::Rfc2217 => "rfc2217",
        })
    }
}

impl Matrix {
    /// No fault twice, no row without a cell, and every fault that boards are known to meet has a row.
    pub(crate) fn check(&self) {
        let faults: BTreeSet<&str> = self.row.iter().map(|row| row.fault.as_str()).collect();
        assert_eq!(faults.len(), self.row.len(), "a fault stands there twice");
        for row in &self.row {
            assert!(!row.v2.is_empty() || !row.v1.is_empty(), "{} is not played", row.fault);
            assert!(!row.seen.is_empty() && row.within > 0.0, "{} demands nothing", row.fault);
        }
        for fault in [
            "loss",
            "run-loss",
            "swap",
            "duplicate",
            "merge",
            "split",
            "flip",
            "echo",
            "stall",
            "half-open",
            "reset-mid-think",
            "reset-mid-command",
            "stale-bytes",
            "two-boots",
            "esp-reboot",
            "server-restart",
            "replug",
            "full-disk",
        ] {
            assert!(faults.contains(fault), "{fault} has no row");
        }
    }
}
