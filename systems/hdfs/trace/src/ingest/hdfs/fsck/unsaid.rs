//! How many replicas a block wants where no line of its file says it, as in Hadoop 2.

/// fsck's own rule turned round (`NamenodeFsck.collectBlocksSummary`): a block that has fewer than
/// its file wants has a message, which names the number; one that has more is counted as
/// over-replicated. So one without a message wants no more than it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Unsaid {
    /// The cluster's default, by the summary.
    pub(in super::super) default: u16,
    /// No block has more than it wants.
    pub(in super::super) nothing_over: bool,
}

impl Unsaid {
    /// Of a block without a message that has so many replicas.
    pub(in super::super) fn wanted(self, there: u64) -> u16 {
        let there = u16::try_from(there).unwrap_or(u16::MAX);
        match there {
            0 => self.default,
            _ if self.nothing_over => there,
            _ => there.min(self.default),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_without_a_message_wants_no_more_than_it_has() {
        let exact = Unsaid { default: 3, nothing_over: true };
        assert_eq!([0, 1, 3, 10].map(|there| exact.wanted(there)), [3, 1, 3, 10]);
        let some_over = Unsaid { nothing_over: false, ..exact };
        assert_eq!([0, 1, 3, 10].map(|there| some_over.wanted(there)), [3, 1, 3, 3]);
    }
}
