//! The verdict: one sentence with one number, and the line below it.
use super::{balancer, events};
use crate::context::Context;
use crate::loss::{self, Loss};
use crate::run::{Run, recoveries};
use crate::spans::Sentence;
use crate::stat::stat;
use crate::words::{NB, count, duration, num, range, small_number};
use units::{Nanos, floored_u64, u32_of};

/// The verdict on the present settings. Data loss comes first, then a repair without an end.
pub fn verdict(context: &Context, now: &[Run]) -> Sentence {
    if before_loss(context, now) {
        return Sentence::new()
            .say(format!(
                "The run ends before {} {}: it lasts ",
                events::nodes_with_verb(context),
                events::participle(context)
            ))
            .number(duration(last(now, |run| Some(run.moments.end))))
            .say(".");
    }
    if let Some(untold) = untold(now) {
        return untold;
    }
    if most(now, Run::blocks_lost) > 0 {
        return lost(context, now);
    }
    if back(now) == now.len() {
        return Sentence::new()
            .number("Nothing")
            .say(format!(" needs repair: {}.", events::node_return(context)));
    }
    if undeclared(now) {
        return Sentence::new()
            .say(format!("{} within ", events::no_declaration(context)))
            .number(duration(last(now, |run| Some(run.moments.end))))
            .say(".");
    }
    let affected = most(now, Run::blocks_affected);
    if affected == 0 {
        return balancer::verdict(now).unwrap_or_else(|| nothing(context));
    }
    let Some(recoveries) = recoveries(now) else {
        let left = most(now, Run::blocks_unsafe);
        let (of, unsafe_) = (count(affected, "block"), events::unsafe_outcome(context, left == 1));
        let lines = most(now, Run::lines_unread);
        if now.iter().any(Run::is_end_hidden) {
            return unread(left, of, lines);
        }
        let ends = match cut(now) {
            _ if context.logged => "log ends",
            Some(_) => "run is cut",
            None => "run ends",
        };
        // An unreadable line may report the safety of a block.
        let at_least = if lines > 0 { "At least " } else { "" };
        return Sentence::new()
            .say(at_least)
            .number(num(left.saturating_sub(lines) as f64, 0))
            .say(format!(" of {of} {unsafe_} when the {ends}."));
    };
    let repair = stat(&recoveries).mean;
    if events::reaction(context) == events::Reaction::Leaving {
        return emptied(context, affected, repair);
    }
    exposure(context, now, repair).unwrap_or_else(|| repaired(context, now, repair))
}

fn nothing(context: &Context) -> Sentence {
    if leaves(context) {
        let can = match events::reaction(context) {
            events::Reaction::Leaving => "can be decommissioned",
            _ => "can enter maintenance",
        };
        return Sentence::new()
            .say(format!("{} {can} now; ", events::names(context)))
            .number("nothing")
            .say(" needs copying.");
    }
    let when = match context.lost.len() {
        0 => ".".into(),
        _ => format!(" when {} {}.", events::nodes_with_verb(context), events::participle(context)),
    };
    Sentence::new().number("No block").say(format!(" is at risk{when}"))
}

/// "All 898 blocks are safe again 41 s after dn-r2-05 is declared dead."
fn repaired(context: &Context, now: &[Run], repair: f64) -> Sentence {
    Sentence::new()
        .say(format!("{} ", subject(context, now)))
        .number(match duration(repair).as_str() {
            "0" => "0 s".into(),
            some => some.to_string(),
        })
        .say(format!(" {}.", since(context)))
}

/// "Decommissioning 3 nodes takes 124 s; 2 994 blocks are re-replicated."
fn emptied(context: &Context, blocks: u64, seconds: f64) -> Sentence {
    let are = if blocks == 1 { "is" } else { "are" };
    Sentence::new()
        .say(format!("Decommissioning {} takes ", events::names(context)))
        .number(duration(seconds))
        .say(format!("; {} {are} re-replicated.", count(blocks, "block")))
}

/// "898 blocks are at risk for about 13 min 41 s: detection 10.5–15.5 min, repair 41 s. 44 of them
/// stand at one replica." For losses detected by missing heartbeats. The detection time comes from
/// the settings, so it does not vary with seeds.
fn exposure(context: &Context, now: &[Run], repair: f64) -> Option<Sentence> {
    let (least, most) = at_risk_by_silence(context, now)?;
    let (fewest, all) =
        (self::least(now, Run::blocks_affected), self::most(now, Run::blocks_affected));
    let blocks =
        if fewest == all { count(all, "block") } else { format!("Up to {}", count(all, "block")) };
    let are = if all == 1 { "is" } else { "are" };
    let exposed = duration(f64::midpoint(least, most) + repair);
    let sentence = Sentence::new()
        .say(format!("{blocks} {are} at risk for about "))
        .number(exposed)
        .say(format!(": detection {}, repair {}.", window(least, most), duration(repair)));
    Some(sentence.then(one_replica(context, now)))
}

