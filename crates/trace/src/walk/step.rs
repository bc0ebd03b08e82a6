//! A walk in progress.
use super::lanes::{Lane, Lanes};
use super::parts::{DEEP, Holder, Idle, Piece, ResourceDemand, Start};
use crate::ids::{EntityId, IntervalId};
use crate::kinds::IntervalRole;
use crate::schema::Cause;
use std::collections::BTreeSet;
use units::Nanos;

/// Steps without progress in time after which the rest is unexplained; no valid trace needs them.
const STILL: u32 = 10_000;

/// Nesting of walks that no valid trace needs.
const NESTED: u32 = 100;

pub(super) struct Walk<'a, 'p> {
    lanes: &'a Lanes,
    pieces: &'p mut Vec<Piece>,
    lane: Option<Lane>,
    time: Nanos,
    floor: Nanos,
    /// Critical path: the walk continues in the lanes of causes.
    pub(super) path: bool,
    /// Levels of causes charged in place.
    depth: u32,
    tree: Option<EntityId>,
    idle: Option<Idle<'a>>,
    /// The interval that the walk has jumped to.
    inside: Option<IntervalId>,
    /// Jump targets since `time` last changed: a cycle is no explanation.
    seen: BTreeSet<IntervalId>,
    /// Waiting lanes to return to.
    back: Vec<Lane>,
    pub(super) wanted: Vec<ResourceDemand>,
    /// All pieces so far are of notices.
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

    /// Charges the time from `low` to now, if there is any; then sets now to `low`.
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

    /// A wait explains the time only down to the end of a join within it. The join explains the
    /// rest.
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

    /// A queued work waited for the work served before it: continues there (rule 4).
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

    /// The holder of an interval. A jump target without a cause is its own holder.
    fn named(&self, id: IntervalId) -> Holder {
        match holder(self.lanes, id) {
            Holder::Unexplained if self.inside == Some(id) => {
                Holder::Interval(self.lanes.links[id.at()].kind)
            }
            holder => holder,
        }
    }

    /// The lane has nothing before now (rule 5).
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

    /// Before a subject's first interval: continues with its parent's intervals.
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

    /// Returns to a lane that waited for this one; otherwise charges a gap.
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
                // The lane has not begun yet: try the enclosing one.
                let Lane::Parts(parent) = lane else { break };
                let Some(above) = self.lanes.lane_of(parent) else { break };
                lane = above
            }
        }
        self.gap(self.floor)
    }

    /// Charges a gap down to `low`. If a notice ends now, or is in progress at the end of the path,
    /// the event was undetected. Else the time may be idle; else it is unexplained.
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

    /// Charges the interval's parts between `low` and now, then continues in its lane.
    fn in_place(&mut self, id: IntervalId, low: Nanos) {
        if self.nested >= NESTED {
            return self.charge(low, self.named(id), Some(id));
        }
        self.within(Some(Lane::Parts(id)), None, low, DEEP);
        self.lane = self.lanes.lane_of(id)
    }

    /// A nested walk down to `low` that does not follow causes into their lanes.
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

    /// `id` waits for `other`, down to `low`.
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
            // `other` had not begun: continue with what it waited for.
            self.seen.insert(other);
            (self.inside, self.lane) = (None, self.lanes.lane_of(other));
            return;
        }
        if let Some(resource) = link.resource {
            self.wanted.push(ResourceDemand { resource, start: low, end: self.time })
        }
        if self.path && self.is_mine(other) {
            self.jump(id, other)
        } else if self.depth == 0 || self.nested >= NESTED {
            self.charge(low, holder(self.lanes, id), Some(id))
        } else {
            self.blames(id, other, low)
        }
    }

    /// Critical path: jumps from `id` to `other`.
    fn jump(&mut self, id: IntervalId, other: IntervalId) {
        self.charge(self.lanes.links[other.at()].end, Holder::Unexplained, Some(id));
        self.seen.insert(other);
        self.back.extend(self.lanes.lane_of(id));
        (self.inside, self.lane) = (Some(other), self.lanes.lane_of(other))
    }

    /// Charges what `other` did or waited for between `low` and now; then continues in the own
    /// lane.
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

pub(super) fn holder(lanes: &Lanes, id: IntervalId) -> Holder {
    let link = &lanes.links[id.at()];
    match link.cause {
        Cause::Interval(other) => Holder::Interval(lanes.links[other.at()].kind),
        cause => Holder::own(cause, link.kind).unwrap_or(Holder::Unexplained),
    }
}
