//! What the program is given: the corpora of the fuzz targets, and random lines beside them.

#[path = "../../fuzz/src/corpus.rs"]
#[allow(unreachable_pub)]
mod corpus;
#[path = "../../fuzz/src/engine.rs"]
#[allow(dead_code, unreachable_pub, clippy::unwrap_used)]
mod engine;

use corpus::replay;
use proptest::prelude::*;

#[test]
fn the_corpus_of_uci() {
    replay("engine_uci", engine::uci);
}

#[test]
fn the_corpus_of_files() {
    replay("engine_files", engine::files);
}

proptest! {
    #[test]
    fn any_lines_are_read_or_refused(
        lines in prop::collection::vec(
            prop_oneof![
                "go( (nodes|depth|movetime|movestogo|[wb](time|inc)|infinite|-?[0-9]{1,21}|nan)){0,8}",
                "setoption name (Hash ?Cells|Hash|Node ?Budget|Castling ?(Long|Short)|Preset|x) value (-?[0-9]{1,21}|tal|.{0,4})",
                "position( (startpos|fen|moves|[a-h][1-8][a-h][1-8][qn]?|k7/8/8/8/8/8/P7/K7 [wb] - - [0-9]|.{1,4})){0,6}",
                ".{0,40}",
            ],
            0..6,
        ),
        bytes in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        engine::uci(&[lines.join("\n").as_bytes(), &bytes].concat());
    }

    #[test]
    fn any_games_line_is_read(moves in prop::collection::vec("[a-h][2457][a-h][2457]", 0..9)) {
        engine::uci(format!("position startpos moves {}", moves.join(" ")).as_bytes());
    }

    #[test]
    fn any_file_is_read_or_refused(
        text in "((rnbqkbnr|r3k2r|8|4k3)(/8){6}/(R3K2R|4K3) [wb] (-|KQkq|qK) - [0-9]{0,6} [0-9]{0,6}|#|--(first|second|openings|games|cells) (pawn=-?[0-9]{1,4},cells=[0-9]{1,3}|[0-9]{1,20})| |\t|\n|[0-9]{1,20}\t|.){0,20}",
    ) {
        engine::files(text.as_bytes());
    }
}
