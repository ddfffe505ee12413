//! The views: roll-ups say what the plies say, filters choose what they name, and the numbers of a journal come out as it has them.

use super::*;
use rookery_server::{
    model::{BoardId, LinkEvent, LinkEventKind, NewGame},
    store::CompareError,
    telemetry::{Filter, Group, List, Subject},
};

fn groups(text: &str) -> List<Group> {
    text.parse().unwrap()
}

#[tokio::test]
async fn sums_kept_and_sums_made_of_plies_are_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let store = history(&dir.path().join("a.db")).await;
    let mut filters =
        vec![Filter::default(), Filter::of_run(run_id(1)), Filter::of_game(GameId(12))];
    let with = |set: &dyn Fn(&mut Filter)| {
        let mut filter = Filter::default();
        set(&mut filter);
        filter
    };
    filters.extend([
        with(&|f| f.firmware = "1.1".parse().unwrap()),
        with(&|f| f.mover = "first,second".parse().unwrap()),
        with(&|f| f.phase = "endgame".parse().unwrap()),
        with(&|f| f.board = "2".parse().unwrap()),
        with(&|f| f.since = Some("2027-03-17".parse().unwrap())),
        with(&|f| f.run = "77".parse().unwrap()),
    ]);
    for filter in filters {
        for group in ["", "run", "board", "firmware", "game", "mover", "phase", "mover,phase,run"] {
            let mut rolled = asked(View::Summary);
            rolled.filter = filter.clone();
            rolled.group = groups(group);
            rolled.percentiles = true;
            let mut plies = rolled.clone();
            // Every ply, and the roll-ups cannot say so.
            plies.filter.ply_from = Some(1);
            let (rolled, plies) =
                (store.telemetry(&rolled).await.unwrap(), store.telemetry(&plies).await.unwrap());
            assert_eq!(rolled, plies, "{filter:?} {group}");
            assert_eq!(rolled.rows.is_empty(), filter.run.0 == [77]);
        }
    }
}

#[tokio::test]
async fn phases_stand_in_the_order_in_which_a_game_goes_through_them() {
    let dir = tempfile::tempdir().unwrap();
    let store = history(&dir.path().join("a.db")).await;
    for percentiles in [false, true] {
        let mut query = asked(View::Summary);
        query.group = groups("mover,phase");
        query.percentiles = percentiles;
        let table = store.telemetry(&query).await.unwrap();
        let text = |row: usize, column: &str| table.get(row, column).unwrap().to_text();
        let rows = (0..table.rows.len()).filter(|n| text(*n, "mover") == "first");
        let phases: Vec<_> = rows.map(|n| text(n, "phase")).collect();
        assert!(phases.len() > 2, "{phases:?}");
        assert!(phases.is_sorted_by_key(|phase| rank(phase)), "{phases:?}");
    }
}

fn rank(phase: &str) -> i64 {
    let order = ["book", "opening", "middlegame", "endgame"];
    order.iter().position(|word| *word == phase).expect("a phase") as i64
}

#[tokio::test]
async fn by_moves_each_player_has_one_of_them_in_every_game() {
    let dir = tempfile::tempdir().unwrap();
    let store = history(&dir.path().join("a.db")).await;
    let ask = async |group: &str| {
        let mut query = asked(View::Summary);
        query.group = groups(group);
        store.telemetry(&query).await.unwrap()
    };
    let (plies, moves) = (ask("mover,game,ply").await, ask("mover,game,move").await);
    assert!(moves.rows.len() > 30, "{}", moves.rows.len());
    for n in 0..moves.rows.len() {
        let of = |name| int(&moves, n, name);
        let inside = (0..plies.rows.len()).filter(|m| {
            ["mover", "game"].iter().all(|key| plies.get(*m, key) == moves.get(n, key))
                && [of("move") * 2 - 1, of("move") * 2].contains(&int(&plies, *m, "ply"))
        });
        let (mut count, mut nodes) = (0, 0);
        for m in inside {
            count += int(&plies, m, "plies");
            nodes += int(&plies, m, "nodes");
        }
        assert_eq!((of("plies"), of("nodes")), (count, nodes));
        assert!(count >= 1);
    }
}

