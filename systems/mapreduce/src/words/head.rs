//! The head of a job's page: its verdict.
use crate::plain::{printable, printable_whole, when};
use crate::why::Verdict;
use crate::why::causes;
use crate::why::{Evidence, FLOOR_DISK, FLOOR_NIC, Floor, JobExplanation, Remedy};
use page::words::{NB, bytes, count, duration, num, percent};
use page::{AssumedRow, Certainty, Head, Kind, Sentence, say, strong};

/// A headline mentions unexplained time from this fraction of task time, and from this time \[s\].
const OPEN: f64 = 0.5;
const OPEN_S: f64 = 30.0;

/// A single sentence with a single number.
pub fn verdict(why: &JobExplanation) -> Sentence {
    let Some(first) = why.verdicts.first() else {
        return say("The history has no cause of delay.");
    };
    let known = !why.name.is_empty();
    let name = if known { printable(&why.name) } else { "The job".into() };
    let so_far = if why.status == "UNKNOWN" { " so far" } else { "" };
    let took = format!("{}{so_far}", duration(why.job.duration_s()));
    let by = printable(&first.by);
    if first.ended_it {
        let ended = if first.cause == causes::job_killed::NAME { "was killed" } else { "failed" };
        return match ended {
            "failed" => say(format!("{name} failed after "))
                .number(took)
                .say(format!(": {}.", by.trim_end_matches('.'))),
            _ => say(format!("{name} was ended after "))
                .number(took)
                .say(format!(" by {by}; {}.", none_failed(why))),
        };
    }
    if first.cause == causes::UNEXPLAINED {
        let (kind, times) = spans(why);
        return say(format!("The {kind} took {times} each, and the counters leave "))
            .number(percent(why.unexplained_share))
            .say(" of task time unexplained: it points to CPU starvation.");
    }
    if first.cause == causes::clocks::NAME {
        return say(format!("{name} took "))
            .number(took)
            .say(format!(", but no cause can be named: {by}."));
    }
    if first.cause == causes::nothing::NAME {
        let end = if so_far.is_empty() { " in total." } else { "." };
        let nothing = say("Nothing stands out: ").say(by).say("; ").number(took).say(end);
        let open = why.unexplained_share;
        return match open >= OPEN && open * why.job.duration_s() >= OPEN_S {
            false => nothing,
            true => nothing.say(format!(
                " The counters leave {} of task time unexplained: curves of the nodes show the \
                 cause (tenbin import node-curves).",
                percent(open)
            )),
        };
    }
    say(format!("{name} was held up by {by}: about "))
        .number(percent(first.share))
        .say(format!(" of its {took}."))
}

fn none_failed(why: &JobExplanation) -> String {
    match why.failed {
        0 => "no attempt failed".into(),
        n => format!("{} failed", count(n, "attempt")),
    }
}

/// "maps", "25–30 s".
fn spans(why: &JobExplanation) -> (&'static str, String) {
    let of = |kind: &str| -> Vec<f64> {
        why.job
            .attempts()
            .filter(|a| a.kind == kind && a.run.is_some())
            .map(|a| a.duration_s())
            .collect()
    };
    let (maps, reduces) = (of("MAP"), of("REDUCE"));
    let (name, all) = if maps.is_empty() { ("reduces", reduces) } else { ("maps", maps) };
    let low = all.iter().copied().fold(f64::INFINITY, f64::min).min(f64::MAX);
    let high = all.iter().copied().fold(0.0, f64::max);
    let whole = (10.0..600.0).contains(&high);
    let times = match whole {
        true if num(low, 0) != num(high, 0) => format!("{}–{}{NB}s", num(low, 0), num(high, 0)),
        true => format!("{}{NB}s", num(high, 0)),
        false => page::words::range(low, high),
    };
    (name, times)
}

pub(super) fn of(why: &JobExplanation, crumbs: Vec<String>) -> Head {
    let certainty = match why.verdicts.first() {
        Some(first) => match first.certainty {
            "high" => Certainty::high("counters and logged durations."),
            "medium" => Certainty::medium("two independent clues, no logged duration."),
            _ => Certainty::low("clues do not agree."),
        },
        None => Certainty::low("too little data."),
    };
    let mut head = Head::new(crumbs, verdict(why), certainty);
    for fact in facts(why) {
        head = head.fact(fact)
    }
    for note in &why.notes {
        head = head.tag(printable_whole(note))
    }
    if why.floor.is_insignificant() && why.job.ended_time() > 0.0 {
        head = head.subline(say(format!(
            "Neither disk nor network: the counted bytes need {} of task time on disks, {} on the \
             network, at the assumed rates.",
            small(why.floor.disk),
            small(why.floor.nic)
        )))
    }
    for verdict in why.verdicts.iter().take(3) {
        let text = match verdict.cause.as_str() {
            causes::nothing::NAME => strong("Nothing stands out").say(format!(": {}", verdict.by)),
            causes::clocks::NAME => strong("Clocks").say(format!(": {}", verdict.holder)),
            causes::UNEXPLAINED => strong("Unexplained").say(format!(
                ", 0 to {} of the job: {}",
                percent(verdict.share_high),
                printable(&verdict.holder)
            )),
            "slow-start" => strong(format!("at most {}", percent(verdict.share_high)))
                .say(" ")
                .key(verdict.holder.clone()),
            cause if verdict.ended_it => {
                strong(capital(cause)).say(format!(": {}", printable(&verdict.holder)))
            }
            cause => strong(capital(cause)).say(format!(
                ", about {}, at most {}: {}",
                percent(verdict.share),
                percent(verdict.share_high),
                printable(&verdict.holder)
            )),
        };
        head = head.held_up(hue(&verdict.cause), text);
        if verdict.cause == causes::UNEXPLAINED {
            for Evidence { source, says, .. } in verdict.evidence.iter().skip(1) {
                head = head.clue(say(printable(says)), Some(source))
            }
        }
    }
    assumed(&why.floor, add_advice(why, head))
}

