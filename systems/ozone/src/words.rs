//! Pages and texts of Ozone's results.
use crate::model::{Layout, layout};
use crate::names::hosts;
use page::{
    Body, Cell, Column, Kind, Matrix, MatrixCell, MatrixRow, Part, Role, Row, Section, Sentence,
    Share, Shares, Table, Width, say,
};
use std::collections::BTreeMap;
use system::advice::Price;
use system::figures::Figures;
use system::reporter::figure;
use system::without::{self, Removal};
use system::{Case, Reporter};

/// Resources for what-if bounds. The append window waits for followers' disks, so it counts with
/// the disks. A busy disk is no bound: the more entries wait, the more share a flush.
pub static AWAY: [Removal; 3] = [
    Removal {
        metric: "at_most_without_disks_per_s",
        words: "disks without delay",
        holders: &["Disks", "outstanding.appends"],
        others: &["om_busy", "nic_busy_max"],
    },
    Removal {
        metric: "at_most_without_om_per_s",
        words: "an OM without delay",
        holders: &["OM"],
        others: &["nic_busy_max"],
    },
    Removal {
        metric: "at_most_without_nics_per_s",
        words: "NICs without delay",
        holders: &["NICs"],
        others: &["om_busy"],
    },
];

/// Pipelines as a matrix with nodes; leaders are filled.
pub fn matrix(layout: &Layout, hosts: &[String]) -> Matrix {
    let leads = layout.leads();
    let most = leads.iter().copied().max().unwrap_or(0);
    let row = |(name, &leads): (&String, &u32)| MatrixRow {
        name: name.clone(),
        group: String::new(),
        sum: leads.into(),
        strong: leads == most && most > 0,
    };
    let mut cells = Vec::new();
    for (column, trio) in (0u32..).zip(&layout.trios[..layout.at_first]) {
        let cell = |&node: &u32| {
            let leads = layout.leader_of(column) == node;
            let part = if leads { Part::Leader } else { Part::Follower };
            MatrixCell { row: node, column, part, suggested: false }
        };
        cells.extend(trio.iter().map(cell))
    }
    Matrix {
        row: "node".into(),
        column: "pipeline".into(),
        columns: (1..=layout.at_first).map(|p| p.to_string()).collect(),
        rows: hosts.iter().zip(&leads).map(row).collect(),
        sum: "leads".into(),
        cells,
    }
}

/// Mean time of a write's steps \[ms\].
fn steps(case: &Case<'_>) -> Option<Section> {
    let trace = case.trace;
    let writes: u64 = trace.histograms.iter().map(|bin| bin.times).sum();
    let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
    for sum in &trace.sums {
        *sums.entry(sum.kind.at()).or_default() += sum.total
    }
    let row = |(at, total): (usize, u64)| {
        let kind = &trace.kinds[at];
        let hue = match kind.name.as_str() {
            "log" | "sync" | "third" => Kind::Disk,
            "transfer" | "hop" => Kind::Network,
            "om" | "om-line" => Kind::Cpu,
            _ => Kind::Setting,
        };
        Share::new(hue, kind.label.clone(), total as f64 / 1e6 / writes.max(1) as f64)
    };
    let mut rows: Vec<Share> = sums.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.amount.unwrap_or(0.0).total_cmp(&a.amount.unwrap_or(0.0)));
    let body = Body::Shares(Shares::of_whole("ms", "a write", rows));
    (writes > 0).then(|| Section::new("steps", "Steps of a write", "means over all writes", body))
}

/// Latency by power of ten of the write's size.
fn by_size(case: &Case<'_>) -> Section {
    const P50: &str = "latency_ms_p50_from_1e";
    let metrics = &case.figures[0].metrics;
    let row = |magnitude: u32| {
        let of = |name: &str| match metrics.get(&format!("{name}{magnitude}")) {
            Some(stat) => Cell::mean(stat.mean, stat.ci95),
            None => Cell::Unknown,
        };
        let from = units::Bytes(10u64.pow(magnitude)).to_string();
        let cells = vec![Cell::text(from.as_str()), of(P50), of("latency_ms_p99_from_1e")];
        metrics.contains_key(&format!("{P50}{magnitude}")).then(|| Row::of(Role::Now, cells))
    };
    let columns = vec![
        Column::words("size from"),
        Column::numbers("median", "ms", 1),
        Column::numbers("99 of 100", "ms", 1),
    ];
    let rows = (0..16).filter_map(row).collect();
    let body = Body::Table(Table { columns, rows });
    Section::new("sizes", "Latency by size", "each size up to ten times as large", body)
}

fn counted(mean: f64) -> String {
    if mean.fract() == 0.0 { format!("{mean:.0}") } else { figure(mean) }
}

