//! Commands that only HDFS has.
mod args;
mod import;
mod import_foreground;
mod import_hdfs_log;
mod plan;
pub use args::{ImportForeground, ImportHdfs, ImportHdfsLog, PlanRebuild};

use system::{Action, Typed};

pub(crate) static IMPORTS: [&dyn Action; 3] = [
    &Typed::<ImportHdfs> {
        name: "hdfs",
        about: "HDFS: output of its tools, any sufficient subset",
        run: import::import,
    },
    &Typed::<ImportHdfsLog> {
        name: "hdfs-log",
        about: "HDFS's logs: a real loss and its repair, with the same report",
        run: import_hdfs_log::import,
    },
    &Typed::<ImportForeground> {
        name: "foreground",
        about: "Clients' reads and writes, from two /jmx pages of each DataNode",
        run: import_foreground::import,
    },
];

pub(crate) static PLANS: [&dyn Action; 1] = [&Typed::<PlanRebuild> {
    name: "rebuild",
    about: "Repair of a loss, or emptying of nodes",
    run: plan::rebuild,
}];