#[tokio::test]
async fn a_percentile_is_a_value_that_was_measured() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _, game) = with_game(&dir.path().join("a.db")).await;
    for n in 1..=100 {
        let mut p = ply(n);
        p.mover = Mover::First;
        p.nodes = Some(u64::from(n) * 1000);
        p.host_us = Some(1_000_000);
        store.append_ply(game, &p, &[]).await.unwrap();
    }
    let mut query = asked(View::Summary);
    query.percentiles = true;
    let table = store.telemetry(&query).await.unwrap();
    for (column, value) in
        [("nodes_p50", 50_000), ("nodes_p90", 90_000), ("nps_p95", 95_000), ("nps_p99", 99_000)]
    {
        assert_eq!(int(&table, 0, column), value, "{column}");
    }
    assert!((real(&table, 0, "time_p99_ms") - 1000.0).abs() < 1e-9);
    assert_eq!(int(&table, 0, "nps"), 50_500);
    assert_eq!(int(&table, 0, "thinks"), 100);
}

/// What a list in pages relies on.
#[tokio::test]
async fn rows_are_told_apart_by_their_key_and_in_order_by_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = history(&dir.path().join("a.db")).await;
    for (game, board) in [(12, 2), (3, 1), (5, 1)] {
        let event = |kind| LinkEvent { at: WHEN, kind, detail: String::new() };
        let events = [LinkEventKind::Timeout, LinkEventKind::BadCrc, LinkEventKind::Timeout];
        let (board, game) = (BoardId(board), Some(GameId(game)));
        store.add_link_events(board, game, &events.map(event)).await.unwrap();
    }
    let all = ["", "board,mover", "move", "depth", "firmware,phase", "game,ply"];
    for view in View::ALL {
        for group in all {
            let mut query = asked(*view);
            query.group = groups(group);
            if query.check().is_err() {
                continue;
            }
            let table = store.telemetry(&query).await.unwrap();
            let places: Vec<usize> =
                query.key().into_iter().map(|name| table.column(name).unwrap()).collect();
            let key = |row: &Vec<Value>| -> Vec<(Option<i64>, Option<String>)> {
                let part = |place: &usize| match row[*place].as_str() {
                    Some(phase) if table.columns[*place] == "phase" => (Some(rank(phase)), None),
                    text => (row[*place].as_int(), text.map(str::to_owned)),
                };
                places.iter().map(part).collect()
            };
            assert!(table.rows.is_sorted_by(|a, b| key(a) < key(b)), "{view} by '{group}'");
            assert!(!table.rows.is_empty(), "{view}");
        }
    }
}

