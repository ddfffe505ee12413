//! A link to the chip: TCP to TCP, byte by byte, with seeded losses.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::host::connect;
use super::tape::Tape;

/// How long a thread waits before it looks whether it is still wanted.
const BREATH: Duration = Duration::from_millis(20);

/// Which bytes are lost.
#[derive(Clone, Copy)]
pub(crate) struct Losses {
    pub(crate) seed: u64,
    /// The chance of every byte to be where a loss begins, on the way to the chip and on the way back; half of them are a single byte, half
    /// a run of 2 to 20.
    pub(crate) rates: [f64; 2],
}

impl Losses {
    pub(crate) const NONE: Losses = Losses { seed: 0, rates: [0.0; 2] };
}

/// The link; it ends with this value.
pub(crate) struct Wire {
    pub(crate) url: String,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

struct Shared {
    tape: Mutex<Tape>,
    ended: AtomicBool,
    /// Losses on the way to the chip and on the way back.
    struck: [AtomicU32; 2],
}

#[derive(Clone, Copy)]
enum Way {
    ToChip,
    FromChip,
}

impl Wire {
    /// A link to the chip whose serial port listens there. One connection at a time, as the chip has one port.
    pub(crate) fn start(chip: &str, losses: Losses) -> Wire {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("tcp://{}", listener.local_addr().expect("an address"));
        listener.set_nonblocking(true).expect("a socket");
        let shared = Arc::new(Shared {
            tape: Mutex::new(Tape::default()),
            ended: AtomicBool::new(false),
            struck: [AtomicU32::new(0), AtomicU32::new(0)],
        });
        let (chip, inside) = (chip.to_owned(), Arc::clone(&shared));
        let listener = std::thread::spawn(move || inside.serve(&listener, &chip, losses));
        Wire { url, shared, listener: Some(listener) }
    }

    pub(crate) fn tape(&self) -> MutexGuard<'_, Tape> {
        self.shared.tape.lock().expect("nobody panics with it")
    }

    /// How often bytes were lost on the way to the chip, and on the way back.
    pub(crate) fn struck(&self) -> [u32; 2] {
        self.shared.struck.each_ref().map(|count| count.load(Relaxed))
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.shared.ended.store(true, Relaxed);
        if let Some(listener) = self.listener.take()
            && listener.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the link has failed");
        }
    }
}

impl Shared {
    fn serve(&self, listener: &TcpListener, chip: &str, losses: Losses) {
        // The chip's end stays connected, as a serial port does, so that nothing it says is missing on the tape.
        let chip = connect(chip);
        let mut chances = [0, 1].map(|way| ChaCha8Rng::seed_from_u64(2 * losses.seed + way));
        let [to_chip, from_chip] = &mut chances;
        let host: Mutex<Option<TcpStream>> = Mutex::new(None);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                self.carry(Way::FromChip, losses.rates, from_chip, &chip, |bytes| {
                    if let Some(host) = host.lock().expect("nobody panics with it").as_mut() {
                        let _ = host.write_all(bytes);
                    }
                });
            });
            while !self.ended.load(Relaxed) {
                let Ok((stream, _)) = listener.accept() else {
                    std::thread::sleep(BREATH);
                    continue;
                };
                stream.set_nonblocking(false).expect("a socket");
                stream.set_nodelay(true).expect("a socket");
                *host.lock().expect("nobody panics with it") =
                    Some(stream.try_clone().expect("a socket"));
                self.carry(Way::ToChip, losses.rates, to_chip, &stream, |bytes| {
                    let _ = (&chip).write_all(bytes);
                });
                *host.lock().expect("nobody panics with it") = None;
            }
        });
    }

    /// Carries bytes one way until the connection they come from ends.
    fn carry(
        &self,
        way: Way,
        rates: [f64; 2],
        chance: &mut ChaCha8Rng,
        mut from: &TcpStream,
        mut to: impl FnMut(&[u8]),
    ) {
        from.set_read_timeout(Some(BREATH)).expect("a socket");
        let (mut buffer, mut losing) = ([0; 512], 0u32);
        while !self.ended.load(Relaxed) {
            let length = match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => length,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                        continue;
                    }
                    _ => return,
                },
            };
            let came = &buffer[..length];
            let mut kept = Vec::with_capacity(length);
            for &byte in came {
                if losing == 0 && chance.random_bool(rates[way as usize]) {
                    losing = if chance.random_bool(0.5) { 1 } else { chance.random_range(2..=20) };
                    self.struck[way as usize].fetch_add(1, Relaxed);
                }
                if losing > 0 {
                    losing -= 1;
                } else {
                    kept.push(byte);
                }
            }
            // On the tape first: the chip's answer must not be there before what it answers.
            let mut tape = self.tape.lock().expect("nobody panics with it");
            match way {
                Way::ToChip => tape.arrives(&kept),
                Way::FromChip => tape.leaves(came),
            }
            drop(tape);
            to(&kept);
        }
    }
}
