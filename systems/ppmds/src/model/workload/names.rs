//! Directories by popularity, and names of entries: 16 hexadecimal digits, the client's number and
//! its own count.
use super::first::First;
use cluster::Sheet;
use engine::Draw;
use ppmds_protocol::{Ino, Key, Name, ROOT};

pub struct Namespace {
    /// Cumulated popularity; empty if the root is the only directory.
    directories: Vec<f64>,
    /// Names per directory that all clients share; 0: each client has its own.
    pub shared: u32,
}

impl Namespace {
    /// The scenario must be checked.
    pub fn of(sheet: &Sheet) -> Namespace {
        let count = sheet.count32("workload.directories");
        let directories = popularity(count, sheet.number("workload.skew"));
        Namespace { directories, shared: sheet.count32("workload.shared_names") }
    }

    pub fn is_root(&self) -> bool {
        self.directories.is_empty()
    }

    /// A shared name in a directory drawn by popularity.
    pub fn shared(&self, mut draw: Draw) -> Key {
        let which = draw.below(u64::from(self.shared));
        Key::entry(self.drawn(draw), &own(u32::MAX, units::narrow(which)))
    }

    /// A directory drawn by popularity.
    pub fn drawn(&self, mut draw: Draw) -> Ino {
        if self.is_root() {
            return ROOT;
        }
        let unit = draw.unit();
        let place = self.directories.partition_point(|upto| *upto <= unit);
        ROOT + 1 + place.min(self.directories.len() - 1) as u64
    }

    /// Directories that exist at the start, all in the root.
    pub fn first(&self) -> impl Iterator<Item = First> {
        (0..units::u32_of(self.directories.len())).map(|n| {
            let Key { ino: above, name } = of_directory(n);
            First { above, name, ino: ROOT + 1 + u64::from(n), directory: true }
        })
    }
}

pub fn own(client: u32, n: u32) -> Name {
    let number = u64::from(client) << 32 | u64::from(n);
    let digit = |at: usize| b"0123456789abcdef"[(number >> (60 - 4 * at) & 15) as usize];
    Name::new(&std::array::from_fn::<u8, 16, _>(digit)).expect("letters and digits")
}

/// The entry of the n-th directory that exists at the start.
pub fn of_directory(n: u32) -> Key {
    let name = format!("dir{n:07}");
    Key::entry(ROOT, &Name::new(name.as_bytes()).expect("letters and digits"))
}

/// Zipf's law, cumulated: directory r is used in proportion to r^−skew.
fn popularity(directories: u32, skew: f64) -> Vec<f64> {
    if directories == 1 {
        return Vec::new();
    }
    let weight = |rank: u32| libm::pow(f64::from(rank), -skew);
    let total: f64 = (1..=directories).map(weight).sum();
    let mut sum = 0.0;
    let of = |rank| {
        sum += weight(rank) / total;
        sum
    };
    (1..=directories).map(of).collect()
}