/// The owner's figures: a budget of 60,000, a peak of 927,000 nodes in 134.9 s, mate lines of d=98, book moves one of whose markers was lost.
#[tokio::test]
async fn the_figures_of_the_journal_come_out_as_one_row() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = Store::open(&path).await.unwrap();
    let mut settings = settings();
    settings.level = 60_000;
    let run = store.create_run(&settings).await.unwrap();
    let board = store.upsert_board("C6", "tcp://c6:23").await.unwrap();
    store.set_board_identity(board, &[("fw".to_owned(), "5.3".to_owned())].into()).await.unwrap();
    let mut game = new_game(run, 1);
    game.board_id = Some(board);
    let id = store.create_game(&game).await.unwrap();
    let thinks: [(u64, u32, u64, bool); 6] = [
        (1, 0, 300_000, true),
        (1, 0, 300_000, true),
        (61_000, 5, 8_000_000, false),
        (927_000, 4, 134_900_000, false),
        (185_209, 98, 20_000_000, false),
        (365, 98, 50_000, false),
    ];
    for (n, (nodes, depth, us, book)) in thinks.into_iter().enumerate() {
        let mut p = ply(n as u32 + 1);
        (p.mover, p.book) = (Mover::First, book);
        (p.nodes, p.depth, p.host_us) = (Some(nodes), Some(depth), Some(us));
        if depth == 98 {
            (p.score_raw, p.score) = (Some(-7997), Some(Score::Mate(-3)));
        }
        store.append_ply(id, &p, &[]).await.unwrap();
    }
    let event = |kind| LinkEvent { at: WHEN, kind, detail: String::new() };
    let events =
        [event(LinkEventKind::Synced), event(LinkEventKind::BadCrc), event(LinkEventKind::Timeout)];
    store.add_link_events(board, Some(id), &events).await.unwrap();
    // While it is played, and when it is over.
    for over in [false, true] {
        if over {
            finish(&store, id, GameResult::BlackWins, Termination::Checkmate).await;
        }
        let table = store.telemetry(&asked(View::Journal)).await.unwrap();
        assert_eq!(table.rows.len(), 1);
        for (column, value) in [
            ("budget_nodes", 60_000),
            ("thinks", 4),
            ("book_hits", 2),
            ("peak_nodes", 927_000),
            ("peak_ply", 4),
            ("peak_depth", 4),
            ("overruns", 3),
            ("depth_min", 4),
            ("depth_max", 5),
            ("mate_lines", 2),
            ("sustained_nps", 1_173_574_000_000 / 162_950_000),
            ("fastest_nps", 9_260),
            ("link_faults", 2),
        ] {
            assert_eq!(int(&table, 0, column), value, "{column}");
        }
        assert!((real(&table, 0, "peak_time_ms") - 134_900.0).abs() < 1e-9);
        assert!((real(&table, 0, "peak_over_budget") - 15.45).abs() < 1e-9);
        assert_eq!(table.get(0, "firmware"), Some(&Value::Text("5.3".into())));
    }
    let table = store.telemetry(&asked(View::Games)).await.unwrap();
    assert_eq!(table.get(0, "first_points"), Some(&Value::Int(0)));
    let table = store.telemetry(&asked(View::Link)).await.unwrap();
    let kinds: Vec<_> = (0..3).map(|n| table.get(n, "kind").unwrap().to_text()).collect();
    assert_eq!(kinds, ["bad_crc", "synced", "timeout"]);
    let faults: Vec<i64> = (0..3).map(|n| int(&table, n, "fault")).collect();
    assert_eq!(faults, [1, 0, 1]);
}

