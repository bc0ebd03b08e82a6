//! One page: everything put together.
use crate::compare::Variant;
use crate::context::Context;
use crate::fleet::fleet;
use crate::run::{Run, VariantRuns};
use crate::sections::{balance, clients, compare, heat, laid_out, risk, shares};
use crate::sentences::gains::Gains;
use crate::sentences::plan::{self, Decided};
use crate::sentences::{assumed, doing, happened, held, notes, verdict, without};
use crate::shares::of_variant;
use crate::shown::Shown;
use hdfs_trace::Trace;
use page::{Foot, Head, Page, Role, Sentence, Trade};
use trace::series::Series;

/// The page of a comparison (or, with one variant, of a run). The first variant is "now", `rows`
/// are what [`compare()`](crate::compare()) makes of all, and `trace` is that of the first's first
/// run, for the heat map and the pages of racks and nodes.
pub fn page(context: &Context, variants: &[VariantRuns], rows: &[Variant], trace: &Trace) -> Page {
    made(head(context, variants, rows, trace), (context, variants, rows, trace), None, None)
}

/// The rows of a plan, which has made up its mind: the variant that it recommends is proposed, or
/// none.
pub fn plan_rows(context: &Context, variants: &[VariantRuns], decided: &Decided) -> Vec<Variant> {
    let mut rows = crate::compare::compare(&context.settings, variants);
    for (place, row) in rows.iter_mut().enumerate().skip(1) {
        let recommended = decided.recommended == Some(place);
        row.role = if recommended { Role::Recommended } else { Role::Other }
    }
    rows
}

/// The page of a plan of [`plan_rows`]. Where what is asked for is met nothing falls short of it.
pub fn plan_page(
    context: &Context,
    variants: &[VariantRuns],
    rows: &[Variant],
    trace: &Trace,
    (decided, trade): (&Decided, Option<Trade>),
) -> Page {
    let mut head = head(context, variants, rows, trace);
    head.r#do = plan::with(head.r#do, plan::doing(decided, rows));
    if decided.enough {
        head.not_enough.clear()
    }
    let alone = plan::alone(decided, rows);
    made(head, (context, variants, rows, trace), alone, trade)
}

fn head(context: &Context, variants: &[VariantRuns], rows: &[Variant], trace: &Trace) -> Head {
    let (now, first) = first(variants);
    Head {
        crumbs: crumbs(context),
        tags: context.tags.clone(),
        facts: notes::facts(context, trace, now.runs.len()),
        verdict: verdict::verdict(context, now).done(),
        sub: verdict::sub(context, now).done(),
        held_up: match verdict::too_few_nodes(context, now) {
            true => Vec::new(),
            false => held::held_up(&of_variant(now), &Gains::of(variants, rows), context.logged),
        },
        r#do: doing::doing(context, variants, rows),
        not_enough: doing::not_enough(context, variants, rows).done(),
        certainty: notes::certainty(context, first),
        assumed: assumed::assumed(context, variants),
    }
}

/// The head with the pictures below it. `note` stands below the table in place of the usual one.
fn made(
    head: Head,
    (context, variants, rows, trace): (&Context, &[VariantRuns], &[Variant], &Trace),
    note: Option<Sentence>,
    trade: Option<Trade>,
) -> Page {
    let (now, first) = self::first(variants);
    let uses = Series::of(trace);
    let shown = Shown::of(trace, &uses);
    let seed = match trace.about("origin") {
        Some("logged") => None,
        _ => Some(format!("seed {}", first.seed)),
    };
    let of = |parts: [Option<&str>; 2]| parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let (name, seed) = (Some(now.name.as_str()), seed.as_deref());
    let (since, of_run) = (happened::since(context), of([name, seed]));
    let fleet = fleet(trace, &uses, &shown, (&of_run, &since));
    let risk_note = notes::risk(context, now);
    let clients = clients::clients(now, &rows[0], trace, (&of_run, &since));
    let (has_clients, has_trade) = (clients.is_some(), trade.is_some());
    let sections = [
        trade.map(|trade| clients::trade(trade, rows[0].seeds)),
        Some(risk::risk(context, rows, risk_note.as_deref())),
        Some(shares::shares(&rows[0].shares, &fleet, risk_note.as_deref())),
        clients,
        Some(heat::heat(context, trace, &uses, &shown, &of([seed, name]))),
        Some(balance::balance(context, variants, rows, trace)),
        Some(compare::compare(rows, note.unwrap_or_else(|| notes::compare(rows)))),
        without::would_help(now),
    ];
    let foot = Foot {
        provenance: notes::provenance(context, now),
        command: context.command.clone(),
        links: Vec::new(),
    };
    let page = Page::new("node-lost", head, foot).fleet(fleet);
    let sections = sections.into_iter().flatten();
    sections.map(|section| laid_out(section, has_clients, has_trade)).fold(page, Page::with)
}

/// The present settings, and their first run.
fn first(variants: &[VariantRuns]) -> (&VariantRuns, &Run) {
    let now = variants.first().expect("a page has at least the present settings");
    (now, now.runs.first().expect("a variant has at least one run"))
}

fn crumbs(context: &Context) -> Vec<String> {
    let scenario = context.scenario.clone();
    match context.lost.is_empty() {
        true if context.besides.is_empty() => vec![scenario, "as it stands".into()],
        true => vec![scenario, context.besides.join(", ")],
        false => vec![scenario, happened::kind(context).into(), happened::names(context)],
    }
}
