//! Puts the memory map of the chosen chip where the linker finds it.

use std::env;
use std::fs;
use std::path::PathBuf;

fn main() {
    let chip = match (env::var_os("CARGO_FEATURE_STM32F103C6"), env::var_os("CARGO_FEATURE_QEMU")) {
        (Some(_), None) => "stm32f103c6",
        (None, Some(_)) => "qemu",
        _ => panic!("choose one chip: --features stm32f103c6 or --features qemu"),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let map = format!("memory/{chip}.x");
    fs::copy(&map, out.join("memory.x")).expect("the memory map is copied");
    // The interrupts have no weak names: the one that is used is in the table itself.
    fs::write(out.join("device.x"), "").expect("an empty file is written");
    println!("cargo:rustc-link-search={}", out.display());
    for bin in ["rookery-chip", "bench"] {
        println!("cargo:rustc-link-arg-bin={bin}=-Tlink.x");
        println!("cargo:rustc-link-arg-bin={bin}=--nmagic");
    }
    println!("cargo:rerun-if-changed={map}");
    println!("cargo:rerun-if-changed=build.rs");
}
