//! Short ways to import a dump.
use hdfs_trace::ingest::hdfs::{ImportError, Imported, Input, Sources, import};
use std::io::Read;
use std::path::PathBuf;

/// A file below this crate's `tests/data`, or `examples/` of the repository.
pub fn path(name: &str) -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    match name.strip_prefix("examples/") {
        Some(_) => here.join("../../..").join(name),
        None => here.join("tests/data").join(name),
    }
}

pub fn file(name: &str) -> Option<Input> {
    Some(Input::File(path(name)))
}

pub fn run(sources: Sources) -> Result<Imported, ImportError> {
    import(&sources, &mut |_| {})
}

pub fn dump(bytes: impl Into<Vec<u8>>) -> Result<Imported, ImportError> {
    let jmx = Some(Input::Memory { name: "nn-jmx.json".into(), bytes: bytes.into() });
    run(Sources { jmx, ..Sources::default() })
}

/// A sample's text, decompressed.
pub fn text(name: &str) -> String {
    let bytes = std::fs::read(path(name)).expect(name);
    let mut out = String::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut out).expect(name);
    out
}

/// The counts that a test names.
pub fn counts(imported: &Imported, names: &[&str]) -> Vec<u64> {
    let all = imported.counts.named();
    let value = |name: &&str| all.iter().find(|(n, _)| n == name).expect(name).1;
    names.iter().map(value).collect()
}
