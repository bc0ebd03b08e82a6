//! Pages and texts of simulated runs.
use super::{jobs, nodes, tasks, times};
use crate::plain;
use crate::why::{Explanation, JobExplanation};
use page::words::{count, duration, percent};
use page::{Body, Cell, Certainty, Column, Head, Page, Row, Section, Sentence, Table, Width, say};
use serde_json::{Value, json};
use system::advice::Price;
use system::reporter::{figure, hue};
use system::{Case, Reporter};
use trace::Trace;
use trace::reading::{HolderShare, Reading, Role};

static PRICES: [Price; 5] = [
    Price::less("makespan_s", "all jobs together", "s"),
    Price::less("job_s_p95", "95 of 100 jobs end in", "s"),
    Price::less("attempts", "attempts", ""),
    Price::less("jobs_failed", "failed jobs", "").never(),
    Price::less("jobs_unfinished", "jobs that do not end", "").never(),
];

pub struct JobsReporter;

impl Reporter for JobsReporter {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let count = case.sheet.count("workload.jobs");
        let open = case.metric("jobs_unfinished");
        if open > 0.0 {
            let limit = page::words::duration(case.sheet.time("workload.limit").as_secs());
            return say("")
                .number(format!("{open:.0} of {count}"))
                .say(format!(" jobs did not end within {limit} (workload.limit)."));
        }
        let who = if count == 1 { "Job time: " } else { "Mean job time: " };
        let mean = if count == 1 { ".".into() } else { format!(" ({count} jobs).") };
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
        let why = Explanation::of(case.trace);
        // In addition to the common sections.
        let mut sections: Vec<Section> = without(case).into_iter().collect();
        sections.extend(times::of_jobs(&why.jobs));
        sections.extend(times::fetches_of_jobs(&why.jobs));
        if why.jobs.len() > 1 {
            sections.push(jobs::gantt(&why, &jobs::Order::new()))
        }
        sections.extend(slowest(&why).map(|one| tasks::gantt(case.trace, one, None)));
        sections
    }

    fn savings(&self, case: &Case<'_>) -> Vec<(String, f64)> {
        let metrics = &case.now().metrics;
        let Some(now) = metrics.get("makespan_s").filter(|now| **now > 0.0) else {
            return Vec::new();
        };
        let without = |(name, metric): &(&str, &str)| {
            Some((name.to_string(), 1.0 - metrics.get(*metric)? / now))
        };
        HOLDERS.iter().filter_map(without).collect()
    }

    fn pages(&self, case: &Case<'_>, page: Page) -> Page {
        let why = Explanation::of(case.trace);
        let of =
            |one| nodes::pages(case.trace, one).into_iter().chain(tasks::pages(case.trace, one));
        slowest(&why).into_iter().flat_map(of).fold(page, Page::below)
    }
}

/// A simulated run as Watanabe 2014 draws one: times of jobs and of tasks, tasks of the first four
/// jobs. Ids and titles begin with the site's.
pub fn figures(site: &str, trace: &Trace) -> Vec<Section> {
    let why = Explanation::of(trace);
    let mut sections = vec![jobs::gantt(&why, &jobs::Order::new())];
    sections.extend(times::of_jobs(&why.jobs));
    sections.extend(times::fetches_of_jobs(&why.jobs));
    let mut first: Vec<&JobExplanation> = why.jobs.iter().collect();
    first.sort_by_key(|one| one.start_ms);
    for one in first.into_iter().take(4) {
        let tasks = tasks::gantt(trace, one, None);
        let (id, title) = (format!("tasks-{}", one.name), format!("Tasks of {}", one.name));
        sections.push(Section { id, title, ..tasks })
    }
    for section in &mut sections {
        section.id = format!("{site}-{}", section.id).to_lowercase().replace(' ', "-");
        section.title = format!("{site}: {}", section.title);
        section.width = Width::Full
    }
    sections
}

