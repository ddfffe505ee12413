//! The flash in a file: 32,768 bytes of flash and the 16 option bytes behind them, as a programmer
//! would read them.
//!
//! Every operation of the flash is one write, at its own place and within one page of the file, so
//! that a process that is killed leaves each done or not done. The file is the simulator's alone
//! while it runs.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::rom::Store;
use crate::rom::flash::KEPT;

/// Why there is no flash.
#[derive(Debug, Error)]
pub(crate) enum StoreError {
    #[error("the flash file {path} cannot be used: {error}", path = .0.display(), error = .1)]
    File(PathBuf, io::Error),
    #[error(
        "the flash file {path} has {found} bytes instead of {KEPT}: it is no simulated board's; name another, or remove it",
        path = .0.display(), found = .1
    )]
    Size(PathBuf, usize),
    #[error("the flash file {path} is in use by another simulated board", path = .0.display())]
    InUse(PathBuf),
}

/// A file that is written through.
#[derive(Debug)]
pub(crate) struct FileStore {
    file: File,
}

impl FileStore {
    /// Opens the file and reads it. One that is missing, empty or unfinished is made, with `fresh`
    /// in it.
    pub(crate) fn open(path: &Path, fresh: &[u8]) -> Result<(Vec<u8>, Self), StoreError> {
        let failed = |error| StoreError::File(path.to_owned(), error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // The beginning of a new flash is one that somebody was making when they were killed.
        if bytes.len() < KEPT && fresh.starts_with(&bytes) {
            file.write_all_at(fresh, 0).map_err(failed)?;
            bytes = fresh.to_vec();
        }
        match bytes.len() {
            KEPT => Ok((bytes, Self { file })),
            found => Err(StoreError::Size(path.to_owned(), found)),
        }
    }
}

impl Store for FileStore {
    fn write(&mut self, at: usize, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, at as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rom::flash;

    #[test]
    fn a_file_is_made_kept_and_ones_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("flash");
        let fresh = flash::blank();
        let (bytes, mut store) = FileStore::open(&path, &fresh).expect("a new file");
        assert_eq!(bytes, fresh);
        store.write(1026, b"ab").expect("written");
        assert!(matches!(FileStore::open(&path, &fresh), Err(StoreError::InUse(_))));
        drop(store);
        let (bytes, _) = FileStore::open(&path, &[0; KEPT]).expect("the same file");
        assert_eq!((&bytes[1024..1030], bytes.len()), (&b"\xff\xffab\xff\xff"[..], KEPT));
    }

    #[test]
    fn an_unfinished_file_is_made_again_and_a_strange_one_is_not_touched() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("flash");
        let fresh = flash::blank();
        for length in [0, 1, 4096, KEPT - 1] {
            std::fs::write(&path, &fresh[..length]).expect("a file");
            assert_eq!(FileStore::open(&path, &fresh).expect("made").0, fresh);
        }
        std::fs::write(&path, "precious").expect("a file");
        let error = FileStore::open(&path, &fresh).expect_err("not a flash").to_string();
        assert!(error.contains("has 8 bytes instead of 32784"), "{error}");
        assert_eq!(std::fs::read(&path).expect("a file"), b"precious");
        let error = FileStore::open(folder.path(), &fresh).expect_err("a folder").to_string();
        assert!(error.contains("cannot be used"), "{error}");
    }
}
