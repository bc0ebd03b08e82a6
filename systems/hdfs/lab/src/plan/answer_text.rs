//! A plan's answer on the terminal.
use super::amounts::{duration, in_seconds, ms, slower, time};
use super::answer::{Answer, PointResult};
use super::fragment::{Place, Site};
use super::jar;
use super::knob::Knob;
use super::risk::{self, Detection};
use super::{runbook, tested_assumptions, unrepairable};
use std::fmt::Write;
use std::path::Path;

/// Input of the text in addition to the answer.
#[derive(Clone, Copy, Default)]
pub struct AnswerContext<'a> {
    /// "dn-r2-05 is lost"
    pub event: &'a str,
    pub place: Place<'a>,
    /// Folder of the results.
    pub folder: Option<&'a Path>,
    /// If the loss is detected by a node's silence.
    pub detection: Option<Detection>,
    /// Assumptions that were tested.
    pub assumed: Option<&'a tested_assumptions::TestedAssumptions>,
    /// Nothing is lost: nodes leave or enter maintenance.
    pub leaves: bool,
}

/// The answer, at most a screenful.
pub fn text(answer: &Answer, case: AnswerContext<'_>) -> String {
    let (mut text, now, best) = (String::new(), &answer.now, answer.recommended());
    if now.recovery.is_some_and(|s| s.max == 0.0) {
        return nothing(answer, case);
    }
    let headline = risk::headline(now, case.event, case.leaves, case.detection);
    let _ = writeln!(text, "{headline}{}.", held(now));
    lost(&mut text, answer);
    risk::last_copy(&mut text, answer, case.leaves);
    unnoticed(&mut text, answer);
    if best.point != now.point {
        let name = best.point.name(&now.point);
        let clients = match slower(best) {
            cost if cost.is_empty() => cost,
            cost => format!(", clients' 99th percentile {cost}"),
        };
        let _ = writeln!(text, "Recommended: {name}, {}{clients}{}.", time(best), held(best));
        if let Some(knee) = &answer.knee {
            let _ = writeln!(text, "{knee}");
        }
        for line in unproven_lines(answer) {
            let _ = writeln!(text, "{line}.");
        }
    } else if answer.met_now {
        let _ = writeln!(text, "The present settings meet the goals.");
    } else {
        let so_far = so_far(answer);
        let _ = writeln!(
            text,
            "No tried setting{so_far} is faster by 5 % and beyond chance{}.",
            met(answer)
        );
        if let Some(seems) = &answer.undecided {
            let name = seems.point.name(&now.point);
            let _ = writeln!(
                text,
                "{name} looks faster: {}; {} seeds are too few to exclude chance.",
                time(seems),
                seems.seeds()
            );
        }
    }
    goals(&mut text, answer);
    if let Some(faster) = faster_settings(answer).filter(|_| answer.ladder().len() < 3) {
        let _ = writeln!(text, "{faster}");
    }
    text.push('\n');
    ladder(&mut text, answer);
    let folder = case.folder.unwrap_or(Path::new(""));
    text.push_str(&runbook::runbook(answer, case.place, &Site::default()).text(folder));
    if let Some(key) = answer.settings.limiting_key() {
        let _ = writeln!(text, "{key} was not tried: a plan does not change this key.");
    }
    text.push('\n');
    risk::detection(&mut text, answer, case.detection);
    if let Some(assumed) = case.assumed {
        tested_assumptions::text(&mut text, answer, assumed)
    }
    research(&mut text, answer);
    foreground(&mut text, answer);
    tried(&mut text, answer);
    text
}

/// Settings faster than the recommended ones, and their cost for clients.
pub fn faster_settings(answer: &Answer) -> Option<String> {
    let faster = answer.faster.as_ref()?;
    let name = faster.point.name(&answer.now.point);
    let cost = if answer.before_p99.is_some() { slower(faster) } else { String::new() };
    let cost = if cost.is_empty() { cost } else { format!(", clients {cost}") };
    Some(format!("Faster still: {name}, {}{cost}.", time(faster)))
}

