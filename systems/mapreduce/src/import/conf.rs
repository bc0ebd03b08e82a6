//! A job's configuration, `job_…_conf.xml`: what of it can hold a job up.
use import::site::{self, Site};
use import::{ImportError, Input, OnProgress, Wanted};
use std::collections::BTreeMap;

const WANTED: Wanted = Wanted::new(
    "a job's configuration, job_…_conf.xml, with <configuration> and its properties",
    "hdfs dfs -get /mr-history/done",
);

/// When reduces may start, as a share of maps that are done.
pub const SLOW_START: &str = "mapreduce.job.reduce.slowstart.completedmaps";

/// What is kept.
const KEYS: [&str; 14] = [
    SLOW_START,
    "mapreduce.map.memory.mb",
    "mapreduce.reduce.memory.mb",
    "mapreduce.map.cpu.vcores",
    "mapreduce.reduce.cpu.vcores",
    "mapreduce.task.io.sort.mb",
    "mapreduce.task.io.sort.factor",
    "mapreduce.reduce.shuffle.parallelcopies",
    "mapreduce.map.speculative",
    "mapreduce.reduce.speculative",
    "mapreduce.map.java.opts",
    "mapreduce.job.maps",
    "mapreduce.job.reduces",
    "mapreduce.reduce.java.opts",
];

/// What Hadoop 1 called some of them.
const OLD: [(&str, &str); 12] = [
    ("mapred.reduce.slowstart.completed.maps", SLOW_START),
    ("mapred.job.map.memory.mb", "mapreduce.map.memory.mb"),
    ("mapred.job.reduce.memory.mb", "mapreduce.reduce.memory.mb"),
    ("io.sort.mb", "mapreduce.task.io.sort.mb"),
    ("io.sort.factor", "mapreduce.task.io.sort.factor"),
    ("mapred.reduce.parallel.copies", "mapreduce.reduce.shuffle.parallelcopies"),
    ("mapred.map.tasks.speculative.execution", "mapreduce.map.speculative"),
    ("mapred.reduce.tasks.speculative.execution", "mapreduce.reduce.speculative"),
    ("mapred.map.child.java.opts", "mapreduce.map.java.opts"),
    ("mapred.reduce.child.java.opts", "mapreduce.reduce.java.opts"),
    ("mapred.map.tasks", "mapreduce.job.maps"),
    ("mapred.reduce.tasks", "mapreduce.job.reduces"),
];

/// The key that is kept of one that was read; `None`: none.
fn kept(key: &str) -> Option<&'static str> {
    let old = OLD.iter().find(|(old, _)| *old == key).map(|(_, new)| *new);
    old.or_else(|| KEYS.into_iter().find(|kept| *kept == key))
}

/// Values by key, as written.
pub type Conf = BTreeMap<String, String>;

/// Reads a configuration.
///
/// # Errors
/// It is none, or cannot be read.
pub fn read(input: &Input, tell: &mut OnProgress<'_>) -> Result<Conf, ImportError> {
    site::read(input, &WANTED, tell).map(known)
}

/// Of properties those that are kept; of one that stands twice the last.
fn known(site: Site) -> Conf {
    let short = |value: &str| value.chars().take(512).collect();
    let all = site.properties.iter();
    all.filter_map(|one| Some((kept(&one.name)?.to_string(), short(&one.value)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_jobs_up_is_kept() {
        let text = "<configuration>\n<property><name>a</name><value>1</value></property>\n\
                    <property><name>mapreduce.job.reduce.slowstart.completedmaps</name>\
                    <value>0.3</value><source>mapred-site.xml</source></property></configuration>";
        let read = |text: &str| site::parse(text.as_bytes(), &WANTED).map(known);
        let conf = read(text).unwrap();
        assert_eq!(conf.into_iter().collect::<Vec<_>>(), [(SLOW_START.into(), "0.3".into())]);
        let old = text.replace(SLOW_START, "mapred.reduce.slowstart.completed.maps");
        assert_eq!(read(&old).unwrap()[SLOW_START], "0.3", "by its name in Hadoop 1");
        assert!(read("hello").unwrap_err().to_string().contains("<configuration>"));
        assert_eq!(read("<configuration>\n<name></b>").unwrap_err().line, Some(2));
    }
}
