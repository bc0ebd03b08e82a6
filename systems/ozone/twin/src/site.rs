//! Folders of settings: SCM's, and that of each rack's simulated DataNodes.
use crate::cases::Case;
use std::fs;
use std::path::Path;
use system::Failure;
use testbed::bed::Host;

/// Time between two registrations, longer than SCM needs to open its pipelines.
const GAP: &str = "2000ms";

const NOWHERE: &str = "127.0.0.1:9";

/// stdout has only what a tool prints.
const LOG: &str = "log4j.rootLogger=INFO,A\n\
                   log4j.appender.A=org.apache.log4j.ConsoleAppender\n\
                   log4j.appender.A.Target=System.err\n\
                   log4j.appender.A.layout=org.apache.log4j.PatternLayout\n\
                   log4j.appender.A.layout.ConversionPattern=%d %p %c{1}: %m%n\n";

/// Settings of SCM, the first host, and its tools. SCM waits in safe mode for all nodes, or three.
pub fn scm(folder: &Path, hosts: &[Host], case: &Case) -> Result<(), Failure> {
    let wanted = if case.one_by_one { 3 } else { case.nodes };
    let racks = hosts[1..].iter().map(|host| format!("{} /{}\n", host.address, host.name));
    let table = folder.join("racks").display().to_string();
    let all = [
        ("ozone.scm.client.address", hosts[0].address.as_str()),
        ("ozone.scm.datanode.pipeline.limit", &case.limit.to_string()),
        ("ozone.scm.pipeline.creation.interval", "1s"),
        ("ozone.scm.pipeline.creation.auto.factor.one", "false"),
        ("hdds.scm.safemode.min.datanode", &wanted.to_string()),
        ("hdds.scm.wait.time.after.safemode.exit", "0s"),
        ("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping"),
        ("net.topology.table.file.name", &table),
    ];
    settings(folder, hosts, &all, &racks.collect::<String>())
}

/// Settings of simulated DataNodes. They register at Recon too: its absence and one more try make
/// the time between two registrations. They would open and close containers through SCM's client
/// address, until they are full; at a wrong address they retry instead.
pub fn nodes(folder: &Path, hosts: &[Host], case: &Case) -> Result<(), Failure> {
    let all = [
        ("ozone.scm.client.address", NOWHERE),
        ("hdds.scmclient.max.retry.timeout", "24h"),
        ("ozone.recon.address", NOWHERE),
        ("ozone.recon.heartbeat.interval", "24h"),
        ("ozone.scm.heartbeat.rpc-retry-count", if case.one_by_one { "1" } else { "0" }),
        ("ozone.scm.heartbeat.rpc-retry-interval", GAP),
    ];
    settings(folder, hosts, &all, "")
}

fn settings(
    folder: &Path,
    hosts: &[Host],
    own: &[(&str, &str)],
    racks: &str,
) -> Result<(), Failure> {
    let (scm, [meta, id]) = (
        hosts[0].address.as_str(),
        ["meta", "id"].map(|name| folder.join(name).display().to_string()),
    );
    let common = [
        ("ozone.metadata.dirs", meta.as_str()),
        ("ozone.scm.datanode.id.dir", &id),
        ("ozone.scm.names", scm),
        ("ozone.scm.block.client.address", scm),
        ("ozone.scm.datanode.address", scm),
        ("ozone.om.address", scm),
        ("hdds.heartbeat.interval", "1s"),
    ];
    let line = |(name, value): &(&str, &str)| {
        format!("<property><name>{name}</name><value>{value}</value></property>\n")
    };
    let all: String = common.iter().chain(own).map(line).collect();
    write(&folder.join("ozone-site.xml"), &format!("<configuration>\n{all}</configuration>\n"))?;
    write(&folder.join("log4j.properties"), LOG)?;
    write(&folder.join("racks"), racks)
}

/// Writes a file in a new folder.
pub fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let made = fs::create_dir_all(file.parent().unwrap_or(file));
    made.and_then(|()| fs::write(file, text)).map_err(|e| Failure::writing(file, &e))
}