/// Time before the last loss is detected.
fn unnoticed(text: &mut String, answer: &Answer) {
    let (now, best) = (&answer.now, answer.recommended());
    let Some(seconds) = answer.unnoticed else { return };
    let time = duration(seconds, None);
    let left = |tried: &PointResult| {
        tried.recovery.map_or("for ever".into(), |s| duration(s.mean - seconds, None))
    };
    let then = match best.point == now.point {
        true => String::new(),
        false => format!(", {} as recommended", left(best)),
    };
    let _ = writeln!(
        text,
        "Of this, {time} pass before detection of the last loss, which no setting here shortens. \
         The rest: {}{then}.",
        left(now)
    );
}

/// Text if no copy is needed.
fn nothing(answer: &Answer, case: AnswerContext<'_>) -> String {
    let mut text = match case.leaves {
        true => format!("{} now; nothing needs copying.\n", can_leave(case.event)),
        false => format!("{}: nothing needs copying.\n", case.event),
    };
    lost(&mut text, answer);
    text
}

/// "dn-r2-05 leaves" → "dn-r2-05 can leave".
fn can_leave(what: &str) -> String {
    what.replace(" leaves", " can leave").replace(" leave", " can leave").replace("can can", "can")
}

fn goals(text: &mut String, answer: &Answer) {
    if answer.open {
        let _ = writeln!(
            text,
            "One seed of the present settings does not show whether any setting meets the goals."
        );
        return;
    }
    if let Some(within) = answer.goals.within {
        let _ = writeln!(text, "{}", deadline(answer, within));
    }
    if let Some(most) = answer.goals.slowdown {
        let _ = writeln!(text, "{}", gentle(answer, most));
    }
}

/// A line for each recommended change without a proven gain.
pub fn unproven_lines(answer: &Answer) -> Vec<String> {
    let line = |knob: &Knob| {
        format!("Not shown: a gain of {} ({})", knob.key(), "no run without it, or too few seeds")
    };
    answer.unproven.iter().map(line).collect()
}

/// After Ctrl-C further points might be better.
fn so_far(answer: &Answer) -> &'static str {
    if answer.interrupted { " so far" } else { "" }
}

/// If a goal prevents faster settings from being recommended.
fn met(answer: &Answer) -> &'static str {
    if answer.goals.slowdown.is_some() { " and as gentle to clients" } else { "" }
}

fn lost(text: &mut String, answer: &Answer) {
    unrepairable::beyond_nodes(text, answer.now.runs());
    let Some(loss) = &answer.now.loss else { return };
    let (most, seeds) = (loss.blocks.max, answer.now.seeds());
    let count = match (most, loss.blocks.min == most) {
        (1.0, _) => "1 block".to_string(),
        (_, true) => format!("{most:.0} blocks"),
        _ => format!("Up to {most:.0} blocks"),
    };
    let (one, times) = (most == 1.0, "All times are of the repairable blocks.");
    let are = match (answer.resting, one) {
        (0, true) => "is lost",
        (0, false) => "are lost",
        (_, true) => "has no live replica left in service",
        _ => "have no live replica left in service",
    };
    let why = match answer.resting {
        0 => "no live replica is left, and no setting restores them".to_string(),
        n => format!("no setting restores them{}", return_note(n)),
    };
    let _ = writeln!(text, "{count} {are}, in {} of {seeds} seeds: {why}. {times}", loss.seeds);
}

/// Replicas in maintenance are no sources but still exist.
pub fn return_note(nodes: usize) -> String {
    match nodes {
        1 => ", except replicas on the node in maintenance, which return with it".into(),
        n => format!(", except replicas on {n} nodes in maintenance, which return with these"),
    }
}

fn research(text: &mut String, answer: &Answer) {
    let Some(plugin) = &answer.plugin else { return };
    let policy = &plugin.point.policy;
    let without = answer.without.as_ref().filter(|tried| tried.recovery.is_some());
    let alone = without.map(|t| format!("; its settings alone: {}", time(t))).unwrap_or_default();
    let _ = writeln!(
        text,
        "Research: {} would take {}{alone}. HDFS has no code for {policy}{} \
         (systems/hdfs/docs/policies.md).",
        plugin.point.name(&answer.now.point),
        time(plugin),
        jar::note(policy)
    );
}

