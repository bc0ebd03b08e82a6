//! Estimates the replication factor of a block if its file's line lacks it, as in Hadoop 2.

/// Inverts fsck's rule (`NamenodeFsck.collectBlocksSummary`). A message names the factor of a block
/// with too few replicas; the summary counts blocks with too many. So a block without a message has
/// at least its target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct TargetEstimate {
    /// The cluster's default, from the summary.
    pub(in super::super) default: u16,
    pub(in super::super) has_no_excess: bool,
}

impl TargetEstimate {
    /// Target of a block without a message that has `there` replicas.
    pub(in super::super) fn wanted(self, there: u64) -> u16 {
        let there = u16::try_from(there).unwrap_or(u16::MAX);
        match there {
            0 => self.default,
            _ if self.has_no_excess => there,
            _ => there.min(self.default),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_without_a_message_wants_no_more_than_it_has() {
        let exact = TargetEstimate { default: 3, has_no_excess: true };
        assert_eq!([0, 1, 3, 10].map(|there| exact.wanted(there)), [3, 1, 3, 10]);
        let some_over = TargetEstimate { has_no_excess: false, ..exact };
        assert_eq!([0, 1, 3, 10].map(|there| some_over.wanted(there)), [3, 1, 3, 3]);
    }
}
