//! Trace and verdict of a run.
use engine::Nanos;
use page::{Sentence, say, words::count};
use system::reporter::{Case, Reporter, figure};
use trace::operations::Chains;
use trace::{IntervalRole::*, ResourceRole, TraceBuilder};

pub const HOP: Nanos = Nanos::micros(20);

/// A request's parts: hop, wait in the queue, service, hop.
pub fn requests(seed: u64) -> Chains<4> {
    let mut trace = TraceBuilder::new();
    let latency = trace.setting("latency", HOP.to_string()).into();
    let server = trace.sole_resource(ResourceRole::Store, "server", "Server").into();
    let hop = (Work, "hop", "in transit", latency);
    let turn = (Wait, "turn", "waits for its turn", server);
    let service = (Work, "service", "is served", server);
    Chains::new(trace, "request", [hop, turn, service, hop], seed)
}

pub struct Spoken;

impl Reporter for Spoken {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let rate = format!("{} requests/s", figure(case.metric("operations_per_s")));
        let clients = count(case.sheet.count("cluster.clients"), "client");
        say("The server answers ").number(rate).say(format!(" of {clients}."))
    }
}
