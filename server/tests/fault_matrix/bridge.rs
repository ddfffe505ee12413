//! What lies between a server and a board at a TCP port: passes bytes on, and does harm when it is told to.

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

/// What comes between two attempts to connect.
const AGAIN: Duration = Duration::from_millis(30);
/// What is kept of what the board has said.
const KEPT: usize = 600;

/// On which side the server is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// The server connects to the bridge.
    Listens,
    /// The bridge dials the server.
    Dials(SocketAddr),
}

#[derive(Default)]
struct Shared {
    /// The connections of now: server, board.
    pair: Mutex<Option<(TcpStream, TcpStream)>>,
    /// The bridge is away.
    away: AtomicBool,
    /// What the board has said last.
    said: Mutex<Vec<u8>>,
    /// Said to the server first when it connects again.
    stale: Mutex<Vec<u8>>,
    /// What to do in the middle of the server's next line.
    middle: Mutex<Option<mpsc::SyncSender<mpsc::SyncSender<()>>>>,
    ended: AtomicBool,
}

pub(crate) struct Bridge {
    /// Where the server finds it, if it listens.
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        self.hang_up();
        // Whoever waits for a connection gets one, and sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

impl Bridge {
    pub(crate) fn start(board: SocketAddr, side: Side) -> Bridge {
        let shared = Arc::new(Shared::default());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let here = Arc::clone(&shared);
        thread::spawn(move || {
            while !here.ended.load(Ordering::SeqCst) {
                let server = match side {
                    Side::Listens => listener.accept().ok().map(|(stream, _)| stream),
                    Side::Dials(address) => TcpStream::connect(address).ok(),
                };
                let Some(server) = server.filter(|_| !here.away.load(Ordering::SeqCst)) else {
                    thread::sleep(AGAIN);
                    continue;
                };
                let Ok(board) = TcpStream::connect(board) else { continue };
                join(&here, server, board, matches!(side, Side::Dials(_)));
            }
        });
        Bridge { address, shared }
    }

    /// Ends the connection.
    pub(crate) fn hang_up(&self) {
        if let Some((server, board)) = self.shared.pair.lock().unwrap().take() {
            let _ = (server.shutdown(Shutdown::Both), board.shutdown(Shutdown::Both));
        }
    }

    /// The connection is dead, and nobody tells the server: the streams stay open, and nothing passes.
    pub(crate) fn forget(&self) {
        if let Some((server, board)) = self.shared.pair.lock().unwrap().take() {
            let _ = board.shutdown(Shutdown::Both);
            std::mem::forget(server);
        }
    }

    /// Nobody gets through, or everybody again.
    pub(crate) fn set_away(&self, away: bool) {
        self.shared.away.store(away, Ordering::SeqCst);
        if away {
            self.hang_up();
        }
    }

    /// What the board has said last comes once more when the server connects again, and noise before it.
    pub(crate) fn repeat_old_bytes(&self, noise: &[u8]) {
        let mut stale = noise.to_vec();
        stale.extend_from_slice(&self.shared.said.lock().unwrap());
        *self.shared.stale.lock().unwrap() = stale;
    }

    /// Does something when the first half of a line of the server's has gone through, and before the second half does.
    pub(crate) fn amid_a_line(&self, deed: impl FnOnce()) {
        let (hear, halfway) = mpsc::sync_channel(0);
        *self.shared.middle.lock().unwrap() = Some(hear);
        let go_on =
            halfway.recv_timeout(Duration::from_secs(60)).expect("the server says something");
        deed();
        let _ = go_on.send(());
    }
}

/// Passes bytes on between two streams until one ends.
fn join(shared: &Arc<Shared>, server: TcpStream, board: TcpStream, dialled: bool) {
    let _ = (server.set_nodelay(true), board.set_nodelay(true));
    let clones = || Some((server.try_clone().ok()?, board.try_clone().ok()?));
    let (Some(pair), Some((mut to_server, mut from_board))) = (clones(), clones()) else { return };
    // One connection at a time, as with an ESP: the newer one wins.
    if let Some((old_server, old_board)) = shared.pair.lock().unwrap().replace(pair) {
        let _ = (old_server.shutdown(Shutdown::Both), old_board.shutdown(Shutdown::Both));
    }
    let stale = std::mem::take(&mut *shared.stale.lock().unwrap());
    let _ = to_server.write_all(&stale);
    let back = thread::spawn({
        let shared = Arc::clone(shared);
        move || {
            let mut buffer = [0; 512];
            while let Ok(n) = from_board.read(&mut buffer) {
                if n == 0 || to_server.write_all(&buffer[..n]).is_err() {
                    break;
                }
                let mut said = shared.said.lock().unwrap();
                said.extend_from_slice(&buffer[..n]);
                let excess = said.len().saturating_sub(KEPT);
                said.drain(..excess);
            }
            let _ = (to_server.shutdown(Shutdown::Both), from_board.shutdown(Shutdown::Both));
        }
    });
    let forth = {
        let shared = Arc::clone(shared);
        move || {
            let (mut server, mut board) = (server, board);
            let mut buffer = [0; 512];
            while let Ok(n) = server.read(&mut buffer) {
                if n == 0 || pass(&shared, &mut board, &buffer[..n]).is_err() {
                    break;
                }
            }
            let _ = (server.shutdown(Shutdown::Both), board.shutdown(Shutdown::Both));
        }
    };
    if dialled {
        // The next call is made when this one is over.
        forth();
        let _ = back.join();
    } else {
        thread::spawn(forth);
    }
}

fn pass(shared: &Shared, board: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    let middle = shared.middle.lock().unwrap().take_if(|_| bytes.len() > 8);
    let Some(hear) = middle else { return board.write_all(bytes) };
    let (first, second) = bytes.split_at(bytes.len() / 2);
    board.write_all(first)?;
    let (go_on, wait) = mpsc::sync_channel(0);
    if hear.send(go_on).is_ok() {
        let _ = wait.recv();
    }
    board.write_all(second)
}
