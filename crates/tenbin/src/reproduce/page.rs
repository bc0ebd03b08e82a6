//! The claims and the figures as one self-contained page.
use super::claims::{Claim, Judged, number_with_spread};
use super::estimate::Verdict;
use super::figures::Figure;
use super::svg::escape;
use super::table::word;
use crate::page::fonts;

/// What stands at the page's foot: name and value.
pub type Provenance = Vec<(String, String)>;

/// The whole page.
pub fn html(claims: &[(Claim, Judged)], figures: &[Figure], provenance: &Provenance) -> String {
    let count = |v| claims.iter().filter(|(_, j)| j.verdict == v).count();
    let verdict = format!(
        "<h1><b>{}</b> of {} claims are reproduced, {} partly, {} refuted.</h1>",
        count(Verdict::Reproduced),
        claims.len(),
        count(Verdict::Partly),
        count(Verdict::Refuted)
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
         <section><h2>Claims <span>± is the 95 % interval over seeds, paired by seed</span></h2>\
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
    format!(
        "<tr><td class=\"id\">{}<td>{}<p>{}. <span>Rule: {}. Counted in: {}.</span></p>\
         <td class=\"r\">{}<td class=\"r\"><b>{}</b><td class=\"{word}\">{word}",
        claim.id,
        escape(claim.claim),
        escape(&judged.reason),
        escape(claim.rule),
        escape(claim.unit),
        escape(claim.document),
        number_with_spread(judged.ours.mean, judged.ours.ci95),
        word = word(judged.verdict),
    )
}

/// The tokens and rules of the reports' visual language.
const STYLE: &str = include_str!("page.css");
