//! Bridges that dial in. One listener serves every board of its address; a connection goes to the board whose URL it fits.
//!
//! A URL may name the bridge's address (`peer`), the board's kind (`kind`), both, or nothing. The kind is asked of the board itself,
//! before the connection is given to anybody. Whoever fits no URL is a stranger: its connection is closed, and that is said in the log.
//! A second connection of a board replaces the first, which is the half-open one that a bridge leaves behind when it restarts; where the
//! first is in use, the second has to answer like a board before it does.

use super::{
    BoardUrl, Dialect, Timing, Transport, tcp,
    url::{Caller, HostPort},
};
use crate::link::hail::{Heard, hail};
use rookery_protocol::BootId;
use std::{
    collections::HashMap,
    fmt, io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{Notify, Semaphore, oneshot},
    task::JoinSet,
    time::sleep,
};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How long a connection may take to say who is there.
const HAIL: Duration = Duration::from_secs(5);
/// Connections that are asked at a time; more wait to be accepted.
const ASKED: usize = 16;
/// Boots whose kind is remembered.
const KNOWN: usize = 1024;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The listeners of one program. One that no board uses any more is closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Listeners {
    halls: Arc<Mutex<HashMap<HostPort, Weak<Hall>>>>,
}

impl Listeners {
    /// A place for a board. The listener is opened when the board is waited for.
    pub(super) fn desk(&self, at: HostPort, caller: Caller, url: &BoardUrl) -> Desk {
        let (timing, dialect) = (url.timing(), url.dialect());
        Desk { listeners: self.clone(), at, caller, timing, dialect, seat: None }
    }

    /// The listener of an address, opened where nobody has done so.
    fn hall(&self, at: &HostPort) -> io::Result<Arc<Hall>> {
        let mut halls = lock(&self.halls);
        if let Some(hall) = halls.get(at).and_then(Weak::upgrade) {
            return Ok(hall);
        }
        let hall = Hall::open(at).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot listen on {at}: {error}"))
        })?;
        halls.insert(at.clone(), Arc::downgrade(&hall));
        Ok(hall)
    }
}

/// Where one board's connections arrive.
#[derive(Debug)]
pub(super) struct Desk {
    listeners: Listeners,
    at: HostPort,
    caller: Caller,
    timing: Timing,
    dialect: Dialect,
    seat: Option<(Arc<Hall>, Arc<Seat>)>,
}

impl Desk {
    pub(super) fn waits_for(&self) -> String {
        format!("{} to dial in to {}", self.caller, self.at)
    }

    /// The next connection of this board.
    pub(super) async fn open(&mut self) -> io::Result<DialledIn> {
        if self.seat.is_none() {
            let hall = self.listeners.hall(&self.at)?;
            let seat = Arc::new(Seat {
                caller: self.caller.clone(),
                timing: self.timing,
                dialect: self.dialect,
                waiting: Mutex::default(),
                arrived: Notify::new(),
                current: Mutex::default(),
            });
            lock(&hall.seats).push(Arc::downgrade(&seat));
            self.seat = Some((hall, seat));
        }
        let (_, seat) = self.seat.as_ref().expect("it was made above");
        loop {
            let arrived = seat.arrived.notified();
            let waiting = lock(&seat.waiting).take();
            if let Some(stream) = waiting {
                let (current, replaced) = oneshot::channel();
                *lock(&seat.current) = Some(current);
                return Ok(DialledIn { stream, replaced });
            }
            arrived.await;
        }
    }
}

