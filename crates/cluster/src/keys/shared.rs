//! Key tables shared by several systems.
use super::{Key, KeyDefault::*, Kind, Rule};
use crate::catalogue::{self, CatalogueDisk};
use crate::keys::TypedValue;
use crate::{Channels, Values};
use units::{Bytes, Nanos};

const fn key(name: &'static str, kind: Kind, absent: super::KeyDefault, doc: &'static str) -> Key {
    Key::new(name, kind, absent, doc)
}

const S0: &str = "Higai, Takefusa, Nakada, Oguchi 2014";

/// The catalogue's disk of `hardware.disk`; `None`: a rate.
fn disk(values: &Values) -> Option<&'static CatalogueDisk> {
    match &values.slot("hardware.disk").typed {
        TypedValue::Text(name) => catalogue::disk(name),
        _ => None,
    }
}

/// Seek of the catalogue's disk; `None`: `hardware.disk` is a rate.
pub const SEEK_OF_DISK: Rule = |values, _| disk(values).map(|disk| disk.seek.to_string());

pub const FLUSH_OF_DISK: Rule = |values, _| disk(values).map(|disk| disk.flush.to_string());

const CHANNELS_OF_DISK: Rule = |values, _| {
    let word = |disk: &CatalogueDisk| match disk.channels {
        Channels::Shared => "shared",
        Channels::Separate => "separate",
    };
    disk(values).map(|disk| word(disk).to_string())
};

pub static SYSTEM: [Key; 1] = [key(
    "model.system",
    Kind::Name,
    Default("hdfs"),
    "System of this scenario: a name of `tenbin list models`",
)];

pub static CLUSTER: [Key; 2] = [
    key(
        "cluster.import",
        Kind::Path,
        Nothing,
        "Cluster file written by `tenbin import`, relative to this file",
    ),
    key(
        "cluster.name",
        Kind::Text,
        Derived("the imported cluster's name, else the file's", |_, given| {
            Some(given.name.clone())
        }),
        "Short name, for titles",
    ),
];

pub static RACKS: [Key; 2] = [
    Key {
        row: "{} racks",
        ..key(
            "cluster.racks",
            Kind::count(1, 100_000),
            Required,
            "Synthetic cluster: its racks, /rack1 …; not with `import`",
        )
    },
    Key {
        row: "{} nodes per rack",
        ..key(
            "cluster.nodes_per_rack",
            Kind::count(1, 100_000),
            Required,
            "Synthetic cluster: nodes of each rack, dn-r1-01 …; not with `import`",
        )
    },
];

pub static HARDWARE: [Key; 10] = [
    Key {
        source: "catalogue",
        ..key(
            "hardware.disk",
            Kind::Disk,
            Assumed("hdd-7200"),
            "Every disk: a name of `tenbin list hardware`, or a rate under any load",
        )
    },
    key(
        "hardware.disks_per_node",
        Kind::count(1, 1_000),
        Assumed("12"),
        "Disks of each node, if the import has no disks",
    ),
    key(
        "hardware.disk_channels",
        Kind::Choice(&["shared", "separate"]),
        DefaultBy("shared", CHANNELS_OF_DISK),
        "Reads and writes share a disk's rate, or each has its own",
    ),
    key(
        "hardware.disk_seek",
        Kind::Time { zero: true },
        Derived("the catalogue's; 0s if `hardware.disk` is a rate", |values, _| {
            Some(disk(values).map_or(Nanos::ZERO, |disk| disk.seek).to_string())
        }),
        "Time of a switch between concurrent streams of a disk",
    ),
    key(
        "hardware.disk_batch",
        Kind::Amount,
        Derived("the catalogue's; 4MiB if `hardware.disk` is a rate", |values, _| {
            Some(disk(values).map_or(Bytes::mib(4), |disk| disk.batch).to_string())
        }),
        "Data moved between two such switches",
    ),
    Key {
        source: "catalogue",
        ..key(
            "hardware.nic",
            Kind::Rate,
            Assumed("10Gbit/s"),
            "Each node's network interface, each way: a rate, or a name as 10GbE",
        )
    },
    Key {
        source: S0,
        ..key(
            "hardware.nic_latency",
            Kind::Time { zero: false },
            Assumed("0.1ms"),
            "Between two nodes of a rack",
        )
    },
    Key {
        source: "catalogue",
        ..key(
            "hardware.inter_rack",
            Kind::Rate,
            Assumed("40Gbit/s"),
            "Each rack's uplink, each way; with `one-link` the one link",
        )
    },
    Key {
        source: S0,
        ..key(
            "hardware.inter_rack_latency",
            Kind::Time { zero: false },
            Assumed("0.1ms"),
            "Additional latency between racks",
        )
    },
    key(
        "hardware.inter_rack_kind",
        Kind::Choice(&["uplinks", "one-link"]),
        Default("uplinks"),
        "How racks are joined; `one-link` joins two racks, both directions share it",
    ),
];

pub static SHARING: [Key; 3] = [
    key(
        "model.sharing",
        Kind::Choice(&["fluid", "queue"]),
        Default("fluid"),
        "Max-min fair sharing, or round-robin, one chunk at a time",
    ),
    key(
        "model.chunk",
        Kind::AmountWithin { min: Bytes(1000), max: Bytes::mib(1024) },
        Default("256KiB"),
        "Queue: unit of transfer",
    ),
    Key {
        source: "SimGrid",
        ..key(
            "model.network",
            Kind::Choice(&["fair", "CM02", "LV08"]),
            Default("fair"),
            "Fluid: a flow's weight is 1, is 1/latency, or is as in SimGrid's default model, with \
             its factors and cross-traffic",
        )
    },
];

pub static RUN: [Key; 1] = [key(
    "run.seeds",
    Kind::count(1, 10_000),
    Default("10"),
    "Last seed of a comparison; the first is 1",
)];

pub static VARIANT: [Key; 1] = [key(
    "variant.name",
    Kind::Name,
    Required,
    "Name of a row of `tenbin compare`; `set = { \"TABLE.KEY\" = VALUE }` has its changes",
)];
