//! *Do* and *Not enough*.
use super::short;
use crate::advice::{Apply, Change, apply, change, real_key, recommended};
use crate::attribution::{AttributionKind, Held};
use crate::context::Context;
use crate::report::{Do, Variant, Verdict};
use crate::run::VariantRuns;
use crate::shares;
use crate::spans::Sentence;
use crate::words::{capital, decimals, difference, duration, duration_with, num, percent};

/// Variants that *Not enough* names.
const NAMED: usize = 4;
/// A holder is the next limit if its wait grows by this part of the new recovery.
const GROWS: f64 = 0.05;
/// A spread of receiving or sending is evened out if max/mean falls by this factor.
const EVENS_OUT: f64 = 0.8;

/// What the proposed variant brings, and what applying it takes.
pub fn doing(context: &Context, variants: &[VariantRuns], rows: &[Variant]) -> Option<Do> {
    let best = recommended(rows)?;
    let (variant, row) = (&variants[best], &rows[best]);
    let recovery = row.recovery_s?.mean;
    let brings = match row.against_now {
        Some(against) => {
            let digits = decimals(rows[0].recovery_s?.mean);
            let gain = difference(against.mean, against.ci95, digits);
            format!(": {}, {gain}.", duration_with(recovery, digits))
        }
        None => format!(": all blocks are safe after {}.", duration(recovery)),
    };
    let is_policy = change(variant) == Change::Policy;
    let mut point = Sentence::new().strong(if is_policy { "Use " } else { "Set " });
    for (place, (key, value)) in variant.set.iter().enumerate() {
        let between = match place {
            0 => "",
            _ if place + 1 == variant.set.len() => " and ",
            _ => ", ",
        };
        let real = real_key(key);
        let name = if place > 0 { short(real) } else { real.into() };
        point = point.strong(between).key(format!("{name} = {value}"));
    }
    let (how, command) = applying(context, variant, is_policy);
    Some(Do {
        point: point.strong(brings).done(),
        more: busiest(&rows[0], row).then(Sentence::new().say(how)).done(),
        command,
    })
}

fn busiest(now: &Variant, then: &Variant) -> Sentence {
    let disk = |row: &Variant| row.metrics.get("busiest_disk").map(|stat| stat.mean);
    let (Some(before), Some(after)) = (disk(now), disk(then)) else { return Sentence::new() };
    let (before, after) = (percent(before), percent(after));
    if before == after {
        return Sentence::new();
    }
    Sentence::new().say(format!("The busiest disk goes from {before} to {after}."))
}

fn applying(context: &Context, variant: &VariantRuns, policy: bool) -> (String, Option<String>) {
    if policy {
        return ("Needs this policy as a plug-in of the NameNode.".into(), None);
    }
    match apply(variant) {
        Apply::Live => {
            let host = context.namenode.as_deref().unwrap_or("HOST:PORT");
            (
                "Takes effect without a restart.".into(),
                Some(format!("hdfs dfsadmin -reconfig namenode {host} start")),
            )
        }
        Apply::LiveDataNodes => (
            "Takes effect without a restart, on each DataNode.".into(),
            Some("hdfs dfsadmin -reconfig datanode livenodes start".into()),
        ),
        Apply::NameNode => ("Takes effect after a restart of the NameNode.".into(), None),
        Apply::DataNodes => ("Takes effect after a restart of every DataNode.".into(), None),
    }
}

/// What does not help enough, and which limit comes next.
pub fn not_enough(variants: &[VariantRuns], rows: &[Variant]) -> Sentence {
    let best = recommended(rows);
    // Another cluster is a question, whose answer stands in the table.
    let proposal = |&i: &usize| Some(i) != best && change(&variants[i]) != Change::World;
    let others: Vec<usize> = (1..rows.len()).filter(proposal).collect();
    let mut all = Sentence::new();
    for &place in others.iter().take(NAMED) {
        all = all.then(other(variants, rows, place));
    }
    if others.len() > NAMED {
        let more = others.len() - NAMED;
        all = all.then(Sentence::new().say(format!("{more} more in the table.")));
    }
    all
}

fn other(variants: &[VariantRuns], rows: &[Variant], place: usize) -> Sentence {
    let row = &rows[place];
    let name = Sentence::new().say(capital(&row.name));
    let (Some(recovery), Some(now)) = (row.recovery_s, rows[0].recovery_s) else {
        return match row.recovery_s {
            Some(stat) => name.say(format!(": safe after {}.", duration(stat.mean))),
            None => name.say(": not all blocks become safe."),
        };
    };
    let Some(against) = row.against_now else { return Sentence::new() };
    let digits = decimals(now.mean);
    let change = difference(against.mean, against.ci95, digits);
    match against.verdict {
        Verdict::NoDifference => {
            let also = evens_out(&rows[0], row);
            name.say(format!(": no difference ({change}){also}."))
        }
        Verdict::Slower => name.say(format!(": slower ({change}).")),
        Verdict::Faster => {
            let sentence = name.say(format!(": {}", duration_with(recovery.mean, digits)));
            match next_limit(&variants[0], &variants[place]) {
                None => sentence.say("."),
                Some((held, share)) => {
                    let sentence = sentence.say(", then ");
                    let sentence = match held.kind {
                        AttributionKind::Setting => {
                            sentence.key(short(held.holder.split(" = ").next().unwrap_or("")))
                        }
                        _ => sentence.say(held.holder.to_lowercase()),
                    };
                    sentence.say(format!(" holds up {}.", percent(share)))
                }
            }
        }
    }
}

/// The holder whose waited time grew most against now, and its share.
fn next_limit(now: &VariantRuns, then: &VariantRuns) -> Option<(Held, f64)> {
    let (before, after) = (shares::of_variant(now), shares::of_variant(then));
    // A changed value makes another name of the same key.
    let name = |held: &Held| held.holder.split(" = ").next().unwrap_or("").to_string();
    let was = |held: &Held| {
        let same = before.shares.iter().find(|other| name(other) == name(held));
        same.map_or(0.0, |other| other.waited_s)
    };
    let known = after.shares.iter().filter(|held| held.kind != AttributionKind::Unexplained);
    let grown = known.map(|held| (held.waited_s - was(held), held));
    let (growth, held) = grown.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (growth >= GROWS * after.total_s).then(|| (held.clone(), held.share))
}

/// "; it only evens out who receives (1.03 after 2.00)".
fn evens_out(now: &Variant, then: &Variant) -> String {
    let mut evened = Vec::new();
    for (name, metric) in [("sends", "send_max_over_mean"), ("receives", "receive_max_over_mean")] {
        let of = |row: &Variant| row.metrics.get(metric).map(|stat| stat.mean);
        if let (Some(before), Some(after)) = (of(now), of(then))
            && after - 1.0 <= EVENS_OUT * (before - 1.0)
            && before >= 1.2
        {
            let (from, to) = (num(before, 2), num(after, 2));
            evened.push(format!("who {name} (max/mean {to}, now {from})"));
        }
    }
    match evened.is_empty() {
        true => String::new(),
        false => format!("; it only evens out {}", crate::words::list(&evened)),
    }
}
