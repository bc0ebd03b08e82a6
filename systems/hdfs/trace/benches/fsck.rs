//! Speed of the import of an fsck listing: uncompressed text, one core.
//! `cargo bench -p hdfs-trace`.
//!
//! The sample of `examples/shop` is repeated with other block ids until it has some 250 MB; as
//! often the one of the same cluster with `-racks`, whose lines are shorter.
use flate2::read::MultiGzDecoder;
use hdfs_trace::ingest::hdfs::{Input, Sources, import};
use std::fs::File;
use std::io::Read;
use std::time::Instant;

fn main() {
    let here = env!("CARGO_MANIFEST_DIR");
    let open = |name: &str| File::open(format!("{here}/{name}")).expect(name);
    let details = open("../../../examples/shop/fsck-files-blocks-replicaDetails.txt.gz");
    measure("-replicaDetails", MultiGzDecoder::new(details));
    let racks = open("tests/data/shop/fsck-files-blocks-locations-racks.txt.zst");
    measure("-racks", zstd::Decoder::new(racks).expect("zstd"))
}

fn measure(form: &str, mut sample: impl Read) {
    let mut text = String::new();
    sample.read_to_string(&mut text).expect(form);
    // `cargo test --benches` runs this, too: once through is enough then.
    let copies = if std::env::args().any(|a| a == "--bench") { 50 } else { 1 };
    let bytes: Vec<u8> = (0..copies)
        .flat_map(|n| text.replace(":blk_107", &format!(":blk_{}107", n + 1)).into_bytes())
        .collect();
    let megabytes = bytes.len() as f64 / 1e6;
    let fsck = Some(Input::Memory { name: "listing".into(), bytes });
    let sources = Sources { fsck, ..Sources::default() };
    let mut each = 0.0;
    let mut rates: Vec<f64> = (0..if copies > 1 { 7 } else { 1 })
        .map(|_| {
            #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
            let start = Instant::now();
            let imported = import(&sources, &mut |_| {}).expect("imported");
            let rate = megabytes / start.elapsed().as_secs_f64();
            assert_eq!(imported.counts.blocks, 12_000 * copies);
            each = imported.blocks.memory() as f64 / imported.blocks.replicas() as f64;
            rate
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let (low, median, high) = (rates[0], rates[rates.len() / 2], rates[rates.len() - 1]);
    print!("fsck listing of {megabytes:.0} MB ({form}): ");
    println!("{median:.0} MB/s (from {low:.0} to {high:.0}), {each:.2} bytes a replica")
}
