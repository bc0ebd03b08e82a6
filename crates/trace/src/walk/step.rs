//! A walk that is under way, step by step.
use super::lanes::{Lane, Lanes};
use super::parts::{DEEP, Holder, Idle, Piece, Start, Wanted};
use crate::ids::{EntityId, IntervalId};
use crate::kinds::IntervalRole;
use crate::schema::Cause;
use std::collections::BTreeSet;
use units::Nanos;

/// Steps without a charge that no honest trace needs: what follows is unexplained.
const STILL: u32 = 10_000;

/// Walks within walks that no honest trace needs.
const NESTED: u32 = 100;

/// A walk that is under way.
pub(super) struct Walk<'a, 'p> {
    lanes: &'a Lanes,
    pieces: &'p mut Vec<Piece>,
    /// In which lane it is.
    lane: Option<Lane>,
    /// How far it has come.
    time: Nanos,
    /// Where it stops.
    floor: Nanos,
    /// Whether it goes on in the lanes of causes.
    pub(super) path: bool,
    /// How many causes of causes it charges in their place.
    depth: u32,
    tree: Option<EntityId>,
    idle: Option<Idle<'a>>,
    /// The interval that it has jumped to.
    inside: Option<IntervalId>,
    /// Jumped through since `time` last changed: a circle is no explanation.
    seen: BTreeSet<IntervalId>,
    /// Lanes that waited, to come back to.
    back: Vec<Lane>,
    pub(super) wanted: Vec<Wanted>,
    /// All its pieces are of notices.
    unnoticed: bool,
    /// Steps since `time` last changed.
    still: u32,
    nested: u32,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(super) fn new(
        lanes: &'a Lanes,
        pieces: &'p mut Vec<Piece>,
        start: Start<'a>,
        depth: u32,
    ) -> Walk<'a, 'p> {
        Walk {
            lanes,
            pieces,
            lane: start.lane,
            time: start.top,
            floor: start.floor,
            path: false,
            depth,
            tree: start.tree,
            idle: start.idle,
            inside: None,
            seen: BTreeSet::new(),
            back: Vec::new(),
            wanted: Vec::new(),
            unnoticed: true,
            still: 0,
            nested: 0,
        }
    }

    pub(super) fn run(&mut self) {
        while self.time > self.floor {
            self.still += 1;
            if self.still > STILL {
                self.charge(self.floor, Holder::Unexplained, None)
            } else {
                self.step()
            }
        }
    }

    /// Charges the time from `low` up to now, if there is any; then now is `low`.
    fn charge(&mut self, low: Nanos, holder: Holder, interval: Option<IntervalId>) {
        let low = low.max(self.floor);
        if low < self.time {
            self.pieces.push(Piece { holder, interval, start: low, end: self.time });
            let role = |id: IntervalId| self.lanes.links[id.at()].role;
            self.unnoticed &= interval.map(role) == Some(IntervalRole::Notice);
            self.time = low;
            self.seen.clear();
            self.inside = None;
            self.still = 0
        }
    }

    fn step(&mut self) {
        let here = self.inside.or_else(|| self.lanes.before(self.lane?, self.time, false));
        let Some(id) = here else { return self.exhausted() };
        let link = &self.lanes.links[id.at()];
        if link.end < self.time {
            return self.gap(link.end.max(self.floor));
        }
        let low = link.start.max(self.floor);
        if link.role == IntervalRole::Wait { self.wait(id, low) } else { self.work(id, low) }
    }

    /// A wait: down to the end of a join within it only, which that one explains.
    fn wait(&mut self, id: IntervalId, mut low: Nanos) {
        let link = &self.lanes.links[id.at()];
        if self.inside.is_none() && !link.join {
            let lane = self.lanes.lane_of(id);
            let join = lane.and_then(|lane| self.lanes.join_under(lane, low, self.time));
            low = join.unwrap_or(low)
        }
        match link.cause {
            Cause::Interval(other) => self.waits_for(id, other, low),
            _ if self.lanes.has_parts(id) => self.in_place(id, low),
            _ => self.charge(low, self.named(id), Some(id)),
        }
    }

