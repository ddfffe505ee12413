//! Files: written whole or not at all; those that are kept beside the database are named by their hash.

use sha2::{Digest as _, Sha256};
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// `rookery.db` keeps what is called `books` in `rookery.db.books`.
#[must_use]
pub fn beside(db: &Path, what: &str) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(".");
    name.push(what);
    name.into()
}

/// SHA-256 in 64 hex digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file of a folder, which is made where it is missing. One that is there with the same content stays.
///
/// # Errors
/// The system's.
pub fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    replace(path, bytes)
}

/// Writes a file whole or not at all, in the place of one that may be there.
///
/// # Errors
/// The system's.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = part_of(path);
    let written = (|| {
        let mut file = std::fs::File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Whether [`replace`] can be expected to work: to be asked before hours of work.
///
/// # Errors
/// The system's.
pub fn replaceable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let part = part_of(path);
    std::fs::write(&part, [])?;
    std::fs::remove_file(&part)
}

/// Where a file is written before it takes its place. Another process may write the same one at the same time.
fn part_of(path: &Path) -> PathBuf {
    path.with_extension(format!("{:08x}.part", rand::random::<u32>()))
}

/// Removes a file; one that is gone already is none the worse.
///
/// # Errors
/// The system's.
pub fn forget(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
