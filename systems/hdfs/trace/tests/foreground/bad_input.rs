//! Inputs other than a snapshot: the error names the file, the expectation and the command.
use super::support::{Page, between, memory};
use hdfs_trace::ingest::foreground::{Imported, Sources, import};
use hdfs_trace::ingest::hdfs::{ImportError, Input};
use std::path::{Path, PathBuf};

fn against(bytes: impl Into<Vec<u8>>) -> Result<Imported, ImportError> {
    let after = vec![Page::new("dn-1-9866", 9_000).input("after")];
    let before = vec![memory("before/x.json", bytes)];
    import(&Sources { before, after, ..Sources::default() }, &mut |_| ())
}

#[track_caller]
fn refused(bytes: impl Into<Vec<u8>>, parts: &[&str]) {
    let error = against(bytes).expect_err("it was imported").to_string();
    for part in parts {
        assert!(error.contains(part), "`{part}` is not in: {error}")
    }
    assert!(error.starts_with("before/x.json"), "{error}");
}

const RUN: &str = "Run `curl -s http://DATANODE:9864/jmx > before/DATANODE.json`";

#[test]
fn other_daemons_and_other_pages() {
    let of = |service: &str| {
        format!("{{\"beans\":[{{\"name\":\"Hadoop:service={service},name=JvmMetrics\"}}]}}")
    };
    let expected = "expected a DataNode's, with the bean DataNodeActivity-HOST-PORT";
    refused(of("NameNode"), &["this is the JMX of a NameNode", expected, RUN]);
    refused(of("DataNode"), &["the dump has some beans only (?qry=)", RUN]);
    refused("{\"beans\":[]}", &["no bean of a Hadoop daemon", RUN]);
    refused("{\"pods\":[]}", &["the JSON has no beans", RUN]);
    refused("{\"beans\":7}", &["not the JSON of /jmx", "a list of beans", RUN]);
    refused("[1]", &["not a JSON object", "the JSON of a DataNode's /jmx page", RUN]);
    refused("<html><title>401</title></html>", &["this is an HTML page", "--negotiate -u :"]);
    refused("", &["0 bytes", "delete it to leave the node out", RUN]);
    refused("FSCK started by root", &["this is the text of `hdfs fsck`", "Give it as --fsck"]);
}

#[test]
fn pages_that_lack_something() {
    let whole = Page::new("dn-1-9866", 9_000).text();
    refused(whole.replace("Uptime", "Downtime"), &["no Uptime on this page", "(?qry=)"]);
    refused(
        whole.replace("ReadsFromLocalClient", "Reads"),
        &["DataNodeActivity-dn-1-9866 has no ReadsFromLocalClient", "Hadoop 2.2"],
    );
    refused(whole.replace("Activity-dn-1", "Activity-a,b"), &["a,b", "HOST-PORT"]);
}

/// Wherever a page is cut: never a load, never a panic.
#[test]
fn cut_anywhere() {
    let whole = Page::new("dn-1-9866", 3_000).text();
    let end = whole.trim_end().len();
    for at in 0..end {
        let error = against(&whole.as_bytes()[..at]).expect_err("cut").to_string();
        assert!(error.contains("ends in the middle") || error.contains("0 bytes"), "{at}: {error}")
    }
}

#[test]
fn snapshots_that_have_nothing_to_say() {
    let page = |up| [Page::new("dn-1-9866", up)];
    let said = |before: &[Page], after: &[Page]| between(before, after).unwrap_err().to_string();
    let idle = said(&page(3_000), &page(63_000));
    assert!(idle.contains("clients read and wrote no data in 60 s"), "{idle}");
    let same = said(&page(3_000), &page(3_000));
    assert!(same.contains("its pages have the same time: dn-1:9866"), "{same}");
    let swapped = said(&page(63_000), &page(3_000));
    assert!(swapped.contains("Are --before and --after swapped?"), "{swapped}");
    let other = said(&page(3_000), &[Page::new("dn-2-9866", 63_000)]);
    assert!(other.contains("only in --before: dn-1:9866; left out, only in --after"), "{other}");
    let twice = said(&[page(3_000), page(9_000)].concat(), &page(63_000));
    assert!(twice.contains("dn-1:9866 is also in before/dn-1-9866.json"), "{twice}");
}

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let dir = std::env::temp_dir().join(format!("tenbin-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a temporary folder");
        Folder(dir)
    }
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).expect("a writable folder")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn of_folders(before: &Path, after: &Path) -> Result<Imported, ImportError> {
    let (before, after) = (vec![Input::named(before)], vec![Input::named(after)]);
    import(&Sources { before, after, ..Sources::default() }, &mut |_| ())
}

#[test]
fn folders_hold_pages_and_nothing_else() {
    let (before, after) = (Folder::new("fg-before"), Folder::new("fg-after"));
    let empty = of_folders(&before.0, &after.0).unwrap_err().to_string();
    assert!(empty.contains("no file in this folder"), "{empty}");
    let none = of_folders(&before.0.join("none"), &after.0).unwrap_err().to_string();
    assert!(none.contains("none: no such file"), "{none}");
    let page = Page::new("localhost-9866", 3_000);
    let later = Page { uptime: 303_000, ..page.clone() };
    let later = later.with(&[("ReadsFromLocalClient", 300), ("BytesRead", 3_000_000)]);
    for node in ["dn-1", "dn-2"] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut gzip, page.text().as_bytes()).expect("memory");
        before.write(&format!("{node}.json.gz"), gzip.finish().expect("memory"));
        let packed = zstd::encode_all(later.text().as_bytes(), 1).expect("memory");
        after.write(&format!("{node}.json.zst"), packed);
    }
    before.write(".hidden", "not read");
    let load = of_folders(&before.0, &after.0).expect("two nodes").load;
    let names: Vec<&str> = load.shares.iter().map(|s| s.node.as_str()).collect();
    assert_eq!((names, load.reads), (vec!["dn-1", "dn-2"], 2.0), "files name the nameless");
    after.write("notes.txt", "saved on Monday");
    let stray = of_folders(&before.0, &after.0).unwrap_err().to_string();
    assert!(stray.contains("notes.txt: not a JSON object"), "{stray}");
}
