//! Games that were played elsewhere: what each program's files say arrives, nothing twice, and what is wrong is named.

use super::*;
use rookery_server::{
    import::{ImportOptions, Reading, Report, games, import},
    model::{GameRecord, PlyRecord, RunState, unix_millis},
    pgn::{PgnStyle, Selection, export_to},
    telemetry::GameFilter,
};
use std::path::PathBuf;

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/import").join(name)
}

fn options(run: &str) -> ImportOptions {
    ImportOptions { run: run.to_owned(), units: 100, ..ImportOptions::default() }
}

async fn imported(store: &Store, name: &str, options: &ImportOptions) -> Report {
    import(store, &[corpus(name)], options).await.unwrap()
}

async fn game(store: &Store, id: GameId) -> (GameRecord, Vec<PlyRecord>) {
    (store.game(id).await.unwrap(), store.plies(id).await.unwrap())
}

#[tokio::test]
async fn the_old_clients_files_become_a_run_with_telemetry() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = Store::open(&path).await.unwrap();
    let options = ImportOptions {
        level: Some(60_000),
        firmware: Some("5.3".to_owned()),
        ..options("Games 3 and 4")
    };
    let report = imported(&store, "journal.pgn", &options).await;
    assert_eq!((report.imported.len(), report.wrong.len()), (2, 0), "{:?}", report.wrong);
    let run = store.run(report.run.unwrap()).await.unwrap();
    assert_eq!((run.state, run.settings.games), (RunState::Imported, 2));
    assert!(store.unfinished_runs().await.unwrap().is_empty());
    assert!(store.find_unfinished_run(&run.settings).await.unwrap().is_none());

    let (record, plies) = game(&store, report.imported[0]).await;
    assert_eq!(record.game.first_color, shakmaty::Color::Black, "the board's words are Black's");
    assert_eq!(record.game.started_at, 1_792_368_000_000);
    assert_eq!((record.result, record.plies), (GameResult::WhiteWins, 15));
    let black = |n: usize| &plies[n * 2 - 1];
    assert!(black(1).book && black(2).book, "a lost marker is a book move all the same");
    assert_eq!((black(2).score_raw, black(2).score), (Some(99), None));
    assert_eq!(
        (black(3).nodes, black(3).depth, black(3).score_raw),
        (Some(45_012), Some(5), Some(-34))
    );
    assert_eq!((black(3).score, black(5).score), (Some(Score::Cp(-34)), Some(Score::Mate(-3))));
    assert!(plies.iter().step_by(2).all(|p| p.mover == Mover::Second && p.nodes.is_none()));
    assert_eq!(record.termination, Some(Termination::Unstated));
    let (mated, _) = game(&store, report.imported[1]).await;
    assert_eq!((mated.termination, mated.detail), (Some(Termination::Checkmate), None));

    let journal = store.telemetry(&asked(View::Journal)).await.unwrap();
    for (column, value) in [
        ("peak_nodes", 927_000),
        ("peak_ply", 8),
        ("book_hits", 2),
        ("overruns", 1),
        ("mate_lines", 2),
    ] {
        assert_eq!(int(&journal, 0, column), value, "{column}");
    }
    assert_eq!(journal.get(0, "firmware"), Some(&Value::Text("5.3".into())));
    assert_eq!(int(&journal, 1, "overruns"), 3);
}

#[tokio::test]
async fn the_same_game_is_never_taken_twice() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    let first = imported(&store, "journal.pgn", &options("a")).await;
    let again = imported(&store, "journal.pgn", &options("a")).await;
    assert_eq!((again.run, again.imported.len()), (None, 0));
    let known: Vec<GameId> = again.duplicates.iter().map(|d| d.is).collect();
    assert_eq!(known, first.imported);
    // Under another name, in other lines, with other line ends: the same games.
    let text = std::fs::read_to_string(corpus("journal.pgn")).unwrap();
    let other = dir.path().join("other.pgn");
    std::fs::write(&other, text.replace("oc=-34} ", "oc=-34}\r\n").replace("\n[", "\r\n["))
        .unwrap();
    let report = import(&store, std::slice::from_ref(&other), &options("b")).await.unwrap();
    assert_eq!((report.run, report.duplicates.len()), (None, 2));
    assert_eq!(store.runs(10, None).await.unwrap().len(), 1);
    // One number is different: another game, which joins the run of that name.
    std::fs::write(&other, text.replace("uz=45012", "uz=45013")).unwrap();
    let report = import(&store, std::slice::from_ref(&other), &options("a")).await.unwrap();
    assert_eq!((report.run, report.imported.len(), report.duplicates.len()), (first.run, 1, 1));
    let run = store.run(first.run.unwrap()).await.unwrap();
    assert_eq!(run.settings.games, 3);
    assert_eq!(store.game(report.imported[0]).await.unwrap().game.number, 3);
}

