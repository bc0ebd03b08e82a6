//! The claims and the figures as one self-contained page.
use super::claims::{Claim, Judged, number_with_spread};
use super::figures::Figure;
use super::reading::{self, Moved};
use super::svg::escape;
use super::verdict::Verdict;
use crate::page::fonts;

/// What stands at the page's foot: name and value.
pub type Provenance = Vec<(String, String)>;

/// The whole page.
pub fn html(claims: &[(Claim, Judged)], figures: &[Figure], provenance: &Provenance) -> String {
    let count = |v| claims.iter().filter(|(_, j)| j.verdict == v).count();
    let verdict = format!(
        "<h1><b>{}</b> of {} claims are reproduced, {} partly, {} refuted, {} not decided.</h1>",
        count(Verdict::Reproduced),
        claims.len(),
        count(Verdict::Partly),
        count(Verdict::Refuted),
        count(Verdict::Undecided)
    );
    let figures: String = figures.iter().map(figure).collect();
    let rows: String = claims.iter().map(|(c, j)| row(c, j)).collect();
    let foot: String = provenance
        .iter()
        .map(|(k, v)| format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(k), escape(v)))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>tenbin / reproduce / s0</title><style>{}{STYLE}</style></head><body>\
         <p class=\"context\">\
         Higai, Takefusa, Nakada, Oguchi 2014 · HDFS re-replication, simulated</p>\
         {verdict}{figures}\
         <section><h2>Claims <span>± is the 95 % interval over seeds, paired by seed; a \
         statement holds, or fails, where it lies wholly inside, or outside, what the rule asks \
         for</span></h2>\
         <table><thead><tr><th>Claim<th><th class=\"r\">Document<th class=\"r\">Ours ± 95 %\
         <th>Verdict</thead><tbody>{rows}</tbody></table></section>\
         <section><h2>Provenance <span>one set of modelling choices for all claims</span></h2>\
         <dl>{foot}</dl></section></body></html>\n",
        fonts()
    )
}

fn figure(figure: &Figure) -> String {
    let charts: String = figure
        .charts
        .iter()
        .map(|c| {
            let caption = c.title.rsplit(", ").next().unwrap_or(&c.title);
            format!("<figure><figcaption>{}</figcaption>{}</figure>", escape(caption), c.svg())
        })
        .collect();
    format!(
        "<section><h2>{} \
         <span>mean over seeds; bars: 95 % interval</span>\
         <span class=\"legend\"><i></i>the document: {}</span></h2>\
         <div class=\"pair\">{charts}</div></section>",
        escape(figure.title),
        escape(figure.legend)
    )
}

fn row(claim: &Claim, judged: &Judged) -> String {
    let word = judged.verdict.word();
    format!(
        "<tr><td class=\"id\">{}<td>{}<p>{}. <span>Rule: {}. Counted in: {}.</span></p>{}\
         <td class=\"r\">{}<td class=\"r\"><b>{}</b><td class=\"{}\">{word}",
        claim.id,
        escape(claim.claim),
        escape(&judged.reason),
        escape(claim.rule),
        escape(claim.unit),
        moved(&judged.sensitivity),
        escape(claim.document),
        number_with_spread(judged.ours.mean, judged.ours.ci95),
        word.replace(' ', "-"),
    )
}

/// Our value at what the document leaves open, a row a key.
fn moved(sensitivity: &[Moved]) -> String {
    let row = |(key, at): (&str, String)| format!("<li><code>{}</code> {}", key, escape(&at));
    let rows: String = reading::by_key(sensitivity).into_iter().map(row).collect();
    format!(
        "<ul><li>Ours, from {} seeds, at what the document leaves open:{rows}</ul>",
        reading::SEEDS
    )
}

/// The tokens and rules of the reports' visual language.
const STYLE: &str = include_str!("page.css");
