//! The scenarios of the repository.
use cluster::*;
use std::path::{Path, PathBuf};
use units::{Bytes, BytesPerSec, Nanos};

fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

#[test]
fn s0_is_the_document_s_set_up() {
    let s = Scenario::read(scenarios().join("s0.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    println!("{}", check::render(&s));
    assert_eq!((s.cluster.nodes.len(), s.cluster.racks.len()), (8, 1));
}
