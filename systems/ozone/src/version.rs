//! Defaults of Ozone that differ between versions; other defaults are in `keys`.
//!
//! Sources, by version: `ozone-default.xml`, the `@Config` annotations of `RatisClientConfig` and
//! `DatanodeRatisServerConfig`, `VolumeChoosingPolicyFactory`, `PipelinePlacementPolicy`, and
//! `GrpcConfigKeys` of the Ratis in its `pom.xml`.
use cluster::{Sheet, Values};

pub const KEY: &str = "ozone.version";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// Major and minor number.
    pub name: &'static str,
    /// `raft.grpc.server.leader.outstanding.appends.max` of its Ratis.
    pub appends: &'static str,
    /// `hdds.ratis.raft.server.watch.timeout`
    pub server_watch: &'static str,
    pub volume: &'static str,
    pub leader: &'static str,
    pub notice: &'static str,
    /// Clients read `hdds.ratis.client.request.watch.type`; earlier ones wait for all three
    /// replicas.
    pub has_watch_type: bool,
    pub racks: Racks,
}

/// How a pipeline is placed if there are several racks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Racks {
    /// On two racks if two have nodes below the limit, else on one.
    Preferred,
    /// On two racks, or no pipeline (`MULTIPLE_RACK_PIPELINE_MSG`).
    Two,
    /// As `Two`; the third node is on the rack of the first or second, if a node is left there
    /// (HDDS-7227).
    TwoNear,
}

const OLD: Version = Version {
    name: "1.0",
    appends: "128",
    server_watch: "180s",
    volume: "round-robin",
    leader: "as-elected",
    notice: "metadata-entry",
    has_watch_type: false,
    racks: Racks::Preferred,
};
const V1_1: Version =
    Version { name: "1.1", leader: "fewest", notice: "at-once", racks: Racks::Two, ..OLD };
const V1_4: Version =
    Version { name: "1.4", appends: "8", volume: "better-of-two", racks: Racks::TwoNear, ..V1_1 };
const V2_0: Version = Version { name: "2.0", server_watch: "30s", has_watch_type: true, ..V1_4 };

/// Oldest first.
pub static VERSIONS: [Version; 8] = [
    OLD,
    V1_1,
    Version { name: "1.2", ..V1_1 },
    Version { name: "1.3", ..V1_1 },
    V1_4,
    V2_0,
    Version { name: "2.1", ..V2_0 },
    Version { name: "2.2", ..V2_0 },
];

/// Version of scenarios that set none.
pub const LATEST: &str = "2.2";

/// Finds "2.1", "2.1.0" or "1.4.1-SNAPSHOT" by major and minor number.
pub fn find(name: &str) -> Option<&'static Version> {
    let mut parts = name.trim().split(['.', '-']);
    let (major, minor) = (parts.next()?, parts.next()?);
    VERSIONS.iter().find(|version| version.name.split_once('.') == Some((major, minor)))
}

/// An unknown version is rejected elsewhere; here it counts as the latest.
pub fn of(values: &Values) -> &'static Version {
    let found = values.find(KEY).and_then(|slot| find(&slot.text));
    found.or(VERSIONS.last()).expect("some are known")
}

pub fn of_sheet(sheet: &Sheet) -> &'static Version {
    of(&sheet.values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_by_their_first_two_numbers() {
        for (name, found) in [
            ("2.1", Some("2.1")),
            ("2.1.0", Some("2.1")),
            ("1.4.1", Some("1.4")),
            ("2.2.0-SNAPSHOT", Some("2.2")),
            ("1.10", None),
            ("2", None),
            ("3.0", None),
            ("", None),
        ] {
            assert_eq!(find(name).map(|version| version.name), found, "{name}");
        }
        assert_eq!(VERSIONS.last().map(|version| version.name), Some(LATEST));
    }
}
