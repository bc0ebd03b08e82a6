//! What is kept: which version of a name is read, and what may be done with each on each node.
//!
//! The rule: no step discards a version that was acknowledged, whatever nodes have lost, cannot
//! read or do not answer, but where a mark says that it was removed, or a newer version is
//! everywhere. The test `kept` checks it over all states of up to five nodes.
use crate::commit::{Held, Verdict, verdict};

/// A version as all nodes together have it.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub verdict: Verdict,
    pub said: &'a [Held],
}

/// What counts of what nodes say while some are filled, since their disks were lost or they take a
/// place: that such a node has nothing says nothing. What `copies` have was given to them while
/// they were filled. Where all others have nothing it is no evidence: the object was removed by
/// clients that do not know these nodes.
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

/// Judges versions of one name, the newest first: of each how many nodes it may lose, and what
/// nodes say.
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

/// What can be done about a name now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    Whole(usize),
    /// Its writer is at work, and it was not there before.
    BeingWritten,
    /// Too few nodes can supply it now, or tell whether it is there.
    Out,
    /// It is not there; what is left of it will be discarded.
    Gone,
}

/// What can be done about a name whose versions are these, the newest first. A version is not
/// current if a newer one may have been acknowledged.
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

/// An acknowledged version was committed on all nodes.
fn may_be_acknowledged(said: &[Held]) -> bool {
    said.iter().any(|held| matches!(held, Held::Committed | Held::Unreadable))
}

/// What is to be done with a version on a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Write its record again, as other nodes have it.
    Restore,
    Commit,
    /// Discard it, and leave a mark.
    Discard,
    /// Remove the mark: all nodes know.
    Forget,
}

/// What is to be done with one version, on each node where something is to be done; `older` are
/// the versions after it.
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

/// The versions that end, of those given, the newest first: all after the newest one that is
/// there, once that is readable everywhere.
pub fn superseded(versions: &[Judged<'_>]) -> Option<usize> {
    let at = match reach(versions) {
        Reach::Whole(at) => at,
        _ => return None,
    };
    let is_everywhere = versions[at].said.iter().all(|held| held.is_readable());
    (is_everywhere && at + 1 < versions.len()).then_some(at)
}

/// Whether a version could still be supplied if all nodes that do not answer came back as they
/// were; nodes of `lost` do not.
pub fn may_come_back(losses: usize, said: &[Held], lost: &[usize]) -> bool {
    let counts = |(node, held): &(usize, &Held)| match held {
        Held::Unknown => !lost.contains(node),
        held => held.is_something(),
    };
    said.iter().enumerate().filter(counts).count() >= said.len() - losses
}
