//! Random damage to pages: an error or an import whose numbers can be used, never a panic.
use super::support::{Page, Random, memory};
use hdfs_trace::ingest::foreground::{Sources, import};

const PIECES: [&str; 16] = [
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "-1",
    "1e99",
    "18446744073709551615",
    "99999999999999999999",
    "\"name\" : \"java.lang:type=Runtime\",",
    "\"Uptime\" : 0,",
    "DataNodeActivity-",
    "\u{0}",
];

fn damage(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(40)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..to)),
            1 => {
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
            2 if at < bytes.len() => bytes[at] = b"0123456789-."[random.below(12)],
            3 => {
                let again = bytes[at..to].to_vec();
                bytes.splice(at..at, again);
            }
            // A number becomes one of the largest.
            _ => {
                let digit = |b: &u8| b.is_ascii_digit();
                let Some(from) = bytes[at..].iter().position(digit).map(|n| at + n) else {
                    continue;
                };
                let end = bytes[from..].iter().position(|b| !digit(b)).map_or(from, |n| from + n);
                let piece = PIECES[8 + random.below(4)];
                bytes.splice(from..end, piece.bytes());
            }
        }
    }
    bytes
}

#[test]
fn damaged_pages_never_panic() {
    let random = &mut Random(7);
    let base = |node: &str| {
        Page::new(node, 5_000).with(&[("BytesRead", 77), ("WritesFromLocalClient", 3)])
    };
    let later = |node: &str| {
        let page = base(node).with(&[
            ("ReadsFromLocalClient", 50),
            ("BytesRead", 1 << 30),
            ("WritesFromRemoteClient", 30),
            ("BlocksWritten", 40),
            ("CopyBlockOpNumOps", 1),
        ]);
        Page { uptime: 305_000, ..page }
    };
    let nodes = ["dn-1-9866", "dn-2-9866"];
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20_000 {
        let page = |which: usize, random: &mut Random, text: String| {
            let bytes = match random.below(2) {
                0 => damage(&text, random),
                _ => text.into_bytes(),
            };
            memory(&format!("{which}.json"), bytes)
        };
        let before = (0..2).map(|n| page(n, random, base(nodes[n]).text())).collect();
        let after = (0..2).map(|n| page(n, random, later(nodes[n]).text())).collect();
        match import(&Sources { before, after, ..Sources::default() }, &mut |_| ()) {
            Err(error) => {
                bad += 1;
                assert!(error.to_string().contains(".json"), "{error}")
            }
            Ok(imported) => {
                good += 1;
                let load = &imported.load;
                let all = [load.reads, load.writes, load.local, load.seconds];
                assert!(all.iter().all(|n| n.is_finite() && *n >= 0.0), "{load:?}");
                assert!(load.local <= 1.0, "{load:?}");
                let shares = load.shares.iter().flat_map(|s| [s.reads, s.writes]);
                assert!(shares.into_iter().all(|n| n.is_finite() && n >= 0.0), "{load:?}");
                assert!(imported.toml("s.csv").starts_with('#') && !imported.csv().is_empty())
            }
        }
    }
    assert!(good > 1_000 && bad > 1_000, "{good} imported, {bad} refused");
}