/// `a board of kind 'red' from 10.0.0.5`
impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a board")?;
        if let Some(kind) = &self.kind {
            write!(f, " of kind '{kind}'")?;
        }
        if let Some(peer) = self.peer {
            write!(f, " from {peer}")?;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Seat {
    caller: Caller,
    timing: Timing,
    dialect: Dialect,
    waiting: Mutex<Option<TcpStream>>,
    arrived: Notify,
    /// Of the connection in use; dropping it ends that.
    current: Mutex<Option<oneshot::Sender<()>>>,
}

impl Seat {
    fn is_free(&self) -> bool {
        let used = lock(&self.current).as_ref().is_some_and(|current| !current.is_closed());
        !used && lock(&self.waiting).is_none()
    }

    fn take(&self, stream: TcpStream) {
        // In this order: the one that comes to fetch it must not be ended with the one before.
        *lock(&self.current) = None;
        *lock(&self.waiting) = Some(stream);
        self.arrived.notify_one();
    }

    /// The more a URL asks for, the sooner its board is considered.
    fn rank(&self) -> (bool, bool) {
        (self.caller.peer.is_some(), self.caller.kind.is_some())
    }
}

/// One listener.
#[derive(Debug)]
struct Hall {
    seats: Mutex<Vec<Weak<Seat>>>,
    /// The kinds of boards that were asked, by their bridges and boots: a board in a game is not asked again.
    kinds: Mutex<HashMap<(IpAddr, BootId), String>>,
    _open: DropGuard,
}

impl Hall {
    fn open(at: &HostPort) -> io::Result<Arc<Hall>> {
        let listener = std::net::TcpListener::bind((at.host.as_str(), at.port))?;
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let cancel = CancellationToken::new();
        let hall = Arc::new(Hall {
            seats: Mutex::default(),
            kinds: Mutex::default(),
            _open: cancel.clone().drop_guard(),
        });
        // Ends with the last board of the listener, which holds the hall.
        tokio::spawn(cancel.run_until_cancelled_owned(accept(listener, Arc::downgrade(&hall))));
        Ok(hall)
    }

    /// Those whom a connection from this address may be for, the pickiest first.
    fn seats_for(&self, peer: IpAddr) -> Vec<Arc<Seat>> {
        let mut seats = lock(&self.seats);
        seats.retain(|seat| seat.strong_count() > 0);
        let fits = |seat: &Arc<Seat>| seat.caller.peer.is_none_or(|wanted| wanted == peer);
        let mut fitting: Vec<_> = seats.iter().filter_map(Weak::upgrade).filter(fits).collect();
        fitting.sort_by_key(|seat| std::cmp::Reverse(seat.rank()));
        fitting
    }

    async fn receive(&self, mut stream: TcpStream, peer: SocketAddr) {
        let bridge = peer.ip().to_canonical();
        let seats = self.seats_for(bridge);
        let Some(first) = seats.first() else {
            return tracing::warn!(%peer, "a stranger dialled in: no board's URL names its address");
        };
        // An old board that is at its move says nothing for minutes: nobody can be asked to prove anything.
        let unasked = first.is_free() || first.dialect == Dialect::V1;
        if first.caller.kind.is_none() && unasked {
            tracing::info!(%peer, "{} has dialled in", first.caller);
            return first.take(stream);
        }
        let known = |boot| lock(&self.kinds).contains_key(&(bridge, boot));
        let heard = hail(&mut stream, first.dialect, first.timing, HAIL, known).await;
        let heard = heard.unwrap_or(Heard::Nothing);
        let kind = match &heard {
            Heard::V2(board) => self.kind((bridge, board.boot), board.identity.get("kind")),
            Heard::Nothing | Heard::V1 => None,
        };
        let wanted = |seat: &Arc<Seat>| match &seat.caller.kind {
            Some(_) => seat.caller.kind == kind,
            None => heard != Heard::Nothing || seat.is_free(),
        };
        match seats.iter().find(|seat| wanted(seat)) {
            Some(seat) => {
                tracing::info!(%peer, "{} has dialled in", seat.caller);
                seat.take(stream);
            }
            None => tracing::warn!(
                %peer,
                "a stranger dialled in: {}",
                match (&heard, kind) {
                    (_, Some(kind)) => format!("no board's URL names the kind '{kind}'"),
                    (Heard::Nothing, _) => "it does not answer like a board".to_owned(),
                    _ => "it does not say its kind".to_owned(),
                }
            ),
        }
    }

    /// The kind of a board, from what it says or has said before.
    fn kind(&self, board: (IpAddr, BootId), said: Option<&String>) -> Option<String> {
        let mut kinds = lock(&self.kinds);
        if let Some(said) = said {
            if kinds.len() >= KNOWN {
                kinds.clear();
            }
            kinds.insert(board, said.clone());
        }
        kinds.get(&board).cloned()
    }
}

async fn accept(listener: TcpListener, hall: Weak<Hall>) {
    let mut asked = JoinSet::new();
    let places = Arc::new(Semaphore::new(ASKED));
    loop {
        let place = Arc::clone(&places).acquire_owned().await.expect("it is never closed");
        while asked.try_join_next().is_some() {}
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of descriptors, or a connection that has ended already.
                tracing::warn!("a connection could not be accepted: {error}");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Some(hall) = hall.upgrade() else { return };
        asked.spawn(async move {
            match tcp::prepare(&stream) {
                Ok(()) => hall.receive(stream, peer).await,
                Err(error) => tracing::debug!(%peer, "gone at once: {error}"),
            }
            drop(place);
        });
    }
}

/// A connection of a board that has dialled in.
#[derive(Debug)]
pub(super) struct DialledIn {
    stream: TcpStream,
    replaced: oneshot::Receiver<()>,
}

impl Transport for DialledIn {}

impl AsyncRead for DialledIn {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if Pin::new(&mut self.replaced).poll(cx).is_ready() {
            let text = "the board has dialled in anew";
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::ConnectionAborted, text)));
        }
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for DialledIn {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
