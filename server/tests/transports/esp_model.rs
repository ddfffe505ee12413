//! A model of esp-link: a Telnet port that looks at the first packet, pages that set the UART up, and a UART that loses what it loses.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{broadcast, mpsc},
    time::timeout,
};

/// The UART's FIFO.
const FIFO: usize = 128;
/// The buffer for one client, two TCP segments.
const BUFFER: usize = 2 * 1460;
/// A change of direction within this time may cost a byte.
const SWITCH: Duration = Duration::from_millis(5);

/// What is as it is.
#[derive(Clone)]
pub(crate) struct Makeup {
    /// What the board's UART has.
    pub(crate) chip: (u32, &'static str),
    /// Silence after which a client is put out: five minutes in nature.
    pub(crate) idle: Duration,
    /// Every so many changes of direction cost a byte; 0 for none.
    pub(crate) lossy: u32,
    /// An older program, without a page for the format.
    pub(crate) old: bool,
}

impl Default for Makeup {
    fn default() -> Makeup {
        Makeup { chip: (115_200, "8E1"), idle: Duration::from_secs(300), lossy: 0, old: false }
    }
}

/// What has happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    pub(crate) saved: u32,
    pub(crate) programmers: u32,
    pub(crate) telnets: u32,
    pub(crate) idle: u32,
    pub(crate) flushed: u32,
    pub(crate) tolerated: u32,
    /// Packets of more than a hundred bytes for the chip.
    pub(crate) bursts: u32,
    pub(crate) switched: u32,
    pub(crate) resets: Vec<&'static str>,
}

pub(crate) struct EspLink {
    pub(crate) telnet: u16,
    pub(crate) http: u16,
    state: Arc<State>,
}

struct State {
    makeup: Makeup,
    uart: Mutex<(u32, String)>,
    seen: Mutex<Seen>,
    /// Reset and ISP, low or not.
    pins: Mutex<(bool, bool)>,
    to_chip: mpsc::UnboundedSender<Vec<u8>>,
    from_chip: broadcast::Sender<Vec<u8>>,
    reset: Box<dyn Fn() + Send + Sync>,
}

impl EspLink {
    /// In front of a board; `reset` is what its reset pin does.
    pub(crate) async fn start(
        board: SocketAddr,
        makeup: Makeup,
        reset: impl Fn() + Send + Sync + 'static,
    ) -> EspLink {
        let telnet = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let http = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (to_chip, written) = mpsc::unbounded_channel();
        let state = Arc::new(State {
            makeup,
            uart: Mutex::new((9600, "8N1".into())),
            seen: Mutex::default(),
            pins: Mutex::new((false, false)),
            to_chip,
            from_chip: broadcast::Sender::new(64),
            reset: Box::new(reset),
        });
        let ports = (telnet.local_addr().unwrap().port(), http.local_addr().unwrap().port());
        tokio::spawn(uart(Arc::clone(&state), board, written));
        tokio::spawn({
            let state = Arc::clone(&state);
            async move {
                while let Ok((client, _)) = telnet.accept().await {
                    tokio::spawn(bytes(Arc::clone(&state), client));
                }
            }
        });
        tokio::spawn({
            let state = Arc::clone(&state);
            async move {
                while let Ok((client, _)) = http.accept().await {
                    tokio::spawn(page(Arc::clone(&state), client));
                }
            }
        });
        EspLink { telnet: ports.0, http: ports.1, state }
    }

    pub(crate) fn url(&self, options: &str) -> String {
        format!("esp-link://127.0.0.1?port={}&http={}{options}", self.telnet, self.http)
    }

    pub(crate) fn seen(&self) -> Seen {
        self.state.seen.lock().unwrap().clone()
    }

    pub(crate) fn uart(&self) -> (u32, String) {
        self.state.uart.lock().unwrap().clone()
    }
}

impl State {
    fn note(&self, note: impl FnOnce(&mut Seen)) {
        note(&mut self.seen.lock().unwrap());
    }

    fn set_pins(&self, set: impl FnOnce(&mut (bool, bool))) {
        let (released, isp) = {
            let mut pins = self.pins.lock().unwrap();
            let before = pins.0;
            set(&mut pins);
            (before && !pins.0, pins.1)
        };
        if released {
            self.note(|seen| seen.resets.push(if isp { "isp" } else { "app" }));
            (self.reset)();
        }
    }
}

/// The line between the bridge and the chip.
async fn uart(state: Arc<State>, board: SocketAddr, mut written: mpsc::UnboundedReceiver<Vec<u8>>) {
    let mut chip = TcpStream::connect(board).await.unwrap();
    chip.set_nodelay(true).unwrap();
    let (mut last, mut ours, mut switches) = (Instant::now(), false, 0);
    let mut buffer = [0; 2048];
    loop {
        let (bytes, sending) = tokio::select! {
            bytes = written.recv() => match bytes {
                Some(bytes) => (bytes, true),
                None => return,
            },
            read = chip.read(&mut buffer) => match read {
                Ok(n @ 1..) => (buffer[..n].to_vec(), false),
                _ => return,
            },
        };
        let mut bytes = bytes;
        if sending != ours && last.elapsed() < SWITCH && state.makeup.lossy > 0 {
            switches += 1;
            if switches % state.makeup.lossy == 0 {
                bytes.remove(0);
                state.note(|seen| seen.switched += 1);
            }
        }
        (last, ours) = (Instant::now(), sending);
        let bytes = on_the_line(&state, bytes, sending);
        if sending {
            chip.write_all(&bytes).await.unwrap();
        } else if !bytes.is_empty() {
            let _ = state.from_chip.send(bytes);
        }
    }
}

