//! The chip's program on an emulated STM32.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

#[path = "port.rs"]
mod port;

use port::free_port;

/// The cells of its engine: as many as fit into the machine's 8 KB.
pub const CELLS: usize = 256;

/// The program, built once; `None` when it cannot be run here, and a line has said so.
///
/// Every test program asks for it, at the same time perhaps: cargo lets one build, the others find it
/// built, and the file that QEMU loads is put in its place whole.
pub fn image() -> Option<&'static Path> {
    static IMAGE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let image = IMAGE.get_or_init(|| {
        let qemu = Command::new("qemu-system-arm").arg("--version").output();
        if qemu.is_err() {
            println!("SKIPPED: qemu-system-arm is not installed, the chip's program is not tested");
            return None;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let built = Command::new(root.join("tools/firmware"))
            .args(["--path", "qemu"])
            .stderr(Stdio::inherit())
            .output()
            .expect("tools/firmware runs");
        assert!(built.status.success(), "the chip's program is built");
        let path = String::from_utf8(built.stdout).expect("a path");
        Some(PathBuf::from(path.trim()))
    });
    image.as_deref()
}

/// An address that nobody listens on.
pub fn free_place() -> String {
    format!("127.0.0.1:{}", free_port())
}

/// The machine; it ends with this value.
pub struct Machine {
    child: Child,
    /// Where its serial port listens.
    pub place: String,
}

impl Machine {
    /// Starts it; with `wait` only when somebody has connected.
    pub fn start(wait: bool) -> Option<Self> {
        Self::with(wait, &["-monitor", "none"])
    }

    /// The same with more arguments for QEMU.
    pub fn with(wait: bool, more: &[&str]) -> Option<Self> {
        let image = image()?;
        let place = free_place();
        let serial = format!("tcp:{place},server{}", if wait { "" } else { ",nowait" });
        let child = Command::new("qemu-system-arm")
            .args(["-M", "stm32vldiscovery", "-nographic", "-serial", &serial])
            .args(more)
            .arg("-kernel")
            .arg(image)
            .stdin(Stdio::null())
            .spawn()
            .expect("qemu starts");
        Some(Self { child, place })
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
