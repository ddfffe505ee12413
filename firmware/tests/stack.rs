//! `tools/stack`, which proves that the chip's stack is large enough: small programs of which one knows how deep it is, and
//! such as it must not let pass.
//!
//! Where the assembler for the chip is missing nothing is tested, and a line says so.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The stack of these programs.
const STACK: u32 = 128;

/// What the tool says of a program with these functions behind its start, which calls `work`.
fn judged(functions: &str) -> Option<Result<String, String>> {
    if Command::new("arm-none-eabi-as").arg("--version").output().is_err() {
        println!("SKIPPED: arm-none-eabi-as is not installed, tools/stack is not tested");
        return None;
    }
    let place = tempfile::tempdir().expect("a folder");
    let [source, object, elf] = ["a.s", "a.o", "a.elf"].map(|name| place.path().join(name));
    let program = format!(
        ".syntax unified\n.cpu cortex-m3\n.thumb\n.section .vector_table,\"a\"\n.word _stack_start, Reset\n\
         .text\n.macro function name\n.type \\name, %function\n\\name:\n.endm\n\
         .global Reset\nfunction Reset\npush {{r4, lr}}\nbl work\npop {{r4, pc}}\n{functions}\n"
    );
    fs::write(&source, program).expect("written");
    let run = |command: &mut Command| {
        let done = command.output().expect("it starts");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    run(Command::new("arm-none-eabi-as").arg("-o").args([&object, &source]));
    run(Command::new("arm-none-eabi-ld")
        .args(["-e", "Reset", "-Ttext=0x08000100", "--section-start=.vector_table=0x08000000"])
        .arg(format!("--defsym=_stack_start={}", 0x2000_0000 + STACK))
        .args(["--defsym=_stack_end=0x20000000", "-o"])
        .args([&elf, &object]));
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/stack");
    let said = Command::new(tool).arg(&elf).output().expect("tools/stack starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Some(if said.status.success() { Ok(text(said.stdout)) } else { Err(text(said.stderr)) })
}

#[track_caller]
fn is_deep(bytes: u32, functions: &str) {
    let Some(judged) = judged(functions) else { return };
    let last = format!("{bytes:7} of {STACK}\n");
    assert!(judged.as_ref().is_ok_and(|said| said.ends_with(&last)), "{bytes}: {judged:?}");
}

#[track_caller]
fn is_refused(why: &str, functions: &str) {
    let Some(judged) = judged(functions) else { return };
    assert!(judged.as_ref().is_err_and(|said| said.contains(why)), "{why}: {judged:?}");
}

#[test]
fn the_deepest_chain_counts() {
    is_deep(8, "function work\nbx lr");
    is_deep(
        8 + 24 + 8,
        "function work\npush {r4, r5, r6, lr}\nsub sp, #8\nbl leaf\nadd sp, #8\npop {r4, r5, r6, pc}\nfunction leaf\nstr r4, [sp, #-8]!\nldr r4, [sp], #8\nbx lr",
    );
    // What is pushed in one arm alone is not there in the other's call.
    is_deep(
        8 + 8 + 40,
        "function work\ncbz r0, 1f\npush {r4, lr}\nbl deep\npop {r4, pc}\n1: b.w flat\nfunction deep\nsub sp, #40\nadd sp, #40\nbx lr\nfunction flat\nsub sp, #44\nadd sp, #44\nbx lr",
    );
}

#[test]
fn a_call_by_a_register_whose_value_the_code_tells_counts() {
    is_deep(
        8 + 8 + 64,
        "function work\npush {r4, lr}\nldr r4, =deep\nblx r4\nblx r4\npop {r4, pc}\n.ltorg\nfunction deep\nsub sp, #64\nadd sp, #64\nbx lr",
    );
}

#[test]
fn each_arm_of_a_table_of_jumps_counts() {
    is_deep(
        8 + 8 + 48,
        "function work\npush {r4, lr}\ntbb [pc, r0]\n2: .byte (3f - 2b) / 2, (4f - 2b) / 2\n3: pop {r4, pc}\n4: bl deep\npop {r4, pc}\nfunction deep\nsub sp, #48\nadd sp, #48\nbx lr",
    );
}

#[test]
fn what_is_too_deep_is_refused() {
    is_refused("24 bytes too few", "function work\nsub sp, #144\nadd sp, #144\nbx lr");
}

#[test]
fn recursion_is_refused() {
    is_refused(
        "recursion",
        "function work\npush {r4, lr}\nbl other\npop {r4, pc}\nfunction other\nb.w work",
    );
}

#[test]
fn a_call_of_anything_is_refused() {
    is_refused("not listed", "function work\npush {r4, lr}\nblx r3\npop {r4, pc}");
    // It was known before the loop, and is another behind its first turn.
    is_refused(
        "not listed",
        "function work\npush {r4, lr}\nldr r4, =leaf\n1: blx r4\nldr r4, [r0]\ncmp r0, #0\nbne 1b\npop {r4, pc}\n.ltorg\nfunction leaf\nbx lr",
    );
    is_refused(
        "address is taken",
        "function work\nldr r0, =leaf\nbx lr\n.ltorg\nfunction leaf\nbx lr",
    );
}

#[test]
fn a_stack_that_cannot_be_followed_is_refused() {
    is_refused("bytes on the stack", "function work\n1: push {r4}\ncmp r0, #0\nbne 1b\nbx lr");
    is_refused("not understood", "function work\nmov sp, r4\nbx lr");
    is_refused("not understood", "function work\nldr pc, [r0]");
    is_refused("something on the stack", "function work\npush {r4}\nbx lr");
}
