//! The library as users have it: the header, a C compiler, Python, and real nodes.
mod clients;
#[path = "../../../../../crates/cborder/tests/common/header.rs"]
mod header;
mod nodes;
#[path = "../../../../../crates/cborder/tests/common/programs.rs"]
mod programs;

use header::{Shape, defined, shape};
use tenbin_relay::{Code, Object};

const LIBRARY: &str = "tenbin_relay";

fn structures() -> Vec<Shape> {
    vec![shape!("tenbin_object", Object, length, generation, block_bytes, lacking, sha256)]
}

#[test]
fn its_numbers_are_the_librarys() {
    let codes = ["OK", "BAD_INPUT", "FAILED", "STOPPED", "NOT_FOUND", "BUSY", "BUG"];
    let own = [
        Code::Ok,
        Code::BadInput,
        Code::Failed,
        Code::Stopped,
        Code::NotFound,
        Code::Busy,
        Code::Bug,
    ];
    for (name, code) in codes.iter().zip(own) {
        assert_eq!(defined(&format!("TENBIN_{name}")), (code as i32).to_string());
    }
}
