//! Policies by name: the key, the documentation of each, and its rule.
use crate::interface::PolicyInfo;
use cluster::Sheet;

/// The policies of one key.
///
/// ```
/// use system::policy::{Policies, Policy};
///
/// /// The place of the next among so many that wait.
/// type Next = fn(usize) -> usize;
///
/// static QUEUE: Policies<Next> = Policies {
///     key: "policy.queue",
///     all: &[Policy::new("fifo", "First come, first served.", (|_| 0) as Next)
///         .decides("Who has waited longest is next.")
///         .helps("Latencies are as even as they can be.")
///         .costs("Nothing.")
///         .reference("Kleinrock, Queueing Systems, 1975.")],
/// };
/// assert!(QUEUE.infos()[0].doc.starts_with("First come, first served.\n\n# What it decides\n"));
/// ```
pub struct Policies<R: 'static> {
    /// The key that takes a policy's name: `policy.queue`.
    pub key: &'static str,
    pub all: &'static [Policy<R>],
}

impl<R: Copy> Policies<R> {
    pub fn infos(&self) -> Vec<PolicyInfo> {
        let named = |one: &Policy<R>| PolicyInfo { key: self.key, name: one.name, doc: one.page() };
        self.all.iter().map(named).collect()
    }

    /// The rule that a scenario names; the lab has checked the name.
    pub fn of(&self, sheet: &Sheet) -> R {
        let named = sheet.text(self.key);
        self.all.iter().find(|one| one.name == named).expect("a name that was checked").rule
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Policy<R> {
    name: &'static str,
    what: &'static str,
    rule: R,
    decides: &'static str,
    helps: &'static str,
    costs: &'static str,
    reference: &'static str,
}

impl<R: Copy> Policy<R> {
    /// `what` is one sentence.
    pub const fn new(name: &'static str, what: &'static str, rule: R) -> Policy<R> {
        Policy { name, what, rule, decides: "", helps: "", costs: "", reference: "" }
    }

    pub const fn decides(self, decides: &'static str) -> Policy<R> {
        Policy { decides, ..self }
    }

    pub const fn helps(self, helps: &'static str) -> Policy<R> {
        Policy { helps, ..self }
    }

    pub const fn costs(self, costs: &'static str) -> Policy<R> {
        Policy { costs, ..self }
    }

    /// Source: paper, class or standard.
    pub const fn reference(self, reference: &'static str) -> Policy<R> {
        Policy { reference, ..self }
    }

    fn page(&self) -> String {
        let Policy { what, decides, helps, costs, reference, .. } = self;
        format!(
            "{what}\n\n# What it decides\n{decides}\n\n# When it helps\n{helps}\n\n\
             # What it costs\n{costs}\n\n# Reference\n{reference}"
        )
    }
}
