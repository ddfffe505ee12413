//! What happens when the disk is full, the file is not ours, somebody else has it, or the process is killed.
#![allow(missing_docs, clippy::unwrap_used)]

mod store_support;

use rookery_server::model::{GameResult, Termination};
use rookery_server::store::{Store, StoreError, StoreOptions};
use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use store_support::*;

#[tokio::test]
async fn a_second_rookery_is_told_who_has_the_database() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = Store::open(&path).await.unwrap();
    std::os::unix::fs::symlink(&path, dir.path().join("link.db")).unwrap();
    for name in ["a.db", "link.db"] {
        let error = Store::open(dir.path().join(name)).await.unwrap_err();
        assert!(matches!(error, StoreError::Locked { .. }), "{error}");
        let me = format!("(process {})", std::process::id());
        assert!(error.to_string().contains(&me), "{error}");
    }
    // One that is about to let it go is waited for.
    let leave = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        store.close().await
    };
    let (store, left) = tokio::join!(opened(&path), leave);
    left.unwrap();
    let reader = Store::open_read_only(&path).await.unwrap();
    let refused = reader.create_run(&settings()).await.unwrap_err();
    assert!(matches!(refused, StoreError::ReadOnly { .. }), "{refused}");
    let run = store.create_run(&settings()).await.unwrap();
    assert_eq!(reader.run(run).await.unwrap().settings, settings());
    assert_eq!(reader.id(), store.id());
    store.close().await.unwrap();
    assert!(matches!(store.create_run(&settings()).await, Err(StoreError::Closed)));
    assert!(matches!(store.run(run).await, Err(StoreError::Closed)));
    let store = Store::open(&path).await.unwrap();
    assert_eq!(reader.id(), store.id());
    drop(store);
    // The last handle closes it, in the background.
    let again = opened(&path).await;
    assert_eq!(again.run(run).await.unwrap().id, run);
}

/// Opens a database that is about to be let go. Where that takes longer than it is waited for, it is asked again, and must have waited.
async fn opened(path: &Path) -> Store {
    let begun = Instant::now();
    loop {
        let asked = Instant::now();
        match Store::open(path).await {
            Ok(store) => return store,
            Err(StoreError::Locked { .. }) if begun.elapsed() < Duration::from_secs(30) => {
                let waited = asked.elapsed();
                assert!(waited > Duration::from_secs(1), "given up after {waited:?}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test]
async fn files_that_are_no_databases_of_ours_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("notes.txt");
    std::fs::write(&text, "not a database, and long enough to have a header\n".repeat(90)).unwrap();
    let before = std::fs::read(&text).unwrap();
    for error in
        [Store::open(&text).await.unwrap_err(), Store::open_read_only(&text).await.unwrap_err()]
    {
        assert!(matches!(error, StoreError::NotADatabase { .. }), "{error:?}");
    }
    assert_eq!(std::fs::read(&text).unwrap(), before);

    let other = dir.path().join("other.db");
    sqlite3(&other, "CREATE TABLE games (moves TEXT)");
    let before = std::fs::read(&other).unwrap();
    for error in
        [Store::open(&other).await.unwrap_err(), Store::open_read_only(&other).await.unwrap_err()]
    {
        assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");
    }
    assert_eq!(std::fs::read(&other).unwrap(), before, "not even its journal mode");

    let missing = dir.path().join("missing.db");
    let error = Store::open_read_only(&missing).await.unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error:?}");
    assert!(!missing.exists());
    for (path, says) in [
        (dir.path().to_owned(), "cannot open"),
        (dir.path().join("no/such/a.db"), "cannot find the folder"),
        (PathBuf::from("/proc/a.db"), "cannot create '/proc/a.db.lock'"),
    ] {
        let error = Store::open(&path).await.unwrap_err();
        assert!(matches!(error, StoreError::Io { .. }), "{error:?}");
        assert!(error.to_string().starts_with(says), "{error}");
    }
}

#[tokio::test]
async fn a_newer_schema_is_refused_and_an_older_one_is_not_read_half() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    Store::open(&path).await.unwrap().close().await.unwrap();
    sqlite3(
        &path,
        "INSERT INTO _sqlx_migrations VALUES (900, 'future', CURRENT_TIMESTAMP, 1, x'00', 1)",
    );
    for error in
        [Store::open(&path).await.unwrap_err(), Store::open_read_only(&path).await.unwrap_err()]
    {
        assert!(matches!(error, StoreError::TooNew { found: 900, .. }), "{error:?}");
        assert!(error.to_string().contains("use a newer rookery"), "{error}");
    }
    // Killed between the first table and the first migration.
    sqlite3(
        &path,
        "DELETE FROM _sqlx_migrations; PRAGMA application_id = 0; PRAGMA writable_schema = 1;
         DELETE FROM sqlite_schema WHERE name NOT LIKE '%sqlx_migrations%';",
    );
    let error = Store::open_read_only(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::TooOld { found: 0, .. }), "{error:?}");
    let store = Store::open(&path).await.unwrap();
    store.create_run(&settings()).await.unwrap();
}

#[test]
fn every_migration_is_embedded() {
    // The macro looks at the folder when it is compiled, and nothing compiles it again when a file is added.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
    let files = std::fs::read_dir(folder).unwrap().count();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async { Store::open(&path).await.unwrap().close().await.unwrap() });
    let applied = sqlite3(&path, "SELECT count(*) FROM _sqlx_migrations");
    assert_eq!(applied.trim(), files.to_string(), "touch server/src/store/open.rs");
}

