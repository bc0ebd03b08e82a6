//! Site files of daemons, and their rack table.
use crate::bed::Host;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use system::Failure;

/// All logs go to the program's log.
const LOG4J: &str = "\
log4j.rootLogger=INFO,said
log4j.appender.said=org.apache.log4j.ConsoleAppender
log4j.appender.said.target=System.err
log4j.appender.said.layout=org.apache.log4j.PatternLayout
log4j.appender.said.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
";

pub type Properties = Vec<(String, String)>;

pub struct Conf<'c> {
    pub hosts: &'c [Host],
    /// The node that is not a worker.
    pub master: &'c str,
    /// Web pages that daemons require at start, without use here.
    pub pages: &'c [&'c str],
    pub files: &'c str,
    pub logged: &'c str,
}

impl Conf<'_> {
    /// Writes the settings and the other site files into `folder`; returns its absolute path.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(
        &self,
        folder: &Path,
        more: &dyn Fn(&Path) -> Vec<(&'static str, Properties)>,
    ) -> Result<PathBuf, Failure> {
        for page in self.pages {
            let page = folder.join("conf/webapps").join(page);
            fs::create_dir_all(&page).map_err(|e| Failure::writing(&page, &e))?
        }
        let folder = fs::canonicalize(folder).map_err(|e| Failure::writing(folder, &e))?;
        let conf = folder.join("conf");
        let sites = [("core-site.xml", self.core(&folder))].into_iter().chain(more(&folder));
        let texts = [
            ("log4j.properties", format!("{LOG4J}{}", self.logged)),
            ("racks", racks(self.hosts, self.master)),
        ];
        let all = sites.map(|(name, all)| (name, properties(&all))).chain(texts);
        for (name, text) in all {
            let path = conf.join(name);
            fs::write(&path, text).map_err(|e| Failure::writing(&path, &e))?
        }
        Ok(folder)
    }

    fn core(&self, folder: &Path) -> Properties {
        owned(&[
            ("fs.defaultFS", self.files),
            ("hadoop.tmp.dir", &folder.join("tmp").display().to_string()),
            ("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping"),
            ("net.topology.table.file.name", &folder.join("conf/racks").display().to_string()),
        ])
    }
}

/// Folder `name` on each disk; all workers have the same number of disks.
pub fn on_disks(hosts: &[Host], name: &str) -> String {
    let most = hosts.iter().max_by_key(|host| host.disks.len());
    let disks = most.into_iter().flat_map(|host| &host.disks);
    disks.map(|(path, _)| format!("{path}/{name}")).collect::<Vec<_>>().join(",")
}

pub fn owned(all: &[(&str, &str)]) -> Properties {
    all.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

fn properties(all: &[(String, String)]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let mut out = String::from("<configuration>\n");
    for (key, value) in all {
        let (key, value) = (escaped(key), escaped(value));
        let _ = writeln!(out, "  <property><name>{key}</name><value>{value}</value></property>");
    }
    out + "</configuration>\n"
}

/// Addresses and names of all nodes except the master, with their racks, one per line.
fn racks(hosts: &[Host], master: &str) -> String {
    let nodes = hosts.iter().filter(|host| host.name != master);
    nodes.fold(String::new(), |mut out, host| {
        let Host { name, address, rack, .. } = host;
        let _ = writeln!(out, "{address} {rack}\n{name} {rack}");
        out
    })
}
