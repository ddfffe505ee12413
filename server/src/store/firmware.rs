//! Firmware images and flashes. The images' bytes are no concern of the database.

use super::{
    Store, StoreError,
    names::{Named, uint32},
};
use crate::model::{BoardId, FirmwareImage, FlashEntry, FlashRecord, FlashResult, unix_millis};
use sqlx::{Row, sqlite::SqliteRow};

/// A flash that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFlash {
    /// The board.
    pub board: BoardId,
    /// The image.
    pub image: FirmwareImage,
    /// Who asked for it.
    pub by: String,
    /// The way into the loader.
    pub entry: FlashEntry,
}

/// How a flash ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashEnd {
    /// In a word.
    pub result: FlashResult,
    /// Why, where it failed.
    pub detail: Option<String>,
    /// Bytes written.
    pub bytes: u32,
    /// Exchanges that were tried again.
    pub retries: u32,
}

const FLASH: &str = "SELECT id, board_id, image, region, version, asked_by, entry, result, detail, bytes, retries, started_at, \
     ended_at FROM flashes";
const IMAGE: &str = "SELECT sha256, region, board, version, size, at FROM firmware";

impl Store {
    /// Keeps an image's row; one that is there already stays as it is.
    pub async fn keep_firmware(&self, image: &FirmwareImage) -> Result<(), StoreError> {
        self.write(
            sqlx::query(
                "INSERT INTO firmware (sha256, region, board, version, size, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 ON CONFLICT (sha256) DO NOTHING",
            )
            .bind(&*image.sha256)
            .bind(&*image.region)
            .bind(image.board.as_deref())
            .bind(image.version.as_deref())
            .bind(image.size)
            .bind(image.at),
        )
        .await
        .map(drop)
    }

    /// All images, newest first.
    pub async fn firmware(&self) -> Result<Vec<FirmwareImage>, StoreError> {
        let sql = format!("{IMAGE} ORDER BY at DESC, sha256");
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        Ok(rows.iter().map(read_image).collect())
    }

    /// An image, where it is kept.
    pub async fn firmware_image(&self, sha256: &str) -> Result<Option<FirmwareImage>, StoreError> {
        let sql = format!("{IMAGE} WHERE sha256 = ?1");
        let row = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(sha256)
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        Ok(row.as_ref().map(read_image))
    }

    /// Forgets an image; `false` where there is none.
    pub async fn delete_firmware(&self, sha256: &str) -> Result<bool, StoreError> {
        let done =
            self.write(sqlx::query("DELETE FROM firmware WHERE sha256 = ?1").bind(sha256)).await?;
        Ok(done.rows_affected() > 0)
    }

    /// Keeps that a flash begins.
    pub async fn begin_flash(&self, flash: &NewFlash) -> Result<FlashRecord, StoreError> {
        let started_at = unix_millis();
        let rows = self
            .write_rows(
                sqlx::query(
                    "INSERT INTO flashes (board_id, image, region, version, asked_by, entry, started_at) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
                )
                .bind(flash.board.0)
                .bind(&*flash.image.sha256)
                .bind(&*flash.image.region)
                .bind(flash.image.version.as_deref())
                .bind(&*flash.by)
                .bind(flash.entry.name())
                .bind(started_at),
            )
            .await?;
        Ok(FlashRecord {
            id: rows.first().map_or(0, |row| row.get(0)),
            board: flash.board,
            image: flash.image.sha256.clone(),
            region: flash.image.region.clone(),
            version: flash.image.version.clone(),
            by: flash.by.clone(),
            entry: flash.entry,
            result: FlashResult::Running,
            detail: None,
            bytes: 0,
            retries: 0,
            started_at,
            ended_at: None,
        })
    }

    /// Keeps how a flash ended; the first end stays.
    pub async fn end_flash(&self, id: i64, end: &FlashEnd) -> Result<(), StoreError> {
        self.write(
            sqlx::query(
                "UPDATE flashes SET result = ?2, detail = ?3, bytes = ?4, retries = ?5, ended_at = ?6 \
                 WHERE id = ?1 AND result = 'running'",
            )
            .bind(id)
            .bind(end.result.name())
            .bind(end.detail.as_deref())
            .bind(end.bytes)
            .bind(end.retries)
            .bind(unix_millis()),
        )
        .await
        .map(drop)
    }

    /// Flashes that an earlier server left are interrupted. Says how many.
    pub async fn interrupt_flashes(&self) -> Result<u64, StoreError> {
        let done = self
            .write(
                sqlx::query(
                    "UPDATE flashes SET result = 'interrupted', ended_at = ?1, \
                     detail = 'the server ended; flash again to go on' WHERE result = 'running'",
                )
                .bind(unix_millis()),
            )
            .await?;
        Ok(done.rows_affected())
    }

    /// The latest flashes of a board, newest first.
    pub async fn flashes(
        &self,
        board: BoardId,
        limit: u32,
    ) -> Result<Vec<FlashRecord>, StoreError> {
        let sql = format!("{FLASH} WHERE board_id = ?1 ORDER BY id DESC LIMIT ?2");
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(board.0)
            .bind(limit)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        rows.iter().map(read_flash).collect()
    }
}

fn read_image(row: &SqliteRow) -> FirmwareImage {
    FirmwareImage {
        sha256: row.get(0),
        region: row.get(1),
        board: row.get(2),
        version: row.get(3),
        size: uint32(row.get(4)),
        at: row.get(5),
    }
}

fn read_flash(row: &SqliteRow) -> Result<FlashRecord, StoreError> {
    Ok(FlashRecord {
        id: row.get(0),
        board: BoardId(row.get(1)),
        image: row.get(2),
        region: row.get(3),
        version: row.get(4),
        by: row.get(5),
        entry: FlashEntry::read("flashes.entry", row.get(6))?,
        result: FlashResult::read("flashes.result", row.get(7))?,
        detail: row.get(8),
        bytes: uint32(row.get(9)),
        retries: uint32(row.get(10)),
        started_at: row.get(11),
        ended_at: row.get(12),
    })
}
