//! Compares states by the digests of their fields.
use crate::{Message, pending::Entry};
use rewind::Digest;

pub(super) type Parts = Vec<(&'static str, u128)>;

pub(super) fn parts(state: &impl Digest) -> Parts {
    let mut all = vec![];
    state.parts(&mut |name, digest| all.push((name, digest)));
    all
}

/// Panics and names the field if its digest differs.
pub(super) fn compare<E: Message>(
    want: &Option<Parts>,
    state: &impl Digest,
    entry: &Entry,
    event: &E,
    what: &str,
) {
    let Some(want) = want else { return };
    let have = parts(state);
    assert_eq!(want.len(), have.len(), "LP {} became another kind of LP", entry.dst);
    for (w, h) in want.iter().zip(&have) {
        let (name, lp, t) = (w.0, entry.dst, entry.t);
        assert!(
            w == h,
            "field `{name}` of LP {lp} {what}: event {event:?} at {t} ns, or one shortly before it"
        )
    }
}

/// Words digested per event: small states are compared at every event, large ones less often.
const WORDS: u64 = 1024;

/// Budget for comparisons of a large state.
pub(super) struct CheckBudget {
    saved: u64,
}

impl Default for CheckBudget {
    fn default() -> Self {
        CheckBudget { saved: u64::MAX / 2 }
    }
}

impl CheckBudget {
    /// Whether a state of this weight in words may be compared now.
    pub(super) fn allows(&mut self, weight: u64) -> bool {
        self.saved = self.saved.saturating_add(WORDS);
        let allowed = self.saved >= weight;
        if allowed {
            self.saved = 0
        }
        allowed
    }
}
