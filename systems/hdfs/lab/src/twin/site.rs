//! The folder of settings of a cluster of daemons.
use super::wanted::{MASTER, Wanted};
use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use testbed::bed::Host;
use testbed::twin::site::{properties, racks};

/// Decisions and arrivals of copies, with their times.
const LOG4J: &str = "\
log4j.rootLogger=INFO,said
log4j.logger.BlockStateChange=DEBUG
log4j.appender.said=org.apache.log4j.ConsoleAppender
log4j.appender.said.target=System.err
log4j.appender.said.layout=org.apache.log4j.PatternLayout
log4j.appender.said.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
";

/// A dead node is noticed within a minute and not within fifteen: what happens then is measured.
const RECHECK: (&str, &str) = ("dfs.namenode.heartbeat.recheck-interval", "1000");

/// Pages that daemons have in a distribution, and which nobody reads here.
const PAGES: [&str; 3] = ["hdfs", "datanode", "static"];

/// Writes it.
///
/// # Errors
/// A file cannot be written.
pub(super) fn write(wanted: &Wanted, hosts: &[Host], folder: &Path) -> Result<PathBuf, Failure> {
    let conf = folder.join("conf");
    for page in PAGES {
        let page = conf.join("webapps").join(page);
        fs::create_dir_all(&page).map_err(|e| Failure::writing(&page, &e))?
    }
    let folder = fs::canonicalize(folder).map_err(|e| Failure::writing(folder, &e))?;
    let conf = folder.join("conf");
    let table = conf.join("racks");
    let files = [
        ("log4j.properties", LOG4J.to_string()),
        ("racks", racks(hosts, MASTER)),
        ("core-site.xml", properties(&core(&folder, &table))),
        ("hdfs-site.xml", properties(&hdfs(wanted, hosts, &folder))),
    ];
    for (name, text) in files {
        let path = conf.join(name);
        fs::write(&path, text).map_err(|e| Failure::writing(&path, &e))?
    }
    Ok(conf)
}

fn core(folder: &Path, racks: &Path) -> Vec<(String, String)> {
    let path = |path: &Path| path.display().to_string();
    let mapping = "org.apache.hadoop.net.TableMapping";
    owned(&[
        ("fs.defaultFS", &format!("hdfs://{MASTER}:8020")),
        ("hadoop.tmp.dir", &path(&folder.join("tmp"))),
        ("net.topology.node.switch.mapping.impl", mapping),
        ("net.topology.table.file.name", &path(racks)),
    ])
}

fn hdfs(wanted: &Wanted, hosts: &[Host], folder: &Path) -> Vec<(String, String)> {
    let most = hosts.iter().max_by_key(|host| host.disks.len());
    let paths = most.into_iter().flat_map(|host| &host.disks).map(|(path, _)| path.as_str());
    let mut all = owned(&[
        ("dfs.namenode.name.dir", &folder.join("name").display().to_string()),
        ("dfs.datanode.data.dir", &paths.collect::<Vec<_>>().join(",")),
        ("dfs.namenode.http-address", &format!("{MASTER}:9870")),
        ("dfs.blocksize", &wanted.block.0.to_string()),
        ("dfs.namenode.datanode.registration.ip-hostname-check", "false"),
        RECHECK,
    ]);
    // A small disk of nothing but blocks is not to be kept free.
    all.extend(owned(&[("dfs.datanode.du.reserved", "0")]));
    all.retain(|(key, _)| {
        wanted.site.iter().all(|(given, _)| given != key) || key == "dfs.blocksize"
    });
    all.extend(wanted.site.iter().filter(|(key, _)| key != "dfs.blocksize").cloned());
    all
}

fn owned(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}
