//! The trace of a run, and what it means: a request is two hops, a wait for its turn, its service.
use crate::model::{HOP, Request};
use page::{Sentence, say};
use system::words::figure;
use system::{Case, Words};
use trace2::operations::Chains;
use trace2::{Cause, IntervalKind, IntervalRole::*, ResourceRole, TraceBuilder};
use units::Nanos;

/// Gathers requests that are through.
pub struct Gathered {
    pub trace: TraceBuilder,
    pub requests: Chains,
    /// Hop, turn, service.
    kinds: [IntervalKind; 3],
    causes: [Cause; 2],
}

impl Gathered {
    pub fn new(seed: u64) -> Gathered {
        let mut trace = TraceBuilder::new();
        let mut kind = |role, name, label| trace.interval_kind(role, name, label).id();
        let request = kind(Operation, "request", "request");
        let kinds = [
            kind(Work, "hop", "is under way"),
            kind(Wait, "turn", "waits for its turn"),
            kind(Work, "service", "is served"),
        ];
        let hop = Cause::Setting(trace.setting("latency", HOP.to_string()));
        let store = trace.resource_kind(ResourceRole::Store, "server", "Server").id();
        let server = Cause::Resource(trace.resource(store, "server").add());
        let requests = Chains::new(&trace, request, seed);
        Gathered { trace, requests, kinds, causes: [hop, server] }
    }

    pub fn add(&mut self, now: Nanos, Request { asked, came, began, done, .. }: Request) {
        let ([hop, turn, service], [latency, server]) = (self.kinds, self.causes);
        let chain = [
            (hop, came, latency),
            (turn, began, server),
            (service, done, server),
            (hop, now, latency),
        ];
        self.requests.add(asked, &chain)
    }
}

/// What a result means.
pub struct Plain;

impl Words for Plain {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let rate = format!("{} requests/s", figure(case.metric("operations_per_s")));
        let clients = case.sheet.count("cluster.clients");
        say("The server answers ").number(rate).say(format!(" of {clients} clients."))
    }
    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let clients = format!("{} clients", case.sheet.count("cluster.clients"));
        vec![say(clients), say(case.sheet.text("policy.queue"))]
    }
}