#[tokio::test]
async fn a_damaged_file_is_called_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let (store, _, game) = with_game(&path).await;
    for n in 1..=300 {
        store.append_ply(game, &ply(n), &[]).await.unwrap();
    }
    store.close().await.unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in &mut bytes[4096..] {
        *byte ^= 0xa5;
    }
    std::fs::write(&path, bytes).unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert!(error.to_string().contains(".recover"), "{error}");
}

#[tokio::test]
async fn the_size_limit_is_a_full_disk_and_the_store_goes_on_when_it_is_lifted() {
    let dir = tempfile::tempdir().unwrap();
    let options = StoreOptions { max_bytes: Some(200_000) };
    let store = Store::open_with(dir.path().join("a.db"), options).await.unwrap();
    let run = store.create_run(&settings()).await.unwrap();
    let game = store.create_game(&new_game(run, 1)).await.unwrap();
    let last = fill(&store, game).await;
    store.set_max_bytes(None).await.unwrap();
    goes_on(&store, game, last).await;
}

#[tokio::test]
async fn a_full_disk_is_told_apart_and_the_store_goes_on_when_there_is_room() {
    let dir = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"])
        .arg(dir.path())
        .status()
        .is_ok_and(|s| s.success());
    if !mounted {
        println!("SKIPPED: a full disk needs the right to mount a tmpfs");
        return;
    }
    let _unmount = Unmount(dir.path().to_owned());
    let path = dir.path().join("a.db");
    let (store, _, game) = with_game(&path).await;
    // Something else takes the rest of the disk.
    let ballast = dir.path().join("ballast");
    let mut file = std::fs::File::create(&ballast).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    let last = fill(&store, game).await;
    let other = Store::open(dir.path().join("b.db")).await.unwrap_err();
    assert!(other.is_full(), "{other:?}");
    std::fs::remove_file(&ballast).unwrap();
    drop(file);
    goes_on(&store, game, last).await;
    store.close().await.unwrap();
    assert_eq!(sqlite3(&path, "PRAGMA integrity_check").trim(), "ok");
}

#[tokio::test]
async fn a_database_on_a_disk_that_cannot_be_written_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let mount = |how: &[&str]| {
        let mut command = Command::new("mount");
        let status = command.args(how).arg(dir.path()).status();
        status.is_ok_and(|s| s.success())
    };
    if !mount(&["-t", "tmpfs", "tmpfs"]) {
        println!("SKIPPED: a disk that cannot be written needs the right to mount a tmpfs");
        return;
    }
    let _unmount = Unmount(dir.path().to_owned());
    let path = dir.path().join("a.db");
    let (store, run, game) = with_game(&path).await;
    store.append_ply(game, &ply(1), &[]).await.unwrap();
    store.close().await.unwrap();
    assert!(mount(&["-o", "remount,ro"]));
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error:?}");
    let store = Store::open_read_only(&path).await.unwrap();
    assert_eq!(store.run(run).await.unwrap().settings, settings());
    assert_eq!(store.plies(game).await.unwrap().len(), 1);
}

/// Appends until there is no room, and returns the last ply that is kept.
async fn fill(store: &Store, game: rookery_server::model::GameId) -> u32 {
    let mut last = store.game(game).await.unwrap().plies;
    let error = loop {
        match store.append_ply(game, &ply(last + 1), &iterations(last + 1, 12)).await {
            Ok(()) => last += 1,
            Err(error) => break error,
        }
        assert!(last < 20_000, "it never fills");
    };
    assert!(error.is_full() && error.is_transient(), "{error:?}");
    assert!(error.to_string().contains("make room"), "{error}");
    // Again and again, as a run that waits does; and reading goes on meanwhile.
    for _ in 0..5 {
        let again = store.append_ply(game, &ply(last + 1), &iterations(last + 1, 12)).await;
        assert!(again.unwrap_err().is_full());
        let long = "x".repeat(100_000);
        let ended =
            store.finish_game(game, GameResult::Draw, Termination::Aborted, Some(&long)).await;
        assert!(ended.unwrap_err().is_full());
        let mut settings = settings();
        settings.name = Some(long);
        let made = store.create_run(&settings).await.unwrap_err();
        assert!(made.is_full(), "{made:?}");
        assert_eq!(store.game(game).await.unwrap().plies, last);
    }
    last
}

