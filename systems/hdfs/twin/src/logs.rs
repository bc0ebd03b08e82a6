//! Reads log lines of decommissioning and erasure-coded groups, which the log import does not
//! handle.
use crate::setup::{TwinEvent, TwinSetup};
use cluster::Cluster;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use system::Failure;
use testbed::twin::Figures;

const DAY: f64 = 86_400.0;

/// Time from the first block without enough replicas to the last new replica, and copies received
/// by node; for replicated blocks also copies sent.
///
/// # Errors
/// A log cannot be read, or has no repair.
pub(crate) fn repair(
    folder: &Path,
    wanted: &TwinSetup,
    cluster: &Cluster,
) -> Result<Figures, Failure> {
    let logs = folder.join("logs");
    let mut all = Figures::new();
    let (mut from, mut to) = (None, None);
    let begins = match wanted.event {
        TwinEvent::Lost(_) => "removeDeadDatanode: lost heartbeat",
        _ => "LowRedundancyBlock.add",
    };
    each(&logs.join("namenode.log"), &mut |line| {
        if from.is_none() && line.contains(begins) {
            from = seconds(line)
        }
        if from.is_some()
            && let Some(at) = added(line)
        {
            to = seconds(line);
            let host = cluster.nodes.iter().find(|node| node.address == at);
            let name = format!("received_{}", host.map_or(at, |node| node.host.as_str()));
            *all.entry(name).or_default() += 1.0
        }
    })?;
    let staying = cluster.nodes.iter().filter(|node| wanted.stays(&node.host));
    for node in staying.filter(|_| wanted.code.is_none()) {
        let sent = all.entry(format!("sent_{}", node.host)).or_default();
        each(&logs.join(format!("datanode-{}.log", node.host)), &mut |line| {
            let done = line.contains("DataTransfer, at ") && line.contains(": Transmitted ");
            *sent += f64::from(u8::from(done))
        })?
    }
    let (Some(from), Some(to)) = (from, to) else {
        let why = format!("{}: the logs have no repair", folder.display());
        return Err(Failure::Failed(why));
    };
    all.insert("recovery_s".into(), (to - from).rem_euclid(DAY));
    Ok(all)
}

/// The balancer's own duration and number of moved blocks.
///
/// # Errors
/// A log cannot be read; the balancer did not end.
pub(crate) fn balance(
    folder: &Path,
    wanted: &TwinSetup,
    cluster: &Cluster,
) -> Result<Figures, Failure> {
    let logs = folder.join("logs");
    let (mut took, mut moves) = (None, 0.0);
    each(&logs.join("balancer.log"), &mut |line| {
        took = took.or(line.split_once("Balancing took ").and_then(|(_, time)| of_words(time)))
    })?;
    for node in &cluster.nodes {
        each(&logs.join(format!("datanode-{}.log", node.host)), &mut |line| {
            moves += f64::from(u8::from(line.contains(": Moved BP-")))
        })?
    }
    let took = took.ok_or_else(|| {
        Failure::Failed(format!("{}: the balancer did not end", folder.display()))
    })?;
    let bytes = moves * wanted.block.0 as f64;
    let all = [("balancer_s", took), ("balancer_moves", moves), ("balancer_moved_bytes", bytes)];
    Ok(all.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

fn of_words(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().split_once(' ')?;
    let unit = match unit {
        "milliseconds" => 1e-3,
        "seconds" => 1.0,
        "minutes" => 60.0,
        "hours" => 3600.0,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * unit)
}

fn each(file: &Path, see: &mut dyn FnMut(&str)) -> Result<(), Failure> {
    let wrong = |e: std::io::Error| Failure::Failed(format!("{}: {e}", file.display()));
    for line in BufReader::new(File::open(file).map_err(wrong)?).lines() {
        see(&line.map_err(wrong)?)
    }
    Ok(())
}

/// Address of the node that stored a replica: `BLOCK* addStoredBlock: A is added to blk_…`.
fn added(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("BLOCK* addStoredBlock: ")?;
    Some(rest.split_once(" is added to ")?.0)
}

/// Time of day of `2026-11-27 04:54:54,688 …` \[s\].
fn seconds(line: &str) -> Option<f64> {
    let time = line.split(' ').nth(1)?.replace(',', ".");
    let mut parts = time.split(':').map(|part| part.parse::<f64>().ok());
    Some(parts.next()?? * 3600.0 + parts.next()?? * 60.0 + parts.next()??)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_balancers_words_are_seconds() {
        assert_eq!(of_words("1.5 minutes"), Some(90.0));
        assert_eq!(of_words("45.25 seconds\n"), Some(45.25));
        assert_eq!(of_words("a while"), None);
    }

    #[test]
    fn a_line_tells_who_and_when() {
        let line = "2026-11-27 04:54:54,688 INFO BlockStateChange: BLOCK* addStoredBlock: \
                    10.77.1.3:9866 is added to blk_1073741825_1001 (size=262144)";
        assert_eq!(added(line), Some("10.77.1.3:9866"));
        assert_eq!(seconds(line), Some(4.0 * 3600.0 + 54.0 * 60.0 + 54.688));
        assert_eq!(added("BLOCK* addStoredBlock: block blk_1 moved to storageType DISK"), None);
        assert_eq!(seconds("\tat java.lang.Thread.run"), None);
    }
}
