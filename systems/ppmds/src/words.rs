//! What a result of PPMDS means.
use page::{Sentence, say};
use system::words::figure;
use system::{Case, Words};

/// The page of a run.
pub struct Page;

impl Words for Page {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let rate = figure(case.metric("operations_per_s"));
        let servers = case.sheet.count("cluster.servers");
        say("").number(format!("{rate} operations/s")).say(format!(
            " on {servers} server{}, for {} clients.",
            if servers == 1 { "" } else { "s" },
            case.sheet.count("cluster.clients")
        ))
    }

    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let p99 = figure(case.metric("latency_ms_p99"));
        vec![say(case.sheet.text("policy.metadata")), say(format!("p99 {p99} ms"))]
    }
}
