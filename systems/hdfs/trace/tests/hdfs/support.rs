//! The samples, and short ways to import them.
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

/// A sample's text, decompressed.
pub fn text(name: &str) -> Vec<u8> {
    let bytes = std::fs::read(path(name)).expect(name);
    let mut out = Vec::new();
    if name.ends_with(".gz") {
        flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut out).expect(name);
        return out;
    }
    if name.ends_with(".zst") { zstd::decode_all(&bytes[..]).expect(name) } else { bytes }
}

pub fn memory(name: &str, bytes: impl Into<Vec<u8>>) -> Option<Input> {
    Some(Input::Memory { name: name.into(), bytes: bytes.into() })
}

pub fn run(sources: Sources) -> Result<Imported, ImportError> {
    import(&sources, &mut |_| {})
}

/// The import of a listing alone.
pub fn listing(bytes: impl Into<Vec<u8>>) -> Result<Imported, ImportError> {
    run(Sources { fsck: memory("fsck.txt", bytes), ..Sources::default() })
}

/// The error's text; importing must fail.
#[track_caller]
pub fn refused(result: Result<Imported, ImportError>) -> String {
    match result {
        Ok(imported) => panic!("imported: {:?}", imported.counts),
        Err(error) => error.to_string(),
    }
}

/// The counts that a test names, as `name value` lines.
pub fn counts(imported: &Imported, names: &[&str]) -> Vec<u64> {
    let all = imported.counts.named();
    let value = |name: &&str| all.iter().find(|(n, _)| n == name).expect(name).1;
    names.iter().map(value).collect()
}
