//! Random damage to every kind of input: an error or an import, never a panic, never without end.
use super::support::{memory, run, text};
use hdfs_trace::ingest::hdfs::Sources;

/// A seeded generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }
}

/// Pieces that the parsers look for, put where they do not belong.
const PIECES: [&str; 28] = [
    "\n",
    "\r\n",
    "\0",
    ":",
    " ",
    "[",
    "]",
    "(",
    ")",
    ",",
    "/",
    "0. BP-1:blk_",
    "blk_-",
    " len=",
    "-1",
    " bytes, replicated: replication=",
    " bytes, erasure-coded: policy=",
    " <dir>",
    " MISSING!",
    "99999999999999999999",
    "Under Construction Block:\n",
    "Status: HEALTHY\n",
    "FSCK ended at \n",
    "\u{feff}",
    "DatanodeInfoWithStorage[",
    " Under replicated ",
    "datanodes (",
    "<property>",
];

fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(200)).min(bytes.len());
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
            3 => {
                let part = bytes[at..to].to_vec();
                let elsewhere = random.below(bytes.len() + 1);
                bytes.splice(elsewhere..elsewhere, part);
            }
            4 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            5 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => bytes.splice(at..to, std::iter::repeat_n(b'9', random.below(30))).for_each(drop),
        }
    }
    bytes
}

#[test]
fn damaged_inputs() {
    let listings = [
        "traits/fsck-files-blocks-replicaDetails-maintenance.txt.zst",
        "traits/fsck-files-blocks-locations-racks-replicaDetails.txt.zst",
        "traits/fsck-openforwrite-files-blocks-locations.txt.zst",
        "traits/fsck-files-blocks-upgradedomains.txt.zst",
        "traits/fsck-storagepolicies.txt.zst",
    ]
    .map(text);
    let others = [
        "traits/dfsadmin-report.txt",
        "traits/dfsadmin-printTopology.txt",
        "examples/shop/hdfs-site.xml",
    ]
    .map(text);
    let mut random = Random(1);
    let (mut imported, mut refused) = (0, 0);
    for round in 0..3000 {
        let whole = &listings[random.below(listings.len())];
        let which = random.below(6);
        let fsck = if which < 3 { damage(whole, &mut random) } else { whole.clone() };
        let mut other = |at: usize, name: &str| {
            let bytes = &others[at];
            let bytes = if which == at + 3 { damage(bytes, &mut random) } else { bytes.clone() };
            (round % 3 != 0 || which == at + 3).then(|| memory(name, bytes)).flatten()
        };
        let (report, topology, conf) = (other(0, "report"), other(1, "topology"), other(2, "conf"));
        let result = run(Sources {
            name: "x".into(),
            fsck: memory("fsck", fsck),
            report,
            topology,
            conf,
            jmx: None,
        });
        match result {
            Ok(result) => {
                imported += 1;
                let map = result.blocks.unpack_all();
                assert_eq!(map.first.len(), map.id.len() + 1);
                assert_eq!(map.first.last().copied(), Some(map.replica.len() as u32));
                assert!(map.replica.iter().all(|r| r.node.at() < result.cluster.nodes.len()))
            }
            Err(error) => {
                refused += 1;
                assert!(!error.problem.is_empty() && !error.file.is_empty())
            }
        }
    }
    assert!(imported > 100 && refused > 1000, "both happen: {imported} imported, {refused} refused")
}
