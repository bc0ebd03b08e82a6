//! What a result of echo means.
use page::{Sentence, say};
use system::words::figure;
use system::{Case, Words};

/// Nothing that only echo has: the page is made of what all systems share.
pub struct Plain;

impl Words for Plain {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let rate = figure(case.metric("operations_per_s"));
        let clients = case.sheet.count("cluster.clients");
        say("The server answers ")
            .number(format!("{rate} requests/s"))
            .say(format!(" of {clients} clients."))
    }

    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let queue = case.sheet.text("policy.queue");
        vec![say(format!("{} clients", case.sheet.count("cluster.clients"))), say(queue)]
    }
}
