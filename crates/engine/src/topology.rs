//! Lower bounds of the delays between LPs: the lookahead of every scheduler.
use crate::Lps;
use rewind::Scalar;
use std::collections::BTreeMap;
use units::Nanos;

/// A connection of two LPs, issued by the topology: no message takes less than its bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Link(pub(crate) Nanos);

impl Link {
    /// Least delay of a message \[ns\].
    pub fn bound(self) -> Nanos {
        self.0
    }
}

/// Travel time of a message to another LP. Only a link gives one, so it is never below the bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Delay(pub(crate) Nanos);

impl Delay {
    /// The bound of the link.
    #[inline(always)]
    pub fn link(link: Link) -> Delay {
        Delay(link.0)
    }
    /// Adds time for queueing, service or transmission.
    #[inline(always)]
    pub fn plus(self, t: Nanos) -> Delay {
        Delay(Nanos(self.0.0.saturating_add(t.0)))
    }
}

/// A group of LPs that are close to one another: a cluster, a rack, a machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct Group(u32);

struct Place {
    parent: u32,
    depth: u32,
    /// Least delay between two children of this group.
    bound: Nanos,
    /// Largest bound of this group and its ancestors.
    most: Nanos,
}

/// A tree of groups of LPs, each with a lower bound of the delay between its children.
///
/// ```text
///   cluster  200 µs between racks                bound(a, b) =  20 µs
///   ├── rack  20 µs between machines             bound(a, c) = 200 µs
///   │   ├── machine  1 µs within    ● a          bound(a, a) =   1 µs
///   │   └── machine                 ● b
///   └── rack
///       └── machine                 ● c
/// ```
///
/// Two levels are enough for most: `Topology::new(within, across)` with groups by number. For more,
/// [`tree`](Topology::tree), [`group`](Topology::group) and [`place_in`](Topology::place_in).
pub struct Topology {
    groups: Vec<Place>,
    numbered: BTreeMap<u32, Group>,
    /// Bound of a group that `place` creates.
    within: Nanos,
    group_of: Vec<u32>,
    /// The bound of all groups, if they are equal.
    uniform: Option<Nanos>,
}

fn lookahead(least: Nanos) -> Nanos {
    assert!(
        least > Nanos::ZERO,
        "a least delay of 0 between LPs leaves no lookahead, so threads cannot advance: give the \
         latency of the path between them, at least 1 ns"
    );
    least
}

impl Topology {
    /// Groups by number: the least delay inside one, and between two of them.
    ///
    /// # Panics
    /// If one of them is 0, because schedulers need lookahead.
    pub fn new(within: Nanos, across: Nanos) -> Self {
        let (within, across) = (lookahead(within), lookahead(across));
        let root = Place { parent: 0, depth: 0, bound: across, most: across };
        Topology {
            groups: vec![root],
            numbered: BTreeMap::new(),
            within,
            group_of: vec![],
            uniform: (within == across).then_some(within),
        }
    }

    /// A tree of one group, the root, whose children are at least `across` apart.
    pub fn tree(across: Nanos) -> Self {
        Self::new(across, across)
    }

    /// The group that contains all others.
    pub fn root(&self) -> Group {
        Group(0)
    }

    /// Adds a group below `parent`. Its own children (LPs or groups) are at least `within` apart.
    ///
    /// # Panics
    /// If `within` is 0, because schedulers need lookahead.
    pub fn group(&mut self, parent: Group, within: Nanos) -> Group {
        let bound = lookahead(within);
        let above = &self.groups[parent.0 as usize];
        let (depth, most) = (above.depth + 1, above.most.max(bound));
        self.groups.push(Place { parent: parent.0, depth, bound, most });
        self.uniform = self.uniform.filter(|u| *u == bound);
        Group(self.groups.len() as u32 - 1)
    }

    /// Assigns ids to `count` LPs of one vocabulary, in numbered groups below the root. Their
    /// states are built later, each as a pure function of its id.
    pub fn place<E>(&mut self, count: u32, group: impl Fn(u32) -> u32) -> Lps<E> {
        let groups: Vec<Group> = (0..count).map(|i| self.numbered(group(i))).collect();
        self.place_in(count, |i| groups[i as usize])
    }

    fn numbered(&mut self, number: u32) -> Group {
        if let Some(group) = self.numbered.get(&number) {
            return *group;
        }
        let group = self.group(self.root(), self.within);
        self.numbered.insert(number, group);
        group
    }

    /// Assigns ids to `count` LPs of one vocabulary, in groups of the tree.
    ///
    /// # Panics
    /// Beyond 2³¹ LPs.
    pub fn place_in<E>(&mut self, count: u32, group: impl Fn(u32) -> Group) -> Lps<E> {
        let first = self.group_of.len() as u32;
        assert!(first.checked_add(count).is_some_and(|n| n <= 1 << 31), "more than 2^31 LPs");
        self.group_of.extend((0..count).map(|i| group(i).0));
        Lps::new(first, count)
    }

    /// Number of LPs.
    pub fn len(&self) -> u32 {
        self.group_of.len() as u32
    }

    /// Whether it has no LP.
    pub fn is_empty(&self) -> bool {
        self.group_of.is_empty()
    }

    /// Least delay of a message between two LPs.
    ///
    /// # Panics
    /// If an LP does not exist (a uniform topology does not check).
    pub fn bound(&self, from: u32, to: u32) -> Nanos {
        match self.uniform {
            Some(bound) => bound,
            None => self.common(self.group_of[from as usize], self.group_of[to as usize]).bound,
        }
    }

    pub(crate) fn uniform(&self) -> Option<Nanos> {
        self.uniform
    }

