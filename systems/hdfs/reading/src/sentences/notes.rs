//! Facts, certainty, and the notes below charts and table.
use super::events;
use crate::context::{Context, EventType};
use crate::load::{Load, NodeTraffic};
use crate::run::Run;
use crate::spans::Sentence;
use crate::words::{count, duration_with, num, percent};
use analysis::balance::hottest;
use hdfs_trace::{Trace, kind, rack as rack_of};
use page::{Certainty, Level};
use units::u32_of;

/// A rack receives too much if its share exceeds its nodes' share by this factor.
const TOO_MUCH: f64 = 1.3;

pub fn facts(context: &Context, trace: &Trace, seeds: usize) -> Vec<Sentence> {
    let mut facts: Vec<Sentence> = Vec::new();
    let happened = events::event_facts(context).into_iter();
    facts.extend(happened.map(|(who, what)| Sentence::new().strong(who).say(what)));
    facts.extend(context.besides.iter().map(|what| Sentence::new().say(what.clone())));
    if facts.is_empty() {
        facts.push(Sentence::new().say("no node lost in the run"));
    }
    let disks = trace.resources.iter().filter(|r| r.kind == kind::DISK).count();
    let counts = [
        (trace.nodes.len() as u64, "node"),
        (trace.racks.len() as u64, "rack"),
        (disks as u64, "disk"),
        (context.blocks, "block"),
    ];
    // Logs do not list disks.
    let told = counts.into_iter().filter(|(n, one)| *n > 0 || *one != "disk");
    facts.extend(told.map(|(n, one)| Sentence::new().say(count(n, one))));
    facts.push(Sentence::new().say(format!("pacing {}", context.pacing)));
    let seeds = match trace.about("origin") {
        Some("logged") => "as logged".into(),
        _ => count(seeds as u64, "seed"),
    };
    facts.push(Sentence::new().say(seeds));
    facts
}

/// A logged duration has high certainty, a model low. If no log shows the end of the repair, only
/// earlier facts are certain.
pub fn certainty(context: &Context, run: &Run) -> Certainty {
    let (level, reason) = match (context.logged, run.moments.mended) {
        (true, _) if run.blocks_untold().is_some() => {
            (Level::Low, "the logs do not have the loss.")
        }
        (true, _) if run.clock_is_unsure() => (
            Level::Low,
            "the time goes back in a log: if its clock was set back, durations are wrong.",
        ),
        (true, None) if run.is_end_hidden() => {
            (Level::Low, "log lines are unreadable; their content is unknown.")
        }
        (true, Some(_)) if run.lines_unread() > 0 => {
            (Level::Medium, "a logged duration; some lines cannot be read.")
        }
        (true, Some(_)) if run.blocks_inferred() > 0 => (
            Level::Medium,
            "the logs begin after the blocks were written: missing replicas are known from the \
             repair.",
        ),
        (true, Some(_)) => {
            (Level::High, "logged durations. Named causes: medium (two clues each).")
        }
        (true, None) => {
            (Level::Low, "the log ends before the repair; all values until then are certain.")
        }
        _ => (Level::Low, "a model; no log of this cluster has confirmed it."),
    };
    Certainty { level, reason: Sentence::new().say(reason).done() }
}

/// "at most 78 blocks every 3 s: 39 live nodes × multiplier 2" if HDFS's pacing reaches this limit.
/// A much longer recovery has another cause.
pub fn risk(context: &Context, now: &[Run]) -> Option<String> {
    if now.iter().any(|run| run.blocks_untold().is_some()) {
        return Some("The logs do not have the holders of the blocks before the loss.".into());
    }
    let multiplier_key = "dfs.namenode.replication.work.multiplier.per.iteration";
    if !context.pacing.starts_with("hdfs") {
        return None;
    }
    let top = now.first()?.attribution.shares.first()?;
    if !top.holder.starts_with(multiplier_key) {
        return None;
    }
    let multiplier: u32 = context.setting(multiplier_key)?.parse().ok()?;
    let interval = context.setting("dfs.namenode.redundancy.interval.seconds")?;
    let interval = interval.strip_suffix('s').unwrap_or(interval);
    let seconds: f64 = interval.parse().ok()?;
    let live = now.first()?.live_nodes;
    let blocks = count(u64::from(live) * u64::from(multiplier), "block");
    let every = duration_with(seconds, if seconds == libm::floor(seconds) { 0 } else { 1 });
    let nodes = count(u64::from(live), "live node");
    Some(format!("at most {blocks} every {every}: {nodes} × multiplier {multiplier}"))
}

/// The balance chart in words, and the nodes that share the cause.
pub fn balance(context: &Context, trace: &Trace) -> (Sentence, Vec<u32>) {
    let load = Load::of(trace);
    let total: u64 = load.live().map(|node| node.received_bytes).sum();
    if total == 0 {
        return (Sentence::new().say("No copies were made."), Vec::new());
    }
    let live = load.live().count() as f64;
    for lost in &context.lost {
        let Some(rack) = trace.racks.iter().position(|name| *name == lost.rack) else { continue };
        let of_rack: Vec<u32> = (0..u32_of(trace.nodes.len()))
            .filter(|&n| trace.nodes[n as usize].alive)
            .filter(|&n| rack_of(&trace.nodes[n as usize]) == rack)
            .collect();
        let bytes: u64 = of_rack.iter().map(|&n| load.nodes[n as usize].received_bytes).sum();
        let share = bytes as f64 / total as f64;
        let even = of_rack.len() as f64 / live;
        if !of_rack.is_empty() && share >= TOO_MUCH * even && even < 1.0 {
            let (share, even) = (percent(share), percent(even));
            let whose = match lost.event_type {
                EventType::Node | EventType::Rack { .. } => "the lost node’s",
                EventType::Disk => "the failed disk’s",
                EventType::Leaving | EventType::Maintenance => "the leaving node’s",
            };
            let whose = format!("{}, {whose} rack,", lost.rack);
            let text =
                format!("{whose} receives {share} now; its nodes are {even} of the live ones.");
            return (Sentence::new().say(text), of_rack);
        }
    }
    (most(trace, &load), Vec::new())
}

fn most(trace: &Trace, load: &Load) -> Sentence {
    let top = |bytes: fn(&NodeTraffic) -> u64| {
        let sum: u64 = load.live().map(bytes).sum();
        let mean = sum as f64 / load.live().count() as f64;
        let over = |node: &NodeTraffic| if node.alive { bytes(node) as f64 / mean } else { 0.0 };
        let all: Vec<f64> = load.nodes.iter().map(over).collect();
        let place = hottest(&all, 1).first().copied();
        place.map(|p| format!("{} ({}×)", trace.nodes[p].name, num(all[p], 2)))
    };
    match (top(|node| node.sent_bytes), top(|node| node.received_bytes)) {
        (Some(sends), Some(receives)) => Sentence::new().say(format!(
            "Now {sends} sends most and {receives} receives most, compared with the mean."
        )),
        _ => Sentence::new(),
    }
}