/// Bottlenecks, and the metric of the makespan without each.
const HOLDERS: [(&str, &str); 4] = [
    ("Disks", "without_disks_s"),
    ("Rack uplinks", "without_network_s"),
    ("NICs", "without_network_s"),
    ("Computing", "without_core_limit_s"),
];

fn slowest(why: &Explanation) -> Option<&JobExplanation> {
    why.jobs.iter().max_by_key(|one| one.finish_ms - one.start_ms)
}

/// What held a run up, as on its own page: settings below 0.5 % are left out.
fn held(reading: &Reading) -> impl Iterator<Item = &HolderShare> {
    reading.held.iter().filter(|held| held.share >= 0.005).take(4)
}

pub(super) fn head(trace: &Trace, why: &Explanation) -> Head {
    let reading = Reading::of(trace);
    let certainty = Certainty::low("a model; tenbin check lists its parameters.");
    let mut head = Head::new(["simulated jobs"], verdict(&reading, why), certainty);
    head = head.fact(say(count(why.jobs.len() as u64, "job")));
    for held in held(&reading) {
        let text = say("").strong(percent(held.share)).say(" ");
        let text = match held.role {
            Role::Setting => text.key(held.holder.clone()),
            _ => text.say(held.holder.clone()),
        };
        head = head.held_up(hue(held.role), text)
    }
    head
}

fn verdict(reading: &Reading, why: &Explanation) -> Sentence {
    let (who, mean) = match why.jobs.len() {
        1 => ("Job time: ", ".".into()),
        n => ("Mean job time: ", format!(" ({n} jobs).")),
    };
    match reading.value {
        Some(value) => say(who).number(duration(value)).say(mean),
        None => say("No job ended."),
    }
}

pub(super) fn text(trace: &Trace, why: &Explanation) -> String {
    let reading = Reading::of(trace);
    let mut out = format!("{}\n", plain::plain(page::plain(&verdict(&reading, why).done())));
    for held in held(&reading) {
        out.push_str(&format!("  held up by {}: {}\n", held.holder, plain::percent(held.share)))
    }
    for one in why.jobs.iter().take(20) {
        let took = plain::duration(one.job.duration_s());
        out.push_str(&format!("{} {took}\n", plain::printable(&one.name)))
    }
    out
}

/// The output of `tenbin why --json`, without clues from histories.
pub(super) fn json(trace: &Trace, why: &Explanation) -> Value {
    let reading = Reading::of(trace);
    let mut jobs = json!(why.jobs);
    for job in jobs.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        for clue in ["verdicts", "critical_path", "unexplained_share"] {
            job.remove(clue);
        }
    }
    json!({
        "objective": reading.objective, "value": reading.value, "held": reading.held,
        "jobs": jobs,
    })
}

/// Makespan of the first run without each resource; `None`: not predicted.
fn without(case: &Case<'_>) -> Option<Section> {
    let metrics = &case.now().metrics;
    let now = metrics.get("makespan_s").copied()?;
    let row = |(name, metric): (&str, &str)| {
        let then = *metrics.get(metric)?;
        let saved = 100.0 * (1.0 - then / now.max(f64::MIN_POSITIVE));
        Some(Row::new(vec![Cell::text(name), Cell::number(then), Cell::number(saved)]))
    };
    let rows = [
        ("disks without waits", "without_disks_s"),
        ("a network without waits", "without_network_s"),
        ("a core for every task", "without_core_limit_s"),
    ];
    let columns = vec![
        Column::words("with"),
        Column::numbers("all jobs", "s", 1),
        Column::numbers("shorter by", "%", 0),
    ];
    let rows: Option<Vec<Row>> = rows.into_iter().map(row).collect();
    let body = Body::Table(Table { columns, rows: rows? });
    let how = "replayed from the trace; over many runs, the mean of nine in ten is within 5 % of \
               the truth; one run also varies by chance";
    Some(Section::new("without", "What would help", how, body).width(Width::Half))
}