fn is_exposure(context: &Context, now: &[Run]) -> bool {
    most(now, Run::blocks_lost) == 0
        && most(now, Run::blocks_affected) > 0
        && back(now) < now.len()
        && at_risk_by_silence(context, now).is_some()
}

/// (least, most) time until a silent node is detected; `None`: another kind of loss.
fn at_risk_by_silence(context: &Context, now: &[Run]) -> Option<(f64, f64)> {
    let (least, most) = context.detection?;
    let dead = events::reaction(context) == events::Reaction::Dead && !context.lost.is_empty();
    let within = |run: &Run| {
        let found = run.metrics.get("detection_s");
        found.is_some_and(|s| (0.9 * least..=1.1 * most).contains(s))
    };
    (dead && now.iter().all(within)).then_some((least, most))
}

/// "10.5–15.5 min", "20–30 s".
fn window(least: f64, most: f64) -> String {
    match least < 120.0 {
        true => format!("{}–{}{NB}s", num(least, 0), num(most, 0)),
        false => format!("{}–{}{NB}min", num(least / 60.0, 1), num(most / 60.0, 1)),
    }
}

/// "44 of them stand at one replica until 8.7 s into the repair."
fn one_replica(context: &Context, now: &[Run]) -> Sentence {
    let metric = |name: &str| crate::stat::of_metric(now, name);
    let (Some(blocks), Some(until)) = (metric("at_one_replica_max"), metric("last_copy_s")) else {
        return Sentence::new();
    };
    if blocks.max == 0.0 || context.replication < 2 {
        return Sentence::new();
    }
    let stand = if blocks.max == 1.0 { "stands" } else { "stand" };
    let up_to = if blocks.min == blocks.max { "" } else { "Up to " };
    let number = format!("{up_to}{}", num(blocks.max, 0));
    Sentence::new().number(number).say(format!(
        " of them {stand} at one replica until {} into the repair.",
        duration(until.mean)
    ))
}

/// For logs with unreadable lines, which may report that all blocks are safe.
fn unread(left: u64, of: String, lines: u64) -> Sentence {
    let (are, cannot) = (if left == 1 { "is" } else { "are" }, count(lines, "line"));
    Sentence::new()
        .number(num(left as f64, 0))
        .say(format!(" of {of} {are} not reported safe again: {cannot} cannot be read."))
}

fn untold(now: &[Run]) -> Option<Sentence> {
    let blocks = now.iter().filter_map(Run::blocks_untold).max()?;
    let sentence = Sentence::new().say("The logs do not have the loss: ");
    Some(match blocks {
        0 => sentence.say("no line has the holders of any ").number("block").say("."),
        n => sentence.say("no line has the holders of ").number(count(n, "block")).say("."),
    })
}

fn lost(context: &Context, now: &[Run]) -> Sentence {
    let lost = most(now, Run::blocks_lost);
    let (blocks, are) = if lost == 1 { ("block", "is") } else { ("blocks", "are") };
    let with = match context.lost.len() {
        0 => String::new(),
        _ => format!(" with {}", events::names(context)),
    };
    if let Some(loss) = at_times(now) {
        let of = loss::of_seeds(&loss, u32_of(now.len()));
        return Sentence::new()
            .say("Blocks are lost in ")
            .number(format!("{of} seeds"))
            .say(format!("{with}: no live replica is left."));
    }
    Sentence::new()
        .number(num(lost as f64, 0))
        .say(format!(" {blocks} {are} lost{with}: no live replica is left."))
}

/// `Some`: some seeds lose blocks and others do not.
fn at_times(now: &[Run]) -> Option<Loss> {
    let some = 1..u32_of(now.len());
    loss::loss(now).filter(|loss| some.contains(&loss.seeds))
}

fn likely(now: &[Run]) -> Sentence {
    let Some(loss) = at_times(now) else { return Sentence::new() };
    let (likely, within) = (loss::probability(&loss), loss::interval(&loss));
    let (expected, most) =
        (loss::format_expected(&loss.blocks), count(floored_u64(loss.blocks.max), "block"));
    Sentence::new().say(format!(
        "Probability {likely} (95 % interval {within}); {expected} blocks expected, {most} at most."
    ))
}

pub fn before_loss(context: &Context, now: &[Run]) -> bool {
    let unreached = |run: &Run| run.moments.fault.is_none() && run.moments.declared.is_none();
    !context.lost.is_empty() && now.iter().any(unreached)
}

fn undeclared(now: &[Run]) -> bool {
    now.iter().all(|run| run.moments.declared.is_none())
}

