//! Deprecated names of HDFS settings that Hadoop still reads: `HdfsConfiguration.addDeprecatedKeys`
//! of Hadoop 3.4, in its order, and the names of `DeprecatedProperties.md` that no other component
//! has.

/// (old name, current name). One setting can have several old names.
const RENAMED: [(&str, &str); 46] = [
    ("dfs.backup.address", "dfs.namenode.backup.address"),
    ("dfs.backup.http.address", "dfs.namenode.backup.http-address"),
    ("dfs.balance.bandwidthPerSec", "dfs.datanode.balance.bandwidthPerSec"),
    ("dfs.data.dir", "dfs.datanode.data.dir"),
    ("dfs.http.address", "dfs.namenode.http-address"),
    ("dfs.https.address", "dfs.namenode.https-address"),
    ("dfs.max.objects", "dfs.namenode.max.objects"),
    ("dfs.name.dir", "dfs.namenode.name.dir"),
    ("dfs.name.dir.restore", "dfs.namenode.name.dir.restore"),
    ("dfs.name.edits.dir", "dfs.namenode.edits.dir"),
    ("dfs.read.prefetch.size", "dfs.client.read.prefetch.size"),
    ("dfs.safemode.extension", "dfs.namenode.safemode.extension"),
    ("dfs.safemode.threshold.pct", "dfs.namenode.safemode.threshold-pct"),
    ("dfs.secondary.http.address", "dfs.namenode.secondary.http-address"),
    ("dfs.socket.timeout", "dfs.client.socket-timeout"),
    ("fs.checkpoint.dir", "dfs.namenode.checkpoint.dir"),
    ("fs.checkpoint.edits.dir", "dfs.namenode.checkpoint.edits.dir"),
    ("fs.checkpoint.period", "dfs.namenode.checkpoint.period"),
    ("heartbeat.recheck.interval", "dfs.namenode.heartbeat.recheck-interval"),
    ("dfs.https.client.keystore.resource", "dfs.client.https.keystore.resource"),
    ("dfs.https.need.client.auth", "dfs.client.https.need-auth"),
    ("slave.host.name", "dfs.datanode.hostname"),
    ("session.id", "dfs.metrics.session-id"),
    ("dfs.access.time.precision", "dfs.namenode.accesstime.precision"),
    ("dfs.replication.considerLoad", "dfs.namenode.redundancy.considerLoad"),
    ("dfs.namenode.replication.considerLoad", "dfs.namenode.redundancy.considerLoad"),
    ("dfs.namenode.replication.considerLoad.factor", "dfs.namenode.redundancy.considerLoad.factor"),
    ("dfs.replication.interval", "dfs.namenode.redundancy.interval.seconds"),
    ("dfs.namenode.replication.interval", "dfs.namenode.redundancy.interval.seconds"),
    ("dfs.replication.min", "dfs.namenode.replication.min"),
    ("dfs.replication.pending.timeout.sec", "dfs.namenode.reconstruction.pending.timeout-sec"),
    (
        "dfs.namenode.replication.pending.timeout-sec",
        "dfs.namenode.reconstruction.pending.timeout-sec",
    ),
    ("dfs.max-repl-streams", "dfs.namenode.replication.max-streams"),
    ("dfs.permissions", "dfs.permissions.enabled"),
    ("dfs.permissions.supergroup", "dfs.permissions.superusergroup"),
    ("dfs.write.packet.size", "dfs.client-write-packet-size"),
    ("dfs.block.size", "dfs.blocksize"),
    ("dfs.datanode.max.xcievers", "dfs.datanode.max.transfer.threads"),
    ("io.bytes.per.checksum", "dfs.bytes-per-checksum"),
    ("dfs.federation.nameservices", "dfs.nameservices"),
    ("dfs.federation.nameservice.id", "dfs.nameservice.id"),
    ("dfs.encryption.key.provider.uri", "hadoop.security.key.provider.path"),
    ("dfs.df.interval", "fs.df.interval"),
    ("dfs.umaskmode", "fs.permissions.umask-mode"),
    ("dfs.web.ugi", "hadoop.http.staticuser.user"),
    ("fs.default.name", "fs.defaultFS"),
];

/// The current name of an HDFS setting; `name` itself if it was not renamed.
pub fn name_today(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// As [`name_today`], for a key with or without `hdfs-site.`.
pub fn renamed(key: &str) -> String {
    match key.strip_prefix("hdfs-site.") {
        Some(name) => format!("hdfs-site.{}", name_today(name)),
        None => key.to_string(),
    }
}

pub fn old_names(key: &str) -> impl Iterator<Item = &'static str> + '_ {
    RENAMED.iter().filter(move |(_, new)| *new == key).map(|(old, _)| *old)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// `name_today` resolves one renaming, not a chain.
    #[test]
    fn each_old_name_leads_to_one_of_today() {
        let old: BTreeSet<&str> = RENAMED.iter().map(|(old, _)| *old).collect();
        assert_eq!(old.len(), RENAMED.len());
        assert!(RENAMED.iter().all(|(_, new)| !old.contains(new)));
        assert_eq!(name_today("dfs.replication"), "dfs.replication");
    }

    #[test]
    fn an_old_name_of_any_modelled_setting_is_found() {
        for (old, new) in RENAMED {
            let today = format!("hdfs-site.{new}");
            let key = crate::keys::all().find(|key| key.name == today);
            let found = crate::keys::find(&format!("hdfs-site.{old}"));
            assert_eq!(found.map(|key| key.name), key.map(|key| key.name), "{old}")
        }
        assert!(crate::keys::find("hdfs-site.dfs.balance.bandwidthPerSec").is_some());
    }
}
