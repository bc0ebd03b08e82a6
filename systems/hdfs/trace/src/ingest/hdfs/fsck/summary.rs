//! fsck's own totals, to check the listing.
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in super::super) enum SummarySection {
    /// `Replicated Blocks:`, and everything before the halves.
    Replicated,
    /// `Erasure Coded Block Groups:`
    ErasureCoded,
}

/// Numbers by half and key as printed; several runs of one input are summed.
#[derive(Default)]
pub(in super::super) struct Summary {
    values: BTreeMap<(SummarySection, String), u64>,
    half: Option<SummarySection>,
}

impl Summary {
    pub(super) fn begin(&mut self) {
        self.half = None
    }
    /// Reads one line in any form: `Total blocks (validated):\t62 (avg. ..`.
    pub(super) fn line(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let Some((key, value)) = text.trim().split_once(':') else { return };
        match key {
            "Replicated Blocks" => self.half = Some(SummarySection::Replicated),
            "Erasure Coded Block Groups" => self.half = Some(SummarySection::ErasureCoded),
            _ => {
                let digits = value.trim().split(|c: char| !c.is_ascii_digit()).next();
                if let Some(value) = digits.and_then(|d| d.parse::<u64>().ok()) {
                    let half = self.half.unwrap_or(SummarySection::Replicated);
                    let old = self.values.entry((half, key.into())).or_default();
                    *old = old.saturating_add(value)
                }
            }
        }
    }
    /// `None`: not printed.
    pub(in super::super) fn get(&self, half: SummarySection, key: &str) -> Option<u64> {
        self.values.get(&(half, key.to_string())).copied()
    }
}
