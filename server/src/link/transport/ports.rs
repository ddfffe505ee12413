//! The serial ports that there are, and their lasting names.

use super::BoardUrl;
use std::path::{Path, PathBuf};

/// A serial port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Port {
    /// Under its lasting name, where it has one.
    pub path: PathBuf,
    /// The device.
    pub device: PathBuf,
}

impl Port {
    /// Its URL, with every default. None for a path that no URL can say.
    #[must_use]
    pub fn url(&self) -> Option<BoardUrl> {
        self.path.to_str().map(BoardUrl::of_port)
    }
}

/// Every port: those with lasting names first, in the order of their names.
pub(super) fn all(by_id: &Path) -> Vec<Port> {
    let mut found: Vec<Port> = names(by_id).collect();
    found.sort();
    // Of two names for one device the first will do.
    let mut known: Vec<PathBuf> = Vec::new();
    found.retain(|port| {
        let new = !known.contains(&port.device);
        if new {
            known.push(port.device.clone());
        }
        new
    });
    // A machine whose ports cannot be listed has those with names.
    let mut others = serial2_tokio::SerialPort::available_ports().unwrap_or_default();
    others.sort();
    found.extend(
        others
            .into_iter()
            .filter(|device| !known.contains(device) && is_real(device))
            .map(|device| Port { path: device.clone(), device }),
    );
    found
}

/// Whether there is hardware: the kernel lists a dozen ports that a machine could have had.
fn is_real(device: &Path) -> bool {
    let Some(name) = device.file_name() else { return false };
    let listed = Path::new("/sys/class/tty").join(name);
    let no_chip = std::fs::read_to_string(listed.join("type")).is_ok_and(|t| t.trim() == "0");
    listed.join("device").exists() && !no_chip
}

/// The lasting name of a device.
pub(super) fn lasting_name(by_id: &Path, device: &Path) -> Option<PathBuf> {
    let device = device.canonicalize().ok()?;
    names(by_id).filter(|port| port.device == device).map(|port| port.path).min()
}

fn names(by_id: &Path) -> impl Iterator<Item = Port> {
    std::fs::read_dir(by_id).into_iter().flatten().flatten().filter_map(|entry| {
        let path = entry.path();
        let device = path.canonicalize().ok()?;
        Some(Port { path, device })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_device_is_found_once_under_the_first_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let by_id = folder.path().join("by-id");
        std::fs::create_dir(&by_id).unwrap();
        for device in ["ttyUSB0", "ttyUSB1"] {
            std::fs::write(folder.path().join(device), "").unwrap();
        }
        symlink("../ttyUSB0", by_id.join("usb-b")).unwrap();
        symlink("../ttyUSB1", by_id.join("usb-a")).unwrap();
        symlink("../ttyUSB1", by_id.join("usb-c")).unwrap();
        symlink("../ttyUSB7", by_id.join("usb-gone")).unwrap();
        let named: Vec<_> =
            all(&by_id).into_iter().filter(|port| port.path.starts_with(&by_id)).collect();
        let names: Vec<_> = named.iter().map(|port| port.path.file_name().unwrap()).collect();
        assert_eq!(names, ["usb-a", "usb-b"]);
        let device = folder.path().join("ttyUSB1");
        assert_eq!(lasting_name(&by_id, &device), Some(by_id.join("usb-a")));
        assert_eq!(lasting_name(&by_id, &folder.path().join("ttyUSB7")), None);
        assert!(all(Path::new("/nowhere")).iter().all(|port| port.path == port.device));
    }
}
