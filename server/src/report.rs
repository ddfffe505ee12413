//! Everything about a game in one file, for whoever has to find out what went wrong: what the store has, the raw traffic of its board
//! where a running server still has it, the log of that time, and versions.

use crate::{
    api::{GameDetail, GameView, IncidentView, PlyView, RunView},
    link::RawLine,
    model::{GameId, LinkEvent, iso},
    pgn::{self, PgnError, PgnStyle, Selection},
    store::{Store, StoreError},
};
use serde::Serialize;
use std::{
    fmt::Write as _,
    fs,
    io::{self, BufRead as _, BufReader, Cursor, Write as _},
    path::Path,
};
use zip::{ZipWriter, result::ZipError, write::SimpleFileOptions};

/// Log lines and link events from so long before the game to so long after it, milliseconds.
const AROUND: i64 = 60_000;
/// The most of a log that is taken.
const LONGEST_LOG: usize = 16 << 20;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The PGN.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The log's folder.
    #[error("the log folder cannot be read: {0}")]
    Log(#[source] io::Error),
    /// The file.
    #[error("the report cannot be packed: {0}")]
    Zip(#[from] ZipError),
}

/// A link event as it stands in the report.
#[derive(Serialize)]
struct Event {
    at: i64,
    kind: &'static str,
    detail: String,
}

/// The report of a game as a ZIP file. `traffic` is what the link's tape has, where there is one.
pub async fn report(
    store: &Store,
    game: GameId,
    traffic: Option<&[RawLine]>,
    log_dir: Option<&Path>,
) -> Result<Vec<u8>, ReportError> {
    let record = store.game(game).await?;
    let run = store.run(record.game.run_id).await?;
    let tally = store.tally(run.id).await?;
    let plies = store.plies(game).await?;
    let iterations = store.iterations(game).await?;
    let incidents = store.incidents(game).await?;
    let identity = store.game_board_identity(game).await?;
    let mut movetext = Vec::new();
    pgn::export_to(store, Selection::Game(game), PgnStyle::Engine, &mut movetext).await?;
    let detail = GameDetail {
        game: GameView::from(&record),
        plies: plies.iter().map(PlyView::from).collect(),
        incidents: incidents.iter().map(IncidentView::from).collect(),
    };
    let from = record.game.started_at - AROUND;
    let until = record.ended_at.unwrap_or(i64::MAX - AROUND) + AROUND;
    let events = match record.game.board_id {
        Some(board) => store.link_events_between(board, from..=until).await?,
        None => Vec::new(),
    };
    let log = match log_dir {
        Some(folder) => Some(log(folder, from, until)?),
        None => None,
    };
    let mut bundle = Bundle::new();
    bundle.add("about.txt", about(game, traffic.is_some(), log.is_some()).as_bytes())?;
    bundle.add("game.json", &json(&detail))?;
    bundle.add("game.pgn", &movetext)?;
    bundle.add("iterations.json", &json(&iterations))?;
    let shown = RunView::from_record(&run, tally);
    bundle.add("run.json", &json(&RunView { settings: run.settings, ..shown }))?;
    bundle.add("board.json", &json(&identity))?;
    let shown =
        |e: &'_ LinkEvent| Event { at: e.at, kind: e.kind.as_str(), detail: e.detail.clone() };
    bundle.add("link.json", &json(&events.iter().map(shown).collect::<Vec<_>>()))?;
    if let Some(lines) = traffic {
        let mut text = String::new();
        for line in lines {
            writeln!(text, "{line}").expect("a text grows");
        }
        bundle.add("traffic.txt", text.as_bytes())?;
    }
    if let Some(log) = log {
        bundle.add("log.txt", log.as_bytes())?;
    }
    bundle.finish()
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec_pretty(value).expect("these are JSON")
}

fn about(game: GameId, traffic: bool, log: bool) -> String {
    let system = rustix::system::uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    let mut about = format!(
        "Report of game {game}\n\nRookery {} (board protocol {})\n{} {} on {}\n\n\
         game.json        the game, its plies and its incidents (with the raw lines kept then)\n\
         game.pgn         the same to play through\n\
         iterations.json  every finished iteration\n\
         run.json         the run's settings\n\
         board.json       what the board said of itself\n\
         link.json        what happened on its link\n",
        env!("CARGO_PKG_VERSION"),
        rookery_protocol::PROTOCOL_VERSION,
        text(system.sysname()),
        text(system.release()),
        text(system.machine()),
    );
    about.push_str(if traffic {
        "traffic.txt      the last raw lines of the link: Unix milliseconds, direction, line\n"
    } else {
        "No traffic.txt: only the running server that has the board knows it (rookery report --server).\n"
    });
    about.push_str(if log {
        "log.txt          the log of the game's time\n"
    } else {
        "No log.txt: no log folder was given (--log-dir).\n"
    });
    about.push_str("\nTimes are Unix milliseconds. Scores are from the mover's side.\n");
    about
}

/// The log's lines of a time. Files are named by day, lines begin with their time; what does not belongs to the line before.
fn log(folder: &Path, from: i64, until: i64) -> Result<String, ReportError> {
    let (from, until) = (iso(from), iso(until));
    let mut files: Vec<_> = fs::read_dir(folder)
        .map_err(ReportError::Log)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let day = name.as_deref().and_then(|name| name.strip_prefix("rookery.log."));
            day.is_some_and(|day| day >= &from[..10] && day <= &until[..10])
        })
        .collect();
    files.sort();
    let (mut text, mut wanted) = (String::new(), false);
    for path in files {
        for line in BufReader::new(fs::File::open(path).map_err(ReportError::Log)?).split(b'\n') {
            let line = line.map_err(ReportError::Log)?;
            let line = String::from_utf8_lossy(&line);
            if let Some(time) = line.get(..from.len()).filter(|time| looks_like_time(time)) {
                wanted = *time >= *from && *time <= *until;
            }
            if wanted {
                text.push_str(&line);
                text.push('\n');
            }
            if text.len() > LONGEST_LOG {
                text.push_str("(the rest is left out)\n");
                return Ok(text);
            }
        }
    }
    Ok(text)
}