/// What the other end makes of bytes, by both ends' rate and format.
fn on_the_line(state: &State, bytes: Vec<u8>, sending: bool) -> Vec<u8> {
    let (rate, format) = state.uart.lock().unwrap().clone();
    let (chip_rate, chip_format) = state.makeup.chip;
    if rate != chip_rate {
        state.note(|seen| seen.flushed += 1);
        return bytes.iter().map(|b| b.rotate_left(3) ^ 0xa5).collect();
    }
    match (format.as_str(), chip_format) {
        (one, other) if one == other => {}
        // One of parity and stop bit is wrong in every character, and each is right: fragile, and it works for ASCII.
        ("8E1", "7E1") | ("7E1", "8E1") => {
            state.note(|seen| seen.tolerated += bytes.len() as u32);
            return bytes;
        }
        // The parity bit where a stop bit is looked for: the FIFO is emptied at each that is 0.
        _ => {
            let mut fifo = Vec::new();
            for byte in bytes {
                if byte.count_ones() % 2 == 0 {
                    fifo.clear();
                    state.note(|seen| seen.flushed += 1);
                } else {
                    fifo.push(byte);
                }
            }
            return fifo;
        }
    }
    // A burst above 38400 baud that does not fit into the FIFO.
    if !sending && rate > 38_400 && bytes.len() > FIFO {
        return bytes[..FIFO].to_vec();
    }
    bytes
}

/// One client of the Telnet port.
async fn bytes(state: Arc<State>, mut client: TcpStream) {
    client.set_nodelay(true).unwrap();
    let mut from_chip = state.from_chip.subscribe();
    let mut telnet = None;
    let mut buffer = [0; 1460];
    loop {
        tokio::select! {
            read = timeout(state.makeup.idle, client.read(&mut buffer)) => {
                let packet = match read {
                    Err(_) => return state.note(|seen| seen.idle += 1),
                    Ok(Ok(n @ 1..)) => &buffer[..n],
                    Ok(_) => return,
                };
                let is_telnet = *telnet.get_or_insert_with(|| {
                    if matches!(packet, b"0 " | b"?\n" | b"?\r\n") {
                        state.note(|seen| seen.programmers += 1);
                        (state.reset)();
                    }
                    let speaks = packet.len() > 2 && packet[0] == 255 && matches!(packet[1], 251 | 253);
                    state.note(|seen| seen.telnets += u32::from(speaks));
                    speaks
                });
                if is_telnet {
                    let answer = telnet_packet(&state, packet);
                    client.write_all(&answer).await.unwrap();
                } else {
                    state.note(|seen| seen.bursts += u32::from(packet.len() > 100));
                    let _ = state.to_chip.send(packet.to_vec());
                }
            }
            bytes = from_chip.recv() => {
                let Ok(bytes) = bytes else { continue };
                // What the buffer does not hold is gone.
                let _ = client.try_write(&bytes[..bytes.len().min(BUFFER)]);
            }
        }
    }
}

/// Negotiations are agreed to, and pins are set.
fn telnet_packet(state: &State, packet: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    let mut rest = packet;
    while !rest.is_empty() {
        match rest {
            [255, 251, option, more @ ..] => {
                answer.extend([255, 253, *option]);
                rest = more;
            }
            [255, 250, 44, 5, control, 255, 240, more @ ..] => {
                match control {
                    8 => state.set_pins(|pins| pins.0 = true),
                    9 => state.set_pins(|pins| pins.0 = false),
                    11 => state.set_pins(|pins| pins.1 = true),
                    12 => state.set_pins(|pins| pins.1 = false),
                    _ => {}
                }
                answer.extend([255, 250, 44, 105, *control, 255, 240]);
                rest = more;
            }
            [_, more @ ..] => rest = more,
            [] => {}
        }
    }
    answer
}

/// One request of a page.
async fn page(state: Arc<State>, mut client: TcpStream) {
    let mut request = Vec::new();
    while !request.windows(4).any(|w| w == b"\r\n\r\n") {
        if !matches!(client.read_buf(&mut request).await, Ok(1..)) {
            return;
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let target = request.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let value = query.split_once('=').map(|(_, value)| value.to_owned());
    let (status, body) = {
        let mut uart = state.uart.lock().unwrap();
        let mut status = "200 OK";
        match path {
            "/console/baud" => {
                match value.map(|v| v.parse::<u32>()) {
                    Some(Ok(rate @ 300..=3_000_000)) => {
                        uart.0 = rate;
                        state.note(|seen| seen.saved += 1);
                    }
                    Some(_) => status = "400 ERROR",
                    None => {}
                }
                (status, format!("{{\"rate\": {}}}", uart.0))
            }
            "/console/fmt" if !state.makeup.old => {
                if let Some(format) = value {
                    uart.1 = format;
                    state.note(|seen| seen.saved += 1);
                }
                (status, format!("{{\"fmt\": \"{}\"}}", uart.1.replace('O', "E")))
            }
            _ => ("404 Not Found", "Not found.".to_owned()),
        }
    };
    let head = "Server: esp-link\r\nConnection: close\r\nContent-Type: application/json\r\n";
    let _ = client.write_all(format!("HTTP/1.0 {status}\r\n{head}\r\n{body}").as_bytes()).await;
    let _ = client.shutdown().await;
}
