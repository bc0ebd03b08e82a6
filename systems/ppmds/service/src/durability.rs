//! When an answer leaves a node.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// Each message's changes are flushed alone.
    Sync,
    /// The changes of all messages that wait are flushed together.
    Group,
    /// Before the flush, which follows within 100 ms. A power failure loses what was acknowledged
    /// since; the end of the process loses nothing.
    Async,
}

impl Durability {
    pub const ALL: [(&'static str, &'static str, Durability); 3] = [
        ("sync", "Flush the disk for each message", Durability::Sync),
        ("group", "Flush the disk for all messages that wait", Durability::Group),
        (
            "async",
            "Flush every 100 ms: a power failure loses acknowledged changes since the last flush",
            Durability::Async,
        ),
    ];

    pub fn name(self) -> &'static str {
        Durability::ALL.iter().find(|(.., one)| *one == self).expect("each has its name").0
    }
}