#[tokio::test]
async fn filters_choose_what_they_name() {
    let dir = tempfile::tempdir().unwrap();
    let store = history(&dir.path().join("a.db")).await;
    let all = store.telemetry(&asked(View::Plies)).await.unwrap();
    let count = |keep: &dyn Fn(usize) -> bool| (0..all.rows.len()).filter(|n| keep(*n)).count();
    let text = |row: usize, column: &str| all.get(row, column).unwrap().to_text();
    type Case<'a> = (&'a str, Box<dyn Fn(&mut Filter) + 'a>, Box<dyn Fn(usize) -> bool + 'a>);
    let cases: [Case<'_>; 7] = [
        ("run", Box::new(|f| f.run = "2".parse().unwrap()), Box::new(|n| text(n, "run") == "2")),
        (
            "games",
            Box::new(|f| f.game = "2,5".parse().unwrap()),
            Box::new(|n| ["2", "5"].contains(&&*text(n, "game"))),
        ),
        (
            "firmware",
            Box::new(|f| f.firmware = "1.0".parse().unwrap()),
            Box::new(|n| text(n, "firmware") == "1.0"),
        ),
        (
            "mover",
            Box::new(|f| f.mover = "first".parse().unwrap()),
            Box::new(|n| text(n, "mover") == "first"),
        ),
        (
            "side",
            Box::new(|f| f.side = "black".parse().unwrap()),
            Box::new(|n| text(n, "side") == "black"),
        ),
        (
            "phase",
            Box::new(|f| f.phase = "book,endgame".parse().unwrap()),
            Box::new(|n| ["book", "endgame"].contains(&&*text(n, "phase"))),
        ),
        (
            "plies",
            Box::new(|f| f.set_plies("4-9").unwrap()),
            Box::new(|n| (4..=9).contains(&int(&all, n, "ply"))),
        ),
    ];
    for (name, set, keep) in cases {
        let mut query = asked(View::Plies);
        set(&mut query.filter);
        let some = store.telemetry(&query).await.unwrap().rows.len();
        assert_eq!(some, count(&keep), "{name}");
        assert!(some > 0 && some < all.rows.len(), "{name}: {some}");
        let mut sum = asked(View::Summary);
        set(&mut sum.filter);
        let sum = store.telemetry(&sum).await.unwrap();
        assert_eq!(int(&sum, 0, "plies") as usize, some, "{name}");
    }
    // Pages.
    let mut page = asked(View::Plies);
    (page.limit, page.offset) = (Some(5), 3);
    let some = store.telemetry(&page).await.unwrap();
    assert!(some.truncated);
    assert_eq!(some.rows, all.rows[3..8]);
    page.offset = all.rows.len() as u32 - 5;
    assert!(!store.telemetry(&page).await.unwrap().truncated);
    // Iterations belong to plies.
    let mut query = asked(View::Iterations);
    query.filter = Filter::of_game(GameId(1));
    query.filter.ply_from = Some(6);
    query.filter.ply_to = Some(6);
    assert_eq!(store.telemetry(&query).await.unwrap().rows.len(), 3);
}

#[tokio::test]
async fn what_both_players_think_stands_on_one_scale() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _, game) = with_game(&dir.path().join("a.db")).await;
    let white = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
    let black = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2";
    let scores = [Score::Cp(30), Score::Cp(-20), Score::Mate(4), Score::Mate(-3), Score::Mate(-1)];
    for (n, score) in scores.into_iter().enumerate() {
        let mut p = ply(n as u32 + 1);
        p.score = Some(score);
        p.fen = if n % 2 == 0 { white } else { black }.to_owned();
        store.append_ply(game, &p, &[]).await.unwrap();
    }
    let table = store.telemetry(&asked(View::Plies)).await.unwrap();
    let scores: Vec<i64> = (0..5).map(|n| int(&table, n, "score_white_cp")).collect();
    assert_eq!(scores, [30, 20, 31_996, 31_997, -31_999]);
}

