//! What a result means, in words and pictures. A system says what only it knows; the rest of the
//! page is the same for all.
use crate::advice::{self, Advice, Price, Relief};
use crate::assumed::Assumptions;
use crate::figures::{Difference, Figures};
use crate::held::{self, Gains, Holder, held};
use crate::lab::{RowRuns, SeedRun};
use crate::measured::Measured;
use crate::provenance::{command_line, hash_text};
use crate::vary::Set;
use crate::{answer, execution, hot, variants};
use cluster::Sheet;
use page::words::{NB, capital, decimals, duration, num, one_of};
use page::{
    Axis, Behind, Body, Capacity, Certainty, Curves, Foot, Head, Kind, Line, Page, Panel, Role,
    Section, Sentence, Share, Shares, Style, Width, say,
};
use serde_json::{Map, Value};
use trace::reading::{Curve, Hot, Objective, Reading, Role as Hue};
use trace::{Better, Trace};

/// Rows that have been run, with all that a page may need of them.
pub struct Case<'a> {
    /// The scenario as it stands: the first row.
    pub sheet: &'a Sheet,
    pub sets: &'a [Set],
    pub rows: &'a [RowRuns],
    pub figures: &'a [Figures],
    /// The trace of the first row's first run.
    pub trace: &'a Trace,
    pub trace_hash: u128,
    /// What no input says, at half and double.
    pub assumed: Assumptions,
    /// Which change is worth following, of all that were simulated.
    pub advice: Advice,
    /// Where the time of the first run's threads went, where it was shared out to several.
    pub parallel: Option<page::Threads>,
}

impl Case<'_> {
    /// The first row's first run.
    pub fn now(&self) -> &Reading {
        &self.rows[0].runs[0].reading
    }

    /// "now, seed 1": which run pictures show. What was logged has no seed.
    pub fn first_run(&self) -> String {
        let RowRuns { name, runs, .. } = &self.rows[0];
        match self.is_logged() {
            true => name.clone(),
            false => format!("{name}, seed {}", runs[0].seed),
        }
    }

    fn is_logged(&self) -> bool {
        self.trace.about("origin") == Some("logged")
    }

    /// A metric of the first row, mean over seeds; 0 where a run has none.
    pub fn metric(&self, name: &str) -> f64 {
        self.figures[0].metrics.get(name).map_or(0.0, |stat| stat.mean)
    }

    /// The objective's value as sentences write it.
    pub fn value(&self, value: f64) -> String {
        page::Unit::from(self.now().objective.unit.as_str()).write(value)
    }

    /// The same with what it counts: "326 writes/s", "41.3 s makespan".
    pub fn spoken(&self, value: f64) -> String {
        spoken(&self.now().objective, value)
    }
}

/// Units in the names of metrics: `makespan_s`, `goodput_mbit`, `job_s_mean`.
const UNITS: [&str; 3] = ["s", "ms", "mbit"];

/// An objective's value with what it counts: "326 writes/s", "41.3 s makespan", "323 s job mean".
pub fn spoken(objective: &Objective, value: f64) -> String {
    let metric = objective.metric.as_str();
    if let Some(what) = metric.strip_suffix("_per_s") {
        return format!("{} {}/s", figure(value), what.replace('_', " "));
    }
    let value = page::Unit::from(objective.unit.as_str()).write(value);
    format!("{value} {}", measured(objective))
}

/// What an objective measures, without its unit: "job mean", "makespan", "writes".
pub(crate) fn measured(objective: &Objective) -> String {
    let metric = objective.metric.trim_end_matches("_per_s");
    let words = metric.split('_').filter(|word| !UNITS.contains(word));
    words.collect::<Vec<&str>>().join(" ")
}

/// What a system says of its results.
pub trait Words: Sync {
    /// One sentence with one number, of the scenario as it stands.
    fn verdict(&self, case: &Case<'_>) -> Sentence;

    /// Who, how many: a few words each; by default the keys whose rows have names.
    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let keys = case.sheet.vocabulary().all().filter(|key| !key.row.is_empty());
        let keys = keys.filter(|key| case.sheet.find(key.name).is_some());
        keys.map(|key| say(fact(key.row, case.sheet.text(key.name)))).collect()
    }