    /// The innermost group that contains both.
    #[inline]
    fn common(&self, mut a: u32, mut b: u32) -> &Place {
        while a != b {
            let (pa, pb) = (&self.groups[a as usize], &self.groups[b as usize]);
            if pa.depth >= pb.depth {
                a = pa.parent
            }
            if pb.depth >= pa.depth {
                b = pb.parent
            }
        }
        &self.groups[a as usize]
    }

    /// Largest bound of a message from this LP: others may be ahead of it by that.
    pub fn most_from(&self, lp: u32) -> Nanos {
        self.groups[self.group_of[lp as usize] as usize].most
    }
}

/// The tree in the form that a partition needs.
pub(crate) struct Tree<'a> {
    topology: &'a Topology,
    /// All LPs, with those of one group and of one subtree adjacent.
    pub(crate) order: Vec<u32>,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(topology: &'a Topology) -> Self {
        let mut below = vec![vec![]; topology.groups.len()];
        for (group, place) in topology.groups.iter().enumerate().skip(1) {
            below[place.parent as usize].push(group)
        }
        // Position of each group in a walk from the root.
        let (mut place, mut next, mut to_do) = (vec![0u32; topology.groups.len()], 0, vec![0]);
        while let Some(group) = to_do.pop() {
            place[group] = next;
            next += 1;
            to_do.extend(below[group].iter().rev())
        }
        let mut order: Vec<u32> = (0..topology.len()).collect();
        order.sort_by_key(|&lp| place[topology.group_of[lp as usize] as usize]);
        Tree { topology, order }
    }

    pub(crate) fn bounds(&self) -> Vec<Nanos> {
        let mut all: Vec<Nanos> = self.topology.groups.iter().map(|g| g.bound).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.dedup();
        all
    }

    /// Runs of LPs in order that are nearer to one another than `bound`.
    pub(crate) fn units(&self, bound: Nanos) -> impl Iterator<Item = &[u32]> {
        let home = move |lp: &u32| self.home(*lp, bound);
        self.order.chunk_by(move |a, b| home(a).is_some() && home(a) == home(b))
    }

    /// The topmost group around an LP with a bound below `bound`.
    fn home(&self, lp: u32, bound: Nanos) -> Option<u32> {
        self.upwards(lp).filter(|&g| self.topology.groups[g as usize].bound < bound).last()
    }

    fn upwards(&self, lp: u32) -> impl Iterator<Item = u32> {
        let first = self.topology.group_of[lp as usize];
        std::iter::successors(Some(first), |&group| {
            (group > 0).then(|| self.topology.groups[group as usize].parent)
        })
    }

    /// Least bound \[ns\] between LPs of two threads, by sender and receiver. `u64::MAX` for a
    /// thread and itself, or if one has no LPs.
    pub(crate) fn between(&self, threads: usize, owner: &[u8]) -> Vec<u64> {
        let groups = &self.topology.groups;
        // By group and thread: which of the group's children hold LPs of the thread.
        let mut inside = vec![Within::None; groups.len() * threads];
        for (lp, &thread) in owner.iter().enumerate() {
            let mut child = lp as u32 | LP;
            for group in self.upwards(lp as u32) {
                inside[group as usize * threads + thread as usize].add(child);
                child = group
            }
        }
        let mut least = vec![u64::MAX; threads * threads];
        for (group, inside) in groups.iter().zip(inside.chunks(threads.max(1))) {
            for (i, j) in (0..threads * threads).map(|n| (n / threads, n % threads)) {
                if i != j && inside[i].meets(inside[j]) {
                    let known = &mut least[i * threads + j];
                    *known = group.bound.0.min(*known)
                }
            }
        }
        least
    }
}

const LP: u32 = 1 << 31;

/// Children of a group in which a thread has LPs.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    None,
    One(u32),
    Several,
}

impl Within {
    fn add(&mut self, child: u32) {
        *self = match *self {
            Within::None => Within::One(child),
            Within::One(known) if known == child => Within::One(child),
            _ => Within::Several,
        }
    }
    /// Whether the two threads have LPs in different children.
    fn meets(self, other: Within) -> bool {
        self != Within::None && other != Within::None && (self != other || self == Within::Several)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_that_of_the_innermost_common_group() {
        let (cluster, rack, machine) = (Nanos(200), Nanos(20), Nanos(1));
        let mut t = Topology::tree(cluster);
        let mut machines = vec![];
        for _ in 0..3 {
            let rack = t.group(t.root(), rack);
            machines.extend((0..4).map(|_| t.group(rack, machine)))
        }
        let lps = t.place_in::<()>(24, |i| machines[i as usize / 2]);
        let far = t.place_in::<()>(1, |_| Group(0)).at(0);
        for a in lps.iter().map(|l| l.id()) {
            for b in lps.iter().map(|l| l.id()) {
                let want = match (a / 2 == b / 2, a / 8 == b / 8) {
                    (true, _) => machine,
                    (false, true) => rack,
                    _ => cluster,
                };
                assert_eq!((t.bound(a, b), t.bound(b, a)), (want, want), "{a} {b}")
            }
            assert_eq!(t.bound(a, far.id()), cluster);
            assert_eq!(t.most_from(a), cluster)
        }
        assert_eq!(t.most_from(far.id()), cluster);
    }

    #[test]
    fn two_levels_by_number() {
        let mut t = Topology::new(Nanos(10), Nanos(30));
        t.place::<()>(4, |i| i % 2);
        t.place::<()>(1, |_| 1);
        assert_eq!([1, 2, 3, 4].map(|b| t.bound(0, b).0), [30, 10, 30, 30]);
        assert_eq!(t.bound(1, 4), Nanos(10));
        assert_eq!(Topology::new(Nanos(7), Nanos(7)).uniform, Some(Nanos(7)));
    }
}
