//! Lanes: the parts of each interval, and each subject's other intervals, by end.
use super::first::FirstBelow;
use crate::ids::{EntityId, IntervalId, IntervalKind, ResourceId};
use crate::kinds::{EntityRole, IntervalRole, KindRole};
use crate::schema::{Cause, Entity, Interval, Trace};
use std::borrow::Borrow;
use std::cmp::Reverse;
use units::Nanos;

/// A sequence of intervals, mostly without overlap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lane {
    /// The parts of an interval.
    Parts(IntervalId),
    /// The intervals of a subject and its tries that have no parent.
    Subject(EntityId),
}

/// The walk's data of an interval; dangling references are removed.
pub(super) struct Link {
    pub(super) start: Nanos,
    pub(super) end: Nanos,
    pub(super) queued: Nanos,
    pub(super) parent: Option<IntervalId>,
    /// The lane of an interval without a parent: its subject, or the entity that the subject is a
    /// try of.
    pub(super) subject: Option<EntityId>,
    pub(super) resource: Option<ResourceId>,
    pub(super) cause: Cause,
    pub(super) kind: IntervalKind,
    pub(super) role: IntervalRole,
    pub(super) join: bool,
}

/// An interval in its lane; the fields are the sort key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    end: Nanos,
    start: Nanos,
    id: IntervalId,
}

/// The lanes of a trace, or of one operation.
#[derive(Default)]
pub struct Lanes {
    pub(super) links: Vec<Link>,
    /// By entity.
    parents: Vec<Option<EntityId>>,
    /// By lane, end, start and id. Without marks, notices and intervals of length 0, which delay
    /// nothing.
    places: Vec<Place>,
    /// Start of each lane in `places`: subjects first, then parts.
    first: Vec<u32>,
    begun: FirstBelow,
    /// Joins by lane and end; on a tie, the latest start, then the lowest id.
    joins: Vec<(Lane, Nanos, Reverse<Nanos>, IntervalId)>,
    /// By end, start, id.
    notices: Vec<Place>,
    /// Works by resource and end.
    served: Vec<(ResourceId, Nanos, IntervalId)>,
}

impl Lanes {
    /// Of a whole trace.
    pub fn of(trace: &Trace) -> Lanes {
        Lanes::of_rows(trace, trace.intervals.iter())
    }

    /// Lanes of a trace with the intervals `rows` in place of its own table. Rows may be generated;
    /// they are not kept.
    pub fn of_rows<R: Borrow<Interval>>(
        trace: &Trace,
        rows: impl ExactSizeIterator<Item = R>,
    ) -> Lanes {
        let mut lanes = Lanes::default();
        let known = Known {
            roles: &roles(trace),
            resources: trace.resources.len(),
            settings: trace.settings.len(),
            lacks: trace.lacks.len(),
            intervals: rows.len(),
            subjects: &subjects(trace),
        };
        let parent = |e: &Entity| e.parent.filter(|p| p.at() < trace.entities.len());
        lanes.parents = trace.entities.iter().map(parent).collect();
        lanes.links.extend(rows.map(|row| known.link(row.borrow())));
        lanes.sort(trace.entities.len());
        lanes.queues();
        lanes
    }

    /// Lanes of one operation, whose rows are numbered from 0; no subjects, no queues. Replaces
    /// the content and reuses the memory.
    pub(crate) fn refill(&mut self, rows: &[Interval], roles: &[IntervalRole]) {
        let known = Known {
            roles,
            resources: usize::MAX,
            settings: usize::MAX,
            lacks: usize::MAX,
            intervals: rows.len(),
            subjects: &[],
        };
        self.links.clear();
        self.links.extend(rows.iter().map(|row| known.link(row)));
        self.sort(0)
    }

