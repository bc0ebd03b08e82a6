//! Node IDs, volumes and version from DataNodes' JMX.
use import::jmx::{self, BeanCollector, Page};
use import::{ImportError, Input, InputSpec, OnProgress, issue};
use serde_json::Value;

#[derive(Default)]
pub struct Jmx {
    pub nodes: Vec<String>,
    /// Largest number of volumes of a node.
    pub disks: Option<usize>,
    pub version: Option<String>,
}

const VOLUME: &str = "name=VolumeInfoMetrics-";

/// Largest page accepted \[bytes\].
const LARGEST: u64 = 1 << 30;

const WANTED: InputSpec = InputSpec::new(
    "/jmx of a DataNode (port 9882)",
    "curl -s http://DATANODE:9882/jmx > DATANODE.json",
);

#[derive(Default)]
struct NodeFacts {
    nodes: Vec<String>,
    volumes: usize,
    version: Option<String>,
}

impl BeanCollector for NodeFacts {
    fn take(&mut self, name: &str, bean: Value) {
        self.volumes += usize::from(name.contains(VOLUME));
        let id = bean.get("DatanodeUuid").and_then(Value::as_str);
        self.nodes.extend(id.map(str::to_string));
        let version = bean.get("SoftwareVersion").and_then(Value::as_str);
        self.version = self.version.take().or(version.map(str::to_string))
    }
}

/// Reads a page, `{"beans": […]}`, or text with `== NAME` and `  KEY=VALUE` lines.
///
/// # Errors
/// The page is invalid or cut, or has nothing of a DataNode.
pub fn read(input: &Input, all: &mut Jmx, tell: &mut OnProgress<'_>) -> Result<(), ImportError> {
    let file = input.name();
    let content = import::text(input, &WANTED, LARGEST, tell)?;
    let NodeFacts { mut nodes, volumes, version } =
        match content.trim_start().starts_with(['{', '<']) {
            true => {
                let page: Page<NodeFacts> = jmx::read(&WANTED, &file, content.as_bytes())?;
                page.beans
            }
            false => of_lines(&content),
        };
    nodes.sort();
    nodes.dedup();
    if nodes.is_empty() && volumes == 0 {
        let none = issue("no DataNode in the file", WANTED.content).advice(WANTED.advice());
        return Err(none.at(&file, None));
    }
    all.version = all.version.take().or(version);
    if volumes > 0 {
        let each = volumes.div_ceil(nodes.len().max(1));
        all.disks = Some(all.disks.unwrap_or(0).max(each))
    }
    all.nodes.extend(nodes.into_iter().filter(|id| !all.nodes.contains(id)).collect::<Vec<_>>());
    Ok(())
}

fn of_lines(content: &str) -> NodeFacts {
    let mut seen = NodeFacts::default();
    for line in content.lines() {
        seen.volumes += usize::from(line.starts_with("== ") && line.contains(VOLUME));
        let value = |key: &str| line.trim().strip_prefix(key).map(str::to_string);
        seen.nodes.extend(value("DatanodeUuid="));
        seen.version = seen.version.take().or_else(|| value("SoftwareVersion="))
    }
    seen
}
