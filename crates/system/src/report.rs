//! The page of a run, a comparison or a plan. It is the same for all systems except for the parts
//! from [`Reporter`].
use crate::advice;
use crate::assumed::Assumptions;
use crate::holders::{self, Gains, Holder, held};
use crate::measured::MeasuredRates;
use crate::provenance::{command_line, hash_text};
use crate::reporter::{Case, Reporter};
use crate::value_text::hue;
use crate::{answer, execution, fleet, hotspots, variants};
use page::words::capital;
use page::{
    Axis, Behind, Body, Capacity, Certainty, Curves, Foot, Head, Line, Page, Panel, Role, Section,
    Sentence, Share, Shares, Style, Width,
};
use trace::reading::{Curve, Reading};

pub fn page(system: &str, words: &dyn Reporter, case: &Case<'_>) -> Page {
    let mut page = Page::new(system, head(system, words, case), foot(case));
    let (compared, curves) = (case.figures.len() > 1, curves(case));
    let far = words.measured(case.sheet, &case.rows[0].runs).is_some_and(|m| m.far().is_some());
    let (shares, table) = (shares(case, far), || variants::table(case, words.prices()));
    page = match (compared, variants::curves(case), curves) {
        // A comparison's variants come first: the user asked for them.
        (true, Some(lines), curves) => {
            let page = page.with(lines).with(shares.width(Width::Smaller)).with(table());
            curves.into_iter().fold(page, Page::with)
        }
        (true, None, curves) => beside(page.with(table()), curves, shares),
        (false, _, curves) => beside(page, curves, shares),
    };
    for section in words.sections(case) {
        page = page.with(section)
    }
    let below = page.sections.len();
    if !compared && case.advice.tried().next().is_some() {
        page = page.with(table())
    }
    page = case.parallel.iter().map(execution::section).fold(page, Page::with);
    fleet::with_cluster(case, words.pages(case, page), below)
}

fn beside(page: Page, curves: Option<Section>, shares: Section) -> Page {
    match curves {
        Some(curves) => page.with(curves.width(Width::Half)).with(shares.width(Width::Half)),
        None => page.with(shares),
    }
}

fn head(system: &str, words: &dyn Reporter, case: &Case<'_>) -> Head {
    let certainty = Certainty::low("a model; tenbin check lists its parameters.");
    let crumbs = [case.sheet.name.clone(), system.to_string()];
    let idle = words.idle(case);
    // Idle nodes are the cause if others carry more.
    let hot = if idle.is_empty() { hotspots::sentence(case) } else { Sentence::default() };
    let happened = words.verdict(case).then(words.stall(case)).then(hot);
    let below = idle.then(words.subtitle(case));
    let measured = words.measured(case.sheet, &case.rows[0].runs);
    let far = measured.filter(|measured| measured.far().is_some());
    let first = far.as_ref().map(MeasuredRates::headline).unwrap_or_default();
    let mut head = match answer::answer(case) {
        // A comparison begins with its answer; the present state follows.
        Some(answer) => {
            let answer = first.then(answer);
            Head::new(crumbs, answer, certainty).subline(quiet(happened).then(below))
        }
        None if !first.is_empty() => {
            Head::new(crumbs, first, certainty).subline(quiet(happened).then(below))
        }
        None => Head::new(crumbs, happened, certainty).subline(below),
    };
    for fact in words.facts(case) {
        head = head.fact(fact)
    }
    match far {
        Some(far) => head.r#do = Some(far.doing(&case.sheet.file)),
        None => {
            for (kind, text) in holders::held_up(&held(case), &Gains::of(words, case)) {
                head = head.held_up(kind, text)
            }
            head.r#do = advice::doing(words, case);
            head.not_enough = advice::not_enough(case).done()
        }
    }
    let Assumptions { rows, note, .. } = case.assumed.clone();
    head.assumed(&case.now().objective.unit, note, rows)
}

/// Shows large numbers in bold only: the head has one already.
fn quiet(said: Sentence) -> Sentence {
    said.done().into_iter().fold(Sentence::default(), |all, span| match span.s {
        Some(Style::Number) => all.strong(span.t),
        _ => all.say(span.t),
    })
}

fn foot(case: &Case<'_>) -> Foot {
    let runs = &case.rows[0].runs;
    let seeds = match (runs.first(), runs.last()) {
        (Some(first), Some(last)) if first.seed != last.seed => {
            format!("{}–{}", first.seed, last.seed)
        }
        (Some(first), _) => first.seed.to_string(),
        _ => String::new(),
    };
    Foot::new(command_line())
        .from("Seeds", seeds)
        .from("Scenario", &case.sheet.hash[..8])
        .from("Trace", hash_text(case.trace_hash))
        .from("tenbin", env!("CARGO_PKG_VERSION"))
        .link("Parquet", "trace/")
        .link("Perfetto", "trace.perfetto.json.gz")
}

/// The longest waits of the first run for a bottleneck.
fn behind(reading: &Reading, holder: &str) -> Vec<Behind> {
    let held = reading.held.iter().find(|held| held.holder == holder);
    let piece = |piece: &trace::reading::HolderInterval| Behind {
        label: piece.label.clone(),
        start_s: piece.start_s,
        end_s: piece.end_s,
    };
    held.map_or_else(Vec::new, |held| held.behind.iter().map(piece).collect())
}

/// If the model is far from the measurement, the title says that the shares are the model's only.
fn shares(case: &Case<'_>, far: bool) -> Section {
    let waited = |name: &str| {
        let held = case.now().held.iter().find(|held| held.holder == name);
        held.map_or(0.0, |held| held.waited_s)
    };
    let row = |(holder, _): (Holder, f64)| {
        let amount = waited(&holder.name);
        let behind = behind(case.now(), &holder.name);
        Share::new(holder.kind, holder.name, amount).behind(behind)
    };
    let rows = held(case).into_iter().map(row).collect();
    let body = Body::Shares(Shares::of_whole("s", "waited", rows));
    let (title, how) = match far {
        true => ("What holds the model up", "the model only: the measured rates are far off"),
        false if case.is_logged() => ("What held it up", ""),
        false => ("What held it up", "seed by seed alike; first seed shown"),
    };
    Section::new("held", title, how, body)
}

/// Curves of the first run, one panel each.
fn curves(case: &Case<'_>) -> Option<Section> {
    let reading = case.now();
    if reading.curves.is_empty() {
        return None;
    }
    let panel = |curve: &Curve| {
        let points = curve.points.iter().copied();
        let line = match curve.role {
            Some(role) => Line::of(hue(role), points),
            None => Line::new("", Role::Now, points),
        };
        // Utilisation of resources is in percent of 100 %.
        let busy = curve.unit == "busy";
        Panel {
            name: match curve.role {
                Some(_) => curve.name.clone(),
                None => capital(&curve.name.replace('_', " ")),
            },
            of: if busy { curve.unit.clone() } else { String::new() },
            unit: if busy { "%" } else { curve.unit.as_str() }.into(),
            capacity: curve.capacity.map(|at| Capacity { at, name: String::new() }),
            lines: vec![line],
            ..Panel::default()
        }
    };
    let (from, to) = reading.window;
    let x = Axis::time(from.as_secs(), to.as_secs());
    let panels = reading.curves.iter().map(panel).collect();
    let body = Body::Curves(Curves { x, panels, moments: Vec::new() });
    Some(Section::new("curves", "Over time", case.first_run(), body))
}
