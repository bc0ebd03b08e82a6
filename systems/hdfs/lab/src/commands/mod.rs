//! Commands that only HDFS has.
mod args;
mod import;
mod import_foreground;
mod import_hdfs_log;
mod plan;
pub use args::{ImportForeground, ImportHdfs, ImportHdfsLog, PlanRebuild};

use system::{Action, TypedAction};

pub(crate) static IMPORTS: [&dyn Action; 3] = [
    &TypedAction::<ImportHdfs> {
        name: "hdfs",
        about: "HDFS: output of its tools, any sufficient subset",
        run: import::import,
    },
    &TypedAction::<ImportHdfsLog> {
        name: "hdfs-log",
        about: "HDFS's logs: a real loss and its repair, with the same report",
        run: import_hdfs_log::import,
    },
    &TypedAction::<ImportForeground> {
        name: "foreground",
        about: "Clients' reads and writes, from two /jmx pages of each DataNode",
        run: import_foreground::import,
    },
];

pub(crate) static PLANS: [&dyn Action; 1] = [&TypedAction::<PlanRebuild> {
    name: "rebuild",
    about: "Repair of a loss, or emptying of nodes",
    run: plan::rebuild,
}];
