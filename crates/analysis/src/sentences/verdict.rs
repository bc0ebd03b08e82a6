//! One sentence with one number, and the line below it.
use crate::context::Context;
use crate::run::{Run, VariantRuns};
use crate::spans::Sentence;
use crate::stat::stat;
use crate::words::{capital, count, duration, num, range, small_number};

/// The verdict on the present settings. Data loss comes first, then what does not end.
pub fn verdict(context: &Context, now: &VariantRuns) -> Sentence {
    let lost = most(now, Run::blocks_lost);
    let affected = most(now, Run::blocks_affected);
    let unsafe_blocks = most(now, Run::blocks_unsafe);
    let names = names(context);
    if now.runs.iter().any(|run| run.moments.declared.is_none()) {
        let end = now.runs.iter().map(|run| run.moments.end).max().unwrap_or_default();
        return Sentence::new()
            .say(format!("{} not declared dead within ", is(context)))
            .number(duration(end.as_secs()))
            .say(".");
    }
    if lost > 0 {
        let (blocks, are) = if lost == 1 { ("block", "is") } else { ("blocks", "are") };
        let with = match context.lost.len() {
            0 => String::new(),
            _ => format!(" with {names}"),
        };
        return Sentence::new()
            .number(num(lost as f64, 0))
            .say(format!(" {blocks} {are} lost{with}: no live replica is left."));
    }
    if affected == 0 {
        let when = match context.lost.len() {
            0 => ".".into(),
            _ => format!(" when {names} {} lost.", verb(context)),
        };
        return Sentence::new().number("No block").say(format!(" is at risk{when}"));
    }
    let Some(recoveries) = now.recoveries() else {
        let (of, are) = (count(affected, "block"), if unsafe_blocks == 1 { "is" } else { "are" });
        return Sentence::new()
            .number(num(unsafe_blocks as f64, 0))
            .say(format!(" of {of} {are} not safe again when the run ends."));
    };
    Sentence::new()
        .say(format!("{} again ", subject(now)))
        .number(duration(stat(&recoveries).mean))
        .say(format!(" {}.", since(context)))
}

/// What times are counted from.
fn since(context: &Context) -> String {
    match context.lost.len() {
        0 => "after the start".into(),
        _ => format!("after {} declared dead", first_is(context)),
    }
}

/// "All 898 blocks are safe".
fn subject(now: &VariantRuns) -> String {
    let (least, most) = (least(now, Run::blocks_affected), most(now, Run::blocks_affected));
    match (least, most) {
        (1, 1) => "The one block is safe".into(),
        (least, most) if least == most => format!("All {} are safe", count(most, "block")),
        _ => "All blocks are safe".into(),
    }
}

/// The line below: what else became of the blocks, the range over seeds, the time before.
pub fn sub(context: &Context, now: &VariantRuns) -> Sentence {
    let mut sub = reasons(context, now);
    if let Some(recoveries) = now.recoveries().filter(|all| !all.is_empty()) {
        let stat = stat(&recoveries);
        if most(now, Run::blocks_lost) > 0 {
            let (time, since) = (duration(stat.mean), since(context));
            let text = format!("All others are safe again {time} {since}.");
            sub = sub.then(Sentence::new().say(text));
        }
        let seeds = recoveries.len();
        if stat.mean > 0.0 && seeds > 1 {
            let text = format!("{} over {seeds} seeds.", range(stat.min, stat.max));
            sub = sub.then(Sentence::new().say(text));
        }
    }
    sub.then(detection(context, now))
}

fn detection(context: &Context, now: &VariantRuns) -> Sentence {
    if most(now, Run::blocks_affected) == 0 {
        return Sentence::new();
    }
    let detections: Option<Vec<f64>> =
        now.runs.iter().map(|run| run.metrics.get("detection_s").copied()).collect();
    match detections.filter(|all| !all.is_empty()).map(|all| stat(&all).mean) {
        Some(mean) if mean >= 1e-3 => {
            let time = duration(mean);
            let before = if now.recoveries().is_some() { " before that" } else { "" };
            let whom = if context.lost.len() > 1 { "the first" } else { "it" };
            let text = format!("HDFS needs {time}{before} to declare {whom} dead.");
            Sentence::new().say(text)
        }
        _ => Sentence::new(),
    }
}

/// Whether fewer nodes live than a block wants replicas: then no setting holds anything up.
pub fn too_few_nodes(context: &Context, now: &VariantRuns) -> bool {
    now.recoveries().is_none() && now.runs.iter().any(|run| run.live_nodes < context.replication)
}

/// Why it does not end.
fn reasons(context: &Context, now: &VariantRuns) -> Sentence {
    if now.recoveries().is_some() || most(now, Run::blocks_unsafe) == 0 {
        return Sentence::new();
    }
    if too_few_nodes(context, now) {
        let live = now.runs.iter().map(|run| run.live_nodes).min().unwrap_or(0);
        let nodes = match live {
            1 => "One live node".into(),
            n => format!("{} live nodes", capital(&small_number(n as usize))),
        };
        let copies = small_number(context.replication as usize);
        return Sentence::new().say(format!("{nodes} cannot hold {copies} replicas of a block."));
    }
    let done = now.runs.iter().filter(|run| run.recovery_s().is_some()).count();
    let all = now.runs.len();
    match done {
        0 if all == 1 => Sentence::new().say("The run ended first."),
        0 => Sentence::new().say(format!("No seed of {all} became safe.")),
        _ => Sentence::new().say(format!("{done} of {all} seeds became safe.")),
    }
}

/// "dn-r2-05", "a and b", "3 nodes".
pub fn names(context: &Context) -> String {
    let names: Vec<String> = context.lost.iter().map(|lost| lost.name.clone()).collect();
    match names.len() {
        0 => "the node".into(),
        1 | 2 => crate::words::list(&names),
        n => count(n as u64, "node"),
    }
}

fn verb(context: &Context) -> &'static str {
    if context.lost.len() > 1 { "are" } else { "is" }
}

/// "dn-r2-05 is": the subject of the verdict where nothing is declared.
fn is(context: &Context) -> String {
    format!("{} {}", capital_unless_name(context), verb(context))
}

fn capital_unless_name(context: &Context) -> String {
    if context.lost.is_empty() { capital(&names(context)) } else { names(context) }
}

/// "dn-r2-05 is", "the first of a and b is": times are counted from the first declaration.
fn first_is(context: &Context) -> String {
    match context.lost.len() {
        0 | 1 => format!("{} is", names(context)),
        _ => format!("the first of {} is", names(context)),
    }
}

fn most(now: &VariantRuns, of: impl Fn(&Run) -> u64) -> u64 {
    now.runs.iter().map(of).max().unwrap_or(0)
}

fn least(now: &VariantRuns, of: impl Fn(&Run) -> u64) -> u64 {
    now.runs.iter().map(of).min().unwrap_or(0)
}
