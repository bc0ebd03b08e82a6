//! Chooses the version of a name to read, and the next step for each version on each node.
//!
//! Invariant: no step discards an acknowledged version, whatever nodes have lost, cannot read or do
//! not answer. Exceptions: a mark of its removal, or a newer version on all nodes. The test `kept`
//! checks this over all states of up to five nodes.
use crate::commit::{ReplicaState, Verdict, verdict};

#[derive(Clone, Copy, Debug)]
pub struct JudgedVersion<'a> {
    pub verdict: Verdict,
    pub states: &'a [ReplicaState],
}

/// States that count as evidence while nodes are filled, after a disk loss or as replacements.
///
/// A missing version on a node of `filled` counts as [`ReplicaState::Unknown`]. Nodes of `copies`
/// received their copy while they were filled. If all others have nothing, the copies do not count:
/// clients that do not know these nodes have removed the object.
pub fn evidence(states: &[ReplicaState], filled: &[usize], copies: &[usize]) -> Vec<ReplicaState> {
    let is_copy = |node: &usize| copies.contains(node);
    let mut others = (0..states.len()).filter(|node| !is_copy(node));
    let is_nowhere = !copies.is_empty() && others.all(|node| states[node] == ReplicaState::Nothing);
    let count = |(node, held): (usize, &ReplicaState)| match held {
        ReplicaState::Nothing if filled.contains(&node) => ReplicaState::Unknown,
        ReplicaState::Committed | ReplicaState::Prepared { .. } if is_nowhere && is_copy(&node) => {
            ReplicaState::Nothing
        }
        held => *held,
    };
    states.iter().enumerate().map(count).collect()
}

/// Judges versions of one name, the newest first. Each comes with the losses that it survives and
/// its state by node.
pub fn verdicts<'a>(
    versions: impl IntoIterator<Item = (usize, &'a [ReplicaState])>,
) -> Vec<JudgedVersion<'a>> {
    let mut is_removed = false;
    let mut all = Vec::new();
    for (losses, states) in versions {
        let verdict = if is_removed { Verdict::Gone } else { verdict(losses, states) };
        is_removed |= states.contains(&ReplicaState::Removed { with_older: true });
        all.push(JudgedVersion { verdict, states })
    }
    all
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Availability {
    Readable(usize),
    /// Its writer is at work; no version existed before.
    BeingWritten,
    /// Too few nodes can supply it, or answer whether it exists.
    Unavailable,
    /// Not there; what is left of it will be discarded.
    Absent,
}

/// State of a name by its versions, the newest first. A version is not current if a newer one may
/// have been acknowledged.
pub fn availability(versions: &[JudgedVersion<'_>]) -> Availability {
    let open = || versions.iter().filter(|v| v.verdict == Verdict::Undecided);
    for (at, version) in versions.iter().enumerate() {
        match version.verdict {
            Verdict::Readable => return Availability::Readable(at),
            Verdict::Undecided if may_be_acknowledged(version.states) => {
                return Availability::Unavailable;
            }
            Verdict::Undecided | Verdict::Gone => {}
        }
    }
    match open().count() {
        0 => Availability::Absent,
        _ if open().all(|v| v.states.contains(&ReplicaState::Prepared { is_attended: true })) => {
            Availability::BeingWritten
        }
        _ => Availability::Unavailable,
    }
}

/// An acknowledged version is committed on all nodes, so one node suffices as evidence.
fn may_be_acknowledged(states: &[ReplicaState]) -> bool {
    states.iter().any(|held| matches!(held, ReplicaState::Committed | ReplicaState::Unreadable))
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
pub fn steps(version: &JudgedVersion<'_>, older: &[JudgedVersion<'_>]) -> Vec<(usize, Step)> {
    let is_explained = version.states.iter().any(|held| held.is_readable());
    let is_left = |states: &[ReplicaState]| states.iter().any(|held| held.is_something());
    let with_older = version.states.contains(&ReplicaState::Removed { with_older: true });
    let is_older_left = with_older && older.iter().any(|v| is_left(v.states));
    let is_known = !(is_left(version.states) || is_older_left);
    let step = |held: &ReplicaState| match (version.verdict, held) {
        (Verdict::Readable | Verdict::Undecided, ReplicaState::Unreadable) if is_explained => {
            Some(Step::Restore)
        }
        (Verdict::Readable, ReplicaState::Prepared { .. }) => Some(Step::Commit),
        (Verdict::Gone, ReplicaState::Prepared { is_attended: true }) => None,
        (
            Verdict::Gone,
            ReplicaState::Committed | ReplicaState::Prepared { .. } | ReplicaState::Unreadable,
        ) => Some(Step::Discard),
        (_, ReplicaState::Removed { .. }) if is_known => Some(Step::Forget),
        _ => None,
    };
    let all = version.states.iter().enumerate();
    all.filter_map(|(node, held)| Some((node, step(held)?))).collect()
}

/// Index of the current version if all nodes can read it and older ones, which end, follow it.
/// `versions` has the newest first.
pub fn superseded(versions: &[JudgedVersion<'_>]) -> Option<usize> {
    let at = match availability(versions) {
        Availability::Readable(at) => at,
        _ => return None,
    };
    let is_everywhere = versions[at].states.iter().all(|held| held.is_readable());
    (is_everywhere && at + 1 < versions.len()).then_some(at)
}

/// Whether a version can be supplied if all silent nodes return unchanged, except those of `lost`.
pub fn may_come_back(losses: usize, states: &[ReplicaState], lost: &[usize]) -> bool {
    let counts = |(node, held): &(usize, &ReplicaState)| match held {
        ReplicaState::Unknown => !lost.contains(node),
        held => held.is_something(),
    };
    states.iter().enumerate().filter(counts).count() >= states.len() - losses
}