    fn sort(&mut self, entities: usize) {
        let Lanes { links, places, first, joins, notices, .. } = self;
        places.clear();
        joins.clear();
        notices.clear();
        first.clear();
        first.resize(entities + links.len() + 2, 0);
        let lane = |link: &Link| match (link.role, link.parent, link.subject) {
            (IntervalRole::Mark | IntervalRole::Notice, ..) => None,
            _ if link.end <= link.start => None,
            (_, Some(parent), _) => Some(Lane::Parts(parent)),
            (_, None, Some(subject)) => Some(Lane::Subject(subject)),
            (_, None, None) => None,
        };
        // Counting sort by lane, then a sort within each lane.
        let number = |lane| number(lane, entities);
        links.iter().filter_map(lane).for_each(|lane| first[number(lane) + 2] += 1);
        for at in 2..first.len() {
            first[at] += first[at - 1]
        }
        let none = Place { end: Nanos::ZERO, start: Nanos::ZERO, id: IntervalId::of(0) };
        places.resize(first[first.len() - 1] as usize, none);
        for (at, link) in links.iter().enumerate() {
            let place = Place { end: link.end, start: link.start, id: IntervalId::of(at) };
            if link.role == IntervalRole::Notice {
                notices.push(place)
            }
            let Some(lane) = lane(link) else { continue };
            let next = &mut first[number(lane) + 1];
            places[*next as usize] = place;
            *next += 1;
            if link.join {
                joins.push((lane, link.end, Reverse(link.start), place.id))
            }
        }
        first.pop();
        for range in first.windows(2) {
            places[range[0] as usize..range[1] as usize].sort_unstable()
        }
        joins.sort_unstable();
        notices.sort_unstable();
        self.begun.fill(self.places.len(), |at| self.places[at].start.0)
    }

    /// Fills `served`, if any work has queued.
    fn queues(&mut self) {
        let waited = self.links.iter().any(|link| link.queued > Nanos::ZERO);
        let works =
            self.links.iter().enumerate().filter(|(_, link)| {
                waited && link.role == IntervalRole::Work && link.start < link.end
            });
        let served =
            works.filter_map(|(at, link)| Some((link.resource?, link.end, IntervalId::of(at))));
        self.served = served.collect();
        self.served.sort_unstable()
    }

    fn range(&self, lane: Lane) -> std::ops::Range<usize> {
        let number = number(lane, self.parents.len());
        match self.first.get(number..number + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }

    /// The interval has parts of length above 0.
    pub(super) fn has_parts(&self, id: IntervalId) -> bool {
        !self.range(Lane::Parts(id)).is_empty()
    }

    /// The intervals of a lane, by end.
    pub fn intervals(&self, lane: Lane) -> impl DoubleEndedIterator<Item = IntervalId> + '_ {
        self.places[self.range(lane)].iter().map(|place| place.id)
    }

    /// The limit of a work, or the object of a wait.
    pub fn cause(&self, id: IntervalId) -> Cause {
        self.links[id.at()].cause
    }

    /// The end of a lane, counting only intervals that began before `by`.
    pub fn ends(&self, lane: Lane, by: Nanos) -> Option<Nanos> {
        let range = self.range(lane);
        let last = self.first_over(range.clone(), by);
        let started = self.begun.find(last, range.end, by.0, |at| self.places[at].start.0);
        match started {
            Some(_) => Some(by),
            None => (last > range.start).then(|| self.places[last - 1].end),
        }
    }

    /// The first place of the range with an end at or after `time`.
    fn first_over(&self, range: std::ops::Range<usize>, time: Nanos) -> usize {
        let places = &self.places[range.clone()];
        range.start + places.partition_point(|place| place.end < time)
    }

    /// What held the lane up just before `time` (rule 1). First choice: a join that ends then.
    /// Second: of the intervals that began before, the one with the earliest end at or after
    /// `time`, then the latest start. Else the last one that ended. `ended`: only intervals that
    /// had ended by then.
    pub(super) fn before(&self, lane: Lane, time: Nanos, ended: bool) -> Option<IntervalId> {
        let join = self.joins.partition_point(|j| (j.0, j.1) < (lane, time));
        if let Some(join) = self.joins.get(join).filter(|j| (j.0, j.1) == (lane, time)) {
            return Some(join.3);
        }
        let range = self.range(lane);
        let from = self.first_over(range.clone(), time);
        let last = |places: &[Place]| places.last().map(|place| place.id);
        let start = |at: usize| self.places[at].start.0;
        let Some(next) = self.begun.find(from, range.end, time.0, start) else {
            return last(&self.places[range.start..from]);
        };
        if ended && self.places[next].end > time {
            return last(&self.places[range.start..from]);
        }
        let alike = &self.places[next..range.end];
        let end = alike[0].end;
        last(&alike[..alike.partition_point(|p| p.end == end && p.start < time)])
    }

    /// The end of the lane's last join within `low..time`.
    pub(super) fn join_under(&self, lane: Lane, low: Nanos, time: Nanos) -> Option<Nanos> {
        let over = self.joins.partition_point(|j| (j.0, j.1) < (lane, time));
        let (of, end, ..) = *self.joins[..over].last()?;
        (of == lane && end > low).then_some(end)
    }

