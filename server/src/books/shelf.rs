//! The files of books that are kept: a folder beside the database, each named by its hash.

use super::BooksError;
use crate::{
    book::Book,
    files,
    model::{BookForm, KeptBook, unix_millis},
    store::Store,
};
use std::path::{Path, PathBuf};

/// Kept books at most: more are nobody's list any more.
const MOST: usize = 500;
const LONGEST_NAME: usize = 200;

/// The folder.
pub(super) struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// `rookery.db` keeps its books in `rookery.db.books`.
    pub(super) fn beside(db: &Path) -> Shelf {
        Shelf { folder: files::beside(db, "books") }
    }

    pub(super) async fn keep(
        &self,
        store: &Store,
        name: &str,
        file: Vec<u8>,
    ) -> Result<KeptBook, BooksError> {
        let name = name.trim();
        let form = BookForm::of_name(Path::new(name)).filter(|_| is_name(name));
        let form = form.ok_or_else(|| BooksError::Name(name.chars().take(80).collect()))?;
        let sha256 = files::sha256(&file);
        if store.book(&sha256).await?.is_none() && store.books().await?.len() >= MOST {
            return Err(BooksError::Full { most: MOST });
        }
        let parsed = (name.to_owned(), file.clone());
        let book = blocking(move || Book::parse(Path::new(&parsed.0), parsed.1)).await?;
        if book.entries() == 0 {
            return Err(BooksError::Empty(name.to_owned()));
        }
        let kept = KeptBook {
            sha256,
            name: name.to_owned(),
            form,
            entries: u32::try_from(book.entries()).unwrap_or(u32::MAX),
            size: file.len() as u64,
            at: unix_millis(),
        };
        // The file first: a row without a file would be a book that cannot be opened.
        let path = self.path(&kept);
        files::keep(&path, &file).map_err(|source| BooksError::File {
            path,
            doing: "written",
            source,
        })?;
        store.keep_book(&kept).await?;
        Ok(store.book(&kept.sha256).await?.unwrap_or(kept))
    }

    pub(super) async fn forget(&self, store: &Store, kept: &KeptBook) -> Result<(), BooksError> {
        store.delete_book(&kept.sha256).await?;
        let path = self.path(kept);
        files::forget(&path).map_err(|source| BooksError::File { path, doing: "removed", source })
    }

    /// Absolute: runs name it, and go on from whatever folder the server is started in.
    pub(super) fn path(&self, kept: &KeptBook) -> PathBuf {
        self.folder.join(format!("{}.{}", kept.sha256, kept.form.ending()))
    }
}

fn is_name(name: &str) -> bool {
    name.chars().count() <= LONGEST_NAME
        && !name.contains(|c: char| c.is_control() || c == '/' || c == '\\')
}

/// What takes a processor for a while does not hold up those who wait for the network.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.expect("it does not panic and is not cancelled")
}
