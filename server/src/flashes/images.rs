//! The images that are kept: files in a folder beside the database, named by their hash, and rows that say what they are.

use super::FlashesError;
use crate::{
    files,
    flash::{Image, chip::Region, image},
    model::{FirmwareImage, unix_millis},
    store::Store,
};
use std::path::{Path, PathBuf};

/// The folder.
pub(super) struct Images {
    folder: PathBuf,
}

impl Images {
    /// `rookery.db` keeps its images in `rookery.db.firmware`.
    pub(super) fn beside(db: &Path) -> Images {
        Images { folder: files::beside(db, "firmware") }
    }

    pub(super) async fn keep(
        &self,
        store: &Store,
        file: &[u8],
        region: &str,
        foreign: bool,
    ) -> Result<FirmwareImage, FlashesError> {
        let region =
            Region::named(region).ok_or_else(|| FlashesError::NoRegion(region.to_owned()))?;
        let image = Image::read(file, region)?;
        let tag = image::check(&image, foreign)?;
        let (board, version) = tag.map(|tag| (tag.board, tag.version)).unzip();
        let kept = FirmwareImage {
            sha256: image.sha256(),
            region: region.name.to_owned(),
            board,
            version,
            size: image.bytes().len() as u32,
            at: unix_millis(),
        };
        // The file first: a row without a file would be an image that cannot be flashed.
        let path = self.path(&kept.sha256);
        files::keep(&path, image.bytes()).map_err(|source| FlashesError::File {
            path: path.clone(),
            doing: "written",
            source,
        })?;
        store.keep_firmware(&kept).await?;
        let known = store.firmware_image(&kept.sha256).await?;
        Ok(known.unwrap_or(kept))
    }

    /// A kept image, read and checked again: files can be changed.
    pub(super) async fn read(
        &self,
        store: &Store,
        sha256: &str,
    ) -> Result<(FirmwareImage, Image), FlashesError> {
        let none = || FlashesError::NoImage(sha256.to_owned());
        let kept = store.firmware_image(sha256).await?.ok_or_else(none)?;
        let region = Region::named(&kept.region)
            .ok_or_else(|| FlashesError::NoRegion(kept.region.clone()))?;
        let path = self.path(&kept.sha256);
        let bytes = std::fs::read(&path).map_err(|source| FlashesError::File {
            path: path.clone(),
            doing: "read",
            source,
        })?;
        let image = Image::from_bytes(bytes, region)?;
        if image.sha256() != kept.sha256 {
            return Err(FlashesError::Changed(path));
        }
        Ok((kept, image))
    }

    pub(super) async fn forget(&self, store: &Store, sha256: &str) -> Result<(), FlashesError> {
        if !store.delete_firmware(sha256).await? {
            return Err(FlashesError::NoImage(sha256.to_owned()));
        }
        let path = self.path(sha256);
        files::forget(&path).map_err(|source| FlashesError::File { path, doing: "removed", source })
    }

    /// Only for names that the server has chosen, or that the store knows.
    fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(format!("{sha256}.bin"))
    }
}