    /// Below the verdict: what it does not contain.
    fn sub(&self, _case: &Case<'_>) -> Sentence {
        Sentence::default()
    }

    /// The first finding below the verdict: who is idle next to busy nodes, and what would use
    /// them ([`crate::idle`]).
    fn idle(&self, _case: &Case<'_>) -> Sentence {
        Sentence::default()
    }

    /// After the verdict: a time in which nothing ended. A system whose verdict begins with it says
    /// nothing here.
    fn stall(&self, case: &Case<'_>) -> Sentence {
        stall(case.now())
    }

    /// Measures besides the objective that a change may make worse: its price.
    fn prices(&self) -> &'static [Price] {
        &[]
    }

    /// Holders (a setting by its key), and the part of the time (0–1) that a replay of the trace
    /// saves without each.
    fn gains(&self, _case: &Case<'_>) -> Vec<(String, f64)> {
        Vec::new()
    }

    /// What relieves the one disk, link or node that carries far more than its like, besides a
    /// setting.
    fn relief(&self, _case: &Case<'_>, _hot: &Hot) -> Option<Relief> {
        None
    }

    /// What the scenario's input measured, beside what the runs give; `None`: it measured nothing.
    fn measured(&self, _sheet: &Sheet, _runs: &[SeedRun]) -> Option<Measured> {
        None
    }

    /// Pictures that only this system has, below the curves and shares.
    fn sections(&self, _case: &Case<'_>) -> Vec<Section> {
        Vec::new()
    }

    /// The page with those below it, of racks, nodes and tasks, and with what has to be said of
    /// its input.
    fn pages(&self, _case: &Case<'_>, page: Page) -> Page {
        page
    }

    /// What `--json` says besides; it stands in place of what all systems say under its names.
    fn more(&self, _of: More<'_>) -> Map<String, Value> {
        Map::new()
    }
}

