//! What a simulated run of jobs means.
use super::{jobs, tasks};
use crate::why::Why;
use page::{Body, Cell, Column, Row, Section, Sentence, Table, say};
use system::advice::Price;
use system::words::figure;
use system::{Case, Words};

/// What a shorter job may cost others.
static PRICES: [Price; 4] = [
    Price::less("makespan_s", "all jobs together", "s"),
    Price::less("job_s_p95", "95 of 100 jobs end in", "s"),
    Price::less("attempts", "attempts", ""),
    Price::less("jobs_failed", "failed jobs", "").never(),
];

/// The page of a simulated run.
pub struct Simulated;

impl Words for Simulated {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let count = case.sheet.count("workload.jobs");
        let who = if count == 1 { "The job takes " } else { "A job takes " };
        let mean = if count == 1 { "." } else { ", in the mean of all." };
        say(who).number(page::words::duration(case.metric("job_s_mean"))).say(mean)
    }

    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let local = figure(100.0 * case.metric("data_local_share"));
        vec![
            say(case.sheet.text("policy.scheduling")),
            say(format!("{} nodes", case.sheet.count("cluster.nodes"))),
            say(format!(
                "{} jobs of {} maps, {} reduces",
                case.sheet.count("workload.jobs"),
                case.sheet.count("workload.maps"),
                case.sheet.count("workload.reduces")
            )),
            say(format!("{local} % of maps local")),
        ]
    }

    fn prices(&self) -> &'static [Price] {
        &PRICES
    }

    fn sections(&self, case: &Case<'_>) -> Vec<Section> {
        let why = Why::of(case.trace);
        let mut sections = Vec::new();
        if why.jobs.len() > 1 {
            sections.push(jobs::gantt(&why))
        }
        sections.extend(without(case));
        if let Some(slowest) = why.jobs.iter().max_by(|a, b| {
            let took = |one: &crate::why::JobWhy| one.finish_ms - one.start_ms;
            took(a).cmp(&took(b))
        }) {
            sections.push(tasks::gantt(case.trace, slowest, None))
        }
        sections
    }
}

/// What the first run would take if one thing held nothing up; nothing where it is not foretold.
fn without(case: &Case<'_>) -> Option<Section> {
    let metrics = &case.now().metrics;
    let now = metrics.get("makespan_s").copied()?;
    let row = |(name, metric): (&str, &str)| {
        let then = *metrics.get(metric)?;
        let saved = 100.0 * (1.0 - then / now.max(f64::MIN_POSITIVE));
        Some(Row::new(vec![Cell::text(name), Cell::number(then), Cell::number(saved)]))
    };
    let rows = [
        ("disks that are never waited for", "without_disks_s"),
        ("a network that is never waited for", "without_network_s"),
        ("a core for every task", "without_core_limit_s"),
    ];
    let columns = vec![
        Column::words("with"),
        Column::numbers("all jobs", "s", 1),
        Column::numbers("shorter by", "%", 0),
    ];
    let rows: Option<Vec<Row>> = rows.into_iter().map(row).collect();
    let body = Body::Table(Table { columns, rows: rows? });
    Some(Section::new(
        "without",
        "What would help",
        "replayed from the trace; in the mean of many runs nine of ten are within 5 % of the \
         truth, one run is also a matter of chance",
        body,
    ))
}
