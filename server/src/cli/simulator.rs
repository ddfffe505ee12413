//! The simulated board as a process of its own, found beside this program.

use anyhow::{Context as _, bail};
use std::{path::PathBuf, process::Stdio, time::Duration};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

/// A running simulated board. It ends when this program does, however that ends: its standard input closes.
pub(super) struct Simulator {
    child: Child,
    /// `HOST:PORT`
    pub address: String,
}

/// How a board is simulated.
#[derive(Debug, Default)]
pub(super) struct Simulation {
    /// Seed of boot ids, faults and book choice.
    pub seed: u64,
    /// Fault profile.
    pub faults: String,
    /// Nodes per second, 0 for as fast as possible.
    pub speed: u64,
    /// File of injected faults.
    pub fault_log: Option<PathBuf>,
    /// Its book, where it is not the small one.
    pub book: Option<PathBuf>,
}

impl Simulator {
    /// Starts one and waits until it listens.
    pub(super) async fn start(
        program: Option<&PathBuf>,
        how: &Simulation,
    ) -> anyhow::Result<Simulator> {
        let program = match program {
            Some(program) => program.clone(),
            None => beside_this_program()?,
        };
        let mut command = Command::new(&program);
        command
            .args(["--listen", "127.0.0.1:0", "--exit-with-parent"])
            .args(["--seed", &how.seed.to_string()])
            .args(["--faults", &how.faults])
            .args(["--speed", &how.speed.to_string()]);
        if let Some(file) = &how.fault_log {
            command.arg("--fault-log").arg(file);
        }
        if let Some(file) = &how.book {
            command.arg("--book").arg(file);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .process_group(0)
            .spawn()
            .with_context(|| {
                format!("the simulated board '{}' does not start", program.display())
            })?;
        let stdout = child.stdout.take().context("the simulated board has no output")?;
        let mut lines = BufReader::new(stdout).lines();
        let announced = async {
            while let Some(line) = lines.next_line().await? {
                if let Some(address) = line.strip_prefix("listening on ") {
                    return Ok(address.trim().to_owned());
                }
            }
            bail!("the simulated board ended before it listened");
        };
        let address = timeout(Duration::from_secs(10), announced)
            .await
            .context("the simulated board says nothing")??;
        // Whatever else it prints must not block it.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Simulator { child, address })
    }

    /// Ends it.
    pub(super) async fn end(mut self) {
        drop(self.child.stdin.take());
        if timeout(Duration::from_secs(1), self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

fn beside_this_program() -> anyhow::Result<PathBuf> {
    let this = std::env::current_exe().context("this program's own path is not known")?;
    let beside = this.with_file_name("board-sim");
    if beside.exists() {
        return Ok(beside);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).map(|folder| folder.join("board-sim"));
    in_path.into_iter().find(|file| file.exists()).with_context(|| {
        format!(
            "the simulated board 'board-sim' is neither beside {} nor in PATH; build it with \
             'cargo build --release -p rookery-board' or name it with --board-sim",
            this.display()
        )
    })
}
