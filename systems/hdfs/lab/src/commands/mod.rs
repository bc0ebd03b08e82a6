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
        about: "HDFS: any sufficient subset of what its tools print",
        run: import::import,
    },
    &TypedAction::<ImportHdfsLog> {
        name: "hdfs-log",
        about: "HDFS's logs: a loss and its repair as they really went, with the same report",
        run: import_hdfs_log::import,
    },
    &TypedAction::<ImportForeground> {
        name: "foreground",
        about: "What clients read and write, from two /jmx pages of each DataNode",
        run: import_foreground::import,
    },
];

pub(crate) static PLANS: [&dyn Action; 1] = [&TypedAction::<PlanRebuild> {
    name: "rebuild",
    about: "The repair of a loss, or the emptying of nodes",
    run: plan::rebuild,
}];
