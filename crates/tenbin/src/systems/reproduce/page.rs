//! The page of a paper: its figures redrawn, then its claims.
use super::of;
use super::text::{notes, ours};
use page::{
    Assumed, Body, Cell, Certainty, ClaimRow, Claims, Column, Foot, Head, Page, Row, Section,
    Strip, StripPoint, Table, Tone, Width, say as sentence,
};
use system::System;
use system::claims::{
    Claim, Document, MeasuredClaim, MeasuredClaims, Readings, Reproduction, Seeds, Sensitivity,
    VerdictKind,
};
use system::provenance::command_line;
use system::reporter::figure;

/// Below the first chart.
const LOST: &str = "The paper's pictures are lost: hollow points and dashed lines, if any, are \
                    values that its text states.";
/// Most combinations on the page.
const READINGS: usize = 12;

pub(super) fn page(
    system: &'static System,
    document: &Document,
    (done, real): (&Reproduction, &MeasuredClaims),
    seeds: Seeds,
) -> Page {
    let count = |word| done.claims.iter().filter(|c| c.verdict.word == word).count();
    let all = done.claims.len();
    let reproduced = count(VerdictKind::Reproduced);
    let verdict =
        sentence("").number(format!("{reproduced} of {all}")).say(" claims are reproduced.");
    let rest: Vec<String> = VerdictKind::ALL
        .into_iter()
        .filter(|word| *word != VerdictKind::Reproduced && count(*word) > 0)
        .map(|word| format!("{} {}", count(word), word.text()))
        .collect();
    let certainty =
        Certainty::low("a model of the paper's system; each claim unfolds to its reason.");
    let head = Head::new(["reproduce", document.name], verdict, certainty)
        .fact(document.title)
        .subline(rest.join(", ").as_str());
    let assumed = assumed(&done.claims);
    let head = Head { assumed, ..head };
    let range = match seeds.first == seeds.most {
        true => format!("1–{}", seeds.most),
        false => format!("1–{} of a run, more until decided, at most {}", seeds.first, seeds.most),
    };
    let foot = Foot::new(command_line()).from("Seeds", range);
    let mut page = Page::new(system.name, head, foot);
    let (charts, more): (Vec<&Section>, Vec<&Section>) =
        done.figures.iter().chain(&real.figures).partition(|figure| is_chart(figure));
    for (at, chart) in charts.into_iter().enumerate() {
        let width = if matches!(chart.body, Body::Scatter(_)) { Width::Third } else { Width::Half };
        let chart = chart.clone().width(width);
        page = page.with(if at == 0 { chart.note(LOST) } else { chart })
    }
    page = page.with(claims(&done.claims, real));
    if !real.claims.is_empty() {
        page = page.with(for_real(&done.claims, &real.claims))
    }
    if let Some(of) = &done.readings {
        page = page.with(readings(of))
    }
    more.into_iter().fold(page, |page, figure| page.with(figure.clone()))
}

/// Small charts come before the claims, tables and charts of full width after them.
fn is_chart(figure: &Section) -> bool {
    matches!(figure.body, Body::Scatter(_) | Body::Latency(_))
}

/// Keys that the paper leaves open, as varied for its claims.
fn assumed(claims: &[Claim]) -> Assumed {
    let all = claims.iter().flat_map(|claim| &claim.sensitivity).filter(|s| !s.stated);
    // A description names keys among other words.
    let words = all.flat_map(|s| s.what.split([' ', ',']));
    let is_key = |word: &&str| word.split('.').count() > 1 && !word.ends_with('.');
    let mut keys: Vec<&str> = Vec::new();
    for key in words.filter(is_key) {
        if !keys.contains(&key) {
            keys.push(key)
        }
    }
    let note = match keys.is_empty() {
        true => "the paper states all values that were varied".to_string(),
        false => format!("not in the paper, and varied: {}", keys.join(", ")),
    };
    Assumed { note: sentence(note.as_str()).into(), ..Assumed::default() }
}

fn tone(word: VerdictKind) -> Tone {
    match word {
        VerdictKind::Reproduced => Tone::Firm,
        VerdictKind::Partly | VerdictKind::WithTheseAssumptions => Tone::Partly,
        VerdictKind::Refuted => Tone::Against,
        VerdictKind::Undecided | VerdictKind::ByConstruction => Tone::Open,
    }
}