    pub(super) fn lane_of(&self, id: IntervalId) -> Option<Lane> {
        let link = &self.links[id.at()];
        link.parent.map(Lane::Parts).or(link.subject.map(Lane::Subject))
    }

    /// The notice that ends at `time`; on a tie, the earliest start.
    pub(super) fn notice_at(&self, time: Nanos) -> Option<IntervalId> {
        let at = self.notices.partition_point(|n| n.end < time);
        self.notices.get(at).filter(|n| n.end == time).map(|n| n.id)
    }

    /// The notice in progress at `time`; on a tie, the earliest start.
    pub(super) fn notice_under(&self, time: Nanos) -> Option<IntervalId> {
        let under = self.notices.iter().filter(|n| n.start < time && time < n.end);
        under.min_by_key(|n| (n.start, n.id)).map(|n| n.id)
    }

    /// The work that used the resource until `time`.
    pub(super) fn served_until(&self, resource: ResourceId, time: Nanos) -> Option<IntervalId> {
        let over = self.served.partition_point(|s| (s.0, s.1) <= (resource, time));
        let last = self.served[..over].last()?;
        ((last.0, last.1) == (resource, time)).then_some(last.2)
    }

    pub(super) fn above(&self, entity: EntityId) -> Option<EntityId> {
        *self.parents.get(entity.at())?
    }

    /// The root of an entity's tree.
    pub fn root(&self, mut entity: EntityId) -> EntityId {
        // A cycle of parents has no root: any member will do.
        for _ in 0..self.parents.len() {
            match self.above(entity) {
                Some(above) => entity = above,
                None => break,
            }
        }
        entity
    }

    pub(super) fn root_of(&self, mut id: IntervalId) -> Option<EntityId> {
        for _ in 0..self.links.len() {
            match self.links[id.at()].parent {
                Some(parent) => id = parent,
                None => break,
            }
        }
        self.links[id.at()].subject.map(|subject| self.root(subject))
    }
}

fn number(lane: Lane, entities: usize) -> usize {
    match lane {
        Lane::Subject(entity) => entity.at(),
        Lane::Parts(interval) => entities + interval.at(),
    }
}

struct Known<'a> {
    roles: &'a [IntervalRole],
    resources: usize,
    settings: usize,
    lacks: usize,
    intervals: usize,
    subjects: &'a [EntityId],
}

impl Known<'_> {
    fn link(&self, row: &Interval) -> Link {
        let there = match row.cause {
            Cause::Unexplained | Cause::Phase => true,
            Cause::Resource(id) => id.at() < self.resources,
            Cause::Setting(id) => id.at() < self.settings,
            Cause::Shortage(id) => id.at() < self.lacks,
            Cause::Interval(id) => id.at() < self.intervals,
        };
        Link {
            start: row.start,
            end: row.end,
            queued: row.queued,
            parent: row.parent.filter(|parent| parent.at() < self.intervals),
            subject: row.subject.and_then(|subject| self.subjects.get(subject.at()).copied()),
            resource: row.resource.filter(|resource| resource.at() < self.resources),
            cause: if there { row.cause } else { Cause::Unexplained },
            kind: row.kind,
            role: self.roles.get(row.kind.at()).copied().unwrap_or(IntervalRole::Work),
            join: row.need.is_some(),
        }
    }
}

/// By kind; kinds of other tables have any role.
pub(crate) fn roles(trace: &Trace) -> Vec<IntervalRole> {
    let role = |kind: &crate::kinds::Kind| match kind.role {
        KindRole::Interval(role) => role,
        _ => IntervalRole::Work,
    };
    trace.kinds.iter().map(role).collect()
}

/// By entity: the lane of its intervals. A try uses the lane of its parent.
fn subjects(trace: &Trace) -> Vec<EntityId> {
    let is_try = |entity: &Entity| {
        let kind = trace.kinds.get(entity.kind.at());
        kind.is_some_and(|kind| kind.role == KindRole::Entity(EntityRole::Try))
    };
    let of = |(at, entity): (usize, &Entity)| match entity.parent {
        Some(parent) if is_try(entity) && parent.at() < trace.entities.len() => parent,
        _ => EntityId::of(at),
    };
    trace.entities.iter().enumerate().map(of).collect()
}
