//! Texts and pictures of HDFS's results: lost nodes and block copies.
use crate::about;
use crate::repair_run::RepairRun;
use crate::simulation::Hdfs;
use hdfs_reading::advice::{ApplyMode, apply_key, real_key};
use hdfs_reading::copies::with_copies;
use hdfs_reading::moments::Moments;
use hdfs_reading::sentences::{events, notes, verdict};
use hdfs_reading::{Context, Run, Stat, links, sections};
use hdfs_scenario::Scenario;
use hdfs_without::RemovedLimit;
use page::words::{decimals, duration_with, list, percent};
use page::{Page, Section, Sentence, Width, say};
use serde_json::{Map, Value, json};
use system::advice::Price;
use system::fleet::{self, Usage};
use system::lab::RowRuns;
use system::reporter::{Case, JsonScope, Reporter};
use system::vary::Set;
use trace::reading::Reading;

static PRICES: [Price; 3] = [
    Price::less("blocks_lost", "blocks lost", "").never(),
    Price::less("at_one_replica_s", "blocks at one replica for", "s"),
    Price::less("foreground_p99_ms", "99 of 100 client requests end in", "ms"),
];

impl Reporter for Hdfs {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        verdict::verdict(&context(case), &runs(&case.rows[0]))
    }

    fn subtitle(&self, case: &Case<'_>) -> Sentence {
        verdict::subline(&context(case), &runs(&case.rows[0]))
    }

    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        notes::facts(&context(case), case.trace, case.rows[0].runs.len())
    }

    fn prices(&self) -> &'static [Price] {
        &PRICES
    }

    fn savings(&self, case: &Case<'_>) -> Vec<(String, f64)> {
        let saved = saved(case.now());
        let held = case.now().held.iter();
        let gain = |holder: &str| {
            let away = saved.iter().filter(|(away, _)| away.is_holder(holder));
            away.map(|(_, saved)| *saved).reduce(f64::max)
        };
        let name = |holder: &str| holder.split(" = ").next().unwrap_or(holder).to_string();
        held.filter_map(|held| Some((name(&held.holder), gain(&held.holder)?))).collect()
    }

    fn sections(&self, case: &Case<'_>) -> Vec<Section> {
        let (trace, context) = (case.trace, context(case));
        let since = events::since_declaration(&context);
        let (now, of) = (runs(&case.rows[0]), case.first_run());
        let rows: Vec<(&str, &Run)> = case.rows.iter().filter_map(first).collect();
        let clients = sections::clients(&now, trace, (&of, &since));
        let is_lost = |rack: usize| context.lost.iter().any(|lost| lost.rack == trace.racks[rack]);
        let heat = fleet::heat(&usage(case), is_lost).width(Width::Most);
        let balance = sections::balance(&context, &rows, trace).width(Width::Third);
        clients.into_iter().chain([heat, balance]).chain(would_help(case)).collect()
    }

    fn pages(&self, case: &Case<'_>, mut page: Page) -> Page {
        let (trace, scenario) = (case.trace, Scenario::of(case.sheet));
        let context = context(case);
        let since = events::since_declaration(&context);
        if let (Some(doing), Some(command)) = (&mut page.head.r#do, applied(case, &context)) {
            doing.command = Some(command)
        }
        page.head.tags.extend(about::caveats(scenario));
        page.foot.provenance.extend(about::provenance(scenario));
        let fleet = with_copies(fleet::fleet(&usage(case), &since), trace);
        links::linked(page.fleet(fleet))
    }

    fn extra_json(&self, of: JsonScope<'_>) -> Map<String, Value> {
        let all = match of {
            JsonScope::Scenario(sheet) => {
                json!({ "block_map": about::block_map(Scenario::of(sheet)) })
            }
            JsonScope::Row(row) => row_json(row),
            JsonScope::Run(_) => Value::Null,
        };
        match all {
            Value::Object(all) => all,
            _ => Map::new(),
        }
    }
}

pub(crate) fn context(case: &Case<'_>) -> Context {
    let logged = case.trace.about("origin") == Some("logged");
    let blocks = RepairRun::of(&case.rows[0].runs[0]).blocks;
    Context { logged, ..about::context(Scenario::of(case.sheet), blocks) }
}

