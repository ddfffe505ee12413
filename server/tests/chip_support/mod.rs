//! The chip's program on an emulated STM32, a link to it that can lose bytes and remembers what was said at the chip's end, and the
//! host's engine that is told the same.

#[path = "../../../firmware/tests/common/host.rs"]
#[allow(dead_code, unreachable_pub, reason = "this test uses a part of it")]
pub(crate) mod host;
#[path = "../../../firmware/tests/common/machine.rs"]
#[allow(dead_code, unreachable_pub, reason = "this test uses a part of it")]
pub(crate) mod machine;
pub(crate) mod replica;
pub(crate) mod tape;
pub(crate) mod wire;
