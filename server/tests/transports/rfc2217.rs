//! Bridges that speak RFC 2217, and some that say so.

use super::{peers::*, *};
use ::rfc2217::{PortSettings, Server};
use rookery_server::{
    link::{
        Connector,
        transport::{ModemLine, Parity, SerialFormat},
    },
    model::LinkEventKind::*,
};
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{interval, timeout},
};

/// ser2net is what most have: its raw port, and its RFC 2217 port.
#[test]
fn a_game_through_ser2net() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let sim = board_sim(&["--pty", port.to_str().unwrap()]);
    sim.place();
    for (accepter, scheme) in [("telnet(rfc2217),tcp", "rfc2217"), ("tcp", "tcp")] {
        let (_ser2net, at) = ser2net(folder.path(), accepter, port.to_str().unwrap());
        game_at(&format!("{scheme}://127.0.0.1:{at}"), "12");
    }
}

/// ser2net sets the port up as it is told: the rate can be read at the terminal.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ser2net_sets_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let _plugged = terminal_to(&port, board.address, "");
    let (_ser2net, at) = ser2net(folder.path(), "telnet(rfc2217),tcp", port.to_str().unwrap());
    let url = format!("rfc2217://127.0.0.1:{at}?baud=57600&parity=none");
    let mut linked = Linked::to(url.parse().unwrap());
    ready(&linked).await;
    let held = std::fs::File::open(port.canonicalize().unwrap());
    // ser2net may have the port for itself; where it has, there is nothing to look at.
    if let Ok(held) = held {
        assert_eq!(rustix::termios::tcgetattr(&held).unwrap().output_speed(), 57_600);
    }
    let moved = think(&mut linked, 2, 20).await;
    assert_moved(&moved, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pyserial_gets_every_setting_and_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("echo");
    let _echo =
        Program::start("socat", &[&format!("PTY,rawer,link={}", port.display()), "EXEC:cat"]);
    wait_for("the terminal", || port.exists());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/rfc2217_server.py");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let server = Program::start(python, &[script, port.to_str().unwrap()]);
    let at = server.place();
    let url =
        format!("rfc2217://127.0.0.1:{at}?baud=9600&data=7&parity=odd&stop=2&dtr=off&reset=rts");
    let mut connector = Connector::new(url.parse().unwrap());
    let mut transport = connector.open().await.unwrap();
    // Two seconds are given for that, and a loaded machine may not give pyserial its turn in them.
    for _ in 0..4 {
        if transport.caveat().is_some() {
            drop(transport);
            transport = connector.open().await.unwrap();
        }
    }
    assert_eq!(transport.caveat(), None, "every setting was acknowledged");
    let told = |wanted: &str| {
        let wanted = wanted.to_owned();
        server.until(|line| line.contains(&wanted).then_some(()));
    };
    told(r#"{"baud": 9600, "data": 7, "parity": "O", "stop": 2}"#);
    // The line that resets is at rest, and the other as it was asked for.
    told(r#"{"rts": false}"#);
    told(r#"{"dtr": false}"#);
    let control = transport.control().expect("it has a port");
    control.set_line(ModemLine::Rts, true).await.unwrap();
    told(r#"{"rts": true}"#);
    let format = SerialFormat { baud: 115_200, data_bits: 8, parity: Parity::Even, stop_bits: 1 };
    control.set_format(format).await.unwrap();
    told(r#"{"baud": 115200, "data": 8, "parity": "E", "stop": 1}"#);
    control.purge().await.unwrap();

    // 255 is doubled both ways.
    let sent: Vec<u8> = (0..20_000u32).map(|n| (255 - n % 7 * (n % 256 / 6)) as u8).collect();
    let (mut read, mut write) = tokio::io::split(transport);
    let mut heard = vec![0; sent.len()];
    let both = async { tokio::join!(write.write_all(&sent), read.read_exact(&mut heard)) };
    let (written, read) = timeout(PATIENT, both).await.unwrap();
    written.unwrap();
    read.unwrap();
    assert!(heard == sent);
}

/// What a bridge of the tests does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Bridge {
    /// Nothing, but what is still in its queue is lost when the port is set up anew, as on a chip that empties its buffers.
    Slow,
    /// It agrees to everything and acknowledges nothing.
    Mute,
    /// It is a raw port and answers no offer.
    Raw,
    /// It is a Telnet server and declines.
    Telnet,
    /// It sets another rate than the one asked for.
    Stubborn,
}

/// A bridge in front of a board.
async fn bridge_to(board: SocketAddr, kind: Bridge) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let board = TcpStream::connect(board).await.unwrap();
            tokio::spawn(serve(client, board, kind));
        }
    });
    port
}

/// A line, and the time until which it has sent.
struct Wire(Instant);

impl Wire {
    /// What has gone out of a queue by now, however late somebody looks. A character has eleven bits.
    fn sent(&mut self, queue: &mut Vec<u8>, rate: u32) -> Vec<u8> {
        let characters = self.0.elapsed().as_secs_f64() * f64::from(rate) / 11.0;
        let sent = (characters as usize).min(queue.len());
        if sent == queue.len() {
            self.0 = Instant::now();
        } else {
            self.0 += Duration::from_secs_f64(sent as f64 * 11.0 / f64::from(rate));
        }
        queue.drain(..sent).collect()
    }
}

