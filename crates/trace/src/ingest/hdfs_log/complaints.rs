//! What could not be used: counted by kind, with the first line of each.
use std::collections::BTreeMap;

/// By file and kind.
#[derive(Default)]
pub(super) struct Complaints {
    seen: BTreeMap<(usize, String), (u64, u64)>,
}

impl Complaints {
    /// One more; `kind` is the same text for all of its kind.
    pub(super) fn add(&mut self, file: usize, line: u64, kind: impl Into<String>) {
        self.seen.entry((file, kind.into())).or_insert((0, line)).0 += 1
    }

    /// As notes: "nn.log:17: …", "nn.log:17: … (12 times)".
    pub(super) fn notes(&self, names: &[String]) -> Vec<String> {
        let note = |((file, kind), (count, line)): (&(usize, String), &(u64, u64))| {
            let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
            format!("{}:{line}: {kind}{times}", names[*file])
        };
        self.seen.iter().map(note).collect()
    }
}