    fn work(&mut self, id: IntervalId, low: Nanos) {
        let link = &self.lanes.links[id.at()];
        if self.lanes.has_parts(id) {
            (self.lane, self.inside) = (Some(Lane::Parts(id)), None);
            return;
        }
        if self.path && self.queued_behind(id) {
            return;
        }
        self.charge(low, self.named(id), Some(id));
        self.inside = self.inside.filter(|inside| *inside != id);
        self.lane = link.parent.map(Lane::Parts).or(link.subject.map(Lane::Subject))
    }

    /// In its queue a work waited for who was served until it began: on there (rule 4).
    fn queued_behind(&mut self, id: IntervalId) -> bool {
        let link = &self.lanes.links[id.at()];
        let head = Nanos(link.start.0.saturating_add(link.queued.0));
        if link.queued == Nanos::ZERO || head >= self.time || head <= self.floor {
            return false;
        }
        let served = link.resource.and_then(|r| self.lanes.served_until(r, head));
        let Some(served) = served.filter(|other| *other != id && self.is_mine(*other)) else {
            return false;
        };
        self.charge(head, self.named(id), Some(id));
        self.back.extend(self.lanes.lane_of(id));
        (self.inside, self.lane) = (Some(served), self.lanes.lane_of(served));
        true
    }

    /// What an interval is charged to; if it was jumped to and nobody knows, it is itself the
    /// reason.
    fn named(&self, id: IntervalId) -> Holder {
        match holder(self.lanes, id) {
            Holder::Unexplained if self.inside == Some(id) => {
                Holder::Interval(self.lanes.links[id.at()].kind)
            }
            holder => holder,
        }
    }

    /// Nothing before now in this lane (rule 5).
    fn exhausted(&mut self) {
        match self.lane {
            Some(Lane::Parts(parent)) => {
                let start = self.lanes.links[parent.at()].start;
                self.charge(start, Holder::Unexplained, Some(parent));
                self.lane = self.lanes.lane_of(parent);
                if self.lane.is_none() && self.time > self.floor {
                    self.come_back()
                }
            }
            Some(Lane::Subject(subject)) => {
                if !self.goes_up(subject) {
                    self.come_back()
                }
            }
            None => self.come_back(),
        }
    }

    /// Before a subject's first interval: what its parent did until then.
    fn goes_up(&mut self, mut subject: EntityId) -> bool {
        for _ in 0..NESTED {
            let Some(above) = self.lanes.above(subject) else { return false };
            let lane = Lane::Subject(above);
            if let Some(id) = self.lanes.before(lane, self.time, true) {
                self.charge(self.lanes.links[id.at()].end, Holder::Unexplained, None);
                (self.lane, self.inside) = (Some(lane), Some(id));
                return true;
            }
            subject = above
        }
        false
    }

    /// On in a lane that waited for this one, else a gap.
    fn come_back(&mut self) {
        while let Some(mut lane) = self.back.pop() {
            for _ in 0..NESTED {
                if self.lanes.before(lane, self.time, false).is_some() {
                    if Some(lane) != self.lane {
                        self.lane = Some(lane);
                        return;
                    }
                    break;
                }
                // It has not begun yet: where it lies in.
                let Lane::Parts(parent) = lane else { break };
                let Some(above) = self.lanes.lane_of(parent) else { break };
                lane = above
            }
        }
        self.gap(self.floor)
    }

    /// Nothing is under way down to `low`: it was not known if a notice ended just now, or is under
    /// way at the end of the path; it was not wanted while nothing was; else nobody knows.
    fn gap(&mut self, low: Nanos) {
        if let Some(Lane::Parts(parent)) = self.lane {
            return self.charge(low, Holder::Unexplained, Some(parent));
        }
        if let Some(id) = self.lanes.notice_at(self.time) {
            let start = self.lanes.links[id.at()].start;
            self.charge(start, holder(self.lanes, id), Some(id));
            return self.charge(self.floor, Holder::Idle, None);
        }
        let unnoticed = self.unnoticed.then(|| self.lanes.notice_under(self.time)).flatten();
        if let Some(id) = unnoticed {
            let start = self.lanes.links[id.at()].start;
            return self.charge(start.max(low), holder(self.lanes, id), Some(id));
        }
        match self.idle.and_then(|idle| idle(self.time)).filter(|since| *since < self.time) {
            Some(since) => self.charge(since.max(low), Holder::Idle, None),
            None => self.charge(low, Holder::Unexplained, None),
        }
    }

