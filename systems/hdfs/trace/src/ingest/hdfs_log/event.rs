//! Log lines of re-replication.
//!
//! A line is recognised by its message, with any log layout before it. Text of Hadoop 3, and of
//! Hadoop 2 where it differs.

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Event<'a> {
    /// Rack of a DataNode (`NetworkTopology`).
    Placed {
        rack: &'a str,
        node: &'a str,
    },
    /// A storage (data directory, disk) of a DataNode that is new to the NameNode.
    Storage {
        id: &'a str,
        node: &'a str,
    },
    Registered {
        node: &'a str,
        uuid: &'a str,
    },
    Allocated {
        block: i64,
        nodes: Vec<&'a str>,
    },
    /// The NameNode knows a replica.
    Added {
        block: i64,
        node: &'a str,
        bytes: Option<u64>,
    },
    /// The NameNode removes a replica from its map, or orders its deletion.
    Removed {
        block: i64,
        nodes: Vec<&'a str>,
    },
    Dead {
        node: &'a str,
    },
    /// A block enters the queue of low redundancy.
    Needs {
        block: i64,
        live: u8,
        wants: u8,
    },
    Deleted {
        block: i64,
    },
    /// A copy is decided; the round continues.
    Chosen {
        block: i64,
    },
    /// End of a round; `left` blocks are still queued.
    Round {
        left: u64,
    },
    Asked {
        block: i64,
        source: &'a str,
        targets: Vec<&'a str>,
    },
    Started {
        block: i64,
        source: &'a str,
        targets: Vec<&'a str>,
    },
    /// The source has sent the block; `at` is its host name and port.
    Sent {
        block: i64,
        at: &'a str,
        target: &'a str,
        bytes: u64,
    },
    Failed {
        block: i64,
        targets: Vec<&'a str>,
    },
    /// A copy was not reported in time and is queued again.
    TimedOut {
        block: i64,
    },
    /// A target received a replica by `replaceBlock` (balancer, script).
    Moved {
        block: i64,
        hint: &'a str,
    },
    /// A node is stopped (log of a mini-cluster); host name and port.
    Stopped {
        node: &'a str,
    },
    /// A setting in a daemon's start-up log: real key, or the source of its value.
    Setting {
        name: &'static str,
        value: u64,
    },
}

/// Settings in start-up lines: (text before the number, key).
pub(super) const SETTINGS: [(&str, &str); 6] = [
    ("defaultReplication         = ", "dfs.replication"),
    ("maxReplicationStreams      = ", "dfs.namenode.replication.max-streams"),
    ("redundancyRecheckInterval  = ", "redundancy interval, ms"),
    ("replicationRecheckInterval = ", "redundancy interval, ms"),
    ("heartBeatInterval=", "heartbeat, ms"),
    ("heartbeat expire interval ", "expire, ms"),
];

/// Blocks \[B\] and intervals \[ms\] (35 years) above this have extra digits in a damaged line.
const LARGEST: u64 = 1 << 40;

/// `None`: the line is of another subject.
///
/// # Errors
/// The kind of a message with unexpected parts.
pub(super) fn read(line: &str) -> Result<Option<Event<'_>>, &'static str> {
    if let Some(at) = line.find("BLOCK* ") {
        return block(&line[at + 7..]);
    }
    if let Some((_, rest)) = line.split_once("Adding a new node: ") {
        return Ok(Some(placed(rest).ok_or("Adding a new node")?));
    }
    if let Some((_, rest)) = line.split_once("Adding new storage ID ") {
        let (id, node) = rest.split_once(" for DN ").ok_or("Adding new storage ID")?;
        let node = address(node).ok_or("Adding new storage ID")?;
        return Ok(Some(Event::Storage { id, node }));
    }
    if let Some((head, rest)) = line.split_once(") Starting thread to transfer ") {
        return Ok(Some(started(head, rest).ok_or("Starting thread to transfer")?));
    }
    if let Some((_, rest)) = line.split_once("DataTransfer, at ") {
        return Ok(Some(sent(rest).ok_or("DataTransfer")?));
    }
    if let Some((_, rest)) = line.split_once(":Failed to transfer ") {
        let (block, rest) = id(rest).ok_or("Failed to transfer")?;
        let targets = rest.split(" got ").next().unwrap_or("");
        return Ok(Some(Event::Failed { block, targets: addresses(targets) }));
    }
    if let Some((_, rest)) = line.split_once("DataNode: Moved ") {
        let event = || {
            let hint = rest.split_once("delHint=")?.1.trim();
            Some(Event::Moved { block: id(rest)?.0, hint })
        };
        return Ok(Some(event().ok_or("Moved")?));
    }
    if let Some((_, rest)) = line.split_once("PendingReconstructionMonitor timed out ") {
        return Ok(Some(Event::TimedOut { block: id(rest).ok_or("timed out")?.0 }));
    }
    if let Some((_, rest)) = line.split_once(" Stopping DataNode ") {
        return Ok(address(rest).map(|node| Event::Stopped { node }));
    }
    Ok(setting(line))
}