static PRICES: [Price; 4] = [
    Price::less("longest_stall_s", "no write ends for", "s").unacceptable_from(STALL),
    Price::less("latency_ms_p99", "99 of 100 writes end in", "ms"),
    Price::less("latency_ms_p50", "half of the writes end in", "ms"),
    Price::less("retries", "blocks written again", ""),
];

/// "350 ms", "48.0 s", "3 min 5 s".
pub fn span(seconds: f64) -> String {
    let whole = units::rounded_u64(seconds.max(0.0));
    match whole {
        0..120 if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        0..120 => page::words::duration(seconds),
        120..3600 if whole.is_multiple_of(60) => format!("{} min", whole / 60),
        120..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => page::words::duration(seconds),
    }
}

/// Shortest stall that is part of the verdict \[s\].
const STALL: f64 = 5.0;

pub struct OzoneReporter;

impl OzoneReporter {
    /// Mean over seeds of the longest stall \[s\]; `None`: shorter than `STALL`.
    fn longest_stall(row: &Figures) -> Option<f64> {
        row.metrics.get("longest_stall_s").map(|stat| stat.mean).filter(|stall| *stall >= STALL)
    }
}

impl Reporter for OzoneReporter {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let share = case.metric("share_below_200ms") * 100.0;
        let rate = figure(case.metric("writes_per_s"));
        let pipelines = counted(case.metric("pipelines_open"));
        let how = format!("of writes end in 0.2 s, at {rate} writes/s over {pipelines} pipelines.");
        match OzoneReporter::longest_stall(&case.figures[0]) {
            Some(stall) => {
                let from = case.now().stall.as_ref();
                let from = from.map(|stall| format!(" from {} on", span(stall.from_s)));
                let from = from.unwrap_or_default();
                say("No write ended for ")
                    .number(span(stall))
                    .say(format!("{from}; {share:.0} % {how}"))
            }
            None => say("").number(format!("{share:.0} %")).say(format!(" {how}")),
        }
    }

    fn idle(&self, case: &Case<'_>) -> Sentence {
        let layout = layout(case.sheet, case.rows[0].runs[0].seed);
        crate::idle::sentence(case, &layout)
    }

    fn stall(&self, case: &Case<'_>) -> Sentence {
        match OzoneReporter::longest_stall(&case.figures[0]) {
            Some(_) => Sentence::default(),
            None => system::reporter::stall(case.now()),
        }
    }

    fn subtitle(&self, case: &Case<'_>) -> Sentence {
        let sheet = case.sheet;
        let hosts = hosts(sheet);
        let node = &hosts[units::usize_of(sheet.count("fault.node")).min(hosts.len() - 1)];
        let at = sheet.time("fault.at");
        if sheet.text("fault.kind") != "none" && at >= case.now().window.1 {
            return say(format!("{node} was to fail at {at}: the run ended earlier."));
        }
        let count = |metric: &str| counted(case.metric(metric));
        match sheet.text("fault.kind") {
            "crash" => say(format!(
                "{node} fails at {at}. Elections: {}; blocks written again by clients: {}.",
                count("elections"),
                count("retries")
            )),
            "slow" => {
                let factor = sheet.count("fault.factor");
                say(format!("{node}'s disks are {factor} times slower from {at} on."))
            }
            _ => Sentence::default(),
        }
    }

    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let count = |key: &str| case.sheet.count(key);
        vec![
            say(format!("{} nodes", count("cluster.nodes"))),
            say(format!("{} disks each", count("hardware.disks_per_node"))),
            say(case.sheet.text("policy.pipeline").to_string()),
        ]
    }

    fn prices(&self) -> &'static [Price] {
        &PRICES
    }

    fn sections(&self, case: &Case<'_>) -> Vec<Section> {
        let seed = case.rows[0].runs[0].seed;
        let matrix = matrix(&layout(case.sheet, seed), &hosts(case.sheet));
        let qualifier = format!("leaders filled; seed {seed}");
        let pipelines = Section::new("pipelines", "Pipelines", qualifier, Body::Matrix(matrix));
        let help = without::section(case, &AWAY);
        let halves = [steps(case), help, Some(by_size(case))].into_iter().flatten();
        let halves = halves.map(|section| section.width(Width::Half));
        halves.chain([pipelines]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn spans_as_people_say_them() {
        let said = |seconds| span(seconds).replace('\u{a0}', " ").replace('\u{2060}', "");
        assert_eq!(said(0.35), "350 ms");
        assert_eq!(said(48.0), "48.0 s");
        assert_eq!(said(180.03), "3 min");
        assert_eq!(said(185.0), "3 min 5 s");
    }
}
