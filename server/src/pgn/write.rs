//! PGN text that comes bit by bit, from a store or from a server: into a file that appears at once, or to whatever takes it.

use super::{PgnError, export::blocking};
use futures_util::{Stream, StreamExt as _};
use std::{
    ffi::OsString,
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    pin::pin,
};

/// Writes it.
pub async fn write_to<T: AsRef<[u8]>, E: From<PgnError>>(
    texts: impl Stream<Item = Result<T, E>>,
    out: &mut impl Write,
) -> Result<(), E> {
    let fail = |e| PgnError::io(Path::new("the output"), "write to", e);
    write(texts, out, fail).await.map(drop)
}

/// Writes a file whole: it appears under its name when the last game is in it and on the disk, or not at all. Returns how many games
/// it has.
pub async fn write_file<T: AsRef<[u8]>, E: From<PgnError>>(
    texts: impl Stream<Item = Result<T, E>>,
    path: &Path,
) -> Result<u32, E> {
    let fail = |e| PgnError::io(path, "write", e);
    let mut file = NewFile::create(path)?;
    let count = write(texts, &mut file.out, fail).await?;
    blocking(move || file.finish()).await.map_err(fail)?;
    Ok(count)
}

async fn write<T: AsRef<[u8]>, E: From<PgnError>>(
    texts: impl Stream<Item = Result<T, E>>,
    out: &mut impl Write,
    fail: impl Fn(io::Error) -> PgnError,
) -> Result<u32, E> {
    let mut texts = pin!(texts);
    let mut games = Games::NONE;
    while let Some(text) = texts.next().await {
        let text = text?;
        out.write_all(text.as_ref()).map_err(&fail)?;
        games.see(text.as_ref());
    }
    out.flush().map_err(&fail)?;
    Ok(games.count)
}

/// A file that is not there yet.
struct NewFile {
    out: BufWriter<File>,
    /// The name under which it is written, and the one that it gets; none where a pipe or a terminal is written to as it is.
    names: Option<(Temp, PathBuf)>,
}

impl NewFile {
    fn create(path: &Path) -> Result<NewFile, PgnError> {
        let io = |doing| move |e| PgnError::io(path, doing, e);
        // A link keeps being a link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if std::fs::metadata(&target).is_ok_and(|m| !m.is_file()) {
            let out = BufWriter::new(File::create(&target).map_err(io("write"))?);
            return Ok(NewFile { out, names: None });
        }
        let name = target
            .file_name()
            .ok_or_else(|| PgnError::io(path, "write", io::ErrorKind::InvalidFilename.into()))?;
        let mut temp_name = OsString::from(".");
        temp_name.push(name);
        temp_name.push(format!(".{}.tmp", std::process::id()));
        let temp = Temp(target.with_file_name(temp_name));
        let out = BufWriter::new(File::create(&temp.0).map_err(io("create"))?);
        Ok(NewFile { out, names: Some((temp, target)) })
    }

    fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some((temp, target)) = self.names else { return Ok(()) };
        file.sync_all()?;
        std::fs::rename(&temp.0, &target)?;
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

/// Removes an unfinished file; after the rename there is none of that name.
struct Temp(PathBuf);

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What every game of ours begins with, and nothing else in it does: a bracket in free text is replaced.
const BEGINNING: &[u8] = b"[Event ";

/// Counts games in a text that is cut anywhere.
struct Games {
    count: u32,
    /// The line has so many bytes so far, all as a game begins with them; none where it begins otherwise.
    line: Option<usize>,
}

impl Games {
    const NONE: Games = Games { count: 0, line: Some(0) };

    fn see(&mut self, text: &[u8]) {
        for &byte in text {
            self.line = match self.line {
                _ if byte == b'\n' => Some(0),
                Some(n) if BEGINNING[n] == byte && n + 1 == BEGINNING.len() => {
                    self.count += 1;
                    None
                }
                Some(n) if BEGINNING[n] == byte => Some(n + 1),
                _ => None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_however_the_text_is_cut() {
        let text = "[Event \"a\"]\n[White \"[Event \"]\n\n1. e4 {x\n[%eval 1]} *\n\n[Event \"b\"]\n[Eventual \"c\"]\n\n*\n\n";
        for size in 1..=text.len() {
            let mut games = Games::NONE;
            text.as_bytes().chunks(size).for_each(|part| games.see(part));
            assert_eq!(games.count, 2, "by {size}");
        }
    }
}