/// Steps from the present settings to the fastest, with their costs.
fn ladder(text: &mut String, answer: &Answer) {
    let steps = answer.ladder();
    if steps.len() < 3 {
        return;
    }
    text.push_str("Steps, with prices:\n");
    let now = &answer.now.point;
    let names: Vec<String> = steps.iter().map(|step| step.point.name(now)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (step, name) in steps.iter().zip(&names) {
        let clients = match slower(step) {
            cost if cost.is_empty() => String::new(),
            cost => format!("  clients {cost}"),
        };
        let copies = match step.last_copy {
            Some(last) if answer.last_copy => {
                format!("  one replica until {}", duration(last.mean, Some(last.ci95)))
            }
            _ => String::new(),
        };
        let mark = if step.point == answer.settings.point { "  <- recommended" } else { "" };
        let _ = writeln!(text, "  {name:width$}  {:>14}{copies}{clients}{mark}", time(step));
    }
}

/// Clients' latency before the repair, now and as recommended; and the front.
fn foreground(text: &mut String, answer: &Answer) {
    if !answer.clients {
        let _ = writeln!(
            text,
            "Effect on jobs not estimated: add the clients' load with --foreground."
        );
        return;
    }
    let Some(before) = answer.before_p99 else {
        let _ = writeln!(text, "Foreground: too few requests for percentiles (at least 100).");
        return;
    };
    let before = ms(Some(before), answer.now.seeds());
    let _ = writeln!(text, "Foreground, 99th percentile: {before} without the repair");
    let rows = few(answer);
    let names: Vec<String> = rows.iter().map(|r| r.point.name(&answer.now.point)).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    for (row, name) in rows.iter().zip(names) {
        let holder = row.limiting.as_ref().map_or("", |(holder, _)| holder);
        let (p99, more) = (ms(row.p99, row.seeds()), slower(row));
        let _ =
            writeln!(text, "  {name:width$}  {p99:>16} {more:>12}  {:>16}  {holder}", time(row));
    }
}

/// Points of the front: present, recommended, fastest, gentlest, and one in between; the page has
/// all.
fn few(answer: &Answer) -> Vec<&PointResult> {
    let front = &answer.front;
    let between = front.get(front.len() / 2);
    let ends = [front.first(), between, front.last()].into_iter().flatten();
    let mut rows: Vec<&PointResult> = Vec::new();
    for tried in [&answer.now, answer.recommended()].into_iter().chain(ends) {
        if rows.iter().all(|row| row.point != tried.point) {
            rows.push(tried)
        }
    }
    rows
}

fn tried(text: &mut String, answer: &Answer) {
    let _ = writeln!(text, "{} points tried; report.html has them.", answer.tried);
    if !answer.fresh && answer.recommended().point != answer.now.point {
        let _ = writeln!(
            text,
            "The figures are from the seeds of the search: with others the gain may be a little \
             smaller."
        );
    }
    if answer.cut {
        let _ = writeln!(text, "The search stopped at its budget; better settings may exist.");
    }
    if answer.late {
        let _ = writeln!(
            text,
            "The time limit ended the search: a faster or less busy machine tries more."
        );
    }
    if answer.interrupted {
        let _ = writeln!(text, "Interrupted: the best result so far.");
    }
}

/// Why a change helps clients; else empty.
pub fn client_gain_reason(answer: &Answer) -> String {
    let (best, now) = (answer.recommended(), &answer.now);
    if !answer.clients || best.point == now.point {
        return String::new();
    }
    let Some(most) = answer.goals.slowdown else {
        return match (slower(best), slower(now)) {
            (with, before) if with.is_empty() || before.is_empty() => String::new(),
            (with, before) => format!(
                "Clients' 99th percentile is longer by {} during the repair, by {} with the \
                 present settings.",
                with.trim_start_matches('+'),
                before.trim_start_matches('+')
            ),
        };
    };
    format!(
        "Clients' 99th percentile is longer by {} during the repair, by {} with the present \
         settings; your limit is {:.0} %{}.",
        slower(best).trim_start_matches('+'),
        slower(now).trim_start_matches('+'),
        100.0 * most,
        match answer.is_gentle() {
            true => "",
            false if answer.open => "; one seed does not show whether the limit is met",
            false => ", which no tried setting meets",
        }
    )
}

fn gentle(answer: &Answer, most: f64) -> String {
    let (best, most) = (answer.recommended(), format!("{:.0} %", 100.0 * most));
    if !answer.clients {
        return format!("The slowdown of clients ({most} at most) is unknown: no client load.");
    }
    if answer.is_gentle() {
        return format!("Clients' 99th percentile is longer by {most} at most: {}.", slower(best));
    }
    let now = slower(&answer.now);
    let gentlest = match best.point == answer.now.point {
        true => format!("No setting is gentler than now ({now}) beyond chance: nothing to change."),
        false => {
            let name = best.point.name(&answer.now.point);
            let one = if best.seeds() == 1 { " (one seed, possibly less)" } else { "" };
            let among = match (answer.interrupted, answer.cut) {
                (true, _) => " so far",
                (false, true) => " of those tried in time",
                _ => "",
            };
            let gentlest = "The fastest of the gentlest settings";
            format!("{gentlest}{among} is {name}: {}{one}, {now} now.", slower(best))
        }
    };
    format!(
        "No tried setting{} keeps the slowdown of clients within {most}{}. {gentlest}",
        so_far(answer),
        why(best)
    )
}

/// What prevents a better result: the resources that clients and copies share.
fn why(tried: &PointResult) -> String {
    let Some(busiest) = tried.busiest else {
        return ": clients and copies use the same disks and NICs".into();
    };
    format!(
        ": clients share disks and NICs with copies, even if these are mostly idle (mean use \
         during the repair: busiest disk {:.0} %, busiest NIC or uplink {:.0} %)",
        100.0 * busiest.disk,
        100.0 * busiest.network
    )
}

fn deadline(answer: &Answer, within: f64) -> String {
    let best = answer.recommended();
    if answer.is_in_time() {
        let close = answer.now.recovery.is_some_and(|s| s.mean <= within);
        let edge = if close { ", whose upper end is not" } else { "" };
        let was = match answer.met_now {
            true => String::new(),
            false => format!("; with the present settings {}{edge}", in_seconds(&answer.now)),
        };
        return format!("{} is within {within} s{was}.", in_seconds(best));
    }
    if let Some(other) = in_time_but_not_gentle(answer) {
        return format!(
            "No tried setting{} is both within {within} s and gentler to clients: {}, {}, is in \
             time, but slows clients by {}. The gentle settings take {}.",
            so_far(answer),
            other.point.name(&answer.now.point),
            time(other),
            slower(other),
            time(best)
        );
    }
    let fastest = answer.fastest.as_ref().unwrap_or(best);
    if fastest.in_time && answer.goals.slowdown.is_none() {
        return format!(
            "The present settings are at the edge of {within} s: {}. The fastest tried, {}, {}, is \
             within, but gains less than 1 %, or than chance.",
            in_seconds(&answer.now),
            fastest.point.name(&answer.now.point),
            in_seconds(fastest)
        );
    }
    let holder = fastest.limiting.as_ref().map_or("an unknown resource", |(holder, _)| holder);
    let name = fastest.point.name(&answer.now.point);
    let mean = |tried: &PointResult| tried.recovery.map_or(f64::INFINITY, |s| s.mean);
    let longer = 100.0 * (mean(best) / mean(fastest) - 1.0);
    let other = match fastest.point == best.point || answer.goals.slowdown.is_some() {
        true => String::new(),
        false => format!("; the recommended settings take {longer:.1} % longer and change less"),
    };
    format!(
        "No tried setting{} ends within {within} s: {} the limit. The fastest tried is {name}, \
         {}{other}.",
        so_far(answer),
        is_limit(holder),
        time(fastest)
    )
}

fn is_limit(holder: &str) -> String {
    match holder {
        "Disk" => "the disks are".into(),
        "NIC" => "the NICs are".into(),
        "Rack uplink" => "the rack uplinks are".into(),
        other => format!("{other} is"),
    }
}

/// The gentlest point that meets the deadline but not the goal for clients.
fn in_time_but_not_gentle(answer: &Answer) -> Option<&PointResult> {
    answer.goals.slowdown?;
    let in_time = answer.front.iter().filter(|tried| tried.in_time);
    let slow = |tried: &&PointResult| tried.slowdown.map_or(f64::INFINITY, |s| s.mean);
    in_time.min_by(|a, b| slow(a).total_cmp(&slow(b)))
}

fn held(tried: &PointResult) -> String {
    let of =
        |(holder, share): &(String, f64)| format!(", held up by {holder} ({:.0} %)", 100.0 * share);
    tried.limiting.as_ref().map(of).unwrap_or_default()
}
