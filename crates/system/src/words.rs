//! What a result means, in words and pictures. A system says what only it knows; the rest of the
//! page is the same for all.
use crate::figures::{Difference, Figures};
use crate::lab::RowRuns;
use crate::provenance::{command_line, hash_text};
use cluster::Sheet;
use page::words::{num, one_of, percent};
use page::{
    AssumedRow, Axis, Below, Body, Cell, Certainty, Column, Curves, Do, Foot, Head, Kind, Line,
    Page, Panel, Role, Row, Section, Sentence, Share, Shares, Table, Width, say,
};
use std::collections::BTreeMap;
use trace::reading::{Curve, Objective, Reading, Role as Hue};
use trace::{Better, Trace};

/// Rows that have been run, with all that a page may need of them.
pub struct Case<'a> {
    /// The scenario as it stands: the first row.
    pub sheet: &'a Sheet,
    /// All rows' runs.
    pub rows: &'a [RowRuns],
    /// Their numbers.
    pub figures: &'a [Figures],
    /// The trace of the first row's first run.
    pub trace: &'a Trace,
    /// Its hash.
    pub trace_hash: u128,
    /// What no input says, at half and double.
    pub assumed: Vec<AssumedRow>,
}

impl Case<'_> {
    /// The first row's first run.
    pub fn now(&self) -> &Reading {
        &self.rows[0].runs[0].reading
    }

    /// A metric of the first row, mean over seeds; 0 where a run has none.
    pub fn metric(&self, name: &str) -> f64 {
        self.figures[0].metrics.get(name).map_or(0.0, |stat| stat.mean)
    }

    /// The row that is best, if it is better than the first.
    pub fn best(&self) -> Option<&Figures> {
        let gain = |row: &&Figures| row.against.map_or(0.0, |against| against.mean.abs());
        let better = |row: &&Figures| {
            row.against.is_some_and(|against| against.verdict == Difference::Better)
        };
        self.figures.iter().filter(better).max_by(|a, b| gain(a).total_cmp(&gain(b)))
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
    // The unit stands beside the value.
    let what: Vec<&str> = metric.split('_').filter(|word| !UNITS.contains(word)).collect();
    let value = page::Unit::from(objective.unit.as_str()).write(value);
    format!("{value} {}", what.join(" "))
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

    /// What to do; by default the row that is best.
    fn doing(&self, case: &Case<'_>) -> Option<Do> {
        best_row(case)
    }

    /// Pictures that only this system has, below the curves and shares.
    fn sections(&self, _case: &Case<'_>) -> Vec<Section> {
        Vec::new()
    }

    /// Pages below, of nodes and tasks.
    fn below(&self, _case: &Case<'_>) -> Vec<Below> {
        Vec::new()
    }
}

/// "8 clients", "1 client": a row's words with the key's value.
fn fact(row: &str, value: &str) -> String {
    match row.strip_prefix("{} ") {
        Some(many) if value == "1" => format!("1 {}", one_of(many)),
        _ => row.replace("{}", value),
    }
}

/// The page of a run or a comparison.
pub fn page(system: &str, words: &dyn Words, case: &Case<'_>) -> Page {
    let mut page = Page::new(system, head(system, words, case), foot(case));
    let curves = curves(case);
    let shares = shares(case);
    page = match curves {
        Some(curves) => page.with(curves.width(Width::Half)).with(shares.width(Width::Half)),
        None => page.with(shares),
    };
    for section in words.sections(case) {
        page = page.with(section)
    }
    if case.figures.len() > 1 {
        page = page.with(comparison(case))
    }
    for below in words.below(case) {
        page = page.below(below)
    }
    page
}

