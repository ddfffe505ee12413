//! Bridges that dial in.

use super::{peers::*, *};
use rookery_server::{link::LinkStatus, model::LinkEventKind::*};
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Dials, as often as it takes until somebody listens.
async fn dial(port: u16) -> TcpStream {
    let dialling = async {
        loop {
            match TcpStream::connect(("127.0.0.1", port)).await {
                Ok(stream) => return stream,
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    };
    timeout(PATIENT, dialling).await.expect("somebody listens")
}

/// A bridge that dials and passes bytes until it is dropped or either side closes.
struct Dialled(tokio::task::JoinHandle<()>);

impl Drop for Dialled {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn dial_for(board: &TcpBoard, port: u16) -> Dialled {
    let mut here = dial(port).await;
    let mut there = TcpStream::connect(board.address).await.unwrap();
    here.set_nodelay(true).unwrap();
    there.set_nodelay(true).unwrap();
    Dialled(tokio::spawn(async move {
        let _ = tokio::io::copy_bidirectional(&mut here, &mut there).await;
    }))
}

/// A bridge that dials again whenever it was put out, as they do.
async fn keep_dialling(board: String, port: u16) -> Dialled {
    Dialled(tokio::spawn(async move {
        loop {
            let mut here = dial(port).await;
            let mut there = TcpStream::connect(&board).await.unwrap();
            let _ = tokio::io::copy_bidirectional(&mut here, &mut there).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }))
}

#[test]
fn a_game_with_a_board_that_dials_in() {
    let sim = board_sim(&["--listen", "127.0.0.1:0"]);
    let (at, board) = (free_port(), sim.place());
    let dials = std::thread::spawn(move || {
        wait_for("the listener", || std::net::TcpStream::connect(("127.0.0.1", at)).is_ok());
        // The look for the listener was a connection as well, a silent one; the bridge is the second.
        bridge(&format!("127.0.0.1:{at}"), &board)
    });
    game_at(&format!("tcp-listen://127.0.0.1:{at}"), "12");
    drop(dials.join().unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_is_waited_for_and_dials_again() {
    let at = free_port();
    let mut linked = linked(&Ways::default(), &format!("tcp-listen://127.0.0.1:{at}"));
    let waits = |s: &LinkStatus| s.trouble.as_deref().is_some_and(|t| t.contains("to dial in"));
    linked.until("waiting", waits).await;
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    for plies in 0..3 {
        let dialled = dial_for(&board, at).await;
        ready(&linked).await;
        let moved = think(&mut linked, plies, 10).await;
        assert_moved(&moved, plies);
        let lost = linked.count(Disconnected);
        drop(dialled);
        linked.until("lost", |s| s.count(Disconnected) > lost).await;
    }
    assert_eq!(linked.count(Rebooted), 0);
}

/// Two boards at one listener, told apart by what they say they are; one that is neither is put out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn boards_of_two_kinds_find_their_own_links() {
    let (at, ways) = (free_port(), Ways::default());
    let links: Vec<_> = ["red", "blue"]
        .map(|kind| linked(&ways, &format!("tcp-listen://127.0.0.1:{at}?kind={kind}")))
        .into();
    let sims: Vec<_> = ["blue", "green", "red"]
        .map(|kind| board_sim(&["--listen", "127.0.0.1:0", "--kind", kind]))
        .into();
    let mut bridges = Vec::new();
    for sim in &sims {
        bridges.push(keep_dialling(sim.place(), at).await);
    }
    for (link, kind) in links.iter().zip(["red", "blue"]) {
        let status = link.until("ready", |s| s.state == LinkState::Ready).await;
        assert_eq!(status.identity["kind"], kind);
    }
    // A port is given back when nobody needs it.
    drop((links, ways));
    wait_for("the listener's end", || std::net::TcpListener::bind(("127.0.0.1", at)).is_ok());
}

/// A bridge that was restarted dials again while its old connection is still half open: the new one wins, and the think goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_connection_of_a_board_replaces_the_first() {
    for options in ["", "?kind=toy", "?peer=127.0.0.1"] {
        let at = free_port();
        let board = TcpBoard::start(Board::new(1, PACE)).await;
        let mut linked = linked(&Ways::default(), &format!("tcp-listen://127.0.0.1:{at}{options}"));
        let first = dial_for(&board, at).await;
        ready(&linked).await;
        let task = tokio::spawn({
            let link = linked.link.clone();
            async move {
                let limits = ThinkLimits { nodes: 1500, time: PATIENT, patience: PATIENT };
                let mut client = rookery_server::link::BoardClient::new(link);
                client.think(&placement(1, 2), limits, &CancellationToken::new(), |_| {}).await
            }
        });
        board.until("thinking", Board::is_thinking).await;
        let second = dial_for(&board, at).await;
        linked.until("replaced", |s| s.count(Disconnected) == 1).await;
        let moved = timeout(PATIENT, task).await.unwrap().unwrap();
        assert_moved(&moved, 2);
        assert_eq!((linked.count(Rebooted), linked.count(PositionPushed)), (0, 1), "{options}");
        // The old one's end is nobody's any more.
        drop(first);
        let moved = think(&mut linked, 3, 10).await;
        assert_moved(&moved, 3);
        assert_eq!(linked.count(Disconnected), 1);
        drop(second);
    }
}

/// A scanner of ports, a browser, somebody from elsewhere: none of them gets a board's place, and its game goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_are_put_out() {
    for options in ["", "?kind=toy"] {
        let at = free_port();
        let board = TcpBoard::start(Board::new(1, PACE)).await;
        let mut linked = linked(&Ways::default(), &format!("tcp-listen://127.0.0.1:{at}{options}"));
        let _dialled = dial_for(&board, at).await;
        ready(&linked).await;
        let mut browser = dial(at).await;
        browser.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        let mut heard = Vec::new();
        timeout(PATIENT, browser.read_to_end(&mut heard)).await.expect("it is closed").ok();
        let moved = think(&mut linked, 1, 10).await;
        assert_moved(&moved, 1);
        assert_eq!(linked.count(Disconnected), 0);
    }
    let at = free_port();
    let _elsewhere =
        linked(&Ways::default(), &format!("tcp-listen://127.0.0.1:{at}?peer=10.9.8.7"));
    let mut stranger = dial(at).await;
    let mut heard = Vec::new();
    timeout(PATIENT, stranger.read_to_end(&mut heard)).await.expect("it is closed").ok();
    assert_eq!(heard, b"", "nothing is said to it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_in_use_is_said_and_tried_again() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = taken.local_addr().unwrap().port();
    let linked = linked(&Ways::default(), &format!("tcp-listen://127.0.0.1:{at}"));
    let says = |s: &LinkStatus| {
        s.trouble
            .as_deref()
            .is_some_and(|t| t.contains(&format!("cannot listen on 127.0.0.1:{at}")))
    };
    linked.until("the reason", says).await;
    drop(taken);
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let _dialled = dial_for(&board, at).await;
    ready(&linked).await;
}
