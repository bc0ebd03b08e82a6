//! Commands over real kernels, through the real program.
#![cfg(target_os = "linux")]
mod on_links;
mod reproduce;
#[allow(dead_code, reason = "shared with the tests of tenbin")]
#[path = "../../../tenbin/tests/cli/tenbin.rs"]
mod tenbin;
mod testbed;
mod twin;

/// The program that the tests run.
const PROGRAM: &str = env!("CARGO_BIN_EXE_tenbin-lab");