async fn serve(mut client: TcpStream, mut board: TcpStream, kind: Bridge) {
    client.set_nodelay(true).unwrap();
    let mut server = Server::new(PortSettings::default());
    let mut queue: Vec<u8> = Vec::new();
    let mut tick = interval(Duration::from_millis(10));
    let mut line = Wire(Instant::now());
    let (mut up, mut down) = ([0; 1024], [0; 1024]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(n @ 1..) = read else { return };
                let before = server.settings();
                board.write_all(&line.sent(&mut queue, before.baud_rate)).await.unwrap();
                let bytes = match kind {
                    // Offers are noise to the board.
                    Bridge::Raw => up[..n].to_vec(),
                    Bridge::Telnet => { decline(&mut client, &up[..n]).await; plain(&up[..n]) }
                    _ => server.receive(&up[..n]),
                };
                if kind == Bridge::Slow && server.settings() != before {
                    queue.clear();
                }
                queue.extend(bytes);
                if kind != Bridge::Slow {
                    board.write_all(&queue).await.unwrap();
                    queue.clear();
                }
            }
            read = board.read(&mut down) => {
                let Ok(n @ 1..) = read else { return };
                match kind {
                    Bridge::Raw | Bridge::Telnet => client.write_all(&down[..n]).await.unwrap(),
                    _ => server.write_data(&down[..n]),
                }
            }
            _ = tick.tick() => {
                let rate = server.settings().baud_rate;
                board.write_all(&line.sent(&mut queue, rate)).await.unwrap();
            }
        }
        let mut out = server.take_output();
        match kind {
            Bridge::Mute => out = without_answers(&out),
            Bridge::Stubborn => out = with_another_rate(out),
            _ => {}
        }
        if client.write_all(&out).await.is_err() {
            return;
        }
    }
}

/// `WILL X` is declined by `DONT X`, `DO X` by `WONT X`.
async fn decline(client: &mut TcpStream, bytes: &[u8]) {
    for offer in bytes.windows(3).filter(|w| w[0] == 255) {
        let answer = match offer[1] {
            251 => 254,
            253 => 252,
            _ => continue,
        };
        client.write_all(&[255, answer, offer[2]]).await.unwrap();
    }
}

fn plain(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|b| b.is_ascii()).collect()
}

fn without_answers(out: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut rest = out;
    while let Some(at) = rest.windows(2).position(|w| w == [255, 250]) {
        kept.extend_from_slice(&rest[..at]);
        let end = rest.windows(2).position(|w| w == [255, 240]).unwrap();
        rest = &rest[end + 2..];
    }
    kept.extend_from_slice(rest);
    kept
}

fn with_another_rate(mut out: Vec<u8>) -> Vec<u8> {
    let answer = [255, 250, 44, 101];
    if let Some(at) = out.windows(4).position(|w| w == answer) {
        out[at + 4..at + 8].copy_from_slice(&9600u32.to_be_bytes());
    }
    out
}

/// The case: settings that are never acknowledged. The wait has an end, there is a warning, and the board is reached all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bridge_that_does_not_acknowledge_is_used_with_a_warning() {
    for (kind, says) in [
        (Bridge::Mute, "not known whether the port is set up: no answer from the bridge yet for"),
        (Bridge::Raw, "not known whether the port is set up: no answer to the RFC 2217"),
        (Bridge::Telnet, "the port is not set up as asked for: the peer refused"),
        (Bridge::Stubborn, "reported different values for: baud"),
    ] {
        let board = TcpBoard::start(Board::new(1, PACE)).await;
        let at = bridge_to(board.address, kind).await;
        let url = format!("rfc2217://127.0.0.1:{at}");
        let opening = Connector::new(url.parse().unwrap());
        let mut opening = opening;
        let transport = timeout(Duration::from_secs(20), opening.open()).await.unwrap().unwrap();
        let caveat = transport.caveat().expect("a warning").to_owned();
        assert!(caveat.contains(says), "{caveat}");
        drop(transport);
        let mut linked = Linked::to(url.parse().unwrap());
        ready(&linked).await;
        let moved = think(&mut linked, 2, 20).await;
        assert_moved(&moved, 2);
    }
}

/// The case: a reconfiguration right after a write loses its tail. The format is changed when the last byte is on the wire.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_is_sent_before_the_format_changes() {
    let board = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = bridge_to(board.local_addr().unwrap(), Bridge::Slow).await;
    let url = format!("rfc2217://127.0.0.1:{at}?baud=1200&parity=none");
    let mut connector = Connector::new(url.parse().unwrap());
    let (transport, port) = tokio::join!(connector.open(), board.accept());
    let (mut transport, mut port) = (transport.unwrap(), port.unwrap().0);
    let sent = [b'z'; 64];
    transport.write_all(&sent).await.unwrap();
    let nine = SerialFormat { baud: 9600, ..SerialFormat::BOARD };
    transport.control().expect("a port").set_format(nine).await.unwrap();
    transport.write_all(b"!").await.unwrap();
    let mut heard = Vec::new();
    while !heard.contains(&b'!') {
        let n = timeout(PATIENT, port.read_buf(&mut heard)).await.expect("the bytes").unwrap();
        assert!(n > 0);
    }
    assert_eq!(heard.len(), sent.len() + 1, "nothing is cut");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bridge_that_goes_away_is_connected_to_again() {
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let at = bridge_to(board.address, Bridge::Slow).await;
    let mut linked = Linked::to(format!("rfc2217://127.0.0.1:{at}").parse().unwrap());
    ready(&linked).await;
    for plies in 0..3 {
        let moved = think(&mut linked, plies, 10).await;
        assert_moved(&moved, plies);
        let lost = linked.count(Disconnected);
        board.act(Do::Drop);
        linked.until("lost", |s| s.count(Disconnected) > lost).await;
        ready(&linked).await;
    }
}