fn block(text: &str) -> Result<Option<Event<'_>>, &'static str> {
    if text.contains("BLOCK* ") {
        return Err("BLOCK*, twice");
    }
    if let Some(rest) = text.strip_prefix("addStoredBlock: ") {
        return match NOT_ADDED.iter().any(|other| rest.contains(other)) {
            true => Ok(None),
            false => keep(added(rest), "addStoredBlock"),
        };
    }
    let Some((word, rest)) = text.split_once(' ') else { return Err("BLOCK*") };
    match word {
        "allocate" => keep(allocated(rest), "allocate"),
        "ask" => keep(asked(rest), "ask"),
        "removeStoredBlock:" => keep(removed(rest), "removeStoredBlock"),
        // Only `BlockManager.removeBlock` logs this: the file is deleted.
        "addToInvalidates:" => {
            keep(id(rest).map(|(block, _)| Event::Deleted { block }), "addToInvalidates")
        }
        "InvalidateBlocks:" => keep(removed(rest), "InvalidateBlocks"),
        "removeDeadDatanode:" => {
            let node = rest.strip_prefix("lost heartbeat from ").and_then(address);
            keep(node.map(|node| Event::Dead { node }), "removeDeadDatanode")
        }
        "registerDatanode:" => keep(registered(rest), "registerDatanode"),
        "block" if rest.starts_with("blk_") => chosen(rest),
        "neededReconstruction" | "neededReplications" => {
            let left = rest.strip_prefix("= ").and_then(first_number);
            keep(left.map(|left| Event::Round { left }), "neededReconstruction")
        }
        _ if rest.contains(" is added to needed") || is_queue(word) => {
            keep(needs(rest), "LowRedundancyBlock")
        }
        _ => Ok(None),
    }
}

/// Other messages of `addStoredBlock`: about deleted or known blocks, or a changed storage type.
const NOT_ADDED: [&str; 3] =
    ["does not belong to any", "edundant addStoredBlock request", "moved to storageType"];

/// A block enters a queue of low redundancy.
fn is_queue(word: &str) -> bool {
    let of = |what: &str| word.strip_suffix(what).is_some_and(|list| list.ends_with("Block"));
    of(".add:") || of(".update:")
}

fn keep<'a>(
    event: Option<Event<'a>>,
    word: &'static str,
) -> Result<Option<Event<'a>>, &'static str> {
    event.map(Some).ok_or(word)
}

/// `127.0.0.1:44199 is added to blk_1073741825_1001 (size=262144)`; Hadoop 2: `… size 262144`.
fn added(text: &str) -> Option<Event<'_>> {
    let text = text.strip_prefix("blockMap updated: ").unwrap_or(text);
    let (node, rest) = text.split_once(" is added to ")?;
    let (block, rest) = id(rest)?;
    // A line truncated or damaged after the block has no size; its replica still counts.
    let bytes = rest.rsplit_once("size").and_then(|(_, size)| length(size.get(1..)?));
    Some(Event::Added { block, node: address(node)?, bytes })
}

/// `blk_…, replicas=A, B for /path`; Hadoop 2: `blk_…{…replicas=[…[DISK]DS-…:NORMAL:A|RBW]…}`.
fn allocated(text: &str) -> Option<Event<'_>> {
    let (block, rest) = id(text)?;
    let list = rest.split_once("replicas=").map_or("", |(_, list)| list);
    let (list, _file) = list.split_once(" for ").or(list.is_empty().then_some(("", "")))?;
    Some(Event::Allocated { block, nodes: addresses(list) })
}

/// `[A] to replicate blk_… to datanode(s) B C`; Hadoop 2 without brackets.
fn asked(text: &str) -> Option<Event<'_>> {
    let (source, rest) = text.split_once(" to replicate ")?;
    let (block, rest) = id(rest)?;
    let targets = addresses(rest.split_once("datanode(s)")?.1);
    let source = address(source.trim_start_matches('['))?;
    if targets.is_empty() { None } else { Some(Event::Asked { block, source, targets }) }
}

/// `blk_… from A`, `add blk_… to A`.
fn removed(text: &str) -> Option<Event<'_>> {
    let (block, rest) = id(text)?;
    let nodes = addresses(rest);
    (!nodes.is_empty()).then_some(Event::Removed { block, nodes })
}