/// What more is to be said of.
#[derive(Clone, Copy)]
pub enum More<'a> {
    Scenario(&'a Sheet),
    /// A row of a comparison.
    Row(&'a RowRuns),
    /// The figures of one run.
    Run(&'a SeedRun),
}

/// An object with what a system says besides.
pub(crate) fn more(mut object: Value, words: &dyn Words, of: More<'_>) -> Value {
    if let Value::Object(all) = &mut object {
        all.extend(words.more(of))
    }
    object
}

/// "8 clients", "1 client": a row's words with the key's value.
fn fact(row: &str, value: &str) -> String {
    match row.strip_prefix("{} ") {
        Some(many) if value == "1" => format!("1 {}", one_of(many)),
        _ => row.replace("{}", value),
    }
}

/// The page of a run, a comparison or a plan.
pub fn page(system: &str, words: &dyn Words, case: &Case<'_>) -> Page {
    let mut page = Page::new(system, head(system, words, case), foot(case));
    let (compared, curves) = (case.figures.len() > 1, curves(case));
    let far = words.measured(case.sheet, &case.rows[0].runs).is_some_and(|m| m.far().is_some());
    let (shares, table) = (shares(case, far), || variants::table(case, words.prices()));
    page = match (compared, variants::curves(case), curves) {
        // The rows first: they are what was asked for.
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
    if !compared && case.advice.tried().next().is_some() {
        page = page.with(table())
    }
    page = case.parallel.iter().map(execution::section).fold(page, Page::with);
    words.pages(case, page)
}

/// Curves and shares side by side, where there are curves.
fn beside(page: Page, curves: Option<Section>, shares: Section) -> Page {
    match curves {
        Some(curves) => page.with(curves.width(Width::Half)).with(shares.width(Width::Half)),
        None => page.with(shares),
    }
}

fn head(system: &str, words: &dyn Words, case: &Case<'_>) -> Head {
    let certainty = Certainty::low("a model; tenbin check lists its parameters.");
    let crumbs = [case.sheet.name.clone(), system.to_string()];
    let idle = words.idle(case);
    // Idle nodes explain why others carry more.
    let hot = if idle.is_empty() { hot::told(case) } else { Sentence::default() };
    let happened = words.verdict(case).then(words.stall(case)).then(hot);
    let below = idle.then(words.sub(case));
    let measured = words.measured(case.sheet, &case.rows[0].runs);
    let far = measured.filter(|measured| measured.far().is_some());
    let first = far.as_ref().map(Measured::headline).unwrap_or_default();
    let mut head = match answer::answer(case) {
        // A comparison answers first; what happens as it stands is below.
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
            for (kind, text) in held::held_up(&held(case), &Gains::of(words, case)) {
                head = head.held_up(kind, text)
            }
            head.r#do = advice::doing(words, case);
            head.not_enough = advice::not_enough(case).done()
        }
    }
    let Assumptions { rows, note, .. } = case.assumed.clone();
    head.assumed(&case.now().objective.unit, note, rows)
}

/// The same words without a large number.
fn quiet(said: Sentence) -> Sentence {
    said.done().into_iter().fold(Sentence::default(), |all, span| match span.s {
        Some(Style::Number) => all.strong(span.t),
        _ => all.say(span.t),
    })
}

/// "29 ± 11 s": in the objective's unit, without what it counts.
pub(crate) fn interval(objective: &Objective, value: f64, ci95: Option<f64>) -> String {
    // A rate's name says its unit.
    let unit = match objective.unit.as_str() {
        "" | "1/s" => String::new(),
        unit => format!("{NB}{unit}"),
    };
    let digits = decimals(value);
    let interval = ci95.map_or(String::new(), |ci95| format!("{NB}±{NB}{}", num(ci95, digits)));
    format!("{}{interval}{unit}", num(value, digits))
}

/// "No write ended for 4 min, from 12 s on.": nothing where operations ended all the time.
pub fn stall(reading: &Reading) -> Sentence {
    let Some(stall) = &reading.stall else { return Sentence::default() };
    say(format!(
        "No {} ended for {}, from {} on.",
        stall.operation,
        duration(stall.took_s()),
        duration(stall.from_s)
    ))
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

/// The hue of a holder.
pub fn hue(role: Hue) -> Kind {
    match role {
        Hue::Setting => Kind::Setting,
        Hue::Disk => Kind::Disk,
        Hue::Network => Kind::Network,
        Hue::Cpu | Hue::Store | Hue::Memory => Kind::Cpu,
        Hue::Slot | Hue::Wait => Kind::Wait,
        Hue::Unexplained => Kind::Unexplained,
    }
}

/// The longest pieces of the first run's time that a holder took.
fn behind(reading: &Reading, holder: &str) -> Vec<Behind> {
    let held = reading.held.iter().find(|held| held.holder == holder);
    let piece = |piece: &trace::reading::Behind| Behind {
        label: piece.label.clone(),
        start_s: piece.start_s,
        end_s: piece.end_s,
    };
    held.map_or_else(Vec::new, |held| held.behind.iter().map(piece).collect())
}

/// Of a model that is far from what was measured they are the model's alone.
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
        true => ("What holds the model up", "not this system: it is far from what was measured"),
        false if case.is_logged() => ("What held it up", ""),
        false => ("What held it up", "seed by seed alike; first seed shown"),
    };
    Section::new("held", title, how, body)
}

/// The first run's curves, one panel each.
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
        // Of resources the part that is busy: 100 % is all that there is.
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

pub fn word(difference: Difference) -> &'static str {
    match difference {
        Difference::Better => "better",
        Difference::Worse => "worse",
        Difference::None => "no difference",
        Difference::Open => "not decided",
    }
}

/// "more is better", for heads of tables.
pub fn direction(better: Better) -> &'static str {
    match better {
        Better::Less => "less is better",
        Better::More => "more is better",
    }
}

/// "61 700", with three digits that count.
pub fn figure(value: f64) -> String {
    num(value, if value.abs() >= 100.0 { 0 } else { page::words::decimals(value) })
}
