//! The namespace of a run: directories by their popularity, and names of entries in them, of 16
//! hexadecimal digits, the client's number and its own count.
use super::first::First;
use cluster::Sheet;
use engine::Draw;
use ppmds_protocol::{Ino, Key, Name, ROOT};

/// Directories and names that all clients use.
pub struct Namespace {
    /// Popularity of directories, each with those before it; of one directory empty.
    directories: Vec<f64>,
    /// Names in each directory that all clients use; 0: each has its own.
    pub shared: u32,
}

impl Namespace {
    /// Of a scenario that was checked.
    pub fn of(sheet: &Sheet) -> Namespace {
        let count = sheet.count32("workload.directories");
        let directories = popularity(count, sheet.number("workload.skew"));
        Namespace { directories, shared: sheet.count32("workload.shared_names") }
    }

    /// Whether the root is the one directory.
    pub fn is_root(&self) -> bool {
        self.directories.is_empty()
    }

    /// A name that all clients use, in a directory by its popularity.
    pub fn shared(&self, mut draw: Draw) -> Key {
        let which = draw.below(u64::from(self.shared));
        Key::entry(self.drawn(draw), &own(u32::MAX, units::narrow(which)))
    }

    /// A directory by its popularity.
    pub fn drawn(&self, mut draw: Draw) -> Ino {
        if self.is_root() {
            return ROOT;
        }
        let unit = draw.unit();
        let place = self.directories.partition_point(|upto| *upto <= unit);
        ROOT + 1 + place.min(self.directories.len() - 1) as u64
    }

    /// Directories that are there when the service begins: so many in the root, or none.
    pub fn first(&self) -> impl Iterator<Item = First> {
        (0..units::u32_of(self.directories.len())).map(|n| {
            let Key { ino: above, name } = of_directory(n);
            First { above, name, ino: ROOT + 1 + u64::from(n), directory: true }
        })
    }
}

/// A client's n-th name.
pub fn own(client: u32, n: u32) -> Name {
    let number = u64::from(client) << 32 | u64::from(n);
    let digit = |at: usize| b"0123456789abcdef"[(number >> (60 - 4 * at) & 15) as usize];
    Name::new(&std::array::from_fn::<u8, 16, _>(digit)).expect("letters and digits")
}

/// The entry in the root of a directory that is there when the service begins.
pub fn of_directory(n: u32) -> Key {
    let name = format!("dir{n:07}");
    Key::entry(ROOT, &Name::new(name.as_bytes()).expect("letters and digits"))
}

/// Zipf's law: the r-th directory is asked for in proportion to r^−skew.
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
