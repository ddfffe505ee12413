//! PGN files: every finished game exactly once, whatever happened to the file or the process.
#![allow(missing_docs, clippy::unwrap_used)]

mod store_support;

use rookery_server::{
    model::{GameId, GameResult, RunId, Termination},
    pgn::{Export, PgnError, PgnFile, PgnStyle, Selection, export_to, write_file},
    store::Store,
    telemetry::GameFilter,
};
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};
use store_support::*;

const FOREIGN: &str = "[Event \"Somebody's\"]\n[Result \"1-0\"]\n\n1. e4 {GameId} e5 1-0\n";

async fn export(
    store: &Store,
    selection: Selection,
    style: PgnStyle,
    path: &Path,
) -> Result<u32, PgnError> {
    write_file(Export::new(store, selection, style).await?.texts(), path).await
}

async fn finish(store: &Store, run: RunId, number: u32) -> GameId {
    let game = store.create_game(&new_game(run, number)).await.unwrap();
    for (n, (uci, san)) in (1..).zip([("g1f3", "Nf3"), ("g8f6", "Nf6"), ("f3g1", "Ng1")]) {
        let mut record = ply(n);
        (record.uci, record.san) = (uci.to_owned(), san.to_owned());
        store.append_ply(game, &record, &[]).await.unwrap();
    }
    store
        .finish_game(game, GameResult::Draw, Termination::MaxPlies, Some("three plies"))
        .await
        .unwrap();
    game
}

async fn store_with(dir: &Path, name: &str, games: u32) -> (Store, RunId) {
    let store = Store::open(dir.join(name)).await.unwrap();
    let run = store.create_run(&settings()).await.unwrap();
    for number in 1..=games {
        finish(&store, run, number).await;
    }
    (store, run)
}

/// The numbers of a store's games as they stand in a file, checked to be whole.
fn games_in(store: &Store, path: &Path) -> Vec<i64> {
    let text = std::fs::read_to_string(path).unwrap();
    let key = format!("[GameId \"rookery-{}-", store.id());
    let whole = text.matches("2. Ng1").count();
    assert_eq!(whole, text.matches("[GameId").count(), "{text}");
    text.lines()
        .filter_map(|line| line.strip_prefix(&key)?.strip_suffix("\"]")?.parse().ok())
        .collect()
}

#[tokio::test]
async fn games_are_added_as_they_end_and_each_once() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = store_with(dir.path(), "a.db", 0).await;
    let path = dir.path().join("a.pgn");
    let file = PgnFile::new(&store, Some(run), PgnStyle::Engine, &path);
    assert_eq!(file.sync().await.unwrap(), 0);
    let open = store.create_game(&new_game(run, 9)).await.unwrap();
    finish(&store, run, 2).await;
    assert_eq!(file.sync().await.unwrap(), 1);
    finish(&store, run, 1).await;
    let other = store.create_run(&settings()).await.unwrap();
    finish(&store, other, 1).await;
    assert_eq!(file.sync().await.unwrap(), 1);
    assert_eq!(file.sync().await.unwrap(), 0);
    // As after a restart.
    let file = PgnFile::new(&store, Some(run), PgnStyle::Lichess, &path);
    assert_eq!(file.sync().await.unwrap(), 0);
    assert_eq!(games_in(&store, &path), [open.0 + 1, open.0 + 2]);
    // Another run's games are added to it when they are asked for.
    let all = PgnFile::new(&store, None, PgnStyle::Engine, &path);
    assert_eq!(all.sync().await.unwrap(), 1);
    // Removed, or replaced by an editor: what is missing comes back.
    std::fs::remove_file(&path).unwrap();
    assert_eq!(all.sync().await.unwrap(), 3);
    std::fs::write(&path, FOREIGN).unwrap();
    assert_eq!(all.sync().await.unwrap(), 3);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&format!("{FOREIGN}\n[Event ")), "{text}");
    assert_eq!(all.sync().await.unwrap(), 0);
}