#[tokio::test]
async fn two_builds_side_by_side_until_they_part() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    // Two moves of a line, one of the book, then moves: the builds part at the sixth ply of the first game, never in the second.
    let plies = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6"];
    for build in 0..2 {
        let run = store
            .create_run(&settings_named(&format!("Build {build}"), "tcp://x:1"))
            .await
            .unwrap();
        for number in 1..=2 {
            let mut game = new_game(run, number);
            game.opening = Some(format!("Line {number}"));
            let id = store.create_game(&game).await.unwrap();
            for (n, uci) in plies.iter().enumerate() {
                let mut p = ply(n as u32 + 1);
                let differs = build == 1 && number == 1 && n >= 5;
                p.uci = if differs { "a7a6".to_owned() } else { (*uci).to_owned() };
                p.san = p.uci.clone();
                p.mover = match n {
                    0 => Mover::Opening,
                    // Another line: the games of different numbers do not begin alike.
                    1 if number == 2 => Mover::Opening,
                    n if n % 2 == 0 => Mover::First,
                    _ => Mover::Second,
                };
                p.book = n == 2;
                store.append_ply(id, &p, &[]).await.unwrap();
            }
            finish(&store, id, GameResult::Draw, Termination::Stalemate).await;
        }
    }
    let (a, b) = (Subject::Run(run_id(1)), Subject::Run(run_id(2)));
    let game = |id| Subject::Game(GameId(id));
    let table = store.compare(&a, &b, 15, None).await.unwrap();
    assert_eq!(table.rows.len(), 2 * 5, "from the fourth ply on, both pairs");
    assert_eq!(table.get(0, "move"), Some(&Value::Text("2...".into())));
    assert_eq!((int(&table, 0, "a_game"), int(&table, 0, "b_game")), (1, 3));
    let column = |name: &str| (0..10).map(|n| int(&table, n, name)).collect::<Vec<_>>();
    assert_eq!(column("same"), [1, 1, 0, 0, 0, 1, 1, 1, 1, 1]);
    assert_eq!(column("first_difference"), [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let short = store.compare(&a, &b, 1, Some(3)).await.unwrap();
    assert_eq!((short.rows.len(), short.truncated), (3, true));
    let one = store.compare(&game(2), &b, 15, None).await.unwrap();
    assert_eq!(int(&one, 0, "b_game"), 4);
    let none = store.compare(&game(1), &game(2), 15, None).await.unwrap_err();
    assert!(matches!(none, CompareError::NoPair { .. }), "{none}");
    assert!(none.to_string().contains("game=1 and game=2"), "{none}");
    assert!(store.compare(&Subject::Run(run_id(9)), &b, 15, None).await.is_err());
}

#[tokio::test]
async fn firmware_versions_and_boards_are_compared_over_all_runs() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    let run = store.create_run(&settings_named("Flashed between", "tcp://x:1")).await.unwrap();
    // One board, flashed after two games; the third game is another board's, of the new version.
    let old = store.upsert_board("A", "tcp://x:1").await.unwrap();
    let other = store.upsert_board("B", "tcp://x:2").await.unwrap();
    let said = |fw: &str| std::collections::BTreeMap::from([("fw".to_owned(), fw.to_owned())]);
    store.set_board_identity(other, &said("1.1")).await.unwrap();
    for (number, board, fw) in [(1, old, "1.0"), (2, old, "1.1"), (3, other, "1.1")] {
        store.set_board_identity(board, &said(fw)).await.unwrap();
        let new = NewGame { board_id: Some(board), ..new_game(run, number) };
        let game = store.create_game(&new).await.unwrap();
        for n in 1..=4 {
            let mut p = ply(n);
            p.mover = if n == 1 { Mover::Opening } else { Mover::First };
            p.uci = if number > 1 && n == 3 { "a7a6".into() } else { format!("e{n}e4") };
            store.append_ply(game, &p, &[]).await.unwrap();
        }
        finish(&store, game, GameResult::Draw, Termination::Stalemate).await;
    }
    let subject = |text: &str| text.parse::<Subject>().unwrap();
    let pairs = async |a: &str, b: &str| {
        let table = store.compare(&subject(a), &subject(b), 15, None).await.unwrap();
        let column = |name: &str| (0..table.rows.len()).map(|n| int(&table, n, name)).collect();
        let (a, b): (Vec<_>, Vec<_>) = (column("a_game"), column("b_game"));
        let parted: Vec<i64> = column("first_difference");
        (a, b, parted)
    };
    let one = pairs("firmware=1.0", "firmware=1.1").await;
    assert_eq!(one, (vec![1; 3], vec![2; 3], vec![0, 1, 0]));
    let boards = pairs("board=2", "board=1").await;
    assert_eq!(boards, (vec![3; 3], vec![1; 3], vec![0, 1, 0]));
    // A game is in both: it is not laid beside itself.
    let (a, b, _) = pairs("board=2", "firmware=1.1").await;
    assert_eq!((a, b), (vec![3; 3], vec![2; 3]));
    let none =
        store.compare(&subject("firmware=9"), &subject("run=1"), 15, None).await.unwrap_err();
    assert!(none.to_string().contains("firmware=9 and run=1"), "{none}");
    assert!(store.compare(&subject("board=9"), &subject("run=1"), 15, None).await.is_err());
}
