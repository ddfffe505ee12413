//! The same board behind a real TCP port, with everything that can happen to it at a word.

use super::{Board, Faults, Pipe, START, after};
use rand::{SeedableRng, rngs::StdRng};
use rookery_protocol::{MoveText, PositionHash};
use rookery_server::{
    link::{BoardClient, BoardUrl, Connector, LinkHandle, LinkStatus, Placement, spawn},
    model::{LinkEvent, LinkEventKind},
};
use std::{
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    task::Poll,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::mpsc,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

/// For what must come, on however slow a machine.
pub const PATIENT: Duration = Duration::from_secs(30);

/// What happens to a board.
#[derive(Clone, Debug)]
pub enum Do {
    /// It is reset, with this boot id.
    Reset(u32),
    /// The connection is closed.
    Drop,
    /// The connection is closed and no other is taken.
    Vanish,
    /// The other end does not read and does not write any more, and does not close.
    Freeze,
    /// It goes on.
    Thaw,
    /// These bytes are sent.
    Say(Vec<u8>),
    /// Lines with this text arrive damaged.
    Damage(&'static str),
    /// The channel does harm, decided by the seed.
    Harm(Faults, u64),
    /// Every connection is closed as soon as it is made.
    Refuse,
    /// It chatters every so many milliseconds.
    Chatter(u64),
}

/// A board at a port.
pub struct TcpBoard {
    pub address: SocketAddr,
    pub board: Arc<Mutex<Board>>,
    /// Connections that were made.
    pub accepted: Arc<AtomicU64>,
    does: mpsc::UnboundedSender<Do>,
}

impl TcpBoard {
    /// A board whose thinks take as many milliseconds as they have nodes.
    pub async fn start(board: Board) -> TcpBoard {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        TcpBoard::at(board, listener)
    }

    pub fn at(board: Board, listener: TcpListener) -> TcpBoard {
        let address = listener.local_addr().unwrap();
        let (does, done) = mpsc::unbounded_channel();
        let board = Arc::new(Mutex::new(board));
        let accepted = Arc::new(AtomicU64::new(0));
        let task = Task {
            board: Arc::clone(&board),
            accepted: Arc::clone(&accepted),
            start: Instant::now(),
            stream: None,
            frozen: false,
            refusing: false,
            damage: None,
            chatter: None,
            faults: Faults::NONE,
            rng: StdRng::seed_from_u64(0),
            up: Pipe::new(Duration::ZERO, Instant::now()),
            down: Pipe::new(Duration::ZERO, Instant::now()),
        };
        tokio::spawn(task.run(listener, done));
        TcpBoard { address, board, accepted, does }
    }

    pub fn act(&self, what: Do) {
        self.does.send(what).unwrap();
    }

    pub fn url(&self) -> BoardUrl {
        format!("tcp://{}", self.address).parse().unwrap()
    }

    pub fn look<T>(&self, look: impl FnOnce(&mut Board) -> T) -> T {
        look(&mut self.board.lock().unwrap())
    }

    /// Waits until something holds of the board.
    pub async fn until(&self, what: &str, holds: impl Fn(&Board) -> bool) {
        let wait = async {
            while !self.look(|board| holds(board)) {
                sleep(Duration::from_millis(2)).await;
            }
        };
        assert!(timeout(PATIENT, wait).await.is_ok(), "never: {what}");
    }
}

/// A port that is taken and refuses connections until it is listened at.
pub fn closed_port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

struct Task {
    board: Arc<Mutex<Board>>,
    accepted: Arc<AtomicU64>,
    start: Instant,
    stream: Option<TcpStream>,
    frozen: bool,
    refusing: bool,
    damage: Option<&'static str>,
    chatter: Option<u64>,
    faults: Faults,
    rng: StdRng,
    up: Pipe,
    down: Pipe,
}

impl Task {
    async fn run(mut self, listener: TcpListener, mut done: mpsc::UnboundedReceiver<Do>) {
        let mut listener = Some(listener);
        let mut buffer = [0; 512];
        loop {
            let now = self.millis();
            let wait = self.board.lock().unwrap().wait(now).unwrap_or(1000).min(1000);
            let chatter = self.chatter.filter(|_| self.stream.is_some()).unwrap_or(1000);
            tokio::select! {
                made = accept(listener.as_ref()) => {
                    self.accepted.fetch_add(1, Ordering::SeqCst);
                    made.set_nodelay(true).unwrap();
                    self.stream = (!self.refusing).then_some(made);
                }
                read = read(self.stream.as_mut().filter(|_| !self.frozen), &mut buffer) => {
                    match read {
                        Ok(n) if n > 0 => self.received(&buffer[..n]),
                        _ => self.stream = None,
                    }
                }
                what = done.recv() => match what {
                    Some(Do::Vanish) => (listener, self.stream) = (None, None),
                    Some(what) => self.act(what).await,
                    None => return,
                },
                () = sleep(Duration::from_millis(wait.into())) => {}
                () = due(&self.up, &self.down) => {}
                () = sleep(Duration::from_millis(chatter)) => {
                    if self.chatter.is_some() {
                        self.send(b"app: still here, nothing to see\r\n".to_vec()).await;
                    }
                }
            }
            while let Some(bytes) = self.up.take(Instant::now()) {
                let now = self.millis();
                let mut lines = Vec::new();
                let mut out = |line: &[u8]| lines.push(line.to_vec());
                self.board.lock().unwrap().receive(&bytes, now, &mut out);
                self.said(lines).await;
            }
            let now = self.millis();
            let mut lines = Vec::new();
            self.board.lock().unwrap().advance(now, &mut |line| lines.push(line.to_vec()));
            self.said(lines).await;
            while let Some(bytes) = self.down.take(Instant::now()) {
                self.send(bytes).await;
            }
        }
    }

    /// The board has sent lines.
    async fn said(&mut self, lines: Vec<Vec<u8>>) {
        for line in lines {
            let now = Instant::now();
            if let Some(echo) = self.down.send(&line, &self.faults, now, &mut self.rng) {
                self.up.push(echo, now, Duration::ZERO);
            }
        }
    }

    fn millis(&self) -> u32 {
        u32::try_from(self.start.elapsed().as_millis()).unwrap()
    }

    async fn act(&mut self, what: Do) {
        match what {
            Do::Reset(boot) => {
                let mut lines = Vec::new();
                self.board.lock().unwrap().reset(boot, &mut |line| lines.push(line.to_vec()));
                self.said(lines).await;
            }
            Do::Drop => self.stream = None,
            Do::Freeze => self.frozen = true,
            Do::Thaw => self.frozen = false,
            Do::Say(bytes) => self.send(bytes).await,
            Do::Damage(text) => self.damage = Some(text),
            Do::Refuse => (self.refusing, self.stream) = (true, None),
            Do::Harm(faults, seed) => {
                (self.faults, self.rng) = (faults, StdRng::seed_from_u64(seed));
            }
            Do::Chatter(millis) => self.chatter = Some(millis),
            Do::Vanish => {}
        }
    }

    fn received(&mut self, bytes: &[u8]) {
        let mut bytes = bytes.to_vec();
        if let Some(text) = self.damage
            && let Some(at) = bytes.windows(text.len()).position(|w| w == text.as_bytes())
        {
            bytes[at] ^= 0x20;
        }
        let now = Instant::now();
        if let Some(echo) = self.up.send(&bytes, &self.faults, now, &mut self.rng) {
            self.down.push(echo, now, Duration::ZERO);
        }
    }

    async fn send(&mut self, bytes: Vec<u8>) {
        if let Some(stream) = self.stream.as_mut().filter(|_| !self.frozen && !bytes.is_empty())
            && stream.write_all(&bytes).await.is_err()
        {
            self.stream = None;
        }
    }
}

async fn due(up: &Pipe, down: &Pipe) {
    match up.next().into_iter().chain(down.next()).min() {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    match listener {
        Some(listener) => listener.accept().await.unwrap().0,
        None => std::future::pending().await,
    }
}

async fn read(stream: Option<&mut TcpStream>, buffer: &mut [u8]) -> std::io::Result<usize> {
    match stream {
        Some(stream) => stream.read(buffer).await,
        None => std::future::pending().await,
    }
}

/// A link with its task, and a client.
pub struct Linked {
    pub client: BoardClient,
    pub link: LinkHandle,
    pub cancel: CancellationToken,
    /// How often the link's task was polled.
    pub polls: Arc<AtomicU64>,
    pub events: mpsc::Receiver<LinkEvent>,
    pub task: tokio::task::JoinHandle<()>,
}

impl Linked {
    pub fn to(url: BoardUrl) -> Linked {
        Linked::through(Connector::new(url))
    }

    /// The same by a way that shares something with others.
    pub fn through(way: Connector) -> Linked {
        let cancel = CancellationToken::new();
        let (recorder, events) = mpsc::channel(10_000);
        let (link, task) = spawn(way, recorder, cancel.child_token());
        let polls = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&polls);
        let task = tokio::spawn(async move {
            let mut task = pin!(task);
            std::future::poll_fn(move |context| {
                counter.fetch_add(1, Ordering::SeqCst);
                match task.as_mut().poll(context) {
                    Poll::Ready(()) => Poll::Ready(()),
                    Poll::Pending => Poll::Pending,
                }
            })
            .await;
        });
        Linked { client: BoardClient::new(link.clone()), link, cancel, polls, events, task }
    }

    pub fn now(&self) -> LinkStatus {
        self.link.status().borrow().clone()
    }

    pub fn count(&self, kind: LinkEventKind) -> u64 {
        self.now().count(kind)
    }

    /// Waits until something holds of the link.
    pub async fn until(&self, what: &str, holds: impl FnMut(&LinkStatus) -> bool) -> LinkStatus {
        let mut status = self.link.status();
        let Ok(found) = timeout(PATIENT, status.wait_for(holds)).await else {
            panic!("never: {what}; {:#?} {:#?}", self.now(), self.link.tape().last(64));
        };
        found.unwrap().clone()
    }
}

/// A game of so many plies, all the same move.
pub fn placement(game: i64, plies: usize) -> Placement {
    let mv: MoveText = "e2e4".parse().unwrap();
    let mut hashes = vec![PositionHash::of_fen(START)];
    for ply in 0..plies {
        hashes.push(after(hashes[ply], mv));
    }
    let moves = vec![mv; plies];
    Placement { game, start_fen: START.to_owned(), moves, hashes, ..Placement::default() }
}
