//! Writes an fsck listing of any length to standard output, to see what its import takes:
//!
//!     cargo build --release -p hdfs-trace --example fsck_listing
//!     target/release/examples/fsck_listing 10000000000 | tenbin import hdfs --fsck - -o ten.toml
//!
//! As fsck prints it with `-replicaDetails`; with `-racks` behind the length, as with `-racks`:
//! shorter lines, and so twice the replicas in as many bytes.
//!
//! 200 nodes with 12 disks, three replicas a block, files of 1 to 63 blocks; the same bytes each
//! time.
use std::io::{self, BufWriter, ErrorKind, Write};

const NODES: u64 = 200;
const DISKS: u64 = 12;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

#[derive(Default)]
struct Totals {
    files: u64,
    blocks: u64,
    bytes: u64,
}

fn main() -> io::Result<()> {
    let told: Vec<String> = std::env::args().skip(1).collect();
    let (bytes, place): (_, Place) = match &told[..] {
        [bytes] => (bytes.parse(), stored),
        [bytes, form] if form == "-racks" => (bytes.parse(), in_rack),
        _ => ("".parse(), stored),
    };
    let Ok(bytes) = bytes else {
        let expected = "the listing's length in bytes, as in 10000000000, and -racks or nothing";
        return Err(io::Error::other(format!("expected {expected}")));
    };
    match listing(&mut BufWriter::with_capacity(1 << 20, io::stdout().lock()), bytes, place) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

fn listing(out: &mut impl Write, enough: u64, place: Place) -> io::Result<()> {
    let date = "Sat Nov 21 01:20:33 UTC 2026";
    writeln!(out, "FSCK started by hdfs (auth:SIMPLE) from /10.0.0.11 for path / at {date}\n")?;
    let (mut dice, mut totals, mut written) = (Dice(1), Totals::default(), 0);
    let places: Vec<String> = (0..NODES * DISKS).map(|disk| place(disk, &mut dice)).collect();
    let mut text = Vec::new();
    while written < enough {
        text.clear();
        file(&mut text, &mut dice, &places, &mut totals);
        out.write_all(&text)?;
        written += text.len() as u64
    }
    summary(out, &totals)?;
    writeln!(out, "FSCK ended at {date} in 522000 milliseconds")?;
    out.flush()
}

type Place = fn(u64, &mut Dice) -> String;

/// With `-replicaDetails`.
fn stored(disk: u64, dice: &mut Dice) -> String {
    let (a, b) = (dice.below(1 << 32), dice.below(1 << 48));
    let id = format!("DS-{a:08x}-7c1f-4a2b-bdd4-{b:012x}");
    let (rack, node) = rack_and_node(disk);
    format!("DatanodeInfoWithStorage[10.0.{rack}.{node}:9866,{id},DISK](LIVE)")
}

/// With `-racks`: the node alone.
fn in_rack(disk: u64, _: &mut Dice) -> String {
    let (rack, node) = rack_and_node(disk);
    format!("/rack{rack}/10.0.{rack}.{node}:9866")
}

fn rack_and_node(disk: u64) -> (u64, u64) {
    (disk / DISKS / 20, disk / DISKS % 20)
}

fn file(text: &mut Vec<u8>, dice: &mut Dice, places: &[String], totals: &mut Totals) {
    const FULL: u64 = 134_217_728;
    let (blocks, last) = (1 + dice.below(63) * dice.below(2), 1 + dice.below(FULL));
    let (number, bytes) = (totals.files, (blocks - 1) * FULL + last);
    let path = format!("/warehouse/day={:04}/part-{number:08}.parquet", number / 1000);
    let how = format!("{bytes} bytes, replicated: replication=3, {blocks} block(s)");
    text.extend_from_slice(format!("{path} {how}:  OK\n").as_bytes());
    for place in 0..blocks {
        let length = if place + 1 < blocks { FULL } else { last };
        block(text, (place, first_id(number) + place, length), dice, places)
    }
    text.push(b'\n');
    totals.files += 1;
    totals.blocks += blocks;
    totals.bytes += bytes
}

/// A folder's files were not written one after the other: 64 ids for each, in no order.
fn first_id(file: u64) -> u64 {
    let (scattered, high) = ((file * 0x9e37_79b1) % (1 << 25), file >> 25);
    1_073_741_825 + (((high << 25) + scattered) << 6)
}

/// A block's line: its place in the file, its id and its length.
fn block(text: &mut Vec<u8>, of: (u64, u64, u64), dice: &mut Dice, places: &[String]) {
    let (place, id, length) = of;
    let pool = "BP-249828880-10.0.0.11-1795223994004";
    write!(text, "{place}. {pool}:blk_{id}_{} len={length} Live_repl=3  [", id % 1_000_000_000)
        .expect("memory takes all");
    // Three nodes round-robin from any start, so that they differ.
    let (first, step) = (dice.below(NODES), 1 + dice.below(NODES / 3));
    for replica in 0..3 {
        let node = (first + replica * step) % NODES;
        text.extend_from_slice(places[(node * DISKS + dice.below(DISKS)) as usize].as_bytes());
        text.extend_from_slice(if replica < 2 { b", " } else { b"]\n" })
    }
}

fn summary(out: &mut impl Write, totals: &Totals) -> io::Result<()> {
    let Totals { files, blocks, bytes } = totals;
    writeln!(out, "\nStatus: HEALTHY\n Number of data-nodes:\t{NODES}\n Number of racks:\t\t10\n")?;
    writeln!(out, "Replicated Blocks:\n Total size:\t{bytes} B\n Total files:\t{files}")?;
    writeln!(out, " Total blocks (validated):\t{blocks} (avg. block size {} B)", bytes / blocks)?;
    writeln!(out, " Default replication factor:\t3")
}
