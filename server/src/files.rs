//! Files that are kept beside the database: written whole or not at all, and named by their hash.

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
    let part = path.with_extension(format!("{:08x}.part", rand::random::<u32>()));
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
