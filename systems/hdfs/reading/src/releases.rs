//! Hadoop releases in which a running process accepts a changed setting.
//!
//! From the changelogs in Hadoop's repository
//! (`hadoop-common-project/hadoop-common/src/site/markdown/release/`): HDFS-14560, "Allow block
//! replication parameters to be refreshable", in `CHANGELOG.3.1.3.md`, `3.2.1` and `3.3.0`;
//! HDFS-16663, "Allow block reconstruction pending timeout refreshable", and HDFS-17113, "Reconfig
//! transfer and write bandwidth for datanode", in `CHANGELOG.3.4.0.md`. A vendor may backport them:
//! `hdfs dfsadmin -reconfig namenode HOST:PORT properties` lists the accepted settings.

/// (major, minor, patch)
type Release = (u32, u32, u32);

/// First release of each branch with the feature; later branches all have it.
const LIMITS: [Release; 3] = [(3, 1, 3), (3, 2, 1), (3, 3, 0)];
const PENDING: [Release; 1] = [(3, 4, 0)];
const TRANSFER: [Release; 1] = [(3, 4, 0)];

/// First releases in which a running process accepts the key; empty: unknown.
fn since(key: &str) -> &'static [Release] {
    match key {
        "dfs.namenode.replication.max-streams"
        | "dfs.namenode.replication.max-streams-hard-limit"
        | "dfs.namenode.replication.work.multiplier.per.iteration" => &LIMITS,
        "dfs.namenode.reconstruction.pending.timeout-sec" => &PENDING,
        "dfs.datanode.data.transfer.bandwidthPerSec" => &TRANSFER,
        _ => &[],
    }
}

/// "3.1.3, 3.2.1 and 3.3.0"; `None`: unknown.
pub fn since_words(key: &str) -> Option<String> {
    let words = |(major, minor, patch): &Release| format!("{major}.{minor}.{patch}");
    let (last, others) = since(key).split_last()?;
    let others: Vec<String> = others.iter().map(words).collect();
    Some(match others.is_empty() {
        true => words(last),
        false => format!("{} and {}", others.join(", "), words(last)),
    })
}

/// True if a running process of `version` rejects the key; false for an unreadable version.
pub fn is_before(version: &str, key: &str) -> bool {
    let (since, Some(version)) = (since(key), release(version)) else { return false };
    let Some(last) = since.last() else { return false };
    let branch = |first: &&Release| (first.0, first.1) == (version.0, version.1);
    version < *last && since.iter().find(branch).is_none_or(|first| version < *first)
}

/// False for an unreadable version.
pub fn is_older(version: &str, than: (u32, u32, u32)) -> bool {
    release(version).is_some_and(|known| known < than)
}

/// The key's name before Hadoop 3.0 if `version` is older (`HdfsConfiguration.addDeprecatedKeys` of
/// 3.x accepts both).
pub fn name_in<'a>(key: &'a str, version: Option<&str>) -> &'a str {
    let old = version.and_then(release).is_some_and(|(major, ..)| major < 3);
    match key {
        "dfs.namenode.redundancy.interval.seconds" if old => "dfs.namenode.replication.interval",
        "dfs.namenode.reconstruction.pending.timeout-sec" if old => {
            "dfs.namenode.replication.pending.timeout-sec"
        }
        key => key,
    }
}

/// "3.1.1.7.1.7-1" is 3.1.1, "2.7" is 2.7.0.
fn release(version: &str) -> Option<Release> {
    let mut parts = version.split(['.', '-']).map(|part| part.parse::<u32>().ok());
    let mut next = || parts.next().flatten();
    Some((next()?, next()?, next().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_that_must_be_restarted() {
        let limit = "dfs.namenode.replication.max-streams";
        let pending = "dfs.namenode.reconstruction.pending.timeout-sec";
        for (version, both) in [
            ("2.7.3", (true, true)),
            ("3.0.0", (true, true)),
            ("3.1.2", (true, true)),
            ("3.1.3", (false, true)),
            ("3.2.0", (true, true)),
            ("3.2.1", (false, true)),
            ("3.1.1.7.1.7-1", (true, true)),
            ("3.3.0-SNAPSHOT", (false, true)),
            ("3.4.3", (false, false)),
            ("4.0.0", (false, false)),
            ("unknown", (false, false)),
        ] {
            assert_eq!((is_before(version, limit), is_before(version, pending)), both, "{version}")
        }
        assert!(!is_before("2.7.3", "dfs.datanode.balance.bandwidthPerSec"));
        assert_eq!(since_words(limit).unwrap(), "3.1.3, 3.2.1 and 3.3.0");
        assert_eq!(since_words(pending).unwrap(), "3.4.0");
    }

    #[test]
    fn names_before_hadoop_3() {
        let interval = "dfs.namenode.redundancy.interval.seconds";
        assert_eq!(name_in(interval, Some("2.10.2")), "dfs.namenode.replication.interval");
        assert_eq!(name_in(interval, Some("3.0.0")), interval);
        assert_eq!(name_in(interval, None), interval);
    }
}
