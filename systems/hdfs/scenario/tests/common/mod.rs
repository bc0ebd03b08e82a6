//! What the tests share: golden files, a generator, a scenario and a cluster file to start from.
#![allow(dead_code)]
use cluster::{BadInput, Sheet, listing};
use hdfs_scenario::{Scenario, assembly, check, keys};
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A scenario with its sheet.
pub struct Read(pub Sheet);

impl Read {
    pub fn of(text: &str, file: impl AsRef<Path>, sets: &[(String, String)]) -> Read {
        Read(
            Sheet::from_str(text, file, sets, &keys::HDFS, assembly)
                .unwrap_or_else(|e| panic!("{e}")),
        )
    }

    pub fn file(file: &Path, sets: &[(String, String)]) -> Result<Read, BadInput> {
        Sheet::read(file, sets, &keys::HDFS, assembly).map(Read)
    }

    /// As `tenbin check` prints it.
    pub fn checked(&self) -> String {
        listing::scenario(&self.0, &check::about(self))
    }
}

impl Deref for Read {
    type Target = Scenario;

    fn deref(&self) -> &Scenario {
        Scenario::of(&self.0)
    }
}

pub const EIGHT: &str = r#"[cluster]
racks = 2
nodes_per_rack = 4

[hardware]
disk = "65MB/s"
nic = "125MB/s"

[workload]
blocks_on_lost_node = 560

[hdfs-site]
"dfs.replication" = 3

[policy]
rereplication = "default"

[[event]]
at = "0s"
kind = "node-lost"
target = "dn-r1-01"

[run]
until = "redundant"

[compare]
"policy.rereplication" = ["default", "ring"]

[[variant]]
name = "faster disks"
set = { "hardware.disk" = "105MB/s" }
"#;

/// A cluster file as an import writes it and a person may have edited it (the NIC).
pub const SHOP: &str = include_str!("../input/shop.toml");

pub const LOSS: &str = r#"[cluster]
import = "shop.toml"

[hardware]
inter_rack_latency = "0.2ms"

[[event]]
at = "5s"
kind = "node-lost"
target = "dn3"
"#;

/// Compares with `tests/golden/NAME`; with `TENBIN_BLESS=1` in the environment it is rewritten,
/// to be read before it is committed.
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    compare(&path, text)
}

fn compare(path: &Path, text: &str) {
    if std::env::var_os("TENBIN_BLESS").is_some() {
        std::fs::write(path, text).expect("a writable golden file");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let different = kept.lines().zip(text.lines()).find(|(a, b)| a != b);
    assert!(
        kept == text,
        "{} differs (TENBIN_BLESS=1 writes it):\n{different:?}\n{text}",
        path.display()
    );
}

/// An empty folder of this test.
pub fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a writable folder");
    path
}

/// SplitMix64: the same numbers in each run.
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}