#[tokio::test]
async fn a_game_cut_short_anywhere_is_made_whole() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = store_with(dir.path(), "a.db", 3).await;
    let path = dir.path().join("a.pgn");
    std::fs::write(&path, FOREIGN).unwrap();
    let file = PgnFile::new(&store, Some(run), PgnStyle::Engine, &path);
    file.sync().await.unwrap();
    let whole = std::fs::read(&path).unwrap();
    let third = String::from_utf8_lossy(&whole).rfind("[Event ").unwrap();
    for cut in third..whole.len() {
        for zeros in [0, 3] {
            let mut bytes = whole[..cut].to_vec();
            bytes.extend(vec![0; zeros]);
            std::fs::write(&path, bytes).unwrap();
            // A new process, which may have been given another style.
            let style = PgnStyle::ALL[cut % 3];
            let file = PgnFile::new(&store, Some(run), style, &path);
            assert_eq!(file.sync().await.unwrap(), 1, "cut at {cut}");
            assert_eq!(games_in(&store, &path), [1, 2, 3], "cut at {cut}");
            let now = std::fs::read(&path).unwrap();
            assert_eq!(now[..third], whole[..third]);
            if style == PgnStyle::Engine {
                assert_eq!(now, whole);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_databases_and_many_callers_share_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    let mut tasks = tokio::task::JoinSet::new();
    let mut stores = Vec::new();
    for name in ["a.db", "b.db"] {
        let (store, run) = store_with(dir.path(), name, 0).await;
        stores.push(store.clone());
        let file = PgnFile::new(&store, Some(run), PgnStyle::Engine, &path);
        let file = std::sync::Arc::new(file);
        for number in 1..=20 {
            let (store, file) = (store.clone(), file.clone());
            tasks.spawn(async move {
                finish(&store, run, number).await;
                file.sync().await.unwrap();
            });
        }
    }
    tasks.join_all().await;
    for store in stores {
        let mut games = games_in(&store, &path);
        games.sort_unstable();
        assert!(games.into_iter().eq(1..=20));
    }
}

#[tokio::test]
async fn an_export_is_whole_or_not_there() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = store_with(dir.path(), "a.db", 3).await;
    let open = store.create_game(&new_game(run, 7)).await.unwrap();
    let path = dir.path().join("out.pgn");
    std::fs::write(&path, "old").unwrap();
    let link = dir.path().join("link.pgn");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let count =
        export(&store, Selection::Games(GameFilter::of_run(run)), PgnStyle::Engine, &link).await;
    assert_eq!(count.unwrap(), 3);
    assert_eq!(games_in(&store, &path), [1, 2, 3]);
    assert!(link.is_symlink());
    let mut text = Vec::new();
    let one = Selection::Game(open);
    export_to(&store, one, PgnStyle::Engine, &mut text).await.unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("[Termination \"unterminated\"]") && text.ends_with("\n\n*\n\n"),
        "{text}"
    );

    let lost =
        export(&store, Selection::Games(GameFilter::of_run(RunId(9))), PgnStyle::Engine, &path)
            .await;
    assert_eq!(lost.unwrap_err().to_string(), "there is no run 9");
    let no_folder = dir.path().join("no/out.pgn");
    let error = export(&store, Selection::all(), PgnStyle::Engine, &no_folder).await;
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("cannot create '") && error.contains("no/out.pgn"), "{error}");
    assert_eq!(games_in(&store, &path), [1, 2, 3]);
    let names = std::fs::read_dir(dir.path()).unwrap();
    let left =
        names.filter(|n| n.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp"));
    assert_eq!(left.count(), 0);
    // Not a file: written to as it is.
    let null = export(&store, Selection::all(), PgnStyle::Engine, Path::new("/dev/null")).await;
    assert_eq!(null.unwrap(), 3);
    let full = export(&store, Selection::all(), PgnStyle::Engine, Path::new("/dev/full")).await;
    assert!(full.unwrap_err().is_full());
}

#[tokio::test]
async fn a_full_disk_leaves_whole_games_and_the_rest_follows() {
    let dir = tempfile::tempdir().unwrap();
    let disk = dir.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(&disk)
        .status()
        .is_ok_and(|s| s.success());
    if !mounted {
        println!("SKIPPED: a full disk needs the right to mount a tmpfs");
        return;
    }
    let _unmount = Unmount(disk.clone());
    let (store, run) = store_with(dir.path(), "a.db", 2).await;
    let path = disk.join("a.pgn");
    let file = PgnFile::new(&store, Some(run), PgnStyle::Engine, &path);
    assert_eq!(file.sync().await.unwrap(), 2);
    let mut ballast = std::fs::File::create(disk.join("ballast")).unwrap();
    while ballast.write_all(&[0; 1024]).is_ok() {}
    for number in 3..=20 {
        finish(&store, run, number).await;
    }
    for _ in 0..3 {
        let error = file.sync().await.unwrap_err();
        assert!(error.is_full(), "{error:?}");
        assert!(matches!(error, PgnError::Full { .. }));
        assert_eq!(games_in(&store, &path), [1, 2]);
    }
    let error = export(&store, Selection::all(), PgnStyle::Engine, &path).await;
    assert!(error.unwrap_err().is_full());
    assert_eq!(games_in(&store, &path), [1, 2]);
    drop(ballast);
    std::fs::remove_file(disk.join("ballast")).unwrap();
    assert_eq!(file.sync().await.unwrap(), 18);
    assert!(games_in(&store, &path).into_iter().eq(1..=20));
}

/// What has no end or keeps nothing cannot be looked through for the games that it has.
#[tokio::test]
async fn a_device_or_a_pipe_is_no_file_that_grows() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = store_with(dir.path(), "a.db", 1).await;
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let devices = ["/dev/full", "/dev/zero", "/dev/null"].map(PathBuf::from);
    for path in devices.iter().chain([&pipe]) {
        let file = PgnFile::new(&store, Some(run), PgnStyle::Engine, path);
        let error = file.sync().await.unwrap_err().to_string();
        assert!(error.contains(&*path.to_string_lossy()), "{error}");
        assert!(error.contains("a device or a pipe"), "{error}");
    }
}

struct Unmount(PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
