//! Chooses the version of a name to read, and the next step for each version on each node.
//!
//! Invariant: no step discards an acknowledged version, whatever nodes have lost, cannot read or do
//! not answer. Exceptions: a mark of its removal, or a newer version on all nodes. The test `kept`
//! checks this over all states of up to five nodes.
use crate::commit::{Held, Verdict, verdict};

#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub verdict: Verdict,
    pub said: &'a [Held],
}

/// States that count as evidence while nodes are filled, after a disk loss or as replacements.
///
/// A missing version on a node of `filled` counts as [`Held::Unknown`]. Nodes of `copies` received
/// their copy while they were filled. If all others have nothing, the copies do not count: clients
/// that do not know these nodes have removed the object.
pub fn counted(said: &[Held], filled: &[usize], copies: &[usize]) -> Vec<Held> {
    let is_copy = |node: &usize| copies.contains(node);
    let mut others = (0..said.len()).filter(|node| !is_copy(node));
    let is_nowhere = !copies.is_empty() && others.all(|node| said[node] == Held::Nothing);
    let count = |(node, held): (usize, &Held)| match held {
        Held::Nothing if filled.contains(&node) => Held::Unknown,
        Held::Committed | Held::Prepared { .. } if is_nowhere && is_copy(&node) => Held::Nothing,
        held => *held,
    };
    said.iter().enumerate().map(count).collect()
}

/// Judges versions of one name, the newest first. Each comes with the losses that it survives and
/// its state by node.
pub fn judge<'a>(versions: impl IntoIterator<Item = (usize, &'a [Held])>) -> Vec<Judged<'a>> {
    let mut is_removed = false;
    let mut all = Vec::new();
    for (losses, said) in versions {
        let verdict = if is_removed { Verdict::Absent } else { verdict(losses, said) };
        is_removed |= said.contains(&Held::Removed { with_older: true });
        all.push(Judged { verdict, said })
    }
    all
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    Whole(usize),
    /// Its writer is at work; no version existed before.
    BeingWritten,
    /// Too few nodes can supply it, or answer whether it exists.
    Out,
    /// Not there; what is left of it will be discarded.
    Gone,
}

/// State of a name by its versions, the newest first. A version is not current if a newer one may
/// have been acknowledged.
pub fn reach(versions: &[Judged<'_>]) -> Reach {
    let open = || versions.iter().filter(|v| v.verdict == Verdict::Open);
    for (at, version) in versions.iter().enumerate() {
        match version.verdict {
            Verdict::Whole => return Reach::Whole(at),
            Verdict::Open if may_be_acknowledged(version.said) => return Reach::Out,
            Verdict::Open | Verdict::Absent => {}
        }
    }
    match open().count() {
        0 => Reach::Gone,
        _ if open().all(|v| v.said.contains(&Held::Prepared { is_attended: true })) => {
            Reach::BeingWritten
        }
        _ => Reach::Out,
    }
}

/// An acknowledged version is committed on all nodes, so one node suffices as evidence.
fn may_be_acknowledged(said: &[Held]) -> bool {
    said.iter().any(|held| matches!(held, Held::Committed | Held::Unreadable))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Write its record from those of other nodes.
    Restore,
    Commit,
    /// Discard it and leave a mark.
    Discard,
    /// Remove the mark: all nodes have acted on it.
    Forget,
}

/// Steps for a version, by node; `older` are the versions after it. A node without a step is left
/// out.
pub fn steps(version: &Judged<'_>, older: &[Judged<'_>]) -> Vec<(usize, Step)> {
    let is_explained = version.said.iter().any(|held| held.is_readable());
    let is_left = |said: &[Held]| said.iter().any(|held| held.is_something());
    let with_older = version.said.contains(&Held::Removed { with_older: true });
    let is_older_left = with_older && older.iter().any(|v| is_left(v.said));
    let is_known = !(is_left(version.said) || is_older_left);
    let step = |held: &Held| match (version.verdict, held) {
        (Verdict::Whole | Verdict::Open, Held::Unreadable) if is_explained => Some(Step::Restore),
        (Verdict::Whole, Held::Prepared { .. }) => Some(Step::Commit),
        (Verdict::Absent, Held::Prepared { is_attended: true }) => None,
        (Verdict::Absent, Held::Committed | Held::Prepared { .. } | Held::Unreadable) => {
            Some(Step::Discard)
        }
        (_, Held::Removed { .. }) if is_known => Some(Step::Forget),
        _ => None,
    };
    let all = version.said.iter().enumerate();
    all.filter_map(|(node, held)| Some((node, step(held)?))).collect()
}

/// Index of the current version if all nodes can read it and older ones, which end, follow it.
/// `versions` has the newest first.
pub fn superseded(versions: &[Judged<'_>]) -> Option<usize> {
    let at = match reach(versions) {
        Reach::Whole(at) => at,
        _ => return None,
    };
    let is_everywhere = versions[at].said.iter().all(|held| held.is_readable());
    (is_everywhere && at + 1 < versions.len()).then_some(at)
}

/// Whether a version can be supplied if all silent nodes return unchanged, except those of `lost`.
pub fn may_come_back(losses: usize, said: &[Held], lost: &[usize]) -> bool {
    let counts = |(node, held): &(usize, &Held)| match held {
        Held::Unknown => !lost.contains(node),
        held => held.is_something(),
    };
    said.iter().enumerate().filter(counts).count() >= said.len() - losses
}