#[tokio::test]
async fn files_of_match_programs_and_of_lichess() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    let named = ImportOptions { first: Some("New".to_owned()), ..options("fastchess") };
    let report = imported(&store, "fastchess.pgn", &named).await;
    assert!(report.wrong.is_empty(), "{:?}", report.wrong);
    let (record, plies) = game(&store, report.imported[0]).await;
    assert_eq!(record.game.started_at, 1_777_593_600_000 + 8 * 3_600_000);
    assert_eq!((record.termination, record.detail), (Some(Termination::Checkmate), None));
    assert_eq!(record.game.opening.as_deref(), Some("King's Pawn Game"));
    assert_eq!(
        (plies[0].mover, plies[1].mover, plies[2].mover),
        (Mover::Opening, Mover::Opening, Mover::First)
    );
    assert_eq!(
        (plies[2].nodes, plies[2].depth, plies[2].host_us),
        (Some(123_456), Some(12), Some(500_000))
    );
    assert_eq!((plies[4].score, plies[5].score), (Some(Score::Mate(3)), Some(Score::Mate(-2))));
    assert_eq!(plies[2].clock_ms, Some(9_600));
    let (illegal, plies) = game(&store, report.imported[1]).await;
    assert_eq!((illegal.game.first_color, plies.len()), (shakmaty::Color::Black, 2));
    assert_eq!(
        (illegal.termination, illegal.detail.as_deref()),
        (Some(Termination::IllegalMove), Some("e1e3"))
    );

    let report = imported(&store, "cutechess.pgn", &options("cutechess")).await;
    let (record, plies) = game(&store, report.imported[0]).await;
    assert_eq!(record.termination, Some(Termination::DrawAdjudication));
    assert_eq!(record.game.started_at, 1_704_164_645_678);
    assert_eq!(record.game.first_color, shakmaty::Color::White);
    assert_eq!((plies[0].mover, plies[1].host_us), (Mover::Second, Some(64_000_000)));

    let report = imported(&store, "lichess.pgn", &options("lichess")).await;
    assert!(report.wrong.is_empty(), "{:?}", report.wrong);
    let (record, plies) = game(&store, report.imported[0]).await;
    assert_eq!(record.termination, Some(Termination::Unstated));
    assert_eq!(
        (plies[0].score, plies[1].score),
        (Some(Score::Cp(-61)), Some(Score::Cp(58))),
        "from the mover's side"
    );
    assert_eq!(plies[2].score, Some(Score::Mate(-1)));
    // Where nobody counted nodes, no think has the most.
    let journal = store.telemetry(&asked(View::Journal)).await.unwrap();
    for row in 0..journal.rows.len() {
        let is_null = |column| journal.get(row, column) == Some(&Value::Null);
        for column in ["peak_ply", "peak_depth", "peak_time_ms"] {
            assert!(!is_null("peak_nodes") || is_null(column), "row {row}: {column}");
        }
    }
    assert_eq!(journal.get(journal.rows.len() - 1, "peak_nodes"), Some(&Value::Null));
    // 3:00 + 2 s - 2:57, and 3:00 + 2 s - 2:50.5
    assert_eq!((plies[2].host_us, plies[3].host_us), (Some(5_000_000), Some(11_500_000)));
}

