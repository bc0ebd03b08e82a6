//! Detects by its first bytes whether a file can be a log.
use import::{Issue, issue, log4j};

const EXPECTED: &str =
    "the log of a NameNode or DataNode (log4j's layout, a time at each line's start)";
const ADVICE: &str =
    "The log is in $HADOOP_LOG_DIR: hadoop-*-namenode-*.log, hadoop-*-datanode-*.log.";

pub(super) fn check(head: &[u8]) -> Result<(), Issue> {
    let refused = |what: &str| Err(issue(what, EXPECTED).advice(ADVICE));
    if head.is_empty() {
        return refused("0 bytes");
    }
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        let advice = "Convert it with `iconv -f UTF-16 -t UTF-8`.";
        return Err(issue("UTF-16 text", "UTF-8").advice(advice));
    }
    if memchr::memchr(0, &head[..head.len().min(4096)]).is_some_and(|at| at + 4 < head.len()) {
        return refused("a binary file");
    }
    match head.split(|b| *b == b'\n').any(|line| log4j::stamp(line).is_some()) {
        true => Ok(()),
        false => refused("no line with a time"),
    }
}
