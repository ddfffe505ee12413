//! Serial ports.

use super::{peers::*, *};
use rookery_server::{link::Connector, model::LinkEventKind::*};
use std::{os::unix::fs::symlink, path::Path, sync::atomic::Ordering, time::Duration};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

#[test]
fn a_game_over_a_serial_port() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let sim = board_sim(&["--pty", port.to_str().unwrap()]);
    sim.place();
    game_at(&format!("serial://{}?parity=none", port.display()), "20");
    // A second program, after the first: the port was given back.
    game_at(&format!("serial://{}?baud=9600", port.display()), "6");
}

/// The case: ttyUSB0 comes back as ttyUSB1, and its old number is another device's. By its lasting name the board is found, and a think
/// that was under way goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_port_that_comes_back_under_another_number_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let by_id = folder.path().join("by-id");
    std::fs::create_dir(&by_id).unwrap();
    let name = by_id.join("usb-adapter-if00");
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let other = TcpBoard::start(Board::new(2, PACE)).await;
    let device = |n: usize| folder.path().join(format!("socat{n}"));
    let node = |n: usize| device(n).canonicalize().unwrap();

    let plugged = terminal_to(&device(0), board.address, "");
    symlink(node(0), &name).unwrap();
    let ways = Ways::new(&by_id);
    let url = format!("serial://{}", node(0).display());
    let mut linked = linked(&ways, &url);
    ready(&linked).await;
    assert_eq!(linked.now().boot, Some(board.look(|b| b.boot())));
    let task = tokio::spawn({
        let mut client = rookery_server::link::BoardClient::new(linked.link.clone());
        async move {
            let limits = ThinkLimits { nodes: 1500, time: PATIENT, patience: PATIENT };
            client.think(&placement(1, 2), limits, &CancellationToken::new(), |_| {}).await
        }
    });
    board.until("thinking", Board::is_thinking).await;

    // Unplugged: that is noticed, said, and costs no time of the processor.
    let polls = linked.polls.load(Ordering::SeqCst);
    std::fs::remove_file(&name).unwrap();
    drop(plugged);
    let taken = terminal_to(&device(7), other.address, "");
    let status = linked.until("unplugged", |s| s.count(ConnectFailed) >= 2).await;
    assert!(status.trouble.unwrap().contains("is not plugged in"));
    assert!(linked.polls.load(Ordering::SeqCst) - polls < 200);

    // Back under another number.
    let _plugged = terminal_to(&device(1), board.address, "");
    assert_ne!(node(1), node(7));
    symlink(node(1), &name).unwrap();
    let moved = timeout(PATIENT, task).await.unwrap().unwrap();
    assert_moved(&moved, 2);
    assert_eq!(linked.count(Rebooted), 0, "the same board in the same boot");
    assert_eq!(other.accepted.load(Ordering::SeqCst), 1, "socat's own connection");
    assert_eq!(other.look(|b| b.log().len()), 0);
    let moved = think(&mut linked, 3, 20).await;
    assert_moved(&moved, 3);
    drop(taken);
}

/// The case: the port's end goes unnoticed, or is read again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unplugged_port_is_no_busy_loop() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let plugged = terminal_to(&port, board.address, "");
    let linked = linked(&Ways::new(Path::new("/nowhere")), &format!("serial://{}", port.display()));
    ready(&linked).await;
    drop(plugged);
    linked.until("unplugged", |s| s.count(Disconnected) == 1).await;
    let polls = linked.polls.load(Ordering::SeqCst);
    // Not a wait for something: the time in which next to nothing may happen.
    sleep(Duration::from_secs(1)).await;
    let polls = linked.polls.load(Ordering::SeqCst) - polls;
    assert!(polls < 30, "{polls} turns in a second");
}

/// The case: CRLF is two line ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn line_ends_of_either_kind_are_one() {
    let folder = tempfile::tempdir().unwrap();
    for options in [",crnl", ",onlcr=1,opost=1"] {
        let port = folder.path().join("board");
        let board = TcpBoard::start(Board::new(1, PACE)).await;
        let _plugged = terminal_to(&port, board.address, options);
        let mut linked =
            linked(&Ways::new(Path::new("/nowhere")), &format!("serial://{}", port.display()));
        ready(&linked).await;
        for plies in 0..3 {
            let moved = think(&mut linked, plies, 10).await;
            assert_moved(&moved, plies);
        }
        assert_eq!((linked.count(Malformed), linked.count(BadCrc)), (0, 0));
    }
}

/// The case: old lines are read again after a reopen. What came while nobody had the port is thrown away when it is opened, and what
/// comes late has an old nonce.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_came_while_the_port_was_closed_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let _plugged = terminal_to(&port, board.address, "");
    let url = format!("serial://{}", port.display());
    let mut linked = linked(&Ways::new(Path::new("/nowhere")), &url);
    ready(&linked).await;
    let mut lease = linked.link.lease().await.unwrap();
    let old = b"\n<S2a00 00000001 00000009 05 00 cafe1234 i*0000\nof yesterday\n";
    board.act(Do::Say(old.to_vec()));
    let held = rustix::fs::open(
        &port,
        rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY,
        rustix::fs::Mode::empty(),
    )
    .unwrap();
    wait_for("the bytes", || rustix::io::ioctl_fionread(&held).unwrap() == old.len() as u64);
    drop(held);
    let mut transport = lease.open().await.unwrap();
    board.act(Do::Say(b"of today\n".to_vec()));
    let mut heard = [0; 9];
    timeout(PATIENT, transport.read_exact(&mut heard)).await.unwrap().unwrap();
    assert_eq!(&heard, b"of today\n");
    drop((transport, lease));
    let moved = think(&mut linked, 1, 10).await;
    assert_moved(&moved, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_port_in_use_is_said_and_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let _plugged = terminal_to(&port, board.address, "");
    let url: rookery_server::link::BoardUrl =
        format!("serial://{}", port.display()).parse().unwrap();
    let other = Connector::new(url.clone()).open().await.unwrap();
    let linked = Linked::to(url);
    let busy = |s: &rookery_server::link::LinkStatus| {
        s.trouble.as_deref().is_some_and(|t| t.contains("is in use by another program"))
    };
    linked.until("busy", busy).await;
    drop(other);
    ready(&linked).await;
}

/// Every byte as it is, in both directions, more than any buffer holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_bytes_pass_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("echo");
    let _echo =
        Program::start("socat", &[&format!("PTY,rawer,link={}", port.display()), "EXEC:cat"]);
    wait_for("the terminal", || port.exists());
    let url = format!("serial://{}?baud=250000", port.display());
    let transport = Connector::new(url.parse().unwrap()).open().await.unwrap();
    let sent: Vec<u8> = (0..100_000u32).map(|n| (n * 7 / 3) as u8).collect();
    let (mut read, mut write) = tokio::io::split(transport);
    let mut heard = vec![0; sent.len()];
    let both = async { tokio::join!(write.write_all(&sent), read.read_exact(&mut heard)) };
    let (written, read) = timeout(PATIENT, both).await.unwrap();
    written.unwrap();
    read.unwrap();
    assert!(heard == sent);
}
