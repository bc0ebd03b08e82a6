//! A job's configuration, `job_…_conf.xml`: what of it can hold a job up.
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::BTreeMap;

/// No configuration is larger.
pub const LARGEST: u64 = 64 << 20;

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
/// It is none; the line and what was expected.
pub fn read(text: &str) -> Result<Conf, String> {
    if text.len() as u64 > LARGEST {
        return Err("1: more than 64 MiB. Expected a job's configuration".into());
    }
    let mut reader = Reader::from_str(text);
    let (mut conf, mut name, mut value) = (Conf::new(), String::new(), String::new());
    let (mut inside, mut found) = (String::new(), false);
    loop {
        let line = |at: u64| {
            1 + text.as_bytes()[..units::usize_of(at)].iter().filter(|b| **b == b'\n').count()
        };
        let event = reader.read_event();
        let at = reader.buffer_position().min(text.len() as u64);
        match event.map_err(|e| format!("{}: {e}", line(at)))? {
            Event::Start(tag) => {
                inside = tag.name().as_ref().to_string();
                match inside.as_str() {
                    "configuration" => found = true,
                    "property" => (name, value) = Default::default(),
                    "name" => name.clear(),
                    "value" => value.clear(),
                    _ => {}
                }
            }
            Event::Text(piece) => {
                let piece = piece.to_string();
                match inside.as_str() {
                    "name" => name.push_str(&piece),
                    "value" => value.push_str(&piece),
                    _ => {}
                }
            }
            Event::End(tag) => {
                inside.clear();
                if let ("property", Some(key)) = (tag.name().as_ref(), kept(name.trim())) {
                    conf.insert(key.to_string(), value.trim().chars().take(512).collect());
                }
            }
            Event::Eof if found => return Ok(conf),
            Event::Eof => return Err("1: no <configuration>. Expected job_…_conf.xml".into()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_jobs_up_is_kept() {
        let text = "<configuration>\n<property><name>a</name><value>1</value></property>\n\
                    <property><name>mapreduce.job.reduce.slowstart.completedmaps</name>\
                    <value>0.3</value><source>mapred-site.xml</source></property></configuration>";
        let conf = read(text).unwrap();
        assert_eq!(conf.into_iter().collect::<Vec<_>>(), [(SLOW_START.into(), "0.3".into())]);
        let old = text.replace(SLOW_START, "mapred.reduce.slowstart.completed.maps");
        assert_eq!(read(&old).unwrap()[SLOW_START], "0.3", "by its name in Hadoop 1");
        assert!(read("hello").unwrap_err().contains("<configuration>"));
        assert!(read("<configuration>\n<name></b>").unwrap_err().starts_with("2: "));
    }
}