/// `blk_… is moved from neededReconstruction to …`; other texts with this beginning are ignored.
fn chosen(text: &str) -> Result<Option<Event<'_>>, &'static str> {
    const MOVED: &str = " is moved from needed";
    match id(text) {
        Some((block, rest)) if rest.starts_with(MOVED) => Ok(Some(Event::Chosen { block })),
        Some((_, rest)) if !MOVED.starts_with(rest) => Ok(None),
        _ => Err("block … is moved"),
    }
}

/// `from DatanodeRegistration(A, datanodeUuid=U, …`.
fn registered(text: &str) -> Option<Event<'_>> {
    let (_, rest) = text.split_once("DatanodeRegistration(")?;
    let uuid = rest.split_once("datanodeUuid=")?.1.split([',', ')']).next()?;
    Some(Event::Registered { node: address(rest)?, uuid })
}

/// `… blk_… has only 2 replicas and needs 3 replicas so is added to …`.
fn needs(text: &str) -> Option<Event<'_>> {
    let (block, rest) = id(text)?;
    let (live, wants) = rest.split_once(" replicas and need")?;
    let live = first_number(live.rsplit(' ').next()?)?;
    let wants = first_number(wants.trim_start_matches(['s', ' ']))?;
    let small = |n: u64| u8::try_from(n).ok();
    Some(Event::Needs { block, live: small(live)?, wants: small(wants)? })
}

/// `/rack0/127.0.0.1:44199`.
fn placed(text: &str) -> Option<Event<'_>> {
    let (rack, node) = text.trim().rsplit_once('/')?;
    Some(Event::Placed {
        rack: if rack.is_empty() { "/default-rack" } else { rack },
        node: address(node)?,
    })
}

/// `… DatanodeRegistration(A, …) Starting thread to transfer BP-…:blk_… to B C`.
fn started<'a>(head: &'a str, rest: &'a str) -> Option<Event<'a>> {
    let source = address(head.rsplit_once("DatanodeRegistration(")?.1)?;
    let (block, rest) = id(rest)?;
    Some(Event::Started { block, source, targets: addresses(rest.strip_prefix(" to ")?) })
}

/// `host3.foo.com:46771: Transmitted BP-…:blk_… (numBytes=262144) to /127.0.0.1:37517`.
fn sent(text: &str) -> Option<Event<'_>> {
    let (at, rest) = text.split_once(": Transmitted ")?;
    let (block, rest) = id(rest)?;
    let bytes = length(rest.split_once("numBytes=")?.1)?;
    let target = rest.rsplit_once('/')?.1;
    Some(Event::Sent { block, at, target: address(target)?, bytes })
}

fn setting(line: &str) -> Option<Event<'_>> {
    let (mark, name) = SETTINGS.iter().find(|(mark, _)| line.contains(mark))?;
    let value = first_number(line.split_once(mark)?.1).filter(|value| *value <= LARGEST)?;
    Some(Event::Setting { name, value })
}

fn length(text: &str) -> Option<u64> {
    first_number(text).filter(|bytes| *bytes <= LARGEST)
}

/// (id of the first block in the text, rest after its generation).
fn id(text: &str) -> Option<(i64, &str)> {
    let rest = &text[text.find("blk_")? + 4..];
    let end = rest.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap_or(rest.len());
    let block = rest[..end].parse().ok()?;
    let generation = rest[end..].strip_prefix('_')?;
    let end = generation.find(|c: char| !c.is_ascii_digit()).unwrap_or(generation.len());
    (end > 0).then_some((block, &generation[end..]))
}

fn first_number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// `ip:port` (or `host:port`) at the start of the text.
fn address(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !is_address(c)).unwrap_or(text.len());
    let address = text[..end].trim_end_matches(':');
    let (host, port) = address.rsplit_once(':')?;
    (!host.is_empty() && port.parse::<u16>().is_ok()).then_some(address)
}

fn is_address(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '_')
}

/// All addresses of a list with any separators.
fn addresses(text: &str) -> Vec<&str> {
    text.split([' ', ',', '[', ']', '|', '/']).filter_map(address).collect()
}

impl Event<'_> {
    /// The last address of the line; in a truncated line it may be incomplete.
    pub(super) fn last_address(&self) -> Option<&str> {
        match self {
            Event::Removed { nodes: list, .. }
            | Event::Asked { targets: list, .. }
            | Event::Started { targets: list, .. } => list.last().copied(),
            Event::Sent { target: node, .. }
            | Event::Dead { node }
            | Event::Placed { node, .. }
            | Event::Storage { node, .. } => Some(node),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
