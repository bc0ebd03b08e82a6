//! Objectives, figures and differences as text.
use crate::figures::Difference;
use page::words::{NB, decimals, duration, num};
use page::{Kind, Sentence, say};
use trace::Better;
use trace::reading::{Objective, Reading, Role};

/// Units in names of metrics: `makespan_s`, `goodput_mbit`, `job_s_mean`.
const UNITS: [&str; 3] = ["s", "ms", "mbit"];

/// A value with its noun: "326 writes/s", "41.3 s makespan", "323 s job mean".
pub fn with_noun(objective: &Objective, value: f64) -> String {
    let metric = objective.metric.as_str();
    if let Some(what) = metric.strip_suffix("_per_s") {
        return format!("{} {}/s", figure(value), what.replace('_', " "));
    }
    let value = page::Unit::from(objective.unit.as_str()).write(value);
    format!("{value} {}", measured(objective))
}

/// The noun of an objective without its unit: "job mean", "makespan", "writes".
pub(crate) fn measured(objective: &Objective) -> String {
    let metric = objective.metric.trim_end_matches("_per_s");
    let words = metric.split('_').filter(|word| !UNITS.contains(word));
    words.collect::<Vec<&str>>().join(" ")
}

/// "29 ± 11 s", without the noun.
pub(crate) fn interval(objective: &Objective, value: f64, ci95: Option<f64>) -> String {
    // The name of a rate states its unit.
    let unit = match objective.unit.as_str() {
        "" | "1/s" => String::new(),
        unit => format!("{NB}{unit}"),
    };
    let digits = decimals(value);
    let interval = ci95.map_or(String::new(), |ci95| format!("{NB}±{NB}{}", num(ci95, digits)));
    format!("{}{interval}{unit}", num(value, digits))
}

/// "No write ended for 4 min, from 12 s on."; empty if operations ended all the time.
pub fn stall(reading: &Reading) -> Sentence {
    let Some(stall) = &reading.stall else { return Sentence::default() };
    say(format!(
        "No {} ended for {}, from {} on.",
        stall.operation,
        duration(stall.took_s()),
        duration(stall.from_s)
    ))
}

pub fn hue(role: Role) -> Kind {
    match role {
        Role::Setting => Kind::Setting,
        Role::Disk => Kind::Disk,
        Role::Network => Kind::Network,
        Role::Cpu | Role::Store | Role::Memory => Kind::Cpu,
        Role::Slot | Role::Wait => Kind::Wait,
        Role::Unexplained => Kind::Unexplained,
    }
}

pub fn word(difference: Difference) -> &'static str {
    match difference {
        Difference::Better => "better",
        Difference::Worse => "worse",
        Difference::None => "no difference",
        Difference::Open => "not decided",
    }
}

pub fn direction(better: Better) -> &'static str {
    match better {
        Better::Less => "less is better",
        Better::More => "more is better",
    }
}

/// "61 700": at least three significant digits.
pub fn figure(value: f64) -> String {
    num(value, if value.abs() >= 100.0 { 0 } else { page::words::decimals(value) })
}
