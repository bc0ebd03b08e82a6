//! Detects the tool of an input, so that an error names the right option.
use import::{InputSpec, Issue};

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
    pub(in crate::ingest) fn wanted(self) -> InputSpec {
        let wanted = InputSpec::new(self.content(), self.command());
        match self {
            Kind::Fsck => wanted
                .look(|head| look(Kind::Fsck, head))
                .empty("fsck prints nothing for a missing or unreadable path. "),
            Kind::Report => wanted.look(|head| look(Kind::Report, head)),
            Kind::Topology => wanted.look(|head| look(Kind::Topology, head)),
            Kind::Conf => wanted.look(|head| look(Kind::Conf, head)),
            Kind::Jmx => wanted.look(|head| look(Kind::Jmx, head)),
            Kind::DataNodeJmx => wanted.look(|head| look(Kind::DataNodeJmx, head)).empty(
                "curl leaves an empty file without an answer: delete it to leave the node out. ",
            ),
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
    fn content(self) -> &'static str {
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

const NO_PLACES: &str = "An fsimage has files and blocks, but no block locations: the NameNode \
                         receives these in block reports and keeps them in memory.";

/// Other files of Hadoop: (first bytes, name, why it is unusable).
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"HDFSIMG1", "a NameNode's fsimage", NO_PLACES),
    (b"{", "JSON", "A NameNode's JMX goes to --jmx; it counts blocks but does not list them."),
    (b"The list of corrupt blocks", "`hdfs fsck -list-corruptfileblocks`", ""),
];

/// A JMX page is JSON, which starts like a foreign file.
fn ours(wanted: Kind, magic: &[u8]) -> bool {
    matches!(wanted, Kind::Jmx | Kind::DataNodeJmx) && magic == b"{"
}

fn look(wanted: Kind, head: &[u8]) -> Result<(), Issue> {
    let magic = FOREIGN.iter().find(|(magic, ..)| head.starts_with(magic) && !ours(wanted, magic));
    if let Some((what, why)) = magic.map(|(_, what, why)| (*what, *why)).or(fsimage(head)) {
        return Err(wanted.wanted().refuses(what, why));
    }
    match guess(head) {
        Some(FileGuess::Supported(kind)) if kind != wanted => {
            let why = format!("Give it as {}; here:", kind.option());
            Err(wanted.wanted().refuses(kind.content(), &why))
        }
        Some(FileGuess::Other(what)) => Err(wanted.wanted().refuses(what, "")),
        _ => Ok(()),
    }
}

/// Output of `hdfs oiv`: XML with or without prolog, or a table with any delimiter.
fn fsimage(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let start = head[..head.len().min(1024)].trim_ascii_start();
    let has = |text: &[u8]| memchr::memmem::find(start, text).is_some();
    if start.starts_with(b"<") && has(b"<fsimage") {
        return Some(("an fsimage as XML (`hdfs oiv -p XML`)", NO_PLACES));
    }
    let table = start.starts_with(b"Path") && has(b"Replication") && has(b"PreferredBlockSize");
    table.then_some(("an fsimage as a table (`hdfs oiv -p Delimited`)", NO_PLACES))
}

enum FileGuess {
    Supported(Kind),
    Other(&'static str),
}

/// Uses the first decisive line of the first hundred, since warnings can precede it.
fn guess(head: &[u8]) -> Option<FileGuess> {
    head.split(|b| *b == b'\n').take(100).find_map(telling)
}

fn telling(line: &[u8]) -> Option<FileGuess> {
    let starts = |text: &str| line.starts_with(text.as_bytes());
    let listing = |c: u8| line.len() > 10 && line[0] == c && line[1..10].iter().all(is_mode);
    if starts("FSCK started") || starts("Connecting to namenode via") {
        Some(FileGuess::Supported(Kind::Fsck))
    } else if starts("Configured Capacity:") || starts("Live datanodes (") || starts("Name: ") {
        Some(FileGuess::Supported(Kind::Report))
    } else if starts("Rack: /") {
        Some(FileGuess::Supported(Kind::Topology))
    } else if starts("<?xml") || starts("<configuration") {
        Some(FileGuess::Supported(Kind::Conf))
    } else if starts("Found ") && line.ends_with(b" items") || listing(b'd') || listing(b'-') {
        Some(FileGuess::Other("a listing of `hdfs dfs -ls`"))
    } else if memchr::memmem::find(line, b" files and directories, ").is_some() {
        Some(FileGuess::Other("the output of `hdfs dfsadmin -metasave`"))
    } else {
        None
    }
}

fn is_mode(byte: &u8) -> bool {
    b"rwxst-ST".contains(byte)
}
