//! The row of C3.1, and the table of all cases.
use crate::cases::{self, Case, Counted, NUMBERS, OPEN, SETS};
use crate::scm::{OZONE, Stage};
use analysis::{Stat, stat};
use page::{Body, Cell, Column, Row, Section, Table};
use serde_json::json;
use system::Failure;
use system::claims::{
    Band, MeasuredClaim, MeasuredClaims, RealRunOptions, ReproduceRequest, Verdict,
};
use system::progress::Progress;

const CLAIM: &str = "C3.1";

pub(crate) fn real(
    asked: &ReproduceRequest<'_>,
    how: &RealRunOptions<'_>,
) -> Result<MeasuredClaims, Failure> {
    asked.unknown_claim(&[CLAIM]).map_or(Ok(()), Err)?;
    let progress = Progress::run();
    progress.note("loading Ozone");
    let stage = Stage::make()?;
    let of = |case: Case| Pair { case, scm: Vec::new(), ours: case.ours() };
    let mut all: Vec<Pair> = cases::all().into_iter().map(of).collect();
    for run in 1..=how.runs {
        for pair in &mut all {
            progress.note(&format!("run {run} of {}: {}", how.runs, pair.case.name()));
            pair.scm.push(stage.run(&pair.case)?)
        }
    }
    progress.end();
    Ok(judge(&all, how.runs))
}

/// Pipelines that SCM opened, by run, and Tenbin's policy, by seed.
struct Pair {
    case: Case,
    scm: Vec<Counted>,
    ours: Vec<Counted>,
}

/// Minimum and maximum of a number.
fn ends(of: &[Counted], number: usize) -> [u32; 2] {
    let all = || of.iter().map(|one| one[number]);
    [all().min().unwrap_or(0), all().max().unwrap_or(0)]
}

fn range(of: &[Counted], number: usize) -> String {
    let [low, high] = ends(of, number);
    if low == high { low.to_string() } else { format!("{low}–{high}") }
}

impl Pair {
    /// A place of the claim: all nodes have registered, on one rack.
    fn is_place(&self) -> bool {
        !self.case.one_by_one && self.case.racks == 1
    }

    fn opens_all(&self) -> bool {
        ends(&self.scm, OPEN) == [self.case.formula(); 2]
    }

    /// Whether each number of SCM is between the policy's minimum and maximum.
    fn agrees(&self) -> bool {
        (0..NUMBERS.len()).all(|number| {
            let ([low, high], [least, most]) = (ends(&self.scm, number), ends(&self.ours, number));
            least <= low && high <= most
        })
    }

    /// "5 nodes, limit 4, one by one: 4 of 6 (sets of nodes: 1)"
    fn text(&self) -> String {
        let [open, sets] = [OPEN, SETS].map(|number| range(&self.scm, number));
        format!("{}: {open} of {} (sets of nodes: {sets})", self.case.name(), self.case.formula())
    }

    fn cells(&self) -> Vec<String> {
        let both = |number| [range(&self.scm, number), range(&self.ours, number)];
        let numbers = (0..NUMBERS.len()).flat_map(both);
        [self.case.name(), self.case.formula().to_string()].into_iter().chain(numbers).collect()
    }
}

fn judge(all: &[Pair], runs: u32) -> MeasuredClaims {
    let of = |nodes| {
        let is = |pair: &&Pair| pair.is_place() && (pair.case.nodes, pair.case.limit) == (nodes, 3);
        all.iter().find(is).expect("a case")
    };
    let (four, three) = (of(4), of(3));
    let more = |four: &[Counted], three: &[Counted], number: usize| {
        let more = four.iter().zip(three);
        let more = more.map(|(four, three)| f64::from(four[number]) - f64::from(three[number]));
        stat(&more.collect::<Vec<f64>>())
    };
    let [pipelines, sets] = [OPEN, SETS].map(|number| more(&four.scm, &three.scm, number));
    let simulated = more(&four.ours, &three.ours, SETS);
    let is_three = |more: &Stat| Band::new(3.0, 3.0).holds(more);
    let of_formula = all.iter().filter(|pair| pair.is_place()).map(|pair| Some(pair.opens_all()));
    let places = [is_three(&sets), is_three(&pipelines)].into_iter().chain(of_formula);
    let what = (CLAIM, "sets of nodes more, with a 4th node at M = 3");
    let why = (runs, reason(all, &pipelines));
    let claim = MeasuredClaim::of(what, (&sets, &simulated), Verdict::of(places), why);
    let rows: Vec<Vec<String>> = all.iter().map(Pair::cells).collect();
    let numbers = json!({ "ozone": OZONE, "rows": rows });
    MeasuredClaims { claims: vec![claim], figures: vec![table(rows, runs)], numbers }
}

fn reason(all: &[Pair], pipelines: &Stat) -> String {
    let places = all.iter().filter(|pair| pair.is_place()).count();
    let listed = |is: &dyn Fn(&Pair) -> bool| {
        all.iter().filter(|pair| is(pair)).map(Pair::text).collect::<Vec<String>>()
    };
    let fewer = listed(&|pair| pair.is_place() && !pair.opens_all());
    format!(
        "Ozone {OZONE}, simulated DataNodes: SCM opened ⌊M·N/3⌋ pipelines in {} of {places} \
         clusters of 3 to 1000 nodes, all registered. Fewer: {}. The 4th node adds {:.1} \
         pipelines. If nodes register one by one: {}. SCM is within the range of Tenbin's policies \
         in {} of {} clusters",
        places - fewer.len(),
        if fewer.is_empty() { "none".into() } else { fewer.join("; ") },
        pipelines.mean,
        listed(&|pair| pair.case.one_by_one).join("; "),
        all.iter().filter(|pair| pair.agrees()).count(),
        all.len()
    )
}

fn table(rows: Vec<Vec<String>>, runs: u32) -> Section {
    let both = |number: &str| ["SCM", "policy"].map(|of| format!("{number}, {of}"));
    let heads = ["cluster", "⌊M·N/3⌋"].map(String::from).into_iter();
    let heads = heads.chain(NUMBERS.into_iter().flat_map(both));
    let columns = heads.map(|head| Column::words(&head)).collect();
    let cells = |row: Vec<String>| row.iter().map(|cell| Cell::text(cell.as_str())).collect();
    let rows = rows.into_iter().map(|row| Row::new(cells(row))).collect();
    let made = format!("{runs} runs of Ozone {OZONE}, {} seeds of the policy", cases::DRAWS);
    let title = "Pipelines of a real SCM and of Tenbin's policies";
    Section::new("real-pipelines", title, made, Body::Table(Table { columns, rows }))
}
