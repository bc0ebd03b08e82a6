//! Notes on unproven facts and omissions.
use super::log_history::{Copy, LogHistory};
use super::rebuilt_cluster::RebuiltCluster;
use super::settings::Settings;

pub(super) fn of(story: &LogHistory, rebuilt: &RebuiltCluster, settings: &Settings) -> Vec<String> {
    let mut notes = Vec::new();
    for loss in rebuilt.losses.iter().filter(|loss| !loss.seen) {
        let node = &rebuilt.cluster.nodes[loss.node.at()].address;
        let why = "no log has the heartbeats";
        let when = match loss.assumed {
            true => "HDFS's defaults allow no earlier detection; the real time is unknown",
            false => "its silence begins with its last sign in these logs, or as late as possible",
        };
        notes.push(format!("the begin of {node}'s silence is unknown ({why}): {when}"))
    }
    let copies: Vec<&Copy> = story.copies.iter().filter(|copy| copy.known.is_some()).collect();
    let mut say = |count: usize, text: &str| {
        if count > 0 {
            notes.push(format!("{count} of {} copies: {text}", copies.len()))
        }
    };
    let count = |test: &dyn Fn(&Copy) -> bool| copies.iter().filter(|copy| test(copy)).count();
    say(
        count(&|c| c.decided.is_none() && !c.moved),
        "no line has their senders and starts (BlockStateChange at DEBUG has)",
    );
    say(
        count(&|c| c.decided.is_some() && c.started.is_none()),
        "no DataNode's log has their start, so waiting at the source and sending are one",
    );
    say(
        count(&|c| c.moved),
        "made by replaceBlock (the balancer, a script): only their ends are logged, and the sender \
         is the hint of the command",
    );
    let lost = story.copies.iter().filter(|c| c.known.is_none() && c.decided.is_some()).count();
    if lost > 0 {
        notes.push(format!("{lost} copies were decided, but their arrival is not logged"))
    }
    for (key, value) in &settings.assumed {
        notes.push(format!("{key} is in no log: the default {value} is used; --conf changes it"))
    }
    notes.extend(gaps(rebuilt));
    notes.push(
        "not in any log: heartbeats, the use of disks, NICs and links, disks of replicas, blocks \
         from before the log begins"
            .into(),
    );
    notes
}

/// Notes on blocks that are older than the logs.
fn gaps(rebuilt: &RebuiltCluster) -> Vec<String> {
    let gaps = rebuilt.gaps;
    let of = [
        (
            gaps.untold,
            "get replicas after the loss, but the logs do not have their former holders, nor the \
             reason: the blocks at risk, and their time at risk, are unknown. Give the logs from \
             before the loss, with their rolled parts",
        ),
        (
            gaps.inferred,
            "are older than the logs: their shortage, and its node, are taken from the lines of \
             their repair (removeStoredBlock, LowRedundancyBlock, ask)",
        ),
        (
            gaps.unheard,
            "were assigned to a lost node, but no line has the receivers (BlockStateChange at INFO \
             has, addStoredBlock): the blocks at risk, and their time at risk, are unknown",
        ),
        (
            gaps.planned,
            "have fewer addStoredBlock lines than their allocation has nodes, and some lines \
             cannot be read: the nodes of the allocation are used",
        ),
        (gaps.drawn, "have live replicas that no line names: their nodes are drawn"),
        (gaps.unplaced, "are left out: no line has their holders at the loss"),
    ];
    let some = of.into_iter().filter(|(n, _)| *n > 0);
    let mut notes: Vec<String> = some.map(|(n, text)| format!("{n} blocks {text}")).collect();
    if gaps.silent && gaps.untold + gaps.unheard == 0 {
        let what = "no line has a block of a lost node, or states that it had none: give the logs \
                    from before the loss, with BlockStateChange at INFO or DEBUG";
        notes.push(what.into())
    }
    notes
}