fn looks_like_time(text: &str) -> bool {
    let shape = |byte: u8| if byte.is_ascii_digit() { b'0' } else { byte };
    text.bytes().map(shape).eq(*b"0000-00-00T00:00:00.000")
}

/// A ZIP file in memory.
struct Bundle {
    zip: ZipWriter<Cursor<Vec<u8>>>,
}

impl Bundle {
    fn new() -> Bundle {
        Bundle { zip: ZipWriter::new(Cursor::new(Vec::new())) }
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), ZipError> {
        self.zip.start_file(name, SimpleFileOptions::default())?;
        Ok(self.zip.write_all(bytes)?)
    }

    fn finish(self) -> Result<Vec<u8>, ReportError> {
        Ok(self.zip.finish()?.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_cut_at_the_games_time() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(
            dir.path().join("rookery.log.2027-03-14"),
            "2027-03-14T15:00:00.000001Z  INFO before\n2027-03-14T15:09:26.999001Z  INFO within\n  more of it\n",
        )
        .unwrap();
        fs::write(
            dir.path().join("rookery.log.2027-03-15"),
            "2027-03-15T00:00:00.000001Z  INFO also\n2027-03-15T09:00:00.000001Z  INFO after\nmore of that\n",
        )
        .unwrap();
        fs::write(dir.path().join("else.txt"), "2027-03-14T15:09:27.000001Z nothing of ours\n")
            .unwrap();
        let text = log(dir.path(), 1_805_036_900_000, 1_805_068_900_000).unwrap();
        assert_eq!(
            text,
            "2027-03-14T15:09:26.999001Z  INFO within\n  more of it\n2027-03-15T00:00:00.000001Z  INFO also\n"
        );
        assert!(matches!(log(&dir.path().join("none"), 0, 1), Err(ReportError::Log(_))));
    }
}
