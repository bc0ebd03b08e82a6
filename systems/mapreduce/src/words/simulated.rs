//! What a simulated run of jobs means.
use super::{jobs, tasks};
use crate::why::Why;
use page::{Section, Sentence, say};
use system::words::figure;
use system::{Case, Words};

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

    fn sections(&self, case: &Case<'_>) -> Vec<Section> {
        let why = Why::of(case.trace);
        let mut sections = Vec::new();
        if why.jobs.len() > 1 {
            sections.push(jobs::gantt(&why))
        }
        if let Some(slowest) = why.jobs.iter().max_by(|a, b| {
            let took = |one: &crate::why::JobWhy| one.finish_ms - one.start_ms;
            took(a).cmp(&took(b))
        }) {
            sections.push(tasks::gantt(case.trace, slowest, None))
        }
        sections
    }
}