    /// The interval's parts, between `low` and now, then on in its lane.
    fn in_place(&mut self, id: IntervalId, low: Nanos) {
        if self.nested >= NESTED {
            return self.charge(low, self.named(id), Some(id));
        }
        self.within(Some(Lane::Parts(id)), None, low, DEEP);
        self.lane = self.lanes.lane_of(id)
    }

    /// A walk of its own down to `low`, without following causes into their lanes.
    fn within(&mut self, lane: Option<Lane>, inside: Option<IntervalId>, low: Nanos, depth: u32) {
        let start = Start { lane, top: self.time, floor: low, tree: None, idle: None };
        let mut walk = Walk::new(self.lanes, self.pieces, start, depth);
        walk.inside = inside;
        walk.nested = self.nested + 1;
        walk.run();
        (self.time, self.inside, self.still) = (low, None, 0);
        self.unnoticed = false;
        self.seen.clear()
    }

    /// `id` waits, down to `low`, for `other`.
    fn waits_for(&mut self, id: IntervalId, other: IntervalId, low: Nanos) {
        let (link, target) = (&self.lanes.links[id.at()], &self.lanes.links[other.at()]);
        let lasts = target.start < target.end;
        let lies_in = lasts && target.start < link.end && target.end > low;
        if !lies_in || other == id || self.seen.contains(&other) {
            return self.charge(low, Holder::Unexplained, Some(id));
        }
        if target.start >= self.time {
            if !self.path {
                return self.charge(low, Holder::Interval(target.kind), Some(id));
            }
            // It had not begun: what that one waited for.
            self.seen.insert(other);
            (self.inside, self.lane) = (None, self.lanes.lane_of(other));
            return;
        }
        if let Some(resource) = link.resource {
            self.wanted.push(Wanted { resource, start: low, end: self.time })
        }
        if self.path && self.is_mine(other) {
            self.jump(id, other)
        } else if self.depth == 0 || self.nested >= NESTED {
            self.charge(low, holder(self.lanes, id), Some(id))
        } else {
            self.blames(id, other, low)
        }
    }

    /// On the path: from `id` to `other`.
    fn jump(&mut self, id: IntervalId, other: IntervalId) {
        self.charge(self.lanes.links[other.at()].end, Holder::Unexplained, Some(id));
        self.seen.insert(other);
        self.back.extend(self.lanes.lane_of(id));
        (self.inside, self.lane) = (Some(other), self.lanes.lane_of(other))
    }

    /// Charges what `other` did, or waited for, between `low` and now; then on in the own lane.
    fn blames(&mut self, id: IntervalId, other: IntervalId, low: Nanos) {
        let (target, lane) = (&self.lanes.links[other.at()], self.lane);
        self.charge(target.end, Holder::Unexplained, Some(id));
        if self.time <= low {
            return;
        }
        let down = if self.depth > 1 { low } else { target.start.max(low) };
        self.within(self.lanes.lane_of(other), Some(other), down, self.depth - 1);
        self.lane = lane;
        self.charge(low, Holder::Interval(target.kind), Some(id))
    }

    fn is_mine(&self, id: IntervalId) -> bool {
        self.tree.is_none_or(|tree| self.lanes.root_of(id) == Some(tree))
    }
}

/// What an interval is charged to by its own cause.
pub(super) fn holder(lanes: &Lanes, id: IntervalId) -> Holder {
    let link = &lanes.links[id.at()];
    match link.cause {
        Cause::Interval(other) => Holder::Interval(lanes.links[other.at()].kind),
        cause => Holder::own(cause, link.kind).unwrap_or(Holder::Unexplained),
    }
}
