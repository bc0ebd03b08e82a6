//! The library as users have it: the header, a C compiler, Python, and real nodes.
mod clients;
#[path = "../../../../../crates/cborder/tests/common/header.rs"]
mod header;
mod nodes;
#[path = "../../../../../crates/cborder/tests/common/programs.rs"]
mod programs;

use header::{Shape, defined, shape};
use tenbin_meta::{Change, Inode};

const LIBRARY: &str = "tenbin_meta";

fn structures() -> Vec<Shape> {
    vec![
        shape!("tenbin_meta_inode", Inode, ino, size, modified, changed, mode, links, owner, group),
        shape!("tenbin_meta_change", Change, set, mode, owner, group, size, modified),
    ]
}

#[test]
fn its_numbers_are_the_librarys() {
    let most = ppmds_protocol::MOST_CONTENTS.to_string();
    assert_eq!(defined("TENBIN_META_MOST_CONTENTS"), most);
    let python = std::fs::read_to_string(programs::home().join("python/tenbin_meta.py"));
    assert!(python.expect("a module").contains(&format!("MOST_CONTENTS = {most}\n")));
    let bits = [Change::MODE, Change::OWNER, Change::SIZE, Change::MODIFIED];
    for (name, bit) in ["MODE", "OWNER", "SIZE", "MODIFIED"].iter().zip(bits) {
        assert_eq!(defined(&format!("TENBIN_META_{name}")), bit.to_string())
    }
}
