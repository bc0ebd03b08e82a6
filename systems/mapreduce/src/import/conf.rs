//! A job's configuration, `job_…_conf.xml`: the properties that can slow a job down.
use import::site::{self, Site};
use import::{ImportError, Input, InputSpec, OnProgress, issue};
use std::collections::BTreeMap;
use std::path::Path;

const WANTED: InputSpec = InputSpec::new(
    "a job's configuration, job_…_conf.xml, with <configuration> and its properties",
    "hdfs dfs -get /mr-history/done",
);

/// Fraction of finished maps from which reduces may start.
pub const SLOW_START: &str = "mapreduce.job.reduce.slowstart.completedmaps";

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

/// Names in Hadoop 1 of some of [`KEYS`].
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

/// The current name of a property; `None`: not kept.
fn kept(key: &str) -> Option<&'static str> {
    let old = OLD.iter().find(|(old, _)| *old == key).map(|(_, new)| *new);
    old.or_else(|| KEYS.into_iter().find(|kept| *kept == key))
}

pub type Conf = BTreeMap<String, String>;

/// # Errors
/// The file is unreadable or not a configuration.
pub fn read(input: &Input, tell: &mut OnProgress<'_>) -> Result<Conf, ImportError> {
    site::read(input, &WANTED, tell).map(|site| known(&site))
}

/// A configuration file of `--conf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfFile {
    pub input: Input,
    /// Its job; `None`: neither file name nor content names one.
    pub job_id: Option<String>,
    pub conf: Conf,
}

/// # Errors
/// As [`read`], or the file has no property of a job.
pub fn read_conf_file(path: &Path) -> Result<ConfFile, ImportError> {
    let input = Input::named(path);
    let site = site::read(&input, &WANTED, &mut |_| ())?;
    let is_ours = |name: &str| name.starts_with("mapreduce.") || name.starts_with("mapred.");
    let of_job = |name: &str| is_ours(name) || kept(name).is_some();
    if !site.properties.iter().any(|one| of_job(&one.name)) {
        let found = match site.properties.first() {
            None => "no property in the file".to_string(),
            Some(first) => format!("no property of a job in the file; the first is {}", first.name),
        };
        return Err(issue(found, WANTED.content).advice(WANTED.advice()).at(&input.name(), None));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let of = folder(&site).or_else(|| job_of(&name));
    Ok(ConfFile { job_id: of, conf: known(&site), input })
}

/// Job ID from the staging folder, which the client sets: "…/.staging/job_1_0002".
fn folder(site: &Site) -> Option<String> {
    let dir = site.properties.iter().rfind(|one| one.name == "mapreduce.job.dir")?;
    id(dir.value.trim_end_matches('/').rsplit('/').next()?)
}

/// Job ID from a file name, "job_1_0002_conf.xml". Hadoop 0.20 prepends the JobTracker:
/// "host_1300000000000_job_1_0002_conf.xml".
pub fn job_of(name: &str) -> Option<String> {
    id(&name[name.rfind("job_")?..])
}

/// Parses a leading "job_1_0002".
fn id(text: &str) -> Option<String> {
    let rest = text.strip_prefix("job_")?;
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(rest);
    let number = rest.get(first..)?.strip_prefix('_')?;
    let second = digits(number);
    (first > 0 && second > 0).then(|| format!("job_{}", &rest[..first + 1 + second]))
}

/// Keeps properties in [`KEYS`]; the last value of a repeated one wins.
fn known(site: &Site) -> Conf {
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
        let read = |text: &str| site::parse(text.as_bytes(), &WANTED).map(|site| known(&site));
        let conf = read(text).unwrap();
        assert_eq!(conf.into_iter().collect::<Vec<_>>(), [(SLOW_START.into(), "0.3".into())]);
        let old = text.replace(SLOW_START, "mapred.reduce.slowstart.completed.maps");
        assert_eq!(read(&old).unwrap()[SLOW_START], "0.3", "by its name in Hadoop 1");
        assert!(read("hello").unwrap_err().to_string().contains("<configuration>"));
        assert_eq!(read("<configuration>\n<name></b>").unwrap_err().line, Some(2));
    }

    #[test]
    fn a_configurations_job_is_in_its_name_or_its_folder() {
        for (name, job) in [
            ("job_1700000000000_0113_conf.xml", Some("job_1700000000000_0113")),
            ("n1_1700000000000_job_201311142213_0007_conf.xml.gz", Some("job_201311142213_0007")),
            ("job_conf.xml", None),
            ("mine.xml", None),
        ] {
            assert_eq!(job_of(name).as_deref(), job, "{name}");
        }
        let text = "<configuration><property><name>mapreduce.job.dir</name>\
                    <value>hdfs://nn/u/.staging/job_1_0002</value></property></configuration>";
        let site = site::parse(text.as_bytes(), &WANTED).unwrap();
        assert_eq!(folder(&site).as_deref(), Some("job_1_0002"));
    }
}
