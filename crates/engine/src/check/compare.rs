//! Comparing states by the digests of their named parts.
use crate::{Message, pending::Entry};
use rewind::Digest;

/// The digest of each field, by name.
pub(super) type Parts = Vec<(&'static str, u128)>;

pub(super) fn parts(state: &impl Digest) -> Parts {
    let mut all = vec![];
    state.parts(&mut |name, digest| all.push((name, digest)));
    all
}

/// Panics, and names the field, where a state is not what it was.
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

/// Words that may be digested per event: small states are compared at every event, large ones now
/// and then.
const WORDS: u64 = 1024;

/// Saves up for the next comparison of a large state.
pub(super) struct Thrift {
    saved: u64,
}

impl Default for Thrift {
    /// The first time is free.
    fn default() -> Self {
        Thrift { saved: u64::MAX / 2 }
    }
}

impl Thrift {
    /// Whether a state of this weight may be compared now.
    pub(super) fn allows(&mut self, weight: u64) -> bool {
        self.saved = self.saved.saturating_add(WORDS);
        let allowed = self.saved >= weight;
        if allowed {
            self.saved = 0
        }
        allowed
    }
}
