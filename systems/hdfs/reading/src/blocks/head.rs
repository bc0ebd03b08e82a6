//! Above the pictures.
use crate::report::{AssumedRow, HolderKind, Report, Share, Span};
use page::{Assumed, Head, Holder, Style, plain};

/// Verdict, holders, what to do, what is assumed.
pub fn head(report: &Report) -> Head {
    let shares = report.variants.first().map_or(&[][..], |now| &now.shares);
    let lines = report.held_up.iter().enumerate();
    let holder = |(place, line): (usize, &Vec<Span>)| Holder {
        kind: hue(line, place, shares),
        text: line.clone(),
        source: None,
    };
    Head {
        crumbs: report.crumbs.clone(),
        tags: report.tags.clone(),
        facts: report.facts.clone(),
        verdict: report.verdict.clone(),
        sub: report.sub.clone(),
        held_up: lines.map(holder).collect(),
        r#do: report.r#do.clone(),
        not_enough: report.not_enough.clone(),
        certainty: report.certainty.clone(),
        assumed: Assumed {
            unit: "s".into(),
            name: "Recovery".into(),
            never: "not redundant".into(),
            rows: report.assumed.rows.iter().map(assumed).collect(),
            note: report.assumed.note.clone(),
        },
    }
}

fn assumed(row: &AssumedRow) -> page::AssumedRow {
    page::AssumedRow {
        name: row.name.clone(),
        value: row.value.clone(),
        key: row.key.clone(),
        half: row.half_s,
        now: row.now_s,
        double: row.double_s,
    }
}

/// What a line of *Held up by* is about: the share whose key or name it has, else the one in its
/// place.
fn hue(line: &[Span], place: usize, shares: &[Share]) -> Option<HolderKind> {
    let key = line.iter().find(|span| span.s == Some(Style::Key));
    if let Some(key) = key.map(|span| span.t.trim_start_matches('…')) {
        let is = |share: &&Share| share.name.contains(key) || key.contains(&share.name);
        return Some(shares.iter().find(is).map_or(HolderKind::Setting, |share| share.kind));
    }
    let words = plain(line).to_lowercase();
    let named = shares.iter().find(|share| words.contains(&share.name.to_lowercase()));
    named.or(shares.get(place)).map(|share| share.kind)
}
