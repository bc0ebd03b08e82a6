//! Output of an audit: text and JSON.
use super::SEEDS;
use super::cost::{Cost, GainVerdict};
use super::findings::{Finding, written};
use crate::change::Change;
use crate::model::Layout;
use crate::names::many;
use crate::price;
use cluster::{Sheet, listing};
use page::Do;
use serde_json::{Value, json};

/// The finding needs a fix: it costs performance, or is a risk.
fn asks(finding: &Finding, cost: &Cost) -> bool {
    !finding.danger.is_empty() || cost.gain_verdict() == GainVerdict::Gains
}

fn price_of(finding: &Finding, cost: &Cost) -> Vec<String> {
    let mut all = price::of_all(&finding.set).unwrap_or_default();
    all.extend(cost.worse.iter().cloned());
    all
}

pub fn text(
    sheet: &Sheet,
    layout: &Layout,
    judged: &[(Finding, Cost)],
    doing: Option<&Do>,
) -> String {
    let open = many(layout.trios.len() as u64, "open pipeline");
    let nodes = many(layout.of_node.len() as u64, "node");
    let found = many(judged.len() as u64, "finding");
    let asking = judged.iter().filter(|(finding, cost)| asks(finding, cost)).count();
    let sum = match asking {
        0 => "the placement needs no change".to_string(),
        n => format!("{n} to repair"),
    };
    let mut out = format!("{open} on {nodes}; {found}: {sum}\n");
    judged.iter().for_each(|(finding, cost)| out += &one(finding, cost));
    if let Some(Do { point, more, command }) = doing {
        out += &format!(
            "\nDo, as `tenbin run` advises: {} {}\n",
            page::plain(point),
            page::plain(more)
        );
        command.iter().for_each(|command| out += &format!("  {command}\n"))
    }
    if !judged.is_empty() || doing.is_some() {
        let clients = many(sheet.count("workload.clients"), "client");
        let objects = many(sheet.count("workload.objects"), "object");
        let size = sheet.bytes("workload.object_bytes");
        let more = sheet.find("workload.largest_bytes").map_or("", |_| " and more");
        out += &format!("\nSimulated with {clients} and {objects} of {size}{more}.\n");
        out += listing::assumed(sheet.assumed()).trim_start()
    }
    out
}

fn one(finding: &Finding, cost: &Cost) -> String {
    let Finding { what, text, mend, danger, .. } = finding;
    let mut out = format!("\n{what}: {text}\n");
    let simulated = change_words(cost);
    if !danger.is_empty() {
        out += &format!("  danger: {danger}\n")
    }
    if !asks(finding, cost) {
        return out + &format!("  {}: {simulated}\n", cost.gain_verdict().word());
    }
    let mended: Vec<String> = finding.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
    out += &format!("  do: {mend}\n  simulated: {simulated}\n");
    out += &format!("  simulated with: {}\n", mended.join(" "));
    for price in price_of(finding, cost) {
        out += &format!("  price: {price}\n")
    }
    out
}

/// "326 writes/s now, 371 mended (+45 ± 6 in 10 seeds); p99 73 → 71 ms".
fn change_words(cost: &Cost) -> String {
    let one = |change: &Change| {
        let Change { now, then, by, .. } = change;
        let seeds = SEEDS.len();
        format!(
            "{now:.0} writes/s now, {then:.0} after the repair ({:+.0} ± {:.0} in {seeds} seeds)",
            by.mean, by.ci95
        )
    };
    let writes = cost.writes.as_ref().map(one);
    let tail = cost.tail.map(|tail| {
        format!(
            "p99 {:.0} → {:.0} ms ({:+.0} ± {:.0})",
            tail.now, tail.then, tail.by.mean, tail.by.ci95
        )
    });
    writes.into_iter().chain(tail).collect::<Vec<_>>().join("; ")
}

pub fn json(layout: &Layout, judged: &[(Finding, Cost)], advice: &Value) -> Value {
    let row = |(finding, cost): &(Finding, Cost)| {
        let asks = asks(finding, cost);
        let worth = cost.gain_verdict().word();
        json!({
            "finding": finding.what,
            "text": finding.text,
            "verdict": if finding.danger.is_empty() { worth } else { "danger" },
            "mend": asks.then_some(finding.mend),
            "price": if asks { price_of(finding, cost) } else { Vec::new() },
            "mended": written(finding),
            "cost": numbers(cost),
        })
    };
    json!({
        "system": "ozone",
        "nodes": layout.of_node.len(),
        "pipelines": layout.trios.len(),
        "findings": judged.iter().map(row).collect::<Vec<_>>(),
        "advice": advice,
    })
}

fn numbers(cost: &Cost) -> Value {
    let (writes, tail) = (cost.writes.as_ref(), cost.tail.as_ref());
    json!({
        "metric": "writes_per_s",
        "now": writes.map(|c| c.now),
        "mended": writes.map(|c| c.then),
        "difference": writes.map(|c| c.by.mean),
        "ci95": writes.map(|c| c.by.ci95),
        "p99_now_ms": tail.map(|c| c.now),
        "p99_mended_ms": tail.map(|c| c.then),
        "p99_ci95_ms": tail.map(|c| c.by.ci95),
        "seeds": SEEDS.len(),
    })
}
