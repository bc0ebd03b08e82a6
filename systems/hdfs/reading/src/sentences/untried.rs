//! *Do* of a run without others: which setting to try, or that none is worth it.
use super::gains::Gains;
use crate::attribution::{AttributionKind, Held};
use crate::context::Context;
use crate::run::VariantRuns;
use crate::shares;
use crate::spans::Sentence;
use crate::stat::{SAME, stat};
use crate::words::{decimals, duration_with, percent};
use page::Do;

/// The setting that is waited for most of those without which as much is gained as without any;
/// `None` where no replay tells.
pub fn untried(context: &Context, now: &VariantRuns, gains: &Gains) -> Option<Do> {
    let times: Vec<f64> = now.runs.iter().filter_map(|run| run.recovery_s()).collect();
    let recovery = (!times.is_empty()).then(|| stat(&times).mean)?;
    let held = shares::of_variant(now).shares;
    let settings = held.iter().filter(|held| held.kind == AttributionKind::Setting);
    let known: Vec<(&Held, f64)> =
        settings.filter_map(|held| Some((held, gains.without(held)?))).collect();
    let most = known.iter().map(|(_, gain)| *gain).reduce(f64::max)?;
    if !Gains::is_any(most) {
        return Some(Do {
            point: Sentence::new().strong("Nothing to change.").done(),
            more: Sentence::new().say("Replayed without each setting, none gains 5 %.").done(),
            command: None,
        });
    }
    let (held, gain) = known.into_iter().find(|(_, gain)| *gain >= most - SAME)?;
    let key = held.holder.split(" = ").next().unwrap_or_default();
    let end = duration_with(recovery * (1.0 - gain), decimals(recovery));
    Some(Do {
        point: Sentence::new()
            .strong("Try other values of ")
            .key(key)
            .strong(format!(": without it {end}, {} less.", percent(gain)))
            .done(),
        more: Sentence::new().say("That is the most that a value can gain.").done(),
        command: compare(context, &held.holder),
    })
}

/// Rows with twice and four times the value; `None` where that is no number of a site file.
fn compare(context: &Context, holder: &str) -> Option<String> {
    let (key, value) = holder.split_once(" = ")?;
    let value: u64 = value.parse().ok().filter(|_| key.starts_with("dfs."))?;
    // As it was typed: its folder is part of it.
    let mut words = context.command.split(' ');
    let file = words.find(|word| word.ends_with(".toml")).unwrap_or(&context.file);
    let (double, more) = (2 * value, 4 * value);
    Some(format!("tenbin compare {file} --vary hdfs-site.{key}={double},{more} -o compared"))
}