#[tokio::test]
async fn what_is_wrong_is_named_and_the_rest_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    let report = imported(&store, "broken.pgn", &options("a")).await;
    let said: Vec<String> = report.wrong.iter().map(ToString::to_string).collect();
    let folder = corpus("");
    let said: Vec<&str> =
        said.iter().map(|text| text.strip_prefix(&*folder.to_string_lossy()).unwrap()).collect();
    assert_eq!(
        said,
        [
            "broken.pgn:6: game 1: move 3 'Ke3' is not possible in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "broken.pgn:11: game 2: move 2 'xyz9' is no move in SAN",
            "broken.pgn:15: game 3: a comment has no end",
        ]
    );
    assert_eq!(report.imported.len(), 1, "a comment without an end costs its own game");
    assert_eq!(game(&store, report.imported[0]).await.1[0].san, "c4");
    let report = imported(&store, "odd.pgn", &options("a")).await;
    let said: Vec<String> = report.wrong.iter().map(|wrong| wrong.fault.to_string()).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(
        said[0].contains("Chess960") && said[1].contains("no fen") && said[2].contains("no moves")
    );
    assert_eq!(report.imported.len(), 1);
    let (_, plies) = game(&store, report.imported[0]).await;
    assert_eq!(plies[1].nodes, Some(2), "a comment to the end of its line");
    let named = ImportOptions { first: Some("Nobody".to_owned()), ..options("b") };
    let report = imported(&store, "fastchess.pgn", &named).await;
    assert!(report.imported.is_empty() && report.run.is_none());
    let said = report.wrong[0].to_string();
    assert!(said.contains("'Nobody' (--first)") && said.contains("'New'"), "{said}");
    let missing = import(&store, &[corpus("none.pgn")], &options("a")).await.unwrap_err();
    assert!(missing.to_string().contains("none.pgn"), "{missing}");
}

#[tokio::test]
async fn what_is_written_here_is_read_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let from = Store::open(dir.path().join("a.db")).await.unwrap();
    imported(&from, "fastchess.pgn", &options("match")).await;
    imported(&from, "journal.pgn", &ImportOptions { level: Some(45_000), ..options("board") })
        .await;
    for style in PgnStyle::ALL {
        let mut text = Vec::new();
        export_to(&from, Selection::all(), style, &mut text).await.unwrap();
        let file = dir.path().join("out.pgn");
        std::fs::write(&file, &text).unwrap();
        // Our own games are known by their tag, in the database from which they are.
        let back = import(&from, std::slice::from_ref(&file), &options("back")).await.unwrap();
        assert_eq!((back.imported.len(), back.duplicates.len()), (0, 4), "{style:?}");
        let to = Store::open(dir.path().join(format!("{style:?}.db"))).await.unwrap();
        let there = import(&to, std::slice::from_ref(&file), &options("there")).await.unwrap();
        assert_eq!(
            (there.imported.len(), there.wrong.len()),
            (4, 0),
            "{style:?}: {:?}",
            there.wrong
        );
        for (n, id) in there.imported.iter().enumerate() {
            let (old, new) = (GameId(n as i64 + 1), *id);
            let ((old_game, old), (new_game, new)) = (game(&from, old).await, game(&to, new).await);
            assert_eq!(
                (old_game.result, old_game.termination),
                (new_game.result, new_game.termination)
            );
            assert_eq!(old.len(), new.len());
            for (old, new) in old.iter().zip(&new) {
                assert_eq!((&old.uci, &old.san, &old.fen), (&new.uci, &new.san, &new.fen));
                let measured = |p: &PlyRecord| (p.nodes, p.depth, p.score, p.host_us);
                match style {
                    PgnStyle::Engine if !new.book => {
                        assert_eq!(measured(old), measured(new), "{old:?}")
                    }
                    PgnStyle::Lichess => {
                        assert_eq!((old.score, old.host_us), (new.score, new.host_us))
                    }
                    _ if old.score_raw.is_some() => assert_eq!(
                        (old.nodes, old.depth, old.score_raw),
                        (new.nodes, new.depth, new.score_raw)
                    ),
                    _ => {}
                }
            }
        }
    }
}

