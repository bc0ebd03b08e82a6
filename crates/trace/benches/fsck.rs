//! Speed of the import of an fsck listing: uncompressed text, one core. `cargo bench -p trace`.
//!
//! The sample of `examples/shop` is repeated with other block ids until it has some 250 MB.
use flate2::read::MultiGzDecoder;
use std::io::Read;
use std::time::Instant;
use trace::ingest::hdfs::{Input, Sources, import};

fn main() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/shop/fsck-files-blocks-replicaDetails.txt.gz"
    );
    let mut text = String::new();
    let packed = std::fs::read(file).expect(file);
    MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).expect(file);
    // `cargo test --benches` runs this, too: once through is enough then.
    let copies = if std::env::args().any(|a| a == "--bench") { 50 } else { 1 };
    let bytes: Vec<u8> = (0..copies)
        .flat_map(|n| text.replace(":blk_107", &format!(":blk_{}107", n + 1)).into_bytes())
        .collect();
    let megabytes = bytes.len() as f64 / 1e6;
    let fsck = Some(Input::Memory { name: "listing".into(), bytes });
    let sources = Sources { fsck, ..Sources::default() };
    let mut rates: Vec<f64> = (0..if copies > 1 { 7 } else { 1 })
        .map(|_| {
            let start = Instant::now();
            let imported = import(&sources, &mut |_| {}).expect("imported");
            assert_eq!(imported.counts.blocks, 12_000 * copies);
            megabytes / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let (low, median, high) = (rates[0], rates[rates.len() / 2], rates[rates.len() - 1]);
    println!("fsck listing of {megabytes:.0} MB: {median:.0} MB/s (from {low:.0} to {high:.0})");
}
