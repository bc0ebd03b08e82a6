//! What a DataNode's JMX tells: who it is, how many volumes it has.
use serde_json::Value;
use std::path::Path;
use system::Failure;

/// What JMX pages tell.
#[derive(Default)]
pub struct Jmx {
    /// Ids of DataNodes.
    pub nodes: Vec<String>,
    /// The most volumes that one of them has.
    pub disks: Option<usize>,
}

const VOLUME: &str = "name=VolumeInfoMetrics-";

/// Reads a page, `{"beans": […]}`, or a text of `== NAME` and `  KEY=VALUE` lines.
///
/// # Errors
/// Neither, half a page, or nothing of a DataNode in it.
pub fn read(path: &Path, content: &str, seen: &mut Jmx) -> Result<(), Failure> {
    let (mut nodes, mut volumes) = (Vec::new(), 0);
    if content.trim_start().starts_with('{') {
        let page: Value = serde_json::from_str(content).map_err(|e| {
            Failure::BadInput(format!(
                "{}:{}: {e}: expected a whole /jmx page",
                path.display(),
                e.line()
            ))
        })?;
        for bean in page.get("beans").and_then(Value::as_array).into_iter().flatten() {
            let text = |field: &str| bean.get(field).and_then(Value::as_str);
            volumes += usize::from(text("name").is_some_and(|name| name.contains(VOLUME)));
            nodes.extend(text("DatanodeUuid").map(str::to_string))
        }
    } else {
        for line in content.lines() {
            volumes += usize::from(line.starts_with("== ") && line.contains(VOLUME));
            nodes.extend(line.trim().strip_prefix("DatanodeUuid=").map(str::to_string))
        }
    }
    nodes.sort();
    nodes.dedup();
    if nodes.is_empty() && volumes == 0 {
        return Err(Failure::BadInput(format!(
            "{}: no DataNode in it: expected /jmx of a DataNode (port 9882)",
            path.display()
        )));
    }
    if volumes > 0 {
        let each = volumes.div_ceil(nodes.len().max(1));
        seen.disks = Some(seen.disks.unwrap_or(0).max(each))
    }
    seen.nodes.extend(nodes.into_iter().filter(|id| !seen.nodes.contains(id)).collect::<Vec<_>>());
    Ok(())
}