/// Seeds in which the nodes return before they are declared dead.
fn back(now: &[Run]) -> usize {
    now.iter().filter(|run| run.moments.back.is_some()).count()
}

/// Some of the seeds need no repair.
fn harmless(context: &Context, now: &[Run]) -> Sentence {
    let (n, all) = (back(now), now.len());
    if n == 0 || n == all {
        return Sentence::new();
    }
    let why = events::node_return(context);
    Sentence::new().say(format!("In {n} of {all} seeds no repair is needed, 0 s: {why}."))
}

/// Latest cut of the runs without an end of the repair \[s\].
fn cut(now: &[Run]) -> Option<f64> {
    let open = now.iter().filter(|run| run.moments.mended.is_none());
    open.filter_map(|run| run.moments.cut).max().map(Nanos::as_secs)
}

/// Latest of the moments of all runs \[s\].
fn last(now: &[Run], of: impl Fn(&Run) -> Option<Nanos>) -> f64 {
    now.iter().filter_map(of).max().unwrap_or_default().as_secs()
}

fn since(context: &Context) -> String {
    match context.lost.len() {
        0 => "after the start".into(),
        _ => format!("after {}", events::declaration(context)),
    }
}

/// "All 898 blocks are safe again".
fn subject(context: &Context, now: &[Run]) -> String {
    let (least, most) = (least(now, Run::blocks_affected), most(now, Run::blocks_affected));
    match (least, most) {
        (1, 1) => format!("The one block {}", events::block_outcome(context, true)),
        (least, most) if least == most => {
            format!("All {} {}", count(most, "block"), events::block_outcome(context, false))
        }
        _ => format!("All blocks {}", events::block_outcome(context, false)),
    }
}

/// The line below the verdict: outcome of other blocks, range over seeds, detection.
pub fn subline(context: &Context, now: &[Run]) -> Sentence {
    if before_loss(context, now) {
        return cut_by(context, now).then(Sentence::new().say(match leaves(context) {
            true => "The following events are unknown.",
            false => "The loss is not in the run.",
        }));
    }
    if now.iter().any(|run| run.blocks_untold().is_some()) {
        return Sentence::new().say(
            "The blocks at risk, and their time at risk, are unknown. Give the logs from before \
             the loss, with their rolled parts, and with BlockStateChange at INFO or DEBUG.",
        );
    }
    let safe = match recoveries(now) {
        Some(all) if is_exposure(context, now) => repaired(context, now, stat(&all).mean),
        _ => Sentence::new(),
    };
    let sub = safe
        .then(likely(now))
        .then(reasons(context, now))
        .then(others(context, now))
        .then(spread(now));
    let sub = sub.then(harmless(context, now)).then(balancer::result(now));
    sub.then(detection(context, now)).then(lost_before(context, now)).then(beyond_nodes(now))
}

fn others(context: &Context, now: &[Run]) -> Sentence {
    let lost = most(now, Run::blocks_lost);
    let mended = |run: &Run| Some(run.moments.since_declared(run.moments.mended?));
    let Some(mended) = now.iter().map(mended).collect::<Option<Vec<f64>>>() else {
        return Sentence::new();
    };
    if lost == 0 || undeclared(now) || too_few_nodes(context, now) {
        return Sentence::new();
    }
    if most(now, Run::blocks_affected) <= lost {
        return Sentence::new().say("No other block was at risk.");
    }
    let (time, since) = (duration(stat(&mended).mean), since(context));
    let mended = events::block_outcome(context, false);
    Sentence::new().say(format!("All others {mended} {time} {since}."))
}

fn spread(now: &[Run]) -> Sentence {
    let recoveries = recoveries(now).unwrap_or_default();
    if recoveries.len() < 2 {
        return Sentence::new();
    }
    let (stat, seeds) = (stat(&recoveries), recoveries.len());
    match stat.mean > 0.0 {
        true => Sentence::new().say(format!("{} over {seeds} seeds.", range(stat.min, stat.max))),
        false => Sentence::new(),
    }
}

fn lost_before(context: &Context, now: &[Run]) -> Sentence {
    match most(now, Run::blocks_lost_before) {
        0 => Sentence::new(),
        n => {
            let had = format!("{} had no live replica", count(n, "block"));
            let no_loss = context.lost.is_empty() || leaves(context);
            let when = if no_loss { "at the start" } else { "before the loss" };
            Sentence::new().say(format!("{had} {when}."))
        }
    }
}

/// Blocks that can never have all replicas.
fn beyond_nodes(now: &[Run]) -> Sentence {
    match most(now, Run::blocks_beyond_nodes) {
        0 => Sentence::new(),
        n => {
            let want = if n == 1 { "wants" } else { "want" };
            Sentence::new().say(format!(
                "{} {want} more replicas than there are nodes; times are of the other blocks.",
                count(n, "block")
            ))
        }
    }
}

