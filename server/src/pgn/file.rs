//! A PGN file that grows game by game.

use super::{
    PgnStyle,
    export::{Renderer, blocking},
    scan,
};
use crate::{
    model::{GameId, RunId},
    store::{Store, StoreError},
};
use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};
use tokio::sync::Mutex;

/// Text collected before it is appended: large enough that an old database is written quickly, small enough to hold.
const BATCH_BYTES: usize = 1 << 20;

/// Why a PGN file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No room: the file is as it was before. A file that grows gets what is missing with the next try.
    #[error("no room for '{}': {source}", path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The system refused.
    #[error("cannot {doing} '{}': {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried: a verb.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
}

impl PgnError {
    /// Whether there is no room, in the store's disk or the file's.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            PgnError::Store(error) => error.is_full(),
            PgnError::Full { .. } => true,
            PgnError::Io { .. } => false,
        }
    }

    pub(super) fn io(path: &Path, doing: &'static str, source: io::Error) -> PgnError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                PgnError::Full { path, source }
            }
            _ => PgnError::Io { path, doing, source },
        }
    }
}

/// A PGN file to which games are added as they end.
///
/// The store decides what is in it. Each game carries its database's identity and its number in the tag `GameId`, so the file itself
/// says which games it has, however it came about: [`PgnFile::sync`] appends those that are over and not there, in the order in which
/// they ended. Games of other programs, runs and databases in the same file stay as they are. A game cut short by a kill or a full
/// disk is always the last thing in the file; it is known by its tag or by being the beginning of a game to be written, and removed
/// before the game is written again. So each game is there exactly once, whenever the process ended.
#[derive(Debug)]
pub struct PgnFile {
    store: Store,
    run: Option<RunId>,
    style: PgnStyle,
    path: PathBuf,
    known: Mutex<Option<Known>>,
}

/// What was in the file when it was last seen; anything else about it means looking again.
#[derive(Debug)]
struct Known {
    identity: (u64, u64, u64),
    games: HashSet<GameId>,
}

impl PgnFile {
    /// A file for the games of one run, or of all.
    #[must_use]
    pub fn new(store: &Store, run: Option<RunId>, style: PgnStyle, path: &Path) -> PgnFile {
        PgnFile { store: store.clone(), run, style, path: path.to_owned(), known: Mutex::new(None) }
    }

    /// Brings the file up to date and to the disk. Returns how many games were added.
    pub async fn sync(&self) -> Result<usize, PgnError> {
        let mut known = self.known.lock().await;
        let path = self.path.clone();
        let file = blocking(move || {
            let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            // A device has no end up to which it could be read, and a pipe keeps nothing.
            if !file.metadata()?.is_file() {
                let words = "it is a device or a pipe, and games are added to a file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
            }
            // Another rookery, of another database, may add its games at the same moment.
            file.lock()?;
            Ok(file)
        })
        .await
        .map_err(|e| self.io("open", e))?;
        let mut render = Renderer::new(&self.store);
        let identity = identity(&file).map_err(|e| self.io("look at", e))?;
        // Taken out: whatever goes wrong below, the next sync looks again.
        let (mut games, mut file, mut gap) = match known.take() {
            Some(k) if k.identity == identity => (k.games, file, ""),
            _ => self.inspect(file, &mut render).await?,
        };
        let wanted = self.store.finished_ids(self.run).await?;
        let mut added = 0;
        let mut text = String::new();
        let mut missing = wanted
            .into_iter()
            .filter(|id| !games.contains(id))
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        while let Some(id) = missing.next() {
            text.push_str(std::mem::take(&mut gap));
            text.push_str(&render.text(id, self.style).await?);
            games.insert(id);
            added += 1;
            if text.len() >= BATCH_BYTES || missing.peek().is_none() {
                let part = std::mem::take(&mut text);
                file =
                    blocking(move || append(file, &part)).await.map_err(|e| self.io("write", e))?;
            }
        }
        let identity = self::identity(&file).map_err(|e| self.io("look at", e))?;
        *known = Some(Known { identity, games });
        Ok(added)
    }

    /// Reads which games are there, removes one that is cut short, and says what must stand between the last line and the next game.
    async fn inspect(
        &self,
        file: File,
        render: &mut Renderer,
    ) -> Result<(HashSet<GameId>, File, &'static str), PgnError> {
        let prefix = format!("rookery-{}-", self.store.id());
        let (found, file) = blocking(move || {
            let found = scan::scan(BufReader::new(&file), &prefix)?;
            Ok((found, file))
        })
        .await
        .map_err(|e| self.io("read", e))?;
        let games: HashSet<GameId> = found.games.into_iter().map(GameId).collect();
        let Some(tail) = found.tail else {
            return Ok((games, file, ""));
        };
        let mut text = Vec::new();
        (&file)
            .seek(SeekFrom::Start(tail.start))
            .and_then(|_| (&file).take(BATCH_BYTES as u64).read_to_end(&mut text))
            .map_err(|e| self.io("read", e))?;
        // After a power cut a file may end in zeros that were never written.
        while text.last() == Some(&0) {
            text.pop();
        }
        let mut ours = text.is_empty() || tail.game.is_some();
        if !ours && text.len() < BATCH_BYTES {
            'search: for id in self.store.finished_ids(self.run).await? {
                for style in PgnStyle::ALL {
                    if render.text(id, style).await?.as_bytes().starts_with(&text) {
                        ours = true;
                        break 'search;
                    }
                }
            }
        }
        if ours {
            file.set_len(tail.start).map_err(|e| self.io("shorten", e))?;
            return Ok((games, file, ""));
        }
        let gap = if text.ends_with(b"\n") { "\n" } else { "\n\n" };
        Ok((games, file, gap))
    }

    fn io(&self, doing: &'static str, source: io::Error) -> PgnError {
        PgnError::io(&self.path, doing, source)
    }
}

/// Appends all of a text, or nothing.
fn append(mut file: File, text: &str) -> io::Result<File> {
    let before = file.metadata()?.len();
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    match written {
        Ok(()) => Ok(file),
        Err(error) => {
            // Giving room back works on a full disk; if it does not, the next sync finds the cut game.
            let _ = file.set_len(before);
            Err(error)
        }
    }
}

fn identity(file: &File) -> io::Result<(u64, u64, u64)> {
    let meta = file.metadata()?;
    Ok((meta.dev(), meta.ino(), meta.len()))
}
