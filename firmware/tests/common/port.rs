//! Ports for programs that are told where to listen and cannot say which port they were given.

use std::hash::{BuildHasher as _, RandomState};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// A port of this test's own for as long as its process lives: below those that the kernel gives by itself, and no other test takes
/// it, because each has a name of its own among the abstract sockets, which leave nothing behind.
pub fn free_port() -> u16 {
    loop {
        let port = 20_000 + (RandomState::new().hash_one(()) % 12_000) as u16;
        let name = format!("port {port} of a test");
        let name = SocketAddr::from_abstract_name(name).expect("a short name");
        let Ok(claim) = UnixDatagram::bind_addr(&name) else { continue };
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            std::mem::forget(claim);
            return port;
        }
    }
}