async fn goes_on(store: &Store, game: rookery_server::model::GameId, last: u32) {
    for n in last + 1..=last + 20 {
        store.append_ply(game, &ply(n), &iterations(n, 12)).await.unwrap();
    }
    let plies = store.plies(game).await.unwrap();
    assert!(plies.iter().map(|p| p.ply).eq(1..=last + 20));
    let count = store.iterations(game).await.unwrap().len();
    assert_eq!(count, plies.len() * 12);
    store.finish_game(game, GameResult::Draw, Termination::MaxPlies, None).await.unwrap();
}

struct Unmount(PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        // Lazily: SQLite's threads may still be closing their files.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

const CHILD_DB: &str = "ROOKERY_TEST_CHILD_DB";

/// Not a test by itself: the process that [`no_ply_that_was_told_is_missing_after_a_kill`] kills.
#[tokio::test]
#[ignore = "the child of another test"]
async fn child_appends_plies() {
    let Some(path) = std::env::var_os(CHILD_DB) else {
        return;
    };
    let store = Store::open(path).await.unwrap();
    let game = rookery_server::model::GameId(1);
    let mut n = store.game(game).await.unwrap().plies;
    loop {
        n += 1;
        store.append_ply(game, &ply(n), &iterations(n, 3)).await.unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nPLY {n}").unwrap();
        out.flush().unwrap();
    }
}

#[tokio::test]
async fn no_ply_that_was_told_is_missing_after_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let (store, _, game) = with_game(&path).await;
    store.close().await.unwrap();
    let mut told = 0;
    for round in 0..30_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_appends_plies", "--ignored", "--nocapture"])
            .env(CHILD_DB, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let number = |line: String| line.strip_prefix("PLY ").and_then(|n| n.parse::<u32>().ok());
        let first = lines.by_ref().map_while(Result::ok).find_map(number);
        let before = told;
        told = first.expect("the child says something");
        assert!(told > before);
        // Spread over the commits: not a multiple of anything.
        std::thread::sleep(Duration::from_micros(137 + round * round * 53));
        child.kill().unwrap();
        child.wait().unwrap();
        told = lines.map_while(Result::ok).filter_map(number).max().unwrap_or(told);
        let store = Store::open(&path).await.unwrap();
        let kept = store.plies(game).await.unwrap();
        let last = u32::try_from(kept.len()).unwrap();
        assert!(kept.iter().map(|p| p.ply).eq(1..=last));
        assert!(last == told || last == told + 1, "told {told}, kept {last}");
        let thoughts = store.iterations(game).await.unwrap().len();
        assert_eq!(thoughts, kept.len() * 3, "a ply and its iterations are one");
        store.close().await.unwrap();
        told = last;
    }
    assert_eq!(sqlite3(&path, "PRAGMA integrity_check").trim(), "ok");
}

/// How long a ply takes: `cargo test --release -p rookery-server --test store_faults -- --ignored --nocapture speed`
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_a_ply() {
    const PLIES: u32 = 5_000;
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut log = std::fs::File::create(dir.path().join("plain")).unwrap();
    let start = std::time::Instant::now();
    for _ in 0..PLIES {
        log.write_all(&[7; 4096 * 2]).unwrap();
        log.sync_data().unwrap();
    }
    let plain = start.elapsed().as_secs_f64() * 1000.0 / f64::from(PLIES);
    println!("write of 8 KiB and fdatasync: {plain:.3} ms");
    let (store, run, _) = with_game(&dir.path().join("a.db")).await;
    for (number, count) in [(2, 0), (3, 6), (4, 20)] {
        let game = store.create_game(&new_game(run, number)).await.unwrap();
        let mut times = Vec::new();
        for n in 1..=PLIES {
            let (record, thoughts) = (ply(n), iterations(n, count));
            let start = std::time::Instant::now();
            store.append_ply(game, &record, &thoughts).await.unwrap();
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!(
            "append_ply, {count} iterations: mean {mean:.3} ms, p50 {:.3}, p99 {:.3}, max {:.3}",
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}