/// Columns: paper, simulation of its cluster, simulation of the small cluster, measurement on the
/// small cluster.
fn for_real(claims: &[Claim], real: &[MeasuredClaim]) -> Section {
    let columns = ["claim", "paper", "simulated", "small cluster, simulated", "measured", "runs"];
    let columns = columns.into_iter().chain(["verdict"]).map(Column::words).collect();
    let row = |claim: &Claim| {
        let of = of(claim, real)?;
        let with = |value: f64, spread: f64| {
            Cell::text(format!("{} ± {} {}", figure(value), figure(spread), of.unit).as_str())
        };
        Some(Row::new(vec![
            Cell::text(claim.id),
            Cell::text(claim.document.as_str()),
            Cell::text(format!("{} {}", ours(claim), claim.unit).as_str()),
            with(of.predicted, of.predicted_spread),
            with(of.measured, of.spread),
            Cell::text(of.runs.to_string().as_str()),
            Cell::verdict(&of.verdict.label(), tone(of.verdict.word), &of.reason),
        ]))
    };
    let rows = claims.iter().filter_map(row).collect();
    let title = "Measured on a small cluster";
    Section::new("real", title, "", Body::Table(Table { columns, rows }))
}

fn claims(claims: &[Claim], real: &MeasuredClaims) -> Section {
    let row = |claim: &Claim| ClaimRow {
        id: claim.id.into(),
        statement: claim.claim.into(),
        document: claim.document.clone(),
        ours: ours(claim),
        word: claim.verdict.label(),
        tone: tone(claim.verdict.word),
        notes: notes(claim, real),
        strip: strip(claim),
    };
    let rows = claims.iter().map(row).collect();
    Section::new("claims", "Claims", "", Body::Claims(Claims { claims: rows }))
}

/// Without alternatives there is nothing to compare: no points.
fn strip(claim: &Claim) -> Strip {
    let (Some(value), false) = (claim.ours, claim.sensitivity.is_empty()) else {
        return Strip::default();
    };
    let (word, tone_of) = (claim.verdict.word.text().into(), tone(claim.verdict.word));
    let spread = claim.spread.unwrap_or(0.0);
    let ours = StripPoint { name: "as assumed".into(), value, spread, word, tone: tone_of };
    let other = |s: &Sensitivity| StripPoint {
        name: format!("{} = {}", s.what, s.value),
        value: s.ours,
        spread: s.spread,
        word: s.verdict.short_label(),
        tone: tone(s.verdict.word),
    };
    // Two seeds may have an interval of any width.
    let known = |s: &&Sensitivity| s.ours.is_finite();
    let points = claim.sensitivity.iter().filter(known).map(other);
    let [low, high] = claim.band;
    let points = std::iter::once(ours).chain(points).collect();
    Strip { unit: claim.unit.into(), band: (low, high), points }
}

fn readings(of: &Readings) -> Section {
    let keys = of.keys.iter().map(|key| Column::words(key));
    let claims = of.claims.iter().map(|id| Column::words(id));
    let hold = Column::numbers("hold", "", 0);
    let columns = std::iter::once(hold).chain(keys).chain(claims).collect();
    let all = of.readings.iter().enumerate().filter(|(at, one)| *at < READINGS || one.assumed);
    let rows = all.map(|(_, one)| {
        let values = one.values.iter().map(|value| Cell::text(*value));
        let words = one.verdicts.iter().map(|v| Cell::verdict(v.word.text(), tone(v.word), ""));
        let first = Cell::number(one.holds() as f64);
        Row::new(std::iter::once(first).chain(values).chain(words).collect())
    });
    let table = Table { columns, rows: rows.collect() };
    let assumed = of.readings.iter().position(|one| one.assumed).map_or(0, |at| at + 1);
    let qualifier = format!(
        "{} of {} combinations of what the paper leaves open, those with most claims first, by the \
         means of {} seeds; the assumed one is number {assumed}",
        table.rows.len(),
        of.readings.len(),
        of.seeds
    );
    Section::new("readings", "Claims that hold together", qualifier, Body::Table(table))
}
