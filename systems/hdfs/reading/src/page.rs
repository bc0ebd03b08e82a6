//! One page: everything put together.
use crate::compare::compare;
use crate::context::Context;
use crate::report::{Report, Role, Variant};
use crate::run::VariantRuns;
use crate::sentences::gains::Gains;
use crate::sentences::plan::{self, Decided};
use crate::sentences::{assumed, doing, foreground, happened, held, notes, verdict, without};
use crate::series::Uses;
use crate::shares;
use crate::shown::Shown;
use crate::{drill, heat};
use hdfs_trace::Trace;
use std::collections::BTreeMap;

/// The page of a comparison (or, with one variant, of a run). The first variant is "now", and
/// `trace` is that of its first run, for the heat map and the drill-down.
pub fn page(context: &Context, variants: &[VariantRuns], trace: &Trace) -> Report {
    of_rows(context, variants, compare(&context.settings, variants), trace)
}

/// The page of a plan, which has made up its mind: the variant at `recommended` is proposed, or
/// none; `enough` says that what is wished for is met, so that nothing falls short of it.
pub fn plan_page(
    context: &Context,
    variants: &[VariantRuns],
    trace: &Trace,
    decided: &Decided,
) -> Report {
    let mut rows = compare(&context.settings, variants);
    for (place, row) in rows.iter_mut().enumerate().skip(1) {
        let recommended = decided.recommended == Some(place);
        row.role = if recommended { Role::Recommended } else { Role::Other }
    }
    let said = plan::doing(decided, &rows);
    let page = of_rows(context, variants, rows, trace);
    let not_enough = if decided.enough { Vec::new() } else { page.not_enough };
    let alone = plan::alone(decided, &page.variants).map(|said| said.done());
    let compare_note = alone.unwrap_or(page.compare_note);
    Report { r#do: plan::with(page.r#do, said), not_enough, compare_note, ..page }
}

fn of_rows(
    context: &Context,
    variants: &[VariantRuns],
    rows: Vec<Variant>,
    trace: &Trace,
) -> Report {
    let now = variants.first().expect("a page has at least the present settings");
    let first = now.runs.first().expect("a variant has at least one run");
    let uses = Uses::of(trace);
    let shown = Shown::of(trace, &uses);
    let seed = match trace.about("origin") {
        Some("logged") => None,
        _ => Some(format!("seed {}", first.seed)),
    };
    let of = |parts: [Option<&str>; 2]| parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let (name, seed) = (Some(now.name.as_str()), seed.as_deref());
    let (drill, fewer_copies) = drill::drill(trace, &uses, &shown, &of([name, seed]));
    let fewer_resources = shown.tag(trace);
    let (balance_note, marked_nodes) = notes::balance(context, trace);
    Report {
        version: 1,
        screen: "node-lost".into(),
        crumbs: crumbs(context),
        since: happened::since(context),
        tags: context.tags.clone(),
        facts: notes::facts(context, trace, now.runs.len()),
        verdict: verdict::verdict(context, now).done(),
        sub: verdict::sub(context, now).done(),
        held_up: match verdict::too_few_nodes(context, now) {
            true => Vec::new(),
            false => {
                let gains = Gains::of(variants, &rows);
                held::held_up(&shares::of_variant(now), &gains, context.logged)
            }
        },
        r#do: doing::doing(context, variants, &rows),
        not_enough: doing::not_enough(&context.settings, variants, &rows).done(),
        would_help: without::would_help(now),
        certainty: notes::certainty(context, first),
        assumed: assumed::assumed(context, variants),
        risk_note: notes::risk(context, now),
        foreground: foreground::latencies(now, trace),
        trade: None,
        parallel: None,
        heat: heat::heat(context, trace, &uses, &shown, &of([seed, name])),
        balance_note: balance_note.done(),
        marked_nodes,
        compare_note: notes::compare(&rows).done(),
        provenance: notes::provenance(context, now),
        command: context.command.clone(),
        drill,
        links: Vec::new(),
        chart_tags: chart_tags(fewer_resources, fewer_copies),
        variants: rows,
    }
}

/// The heat map's hottest rows are right whatever is left out of the drill-down.
fn chart_tags(resources: Option<String>, copies: Option<String>) -> BTreeMap<String, Vec<String>> {
    let tags: Vec<String> = resources.into_iter().chain(copies).collect();
    if tags.is_empty() { BTreeMap::new() } else { BTreeMap::from([("drill".into(), tags)]) }
}

fn crumbs(context: &Context) -> Vec<String> {
    let scenario = context.scenario.clone();
    match context.lost.is_empty() {
        true if context.besides.is_empty() => vec![scenario, "as it stands".into()],
        true => vec![scenario, context.besides.join(", ")],
        false => vec![scenario, happened::kind(context).into(), happened::names(context)],
    }
}