/// Adds advice on the first cause, its gain, and what would confirm it.
pub(super) fn add_advice(why: &JobExplanation, head: Head) -> Head {
    let Some(first) = why.verdicts.first() else { return head };
    let surer = first.confirmation;
    let command = "tenbin import node-curves sadf.json --into run/";
    let command = surer.contains("node curves").then_some(command);
    match (first.remedy.is_none(), surer) {
        (true, "") => head,
        (true, surer) => head.doing(say(format!("To be sure, add {surer}.")), "", command),
        (false, surer) => head.doing(remedy(&first.remedy), brings(first, surer), command),
    }
}

/// "Set 4 reduces: `mapreduce.job.reduces`."
fn remedy(remedy: &Remedy) -> Sentence {
    let what = say(printable(&remedy.what));
    match remedy.key {
        "" => what.say("."),
        key => what.say(": ").key(key).say("."),
    }
}

/// The gain of a change, and what would confirm the cause.
fn brings(verdict: &Verdict, surer: &str) -> Sentence {
    let gain = when(verdict.share > 0.0, || {
        format!(
            "Gain: about {} of the job’s time, at most {}.",
            percent(verdict.share),
            percent(verdict.share_high)
        )
    });
    match surer {
        "" => say(gain),
        surer => say(format!("{gain} To confirm it: {surer}.")),
    }
}

fn capital(text: &str) -> String {
    page::words::capital(text)
}

/// "0.3 %", "0.01 %"
fn small(share: f64) -> String {
    let digits = if share < 0.001 { 2 } else { 1 };
    format!("{}{NB}%", num(100.0 * share, digits))
}

pub(super) fn hue(cause: &str) -> Kind {
    match cause {
        "disk" | "slow source" => Kind::Disk,
        "network" | "shuffle" => Kind::Network,
        "CPU" | "GC" => Kind::Cpu,
        "slow-start" | "early reduces" | "spills" | "few reduces" | "small splits" => Kind::Setting,
        "failed attempts" | "lost node" | "lost map outputs" | "job killed" | "job failed"
        | "AM restart" => Kind::Risk,
        causes::UNEXPLAINED | causes::nothing::NAME | causes::clocks::NAME => Kind::Unexplained,
        _ => Kind::Wait,
    }
}

fn facts(why: &JobExplanation) -> Vec<Sentence> {
    let job = &why.job;
    let said = match why.status.as_str() {
        "SUCCEEDED" => "succeeded".to_string(),
        "UNKNOWN" => "has no end in its history".to_string(),
        other => other.to_lowercase(),
    };
    let name = if why.name.is_empty() { &why.id } else { &why.name };
    let nodes: std::collections::BTreeSet<_> = job.attempts().filter_map(|a| a.node).collect();
    let mut facts = vec![
        strong(printable(name)).say(format!(" {said} in {}", duration(job.duration_s()))),
        say(format!("{}, {}", count(why.maps, "map"), count(why.reduces, "reduce"))),
        say(count(nodes.len() as u64, "node")),
    ];
    if !job.queue.is_empty() {
        facts.push(say(format!("queue {}", printable(&job.queue))))
    }
    facts.push(say(attempts(why).join(", ")));
    if why.maps > 0 {
        facts.push(say(local(why, "maps local")))
    }
    facts
}

/// Adds the assumed rates, with the minimum times at half and double these rates.
pub(super) fn assumed(floor: &Floor, head: Head) -> Head {
    let row = |name: &str, rate: f64, key: &str, share: f64| AssumedRow {
        name: name.into(),
        value: format!("{}/s", bytes(rate)),
        key: key.into(),
        half: Some(2.0 * share),
        now: share,
        double: Some(share / 2.0),
    };
    let rows = vec![
        row("Disk", FLOOR_DISK, "hardware.disk", floor.disk),
        row("NIC", FLOOR_NIC, "hardware.nic", floor.nic),
    ];
    let half = floor.disk < 0.1 && floor.nic < 0.1;
    let same = half == floor.is_insignificant();
    let note = say("Least time for the counted bytes, % of task time. ");
    let note = match same {
        true => note.strong("Same verdict at half and double."),
        false => note.strong("At half the rate the verdict differs."),
    };
    head.assumed("%", note.say(" Below 20 %, neither is blamed."), rows)
}

pub(super) fn attempts(why: &JobExplanation) -> Vec<String> {
    let killed = match why.stopped {
        0 => format!("{} killed", why.killed),
        stopped if stopped == why.killed => format!("{stopped} killed with the job"),
        stopped => format!("{} killed, {stopped} of them with the job", why.killed),
    };
    let running = (why.running > 0).then(|| format!("{} still running", why.running));
    [format!("{} failed", why.failed), killed].into_iter().chain(running).collect()
}

/// "24/24 maps local", or that it is not recorded.
pub(super) fn local(why: &JobExplanation, what: &str) -> String {
    match why.data_local {
        Some(_) if why.placed == 0 => format!("{what}: no map has its input on a node"),
        Some(local) => format!("{local}/{} {what}", why.placed),
        None => format!("{what}: unknown"),
    }
}
