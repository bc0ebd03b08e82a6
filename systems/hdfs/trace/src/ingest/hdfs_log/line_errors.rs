//! Unusable lines, counted by kind, with the first line of each.
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct LineErrors {
    seen: BTreeMap<(usize, String), (u64, u64)>,
    /// Times of unreadable lines that may concern blocks \[ms\].
    unread: Vec<i64>,
}

impl LineErrors {
    /// Counts one line. All lines of a kind have the same text.
    pub(super) fn add(&mut self, file: usize, line: u64, kind: impl Into<String>) {
        self.seen.entry((file, kind.into())).or_insert((0, line)).0 += 1
    }

    /// As `add`, for a line of this time that may concern blocks.
    pub(super) fn add_unread(&mut self, file: usize, line: u64, at: i64, kind: impl Into<String>) {
        self.unread.push(at);
        self.add(file, line, kind)
    }

    /// (any unreadable line exists, number since `at`).
    pub(super) fn unread_since(&self, at: i64) -> (bool, u64) {
        (!self.unread.is_empty(), self.unread.iter().filter(|when| **when >= at).count() as u64)
    }

    /// Such as "nn.log:17: …", "nn.log:17: … (12 times)".
    pub(super) fn notes(&self, names: &[String]) -> Vec<String> {
        let note = |((file, kind), (count, line)): (&(usize, String), &(u64, u64))| {
            let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
            format!("{}:{line}: {kind}{times}", names[*file])
        };
        self.seen.iter().map(note).collect()
    }
}
