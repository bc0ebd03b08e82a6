//! What could not be used: counted by kind, with the first line of each.
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Complaints {
    seen: BTreeMap<(usize, String), (u64, u64)>,
    /// When lines were written of which nobody knows what they told \[ms\].
    unread: Vec<i64>,
}

impl Complaints {
    /// One more; `kind` is the same text for all of its kind.
    pub(super) fn add(&mut self, file: usize, line: u64, kind: impl Into<String>) {
        self.seen.entry((file, kind.into())).or_insert((0, line)).0 += 1
    }

    /// The same of a line that may have told something of blocks, written at that time.
    pub(super) fn unread(&mut self, file: usize, line: u64, at: i64, kind: impl Into<String>) {
        self.unread.push(at);
        self.add(file, line, kind)
    }

    /// Whether there are such lines, and how many from that time on.
    pub(super) fn unread_since(&self, at: i64) -> (bool, u64) {
        (!self.unread.is_empty(), self.unread.iter().filter(|when| **when >= at).count() as u64)
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
