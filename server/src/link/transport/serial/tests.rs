//! What no pseudo terminal can show: a Linux pty drops the parity bit and has no modem lines, so the settings are looked at before they
//! are given to the system.

use super::*;
use crate::link::transport::line::{LineAtOpen, ResetLines};
use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::LocalModes,
};
use std::os::fd::OwnedFd;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PLAIN: LineOptions = LineOptions {
    format: SerialFormat { parity: Parity::None, ..SerialFormat::BOARD },
    dtr: LineAtOpen::Keep,
    rts: LineAtOpen::Keep,
    pins: ResetLines { reset: None, boot0: None },
};

/// A terminal as a shell has it, its other end, and its path.
fn terminal() -> (OwnedFd, OwnedFd, PathBuf) {
    let controller =
        openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let path = PathBuf::from(ptsname(&controller, Vec::new()).unwrap().into_string().unwrap());
    let held = rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    (controller, held, path)
}

#[test]
fn the_settings_are_what_was_asked_for_and_bytes_pass_as_they_are() {
    let (_controller, held, _) = terminal();
    let formats = [
        SerialFormat::BOARD,
        SerialFormat { baud: 9600, data_bits: 7, parity: Parity::Odd, stop_bits: 2 },
        SerialFormat { baud: 250_000, data_bits: 8, parity: Parity::None, stop_bits: 1 },
        SerialFormat { baud: 57_600, data_bits: 7, parity: Parity::Even, stop_bits: 1 },
    ];
    let mut termios = tcgetattr(&held).unwrap();
    // One after the other: nothing may be left of the one before.
    for format in formats {
        arrange(&mut termios, format).unwrap();
        assert_eq!(read_format(&termios), format);
        let control = termios.control_modes;
        assert_eq!(control.contains(ControlModes::PARENB), format.parity != Parity::None);
        assert_eq!(control.contains(ControlModes::PARODD), format.parity == Parity::Odd);
        assert_eq!(control.contains(ControlModes::CSTOPB), format.stop_bits == 2);
        assert!(control.contains(ControlModes::CLOCAL | ControlModes::CREAD));
        assert!(!control.intersects(ControlModes::HUPCL | ControlModes::CRTSCTS));
        let input = InputModes::IXON | InputModes::IXOFF | InputModes::ICRNL | InputModes::INLCR;
        assert!(!termios.input_modes.intersects(input | InputModes::ISTRIP | InputModes::PARMRK));
        assert!(
            !termios
                .local_modes
                .intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
        );
        assert_eq!(termios.special_codes[SpecialCodeIndex::VMIN], 1, "0 would read as an end");
    }
}

#[test]
fn a_rate_that_is_nearly_met_will_do_and_another_format_will_not() {
    let board = SerialFormat::BOARD;
    assert!(is_close(SerialFormat { baud: 117_000, ..board }, board));
    assert!(!is_close(SerialFormat { baud: 9600, ..board }, board));
    assert!(!is_close(SerialFormat { parity: Parity::None, ..board }, board));
    assert!(!is_close(SerialFormat { stop_bits: 2, ..board }, board));
}

#[tokio::test]
async fn a_port_is_one_programs_alone_until_it_is_closed() {
    let (_controller, _held, path) = terminal();
    let port = SerialPort::open(&path, &PLAIN, false).unwrap();
    assert_eq!(port.caveat(), None);
    let mut place = SerialPlace::new(path.to_str().unwrap(), PLAIN, Path::new("/nowhere"), false);
    let refused = place.open().expect_err("it is in use").to_string();
    assert!(refused.contains("is in use by another program"), "{refused}");
    drop(port);
    place.open().unwrap();
}

#[tokio::test]
async fn one_look_leaves_the_port_as_it_was() {
    for restore in [true, false] {
        let (_controller, held, path) = terminal();
        let control = |fd: &OwnedFd| {
            let t = tcgetattr(fd).unwrap();
            (t.control_modes, t.input_modes, t.output_modes, t.local_modes, t.output_speed())
        };
        let before = control(&held);
        let port = SerialPort::open(&path, &PLAIN, restore).unwrap();
        assert_ne!(control(&held), before);
        drop(port);
        assert_eq!(control(&held) == before, restore);
    }
}

#[tokio::test]
async fn what_came_before_is_thrown_away_and_what_comes_is_read() {
    let (controller, held, path) = terminal();
    rustix::io::write(&controller, b"of yesterday\n").unwrap();
    while rustix::io::ioctl_fionread(&held).unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    // A terminal as a shell has it echoes.
    rustix::io::read(&controller, &mut [0; 64]).unwrap();
    let mut port = SerialPort::open(&path, &PLAIN, false).unwrap();
    let every: Vec<u8> = (0..=255).collect();
    rustix::io::write(&controller, &every).unwrap();
    let mut read = vec![0; every.len()];
    port.read_exact(&mut read).await.unwrap();
    assert_eq!(read, every);
    port.write_all(&every).await.unwrap();
    let mut read = vec![0; every.len()];
    let n = rustix::io::read(&controller, &mut read).unwrap();
    assert_eq!(&read[..n], &every[..n]);
    assert!(n > 0);
}

#[tokio::test]
async fn an_adapter_that_is_unplugged_ends_reading_and_writing() {
    let (controller, held, path) = terminal();
    let mut port = SerialPort::open(&path, &PLAIN, false).unwrap();
    drop((controller, held));
    let mut buffer = [0; 16];
    let end = timeout(DRAIN, port.read(&mut buffer)).await.expect("it is noticed");
    assert!(matches!(end, Ok(0) | Err(_)), "{end:?}");
    assert!(port.write_all(b"anybody?").await.is_err());
}

#[tokio::test]
async fn a_pseudo_terminal_says_what_it_does_not_do() {
    let (_controller, _held, path) = terminal();
    let lines = LineOptions { dtr: LineAtOpen::Off, format: SerialFormat::BOARD, ..PLAIN };
    let mut port = SerialPort::open(&path, &lines, false).unwrap();
    assert!(port.caveat().is_some_and(|text| text.contains("pseudo terminal")));
    let control = port.control().expect("a serial port has lines");
    let nine = SerialFormat { baud: 9600, ..PLAIN.format };
    control.set_format(nine).await.unwrap();
    control.purge().await.unwrap();
    assert!(control.set_line(ModemLine::Rts, true).await.is_err(), "it has none");
    assert_eq!(read_format(&tcgetattr(&port.fd).unwrap()), nine);
}

#[test]
fn errors_say_what_to_do() {
    let place =
        |path: &Path| SerialPlace::new(path.to_str().unwrap(), PLAIN, Path::new("/nowhere"), false);
    let file = tempfile::NamedTempFile::new().unwrap();
    for (path, says) in [
        (Path::new("/dev/ttyNONE7"), "is the adapter plugged in?"),
        (file.path(), "is not a serial port"),
    ] {
        let error = place(path).open().expect_err("no port").to_string();
        assert!(error.contains(says), "{error}");
    }
    let denied = io::Error::from(io::ErrorKind::PermissionDenied);
    assert!(in_words(denied, Path::new("/dev/ttyUSB0"), None).to_string().contains("dialout"));
}
