//! What a bridge with esp-link's program answers: its pages, and the Telnet port where the chip's lines are set.

use rookery_server::{
    link::transport::{LineAnswer, Page, PageError},
    model::is_control,
};
use serde::de::DeserializeOwned;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, duplex},
    runtime::Builder,
};

/// More than a question has, and than is read of an answer: nobody waits for room.
const ROOM: usize = 1 << 20;

/// Any answer, cut anywhere: it means the same as in one piece, and why it means nothing is told in short.
pub fn answer(data: &[u8]) {
    let Some((&cut, answer)) = data.split_first() else { return };
    let cut = usize::from(cut).max(1);
    pages::<u32>("rate", answer, cut);
    pages::<String>("fmt", answer, cut);
    let code = 8 + cut as u8 % 5;
    let mut pieces = LineAnswer::to(code);
    let found = answer.chunks(cut).any(|piece| pieces.is_among(piece));
    let wanted = [255, 250, 44, 105, code, 255, 240];
    assert_eq!(found, answer.windows(wanted.len()).any(|window| window == wanted));
}

fn pages<T: DeserializeOwned + PartialEq + std::fmt::Debug>(
    key: &'static str,
    answer: &[u8],
    cut: usize,
) {
    let whole = ask::<T>(key, answer, ROOM);
    match (&whole, ask::<T>(key, answer, cut)) {
        (Ok(one), Ok(other)) => assert_eq!(*one, other),
        (Err(one), Err(other)) => {
            for error in [one.to_string(), other.to_string()] {
                assert!(!error.is_empty() && error.chars().count() < 300, "{error}");
                assert!(!error.contains(is_control), "{error:?}");
            }
        }
        (one, other) => panic!("{one:?} in one piece and {other:?} in pieces of {cut}"),
    }
}

/// The question, over a connection at whose other end somebody hears it, says this and goes.
fn ask<T: DeserializeOwned>(key: &'static str, answer: &[u8], cut: usize) -> Result<T, PageError> {
    let (ours, mut theirs) = duplex(ROOM);
    let page = Page::ask("/console/baud", key);
    let said = async {
        let mut question = Vec::new();
        while !question.ends_with(b"\r\n\r\n") && theirs.read_buf(&mut question).await.is_ok() {}
        for piece in answer.chunks(cut) {
            // Whoever asks may have heard enough.
            if theirs.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        let _ = theirs.shutdown().await;
        // Gone when the question has its end.
        std::future::pending::<()>().await;
    };
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        tokio::select! {
            answer = page.value(ours, "bridge") => answer,
            () = said => unreachable!("it says something or is silent"),
        }
    })
}
