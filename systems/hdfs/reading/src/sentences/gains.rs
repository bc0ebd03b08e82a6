//! What the repair gains without each thing that it waits for. What is waited for most need not be
//! what holds it up: without it something else may be waited for as long.
use super::without;
use crate::advice::real_key;
use crate::attribution::Held;
use crate::compare::Variant;
use crate::run::VariantRuns;
use crate::stat::{SAME, Verdict};

#[derive(Clone, Default, Debug)]
pub struct Gains {
    /// Parts of holders' names, and the part of the time (0–1) that is gained without the holder,
    /// or with the best other value that was run.
    known: Vec<(String, f64)>,
}

impl Gains {
    /// By the replays of the present runs without each, and by variants of one setting.
    pub fn of(variants: &[VariantRuns], rows: &[Variant]) -> Gains {
        let replayed = variants.first().map_or_else(Vec::new, without::saved);
        let replayed = replayed
            .iter()
            .flat_map(|(away, saved)| away.holders.iter().map(|part| (part.to_string(), *saved)));
        let now = rows.first().and_then(|now| now.recovery_s).map_or(0.0, |now| now.mean);
        let run = variants.iter().zip(rows).skip(1).filter_map(|(variant, row)| {
            let [(key, _)] = variant.set.as_slice() else { return None };
            let against = row.against_now.filter(|_| now > 0.0 && row.seeds > 1)?;
            let faster = against.verdict == Verdict::Faster;
            faster.then(|| (real_key(key).to_string(), -against.mean / now))
        });
        Gains { known: replayed.chain(run).collect() }
    }

    /// The part that is gained without a holder, at best; `None` where nobody tried.
    pub fn without(&self, held: &Held) -> Option<f64> {
        let name = held.holder.split(" = ").next().unwrap_or_default();
        let known = self.known.iter().filter(|(part, _)| name.contains(part.as_str()));
        known.map(|(_, saved)| *saved).reduce(f64::max)
    }

    pub fn is_any(saved: f64) -> bool {
        saved >= SAME
    }
}