fn head(system: &str, words: &dyn Words, case: &Case<'_>) -> Head {
    let certainty = Certainty::low("a model; tenbin check lists its parameters.");
    let crumbs = [case.sheet.name.clone(), system.to_string()];
    let mut head = Head::new(crumbs, words.verdict(case), certainty).subline(words.sub(case));
    for fact in words.facts(case) {
        head = head.fact(fact)
    }
    for (held, share) in held(case).into_iter().filter(|(_, share)| *share >= 0.005).take(4) {
        let text = say("").strong(percent(share)).say(" ");
        let text = match held.kind {
            Kind::Setting => text.key(held.name),
            _ => text.say(held.name),
        };
        head = head.held_up(held.kind, text)
    }
    head.r#do = words.doing(case);
    head.not_enough = not_enough(case).done();
    let note = match case.assumed.is_empty() {
        true => say("The inputs give every value; what the model leaves out stays assumed."),
        false => say("Each assumption was halved and doubled."),
    };
    head.assumed(&case.now().objective.unit, note, case.assumed.clone())
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

/// A holder by its name, mean over the first row's seeds.
struct Holder {
    name: String,
    kind: Kind,
}

/// What held the first row up, the most first, unexplained last.
fn held(case: &Case<'_>) -> Vec<(Holder, f64)> {
    let runs = &case.rows[0].runs;
    let mut sums: BTreeMap<String, (Kind, f64)> = BTreeMap::new();
    for held in runs.iter().flat_map(|run| &run.reading.held) {
        let sum = sums.entry(held.holder.clone()).or_insert((hue(held.role), 0.0));
        sum.1 += held.share / runs.len() as f64
    }
    let mut all: Vec<(Holder, f64)> =
        sums.into_iter().map(|(name, (kind, share))| (Holder { name, kind }, share)).collect();
    let last = |holder: &Holder| holder.kind == Kind::Unexplained;
    all.sort_by(|a, b| last(&a.0).cmp(&last(&b.0)).then(b.1.total_cmp(&a.1)));
    all
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

fn shares(case: &Case<'_>) -> Section {
    let waited = |name: &str| {
        let held = case.now().held.iter().find(|held| held.holder == name);
        held.map_or(0.0, |held| held.waited_s)
    };
    let row = |(holder, _): (Holder, f64)| {
        let amount = waited(&holder.name);
        Share::new(holder.kind, holder.name, amount)
    };
    let rows = held(case).into_iter().map(row).collect();
    let body = Body::Shares(Shares::of_whole("s", "waited", rows));
    Section::new("held", "What held it up", "seed by seed alike; first seed shown", body)
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
        Panel {
            name: curve.name.clone(),
            unit: curve.unit.as_str().into(),
            lines: vec![line],
            ..Panel::default()
        }
    };
    let (from, to) = reading.window;
    let x = Axis::time(from.as_secs(), to.as_secs());
    let panels = reading.curves.iter().map(panel).collect();
    let body = Body::Curves(Curves { x, panels, moments: Vec::new() });
    let seed = case.rows[0].runs[0].seed;
    Some(Section::new("curves", "Over time", format!("{}, seed {seed}", case.rows[0].name), body))
}

/// Rows as a table.
fn comparison(case: &Case<'_>) -> Section {
    let objective = &case.now().objective;
    let columns = vec![
        Column::words("row"),
        Column::numbers(&objective.metric, &format!("{} ± 95 %", objective.unit), 1),
        Column::numbers("against now", &objective.unit, 1),
        Column::words("verdict"),
    ];
    let best = case.best().map(|row| row.name.clone());
    let rows = case.figures.iter().enumerate().map(|(place, row)| {
        let role = match place {
            0 => Role::Now,
            _ if best.as_deref() == Some(&row.name) => Role::Recommended,
            _ => Role::Other,
        };
        let value = row.value.map_or(Cell::Unknown, |v| Cell::mean(v.mean, v.ci95));
        let against = row.against.map_or(Cell::None, |a| Cell::difference(a.mean, a.ci95));
        let verdict = row.against.map_or(Cell::None, |a| Cell::text(word(a.verdict)));
        Row::of(role, vec![Cell::text(row.name.as_str()), value, against, verdict])
    });
    let rows = rows.collect();
    let seeds = case.rows[0].runs.len();
    let qualifier = format!("mean of {seeds} seeds; each row meets the same fate as the first");
    Section::new("compare", "Compare", qualifier, Body::Table(Table { columns, rows }))
}

/// What a difference is called.
pub fn word(difference: Difference) -> &'static str {
    match difference {
        Difference::Better => "better",
        Difference::Worse => "worse",
        Difference::None => "no difference",
    }
}

/// The best row, what it brings, and how to try it.
pub fn best_row(case: &Case<'_>) -> Option<Do> {
    let best = case.best()?;
    let value = best.value?;
    let sets: Vec<String> =
        best.set.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let now = case.figures[0].value.map(|now| case.spoken(now.mean));
    let than = now.map(|now| format!(" instead of {now}")).unwrap_or_default();
    let brings = format!(": {}{than}.", case.spoken(value.mean));
    let point = say("Set ").key(sets.join(", ")).say(brings);
    let sets: Vec<String> =
        best.set.iter().map(|(key, value)| format!(" --set {key}={value}")).collect();
    let command = format!("tenbin run {}{}", case.sheet.file.display(), sets.concat());
    Some(Do { point: point.done(), more: Vec::new(), command: Some(command) })
}

/// Rows that bring nothing.
fn not_enough(case: &Case<'_>) -> Sentence {
    let none = |row: &&Figures| row.against.is_some_and(|a| a.verdict == Difference::None);
    let rows: Vec<&str> =
        case.figures.iter().filter(none).take(3).map(|row| row.name.as_str()).collect();
    match rows.is_empty() {
        true => Sentence::default(),
        false => say(format!("No difference: {}.", rows.join(", "))),
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
