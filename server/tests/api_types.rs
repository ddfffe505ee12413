//! The page's TypeScript types are those of the server. `make types` writes them (it sets `WRITE_TYPES`).

use rookery_server::{
    api::{
        ApiError, BookPage, BookView, ConsoleMessage, ConsoleSay, EvaluationView, FlashRequest,
        GameDetail, GamePage, LinkEventView, PositionGames, ServerMessage, SqlQuery,
        TelemetryTable, VersionView,
    },
    model::{FirmwareImage, IterationRecord, OpeningOrder},
    telemetry::GameFilter,
};
use std::{collections::BTreeMap, fs, path::Path};
use ts_rs::{Config, TS};

fn export(folder: &Path) {
    let config = Config::new().with_large_int("number").with_out_dir(folder);
    ServerMessage::export_all(&config).expect("types");
    GameDetail::export_all(&config).expect("types");
    GameFilter::export_all(&config).expect("types");
    GamePage::export_all(&config).expect("types");
    LinkEventView::export_all(&config).expect("types");
    IterationRecord::export_all(&config).expect("types");
    VersionView::export_all(&config).expect("types");
    ConsoleMessage::export_all(&config).expect("types");
    ConsoleSay::export_all(&config).expect("types");
    FlashRequest::export_all(&config).expect("types");
    FirmwareImage::export_all(&config).expect("types");
    BookPage::export_all(&config).expect("types");
    BookView::export_all(&config).expect("types");
    EvaluationView::export_all(&config).expect("types");
    PositionGames::export_all(&config).expect("types");
    OpeningOrder::export_all(&config).expect("types");
    ApiError::export_all(&config).expect("types");
    SqlQuery::export_all(&config).expect("types");
    TelemetryTable::export_all(&config).expect("types");
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    entries.map(|path| (name(&path), fs::read_to_string(&path).expect("a text"))).collect()
}

#[test]
fn the_pages_types_are_the_servers() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/generated");
    if std::env::var_os("WRITE_TYPES").is_some() {
        fs::remove_dir_all(&kept).expect("the old types");
        export(&kept);
    }
    let made = tempfile::tempdir().expect("a folder");
    export(made.path());
    assert!(
        files(made.path()) == files(&kept),
        "web/src/generated is not what the server's types are: make types"
    );
}