/// A game is written as its file had it: every tag, nothing that nobody said, and the same again after any number of times.
#[tokio::test]
async fn an_imported_game_is_exported_as_it_was() {
    const ODD: &str = "[Event \"Club\"]\n[Date \"1998.??.??\"]\n[White \"Ren\u{e9}\"]\n[Black \"<b>\"]\n[WhiteElo \"2100\"]\n\
        [Result \"*\"]\n[Odd-Name \"x\"]\n\n1. e4 {+0.31/12 0.5s, n=45012} e5 *\n";
    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join("odd.pgn");
    std::fs::write(&odd, ODD).unwrap();
    let latin = dir.path().join("latin1.pgn");
    let bytes: Vec<u8> = ODD.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    std::fs::write(&latin, &bytes).unwrap();
    let ours = ["GameId", "PlyCount", "SetUp", "FEN", "Result", "Odd-Name"];
    let named =
        ["journal", "fastchess", "cutechess", "lichess"].map(|n| corpus(&format!("{n}.pgn")));
    for file in named.into_iter().chain([odd, latin]) {
        let original: Vec<_> = games(&std::fs::read(&file).unwrap()).collect();
        for style in PgnStyle::ALL {
            let (mut from, mut written) = (file.clone(), Vec::new());
            for round in 0..3 {
                let name = dir.path().join(format!("{round}{style:?}.db"));
                let _ = std::fs::remove_file(&name);
                let store = Store::open(&name).await.unwrap();
                let report =
                    import(&store, std::slice::from_ref(&from), &options("a")).await.unwrap();
                assert!(report.wrong.is_empty(), "{:?}", report.wrong);
                let mut text = Vec::new();
                export_to(&store, Selection::all(), style, &mut text).await.unwrap();
                store.close().await.unwrap();
                from = dir.path().join("next.pgn");
                std::fs::write(&from, &text).unwrap();
                for (old, new) in original.iter().zip(games(&text)) {
                    for (name, value) in &old.tags {
                        let found = new.tags.iter().find(|(n, _)| n == name);
                        let same = found.is_some_and(|(_, v)| v == value.trim());
                        assert!(
                            same || ours.contains(&&**name),
                            "{name}: {found:?} {}",
                            from.display()
                        );
                    }
                    for (name, value) in &new.tags {
                        let theirs = old.tags.iter().any(|(n, _)| n == name);
                        let unknown = ["?", "????.??.??"].contains(&&**value);
                        assert!(theirs || unknown || ours.contains(&&**name), "{name} {value}");
                    }
                }
                let text = String::from_utf8(text).unwrap();
                let text: Vec<&str> = text.lines().filter(|l| !l.starts_with("[GameId")).collect();
                written.push(text.join("\n"));
            }
            assert_eq!(written[1], written[0], "{style:?}");
            assert_eq!(written[2], written[1], "{style:?}");
        }
    }
}

/// A year is no time in milliseconds, and no clock of a file's is too far ahead to be added up.
#[tokio::test]
async fn years_and_clocks_beyond_all_measure() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    let report = imported(&store, "years.pgn", &options("years")).await;
    assert!(report.wrong.is_empty(), "{:?}", report.wrong);
    let games = store.games(&GameFilter::default(), None, None).await.unwrap();
    let now = unix_millis();
    assert_eq!(games.len(), 2);
    for game in games {
        assert!((now - game.game.started_at).abs() < 3_600_000, "not known: when it was imported");
    }
}

/// The same game in every notation that people and programs write is the same moves.
#[test]
fn moves_in_every_notation() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f5 6. exf5 *",
        "1.e2e4 e7e5 2.g1f3 b8c6 3.f1b5 a7a6 4.b5c6 d7c6 5.e1g1 f7f5 6.e4f5 *",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5xc6 d7xc6 5. 0-0 f7-f5 6. e4xf5 *",
        "1. e4! 1... e5?? 2. Ng1f3 N 2... Nc6 = 3. Bb5 $1 a6 4. Bxc6+ dxc6 5. O-O! f5 6. exf5e.p. *",
    ] {
        let raw = games(text.as_bytes()).next().unwrap();
        let reading = Reading::read(&raw, 100).unwrap_or_else(|(_, why)| panic!("{text}: {why}"));
        let game = reading.into_game(RunId(1), "?", &options("a"), 0);
        let uci: Vec<&str> = game.plies.iter().map(|p| &*p.uci).collect();
        let all = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f5 e4f5";
        assert_eq!(uci.join(" "), all, "{text}");
    }
}