/// Use of disks and links from the declaration until the end of the repair.
fn usage<'a>(case: &'a Case<'_>) -> Usage<'a> {
    let moments = Moments::of(case.trace);
    let window = (moments.declared.unwrap_or_default(), moments.repaired());
    Usage::of(case.trace, window, case.first_run())
}

/// The command that applies the advised settings to running daemons; `None`: they need a restart.
fn applied(case: &Case<'_>, context: &Context) -> Option<String> {
    let changes = || case.advice.followed().into_iter().flat_map(|one| &one.changes);
    let way = |(key, _): &Set| apply_key(real_key(key), context.hadoop.as_deref());
    Some(match changes().map(|(set, _)| way(set)).max()? {
        ApplyMode::Live => {
            let host = context.namenode.as_deref().unwrap_or("HOST:PORT");
            format!("hdfs dfsadmin -reconfig namenode {host} start")
        }
        ApplyMode::LiveDataNodes => "hdfs dfsadmin -reconfig datanode livenodes start".into(),
        ApplyMode::LiveBalancer => {
            let ((_, value), _) = changes().find(|(set, _)| way(set) == ApplyMode::LiveBalancer)?;
            format!("hdfs dfsadmin -setBalancerBandwidth {value}")
        }
        ApplyMode::NameNode | ApplyMode::DataNodes => return None,
    })
}

/// A variant's runs as HDFS's sentences use them.
pub(crate) fn runs(row: &RowRuns) -> Vec<Run> {
    row.runs.iter().map(|run| RepairRun::of(run).run.clone()).collect()
}

/// A variant's name and first run.
fn first(row: &RowRuns) -> Option<(&str, &Run)> {
    Some((&row.name, &RepairRun::of(row.runs.first()?).run))
}

/// Fraction of the time (0–1) saved without each resource or limit, by replays of the first run's
/// trace.
fn saved(reading: &Reading) -> Vec<(RemovedLimit, f64)> {
    let Some(now) = reading.value.filter(|now| *now > 0.0) else { return Vec::new() };
    let of = |away: RemovedLimit| Some((away, 1.0 - reading.metrics.get(away.metric())? / now));
    RemovedLimit::ALL.into_iter().filter_map(of).collect()
}

/// "Replayed from the trace: unlimited max-streams 31 s (24 % less). No gain: disks that take no
/// time."; `None` without replays.
fn would_help(case: &Case<'_>) -> Option<Section> {
    let now = case.now().value?;
    let all = saved(case.now()).into_iter().map(|(away, saved)| (saved, away.words()));
    let (mut helps, same): (Vec<_>, Vec<_>) =
        all.partition(|(saved, _)| *saved >= hdfs_reading::stat::SAME);
    if helps.is_empty() && same.is_empty() {
        return None;
    }
    helps.sort_by(|a, b| b.0.total_cmp(&a.0));
    let one = |(saved, words): &(f64, &str)| {
        let end = duration_with(now * (1.0 - saved), decimals(now));
        format!("{words} {end} ({} less)", percent(*saved))
    };
    let helps: Vec<String> = helps.iter().map(one).collect();
    let said = match helps.is_empty() {
        true => say(""),
        false => say(format!("Replayed from the trace: {}.", helps.join(", "))),
    };
    let same: Vec<String> = same.into_iter().map(|(_, words)| words.to_string()).collect();
    let nothing = match same.is_empty() {
        true => say(""),
        false => say(format!("No gain from: {}.", list(&same))),
    };
    Some(Section::words("without", "What would help", said.then(nothing)))
}

/// Number of safe seeds, and probability of lost blocks.
fn row_json(row: &RowRuns) -> Value {
    let runs = runs(row);
    let safe: Vec<f64> = runs.iter().filter_map(Run::recovery_s).collect();
    let stat: Option<Stat> = (!safe.is_empty()).then(|| hdfs_reading::stat(&safe));
    json!({
        "safe": { "seeds": safe.len(), "recovery_s": stat },
        "loss": hdfs_reading::loss::loss(&runs),
    })
}
