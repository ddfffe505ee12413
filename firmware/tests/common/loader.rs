//! A host of the loader in ROM, in as few words as AN3155 allows.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::host::connect;

pub const FLASH: u32 = 0x0800_0000;
const ACK: u8 = 0x79;
const NACK: u8 = 0x1F;

/// How long an answer may take, on a machine that has much else to do.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Why something was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The loader has said so.
    Refused,
    /// It has said something else.
    Nonsense(u8),
    /// It has said nothing, or nothing can reach it.
    Silent,
}

pub type Done<T = ()> = Result<T, Failed>;

pub struct Loader {
    stream: TcpStream,
}

impl Loader {
    /// Connects; the loader has heard nothing yet.
    pub fn connect(place: &str) -> Self {
        Self::with_patience(place, PATIENCE)
    }

    /// The same for a link that loses bytes.
    pub fn with_patience(place: &str, patience: Duration) -> Self {
        let stream = connect(place);
        stream.set_nodelay(true).expect("a socket");
        let loader = Self { stream };
        loader.be_patient(patience);
        loader
    }

    /// From now on an answer may take so long.
    pub fn be_patient(&self, patience: Duration) {
        self.stream.set_read_timeout(Some(patience)).expect("a socket");
    }

    /// The connection, for somebody who ends it.
    pub fn line(&self) -> TcpStream {
        self.stream.try_clone().expect("a socket")
    }

    pub fn say(&mut self, bytes: &[u8]) -> Done {
        self.stream.write_all(bytes).map_err(|_| Failed::Silent)
    }

    pub fn hear(&mut self, length: usize) -> Done<Vec<u8>> {
        let mut bytes = vec![0; length];
        match self.stream.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => Err(Failed::Silent),
                ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset => Err(Failed::Silent),
                _ => panic!("{error}"),
            },
        }
    }

    pub fn acknowledged(&mut self) -> Done {
        match self.hear(1)?[0] {
            ACK => Ok(()),
            NACK => Err(Failed::Refused),
            other => Err(Failed::Nonsense(other)),
        }
    }

    /// For a loader that listens and was not spoken to since its reset.
    pub fn sync(&mut self) -> Done {
        self.say(&[0x7F])?;
        self.acknowledged()
    }

    pub fn command(&mut self, code: u8) -> Done {
        self.say(&[code, !code])?;
        self.acknowledged()
    }

    /// Bytes and their checksum.
    pub fn summed(&mut self, bytes: &[u8]) -> Done {
        let sum = bytes.iter().fold(0, |sum, byte| sum ^ byte);
        self.say(&[bytes, &[sum]].concat())?;
        self.acknowledged()
    }

    fn counted(&mut self, bytes: &[u8]) -> Done {
        let count = u8::try_from(bytes.len() - 1).expect("at most 256");
        self.summed(&[&[count], bytes].concat())
    }

    pub fn erase(&mut self, pages: &[u8]) -> Done {
        self.command(0x43)?;
        self.counted(pages)
    }

    pub fn write(&mut self, at: u32, bytes: &[u8]) -> Done {
        self.command(0x31)?;
        self.summed(&at.to_be_bytes())?;
        self.counted(bytes)
    }

    pub fn read(&mut self, at: u32, length: usize) -> Done<Vec<u8>> {
        self.command(0x11)?;
        self.summed(&at.to_be_bytes())?;
        let count = u8::try_from(length - 1).expect("at most 256");
        self.say(&[count, !count])?;
        self.acknowledged()?;
        self.hear(length)
    }

    pub fn go(&mut self, at: u32) -> Done {
        self.command(0x21)?;
        self.summed(&at.to_be_bytes())
    }

    /// Erases what an image needs and writes it.
    pub fn flash(&mut self, image: &[u8]) -> Done {
        let pages = u8::try_from(image.len().div_ceil(1024)).expect("fits");
        self.erase(&(0..pages).collect::<Vec<_>>())?;
        for (at, block) in (FLASH..).step_by(256).zip(image.chunks(256)) {
            self.write(at, block)?;
        }
        Ok(())
    }

    /// Everything in the flash up to there.
    pub fn dump(&mut self, length: usize) -> Done<Vec<u8>> {
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let at = FLASH + u32::try_from(bytes.len()).expect("small");
            bytes.extend(self.read(at, (length - bytes.len()).min(256))?);
        }
        Ok(bytes)
    }
}
