//! Whose output is it? Users mix the files up; an error that names the right option saves a mail.
use super::error::{Bad, bad};

/// The inputs of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ingest) enum Kind {
    Fsck,
    Report,
    Topology,
    Conf,
    Jmx,
    DataNodeJmx,
}

impl Kind {
    /// What to run for it.
    pub(in crate::ingest) fn command(self) -> &'static str {
        match self {
            Kind::Fsck => "hdfs fsck / -files -blocks -locations -replicaDetails -maintenance",
            Kind::Report => "hdfs dfsadmin -report",
            Kind::Topology => "hdfs dfsadmin -printTopology",
            Kind::Conf => "cp $HADOOP_CONF_DIR/hdfs-site.xml .",
            Kind::Jmx => "curl -s http://NAMENODE:9870/jmx > nn-jmx.json",
            Kind::DataNodeJmx => "curl -s http://DATANODE:9864/jmx > before/DATANODE.json",
        }
    }
    fn option(self) -> &'static str {
        match self {
            Kind::Fsck => "--fsck",
            Kind::Report => "--report",
            Kind::Topology => "--topology",
            Kind::Conf => "--conf",
            Kind::Jmx => "--jmx",
            Kind::DataNodeJmx => "--before and --after",
        }
    }
    pub(super) fn content(self) -> &'static str {
        match self {
            Kind::Fsck => "the text of `hdfs fsck`",
            Kind::Report => "the text of `hdfs dfsadmin -report`",
            Kind::Topology => "the text of `hdfs dfsadmin -printTopology`",
            Kind::Conf => "an hdfs-site.xml",
            Kind::Jmx => "the JSON of a NameNode's /jmx page",
            Kind::DataNodeJmx => "the JSON of a DataNode's /jmx page",
        }
    }
}

/// Why no form of an fsimage can serve.
const NO_PLACES: &str = "An fsimage knows files and blocks, not where the replicas are: the \
                         NameNode learns that from block reports and keeps it in memory.";

/// Other tools' files, by their first bytes: (bytes, what it is, why it cannot serve).
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"HDFSIMG1", "a NameNode's fsimage", NO_PLACES),
    (b"PAR1", "a Parquet file", ""),
    (b"Obj\x01", "an Avro file", ""),
    (b"BZh", "bzip2-compressed", "Decompress it, or compress it with gzip or zstd."),
    (b"\xfd7zXZ", "xz-compressed", "Decompress it, or compress it with gzip or zstd."),
    (b"PK\x03\x04", "a zip archive", "Unpack it."),
    (b"\x7fELF", "a program", ""),
    (b"{", "JSON", "A NameNode's JMX goes to --jmx; it counts blocks and does not list them."),
    (b"The list of corrupt blocks", "`hdfs fsck -list-corruptfileblocks`", ""),
];

/// JSON is what a JMX page is.
fn ours(wanted: Kind, magic: &[u8]) -> bool {
    matches!(wanted, Kind::Jmx | Kind::DataNodeJmx) && magic == b"{"
}

/// Refuses what is certainly not a `wanted` file.
pub(super) fn check(wanted: Kind, head: &[u8]) -> Result<(), Bad> {
    let advice = format!("Run `{}`.", wanted.command());
    if head.is_empty() {
        let why = match wanted {
            Kind::Fsck => {
                "fsck prints nothing when the path does not exist or it may not read it. "
            }
            Kind::DataNodeJmx => {
                "curl leaves an empty file where nobody answers: delete it, and the node is left \
                 out. "
            }
            _ => "",
        };
        return Err(bad("0 bytes", wanted.content()).advice(format!("{why}{advice}")));
    }
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) || wide(head) {
        return Err(bad("UTF-16 text", "UTF-8")
            .advice("PowerShell's `>` writes it: convert with `iconv -f UTF-16 -t UTF-8`."));
    }
    let magic = FOREIGN.iter().find(|(magic, ..)| head.starts_with(magic) && !ours(wanted, magic));
    if let Some((what, why)) = magic.map(|(_, what, why)| (*what, *why)).or(fsimage(head)) {
        let text = format!("{why}{}{advice}", if why.is_empty() { "" } else { " " });
        return Err(bad(format!("this is {what}"), wanted.content()).advice(text));
    }
    if memchr::memchr(0, &head[..head.len().min(4096)]).is_some() {
        return Err(bad("a binary file", wanted.content()).advice(advice));
    }
    match guess(head) {
        Some(Guess::Ours(kind)) if kind != wanted => {
            Err(bad(format!("this is {}", kind.content()), wanted.content())
                .advice(format!("Give it as {}; here: {advice}", kind.option())))
        }
        Some(Guess::Other(what)) => {
            Err(bad(format!("this is {what}"), wanted.content()).advice(advice))
        }
        _ => Ok(()),
    }
}

/// What `hdfs oiv` makes of an fsimage: XML, with or without its prolog, or a table whose columns
/// any text may part.
fn fsimage(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let start = head[..head.len().min(1024)].trim_ascii_start();
    let has = |text: &[u8]| memchr::memmem::find(start, text).is_some();
    if start.starts_with(b"<") && has(b"<fsimage") {
        return Some(("an fsimage as XML (`hdfs oiv -p XML`)", NO_PLACES));
    }
    let table = start.starts_with(b"Path") && has(b"Replication") && has(b"PreferredBlockSize");
    table.then_some(("an fsimage as a table (`hdfs oiv -p Delimited`)", NO_PLACES))
}

/// Latin text in two-byte characters without a mark: every other byte is 0, and no other is.
fn wide(head: &[u8]) -> bool {
    let some = &head[..head.len().min(512)];
    let zeros = |from: usize| some.iter().skip(from).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    some.len() >= 4 && even.min(odd) == 0 && even.max(odd) > some.len() / 3
}

enum Guess {
    Ours(Kind),
    Other(&'static str),
}

/// By the first telling line among the first hundred (warnings may stand before it).
fn guess(head: &[u8]) -> Option<Guess> {
    head.split(|b| *b == b'\n').take(100).find_map(telling)
}

fn telling(line: &[u8]) -> Option<Guess> {
    let starts = |text: &str| line.starts_with(text.as_bytes());
    let listing = |c: u8| line.len() > 10 && line[0] == c && line[1..10].iter().all(is_mode);
    if starts("FSCK started") || starts("Connecting to namenode via") {
        Some(Guess::Ours(Kind::Fsck))
    } else if starts("Configured Capacity:") || starts("Live datanodes (") || starts("Name: ") {
        Some(Guess::Ours(Kind::Report))
    } else if starts("Rack: /") {
        Some(Guess::Ours(Kind::Topology))
    } else if starts("<?xml") || starts("<configuration") {
        Some(Guess::Ours(Kind::Conf))
    } else if starts("Found ") && line.ends_with(b" items") || listing(b'd') || listing(b'-') {
        Some(Guess::Other("a listing of `hdfs dfs -ls`"))
    } else if memchr::memmem::find(line, b" files and directories, ").is_some() {
        Some(Guess::Other("the output of `hdfs dfsadmin -metasave`"))
    } else {
        None
    }
}

fn is_mode(byte: &u8) -> bool {
    b"rwxst-ST".contains(byte)
}
