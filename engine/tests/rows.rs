//! The original's own results, replayed.

use rookery_engine::{Cell, ChessEngine, Control, Limits, MicroMax, Move, Params, Progress, Role};

#[test]
fn every_row_matches() {
    let mut mismatches = 0;
    let mut rows = 0;
    for line in include_str!("data/search-rows.tsv").lines().skip(1) {
        rows += 1;
        let field: Vec<&str> = line.split('\t').collect();
        let mut cells = vec![Cell::EMPTY; field[0].parse().unwrap()];
        let mut engine = MicroMax::new(&mut cells).unwrap();
        engine.set_params(Params { node_budget: field[1].parse().unwrap(), ..Params::CLASSIC });
        for mv in field[7].split_whitespace() {
            let mv = mv.parse().unwrap();
            let queen = Move { promotion: Some(Role::Queen), ..mv };
            engine.play(mv).or_else(|_| engine.play(queen)).unwrap();
        }
        let thought = engine.think(Limits::NONE, &mut |_: Progress<'_>| Control::Continue);
        let told = match thought.best {
            None => "none".to_owned(),
            Some(mv) => format!("{}\t{}\t{}\t{}\t{}", &mv.to_string()[..4], thought.depth, thought.nodes, thought.score, thought.total),
        };
        let wanted = if field[2] == "none" { "none".to_owned() } else { field[2..7].join("\t") };
        if told != wanted {
            mismatches += 1;
            println!("{told} instead of {wanted}: {line}");
        }
    }
    assert_eq!((rows, mismatches), (389, 0));
}
