//! What a finished run was, as another is held against it.
use serde::Serialize;
use std::collections::BTreeMap;
use trace::reading::Held;

/// A run of real work, by its logs: what it did, whether it did all of it, and what held it up.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Finished {
    /// What it is: "job".
    pub what: String,
    pub name: String,
    /// How it ended, if it did not do all of its work: "failed", "was killed".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broke_off: Option<String>,
    /// What it worked on, by the names of figures: runs of other inputs did other work.
    pub input: BTreeMap<String, f64>,
    /// What held it up, in a sentence.
    pub verdict: String,
    /// What else has to be known of it: "of 5 jobs the first".
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Figures besides those of its trace.
    #[serde(skip)]
    pub figures: BTreeMap<String, f64>,
    /// What its objective's time was spent on; nothing: what its trace says.
    #[serde(skip)]
    pub held: Vec<Held>,
    /// What was set, as far as its logs say it.
    #[serde(skip)]
    pub settings: BTreeMap<String, String>,
}
