//! Lines out of a byte stream, with a bound on their length. Knows nothing of what they say.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest line that is kept whole. The longest honest one (an `info` with a hundred moves) has less than a thousand bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// A line that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawLine<'a> {
    /// Without its line feed.
    pub(super) bytes: &'a [u8],
    /// The rest of it was dropped.
    pub(super) cut: bool,
}

/// Buffers what a stream gives and hands it out by lines: first everything that is buffered ([`LineReader::next_line`], which never
/// waits), then [`LineReader::fill`]. Both can be abandoned at any point without a loss.
pub(super) struct LineReader<R> {
    source: R,
    buffer: Box<[u8]>,
    /// What is buffered: `buffer[start..end]`; no line feed before `scanned`.
    start: usize,
    end: usize,
    scanned: usize,
    /// In the dropped rest of a line that was cut.
    skipping: bool,
    ended: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(super) fn new(source: R) -> LineReader<R> {
        LineReader::with_capacity(source, MAX_LINE)
    }

    fn with_capacity(source: R, capacity: usize) -> LineReader<R> {
        LineReader {
            source,
            buffer: vec![0; capacity].into_boxed_slice(),
            start: 0,
            end: 0,
            scanned: 0,
            skipping: false,
            ended: false,
        }
    }

    /// Whether the stream has ended. Lines may still be buffered.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// A line that is there already.
    pub(super) fn next_line(&mut self) -> Option<RawLine<'_>> {
        loop {
            let found = self.buffer[self.scanned..self.end].iter().position(|b| *b == b'\n');
            let (line, next, cut) = match found {
                Some(offset) => {
                    let feed = self.scanned + offset;
                    (self.start..feed, feed + 1, false)
                }
                None if self.ended && self.start < self.end => {
                    (self.start..self.end, self.end, false)
                }
                None if self.start == 0 && self.end == self.buffer.len() => {
                    (0..self.end, self.end, true)
                }
                None => {
                    self.scanned = self.end;
                    return None;
                }
            };
            (self.start, self.scanned) = (next, next);
            if std::mem::replace(&mut self.skipping, cut) {
                continue;
            }
            return Some(RawLine { bytes: &self.buffer[line], cut });
        }
    }

    /// Waits for more. Call it when [`LineReader::next_line`] has no line left.
    pub(super) async fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.scanned -= self.start;
            self.start = 0;
        }
        match self.source.read(&mut self.buffer[self.end..]).await {
            Ok(0) => self.ended = true,
            Ok(n) => self.end += n,
            Err(error) => {
                self.ended = true;
                return Err(error);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    async fn all(bytes: &[u8], capacity: usize) -> Vec<(Vec<u8>, bool)> {
        let mut reader = LineReader::with_capacity(bytes, capacity);
        let mut lines = Vec::new();
        loop {
            while let Some(line) = reader.next_line() {
                lines.push((line.bytes.to_vec(), line.cut));
            }
            if reader.ended() {
                return lines;
            }
            reader.fill().await.expect("a slice can be read");
        }
    }

    #[tokio::test]
    async fn lines_and_an_unfinished_last_one() {
        let lines = all(b"uciok\n\nbestmove e2e4\r\nrest", 16).await;
        let lines: Vec<&[u8]> = lines.iter().map(|(l, _)| &l[..]).collect();
        assert_eq!(lines, [&b"uciok"[..], b"", b"bestmove e2e4\r", b"rest"]);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let lines = all(b"0123456789abcdefghijklmn\nreadyok\n", 8).await;
        assert_eq!(lines, [(b"01234567".to_vec(), true), (b"readyok".to_vec(), false)]);
    }

    proptest! {
        #[test]
        fn every_line_comes_once_and_in_order(
            lines in proptest::collection::vec(proptest::collection::vec(1u8..=9, 0..30), 0..20),
        ) {
            let bytes = lines.iter().flat_map(|l| l.iter().copied().chain([b'\n'])).collect::<Vec<_>>();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let read = runtime.block_on(all(&bytes, 10));
            let expected: Vec<_> = lines
                .iter()
                .map(|l| (l[..l.len().min(10)].to_vec(), l.len() >= 10))
                .collect();
            prop_assert_eq!(read, expected);
        }
    }
}