fn detection(context: &Context, now: &[Run]) -> Sentence {
    if most(now, Run::blocks_affected) == 0 {
        return Sentence::new();
    }
    let detections: Option<Vec<f64>> =
        now.iter().map(|run| run.metrics.get("detection_s").copied()).collect();
    match detections.filter(|all| !all.is_empty()).map(|all| stat(&all).mean) {
        Some(mean) if mean >= 1e-3 => {
            let time = duration(mean);
            let mended = now.iter().all(|run| run.moments.mended.is_some());
            let counted = mended || cut(now).is_some();
            Sentence::new().say(events::detection_time(context, &time, counted))
        }
        _ => Sentence::new(),
    }
}

/// True if fewer nodes are live than the replication factor: then no setting limits the repair.
pub fn too_few_nodes(context: &Context, now: &[Run]) -> bool {
    let few = |run: &Run| run.moments.redundant.is_none() && run.live_nodes < context.replication;
    !before_loss(context, now) && now.iter().any(few)
}

/// Why the repair has no end, or its progress.
fn reasons(context: &Context, now: &[Run]) -> Sentence {
    let mended = |run: &Run| run.moments.mended.is_some();
    if !too_few_nodes(context, now) && now.iter().all(mended) {
        return Sentence::new();
    }
    if most(now, Run::blocks_unsafe) == 0 {
        return Sentence::new();
    }
    if too_few_nodes(context, now) {
        return too_few(context, now);
    }
    if undeclared(now) {
        let left = most(now, Run::blocks_unsafe);
        let (blocks, are) = (count(left, "block"), if left == 1 { "is" } else { "are" });
        let wait = if left == 1 { "waits" } else { "wait" };
        let risk = Sentence::new().say(match leaves(context) {
            true => format!("{blocks} {wait} to be copied by then."),
            false => format!("{blocks} {are} at risk by then."),
        });
        return cut_by(context, now).then(risk);
    }
    if now.len() > 1 {
        let done = now.iter().filter(|run| run.recovery_s().is_some()).count();
        let seeds = match done {
            0 => format!("No seed of {} became safe.", now.len()),
            _ => format!("{done} of {} seeds became safe.", now.len()),
        };
        return Sentence::new().say(seeds).then(cut_by(context, now));
    }
    if cut(now).is_some() {
        return cut_by(context, now).then(so_far(context, now));
    }
    Sentence::new().say("The run ends there, since no event can complete the rest.")
}

fn too_few(context: &Context, now: &[Run]) -> Sentence {
    let live = now.iter().map(|run| run.live_nodes).min().unwrap_or(0);
    let wanted = match context.replication {
        1 => "one replica".into(),
        n => format!("{} replicas", small_number(n as usize)),
    };
    let live = match live {
        0 => return Sentence::new().say("No node is left alive."),
        1 => "only one node is live".into(),
        n => format!("only {} nodes are live", small_number(n as usize)),
    };
    Sentence::new().say(format!("A block wants {wanted}, but {live}."))
}

/// The cause of the run's cut; empty without a cut.
fn cut_by(context: &Context, now: &[Run]) -> Sentence {
    let Some(at) = now.iter().filter_map(|run| run.moments.cut).max() else {
        return Sentence::new();
    };
    let at = duration(at.as_secs());
    if context.logged && now.iter().any(Run::is_end_hidden) {
        return Sentence::new().say("Their state at the log’s end is unknown.");
    }
    if context.logged {
        return Sentence::new().say("The log ends there.");
    }
    match context.setting("run.until") {
        Some(until) if until != "redundant" => {
            Sentence::new().key("run.until").say(format!(" cuts the run at {at}."))
        }
        _ => Sentence::new().say(format!("The run is cut at {at}, the longest possible time.")),
    }
}

fn so_far(context: &Context, now: &[Run]) -> Sentence {
    let affected = most(now, Run::blocks_affected);
    let done = affected.saturating_sub(most(now, Run::blocks_unsafe));
    let time = last(now, |run| run.moments.cut) - last(now, |run| run.moments.declared);
    let (are, since) = (if done == 1 { "is" } else { "are" }, since(context));
    let done = format!("{} of {}", num(done as f64, 0), count(affected, "block"));
    Sentence::new().say(format!("{done} {are} safe by then, {} {since}.", duration(time)))
}

/// True if nodes only leave: then no block is lost.
fn leaves(context: &Context) -> bool {
    !context.lost.is_empty() && context.lost.iter().all(|lost| lost.event_type.leaves())
}

fn most(now: &[Run], of: impl Fn(&Run) -> u64) -> u64 {
    now.iter().map(of).max().unwrap_or(0)
}

fn least(now: &[Run], of: impl Fn(&Run) -> u64) -> u64 {
    now.iter().map(of).min().unwrap_or(0)
}
