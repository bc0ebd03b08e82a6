//! The bars of a report's main chart: resources by kind, settings by key, shortages by name, and
//! the unexplained rest.
use crate::ids::{ResourceKind, SettingId};
use crate::kinds::{KindRole, ResourceRole};
use crate::schema::{ChargeTarget, Sum, Trace};
use crate::walk::{Holder, Piece};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use units::Nanos;

/// Pieces listed with a bar.
const BEHIND: usize = 12;

/// Category of a holder; reports give each a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A pacing limit, an interval, a timeout, or a shortage.
    Setting,
    /// Disks.
    Disk,
    /// NICs and links.
    Network,
    /// CPU cores.
    Cpu,
    /// Threads of a store.
    Store,
    /// Slots, streams, credits.
    Slot,
    /// RAM.
    Memory,
    /// A phase, another interval, or idle time.
    Wait,
    /// The trace has no evidence.
    Unexplained,
}

impl From<ResourceRole> for Role {
    fn from(role: ResourceRole) -> Role {
        match role {
            ResourceRole::Disk => Role::Disk,
            ResourceRole::Network => Role::Network,
            ResourceRole::Cpu => Role::Cpu,
            ResourceRole::Store => Role::Store,
            ResourceRole::Slot => Role::Slot,
            ResourceRole::Memory => Role::Memory,
        }
    }
}

/// Time charged to one holder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HolderShare {
    /// "key = value" of a setting, a kind of resources ("Disk"), "another copy", or "unexplained".
    pub holder: String,
    /// Its category.
    pub role: Role,
    /// Share of the total, 0–1.
    pub share: f64,
    /// Waiting time \[s\]; with operations, the sum over all.
    pub waited_s: f64,
    /// The resource with most of the time, if the kind has several.
    pub hottest: Option<String>,
    /// The resource with most of the time, and its share of this bar, 0–1.
    pub most: Option<(String, f64)>,
    /// Upper bound of what a larger setting could save, as a share of the window: time that the
    /// path waited for this setting's slots.
    pub at_most: Option<f64>,
    /// Lower bound of the share, by the doubt of the ends …
    pub low: f64,
    /// … and upper bound.
    pub high: f64,
    /// The longest pieces of the bar, by time.
    pub behind: Vec<HolderInterval>,
}

impl HolderShare {
    /// Only the length is known.
    pub fn part(holder: impl Into<String>, role: Role, share: f64, waited_s: f64) -> HolderShare {
        HolderShare {
            holder: holder.into(),
            role,
            share,
            waited_s,
            hottest: None,
            most: None,
            at_most: None,
            low: share,
            high: share,
            behind: Vec::new(),
        }
    }
}

/// A piece of a bar.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HolderInterval {
    /// The entity and the interval.
    pub label: String,
    /// Start in the trace's time \[s\].
    pub start_s: f64,
    /// End \[s\].
    pub end_s: f64,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    role: Role,
    name: String,
}

#[derive(Default)]
struct Bar {
    time: f64,
    /// Possible error of `time`.
    doubt: f64,
    each: BTreeMap<String, f64>,
    pieces: Vec<Piece>,
}

pub(super) struct Charges<'a> {
    trace: &'a Trace,
    bars: BTreeMap<Group, Bar>,
}

impl<'a> Charges<'a> {
    pub(super) fn new(trace: &'a Trace) -> Charges<'a> {
        Charges { trace, bars: BTreeMap::new() }
    }

    /// Adds a piece that represents `weight` equal ones.
    pub(super) fn piece(&mut self, piece: &Piece, weight: f64) {
        let length = piece.length().0 as f64;
        let doubt = piece.interval.map_or(0, |id| self.trace.intervals[id.at()].doubt.0) as f64;
        let group = group(self.trace, piece.holder);
        let bar = self.bars.entry(group).or_default();
        bar.time += weight * length;
        bar.doubt += weight * (2.0 * doubt).min(length);
        if let Holder::Resource(id) = piece.holder {
            let name = &self.trace.resources[id.at()].name;
            *bar.each.entry(name.clone()).or_default() += weight * length
        }
        bar.pieces.push(*piece);
        if bar.pieces.len() > 64 * BEHIND {
            longest(&mut bar.pieces)
        }
    }

    pub(super) fn sum(&mut self, sum: &Sum) {
        let trace = self.trace;
        let (group, one) = match sum.charged {
            ChargeTarget::Resource(id) => {
                let name = &trace.resources[id.at()].name;
                (group(trace, Holder::Resource(id)), Some(name.clone()))
            }
            ChargeTarget::Resources(kind) => (resources(trace, kind), None),
            ChargeTarget::Setting(id) => (group(trace, Holder::Setting(id)), None),
            ChargeTarget::Shortage(id) => (group(trace, Holder::Shortage(id)), None),
            ChargeTarget::Intervals(kind) => (group(trace, Holder::Interval(kind)), None),
            ChargeTarget::Phase(kind) => (group(trace, Holder::Phase(kind)), None),
            ChargeTarget::Unexplained => (group(trace, Holder::Unexplained), None),
        };
        let bar = self.bars.entry(group).or_default();
        bar.time += sum.total as f64;
        if let Some(one) = one {
            *bar.each.entry(one).or_default() += sum.total as f64
        }
    }

    /// The bars: longest first, unexplained last, then settings with only `at_most`.
    pub(super) fn held(
        self,
        at_most: &BTreeMap<SettingId, Nanos>,
        window: Nanos,
    ) -> Vec<HolderShare> {
        let total: f64 = self.bars.values().map(|bar| bar.time).sum();
        let mut bars: Vec<(Group, Bar)> =
            self.bars.into_iter().filter(|(_, bar)| bar.time > 0.0).collect();
        // The sort is stable and groups were in order: equal times stay sorted by name.
        bars.sort_by(|(a, x), (b, y)| {
            let last = |group: &Group| group.role == Role::Unexplained;
            last(a).cmp(&last(b)).then(y.time.total_cmp(&x.time))
        });
        let trace = self.trace;
        let mut held: Vec<HolderShare> =
            bars.into_iter().map(|(group, bar)| bar.held(trace, group, total)).collect();
        for (setting, most) in at_most {
            let part = most.0 as f64 / window.0.max(1) as f64;
            let holder = Holder::Setting(*setting).name(trace);
            match held.iter_mut().find(|held| held.holder == holder) {
                Some(held) => held.at_most = Some(part),
                None => held.push(only_at_most(holder, part)),
            }
        }
        held
    }
}

/// The bars of these pieces.
pub fn charged(trace: &Trace, pieces: &[Piece]) -> Vec<HolderShare> {
    let mut charges = Charges::new(trace);
    pieces.iter().for_each(|piece| charges.piece(piece, 1.0));
    charges.held(&BTreeMap::new(), Nanos::ZERO)
}

fn only_at_most(holder: String, part: f64) -> HolderShare {
    HolderShare { at_most: Some(part), ..HolderShare::part(holder, Role::Setting, 0.0, 0.0) }
}

impl Bar {
    fn held(mut self, trace: &Trace, group: Group, total: f64) -> HolderShare {
        longest(&mut self.pieces);
        self.pieces.sort_by_key(|piece| (piece.start, piece.end));
        let hottest = self.each.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        let most = hottest.map(|(name, time)| (name.clone(), time / self.time));
        let hottest = hottest.filter(|_| self.each.len() > 1).map(|(name, _)| name.clone());
        let share = |time: f64| (time / total).clamp(0.0, 1.0);
        HolderShare {
            holder: group.name,
            role: group.role,
            share: share(self.time),
            waited_s: self.time / 1e9,
            hottest,
            most,
            at_most: None,
            low: share(self.time - self.doubt),
            high: share(self.time + self.doubt),
            behind: self.pieces.iter().map(|piece| behind(trace, piece)).collect(),
        }
    }
}

fn longest(pieces: &mut Vec<Piece>) {
    pieces.sort_by_key(|piece| (Reverse(piece.length()), piece.start));
    pieces.truncate(BEHIND)
}

fn behind(trace: &Trace, piece: &Piece) -> HolderInterval {
    let label = super::label::label(trace, piece.interval);
    // Microseconds: more digits only make files longer.
    let seconds = |at: Nanos| (at.0 as f64 / 1e3).round() / 1e6;
    HolderInterval { label, start_s: seconds(piece.start), end_s: seconds(piece.end) }
}

pub(super) fn role(trace: &Trace, holder: Holder) -> Role {
    group(trace, holder).role
}

fn group(trace: &Trace, holder: Holder) -> Group {
    let role = match holder {
        Holder::Resource(id) => return resources(trace, trace.resources[id.at()].kind),
        Holder::Setting(_) | Holder::Shortage(_) => Role::Setting,
        Holder::Interval(_) | Holder::Phase(_) | Holder::Idle => Role::Wait,
        Holder::Unexplained => Role::Unexplained,
    };
    Group { role, name: holder.name(trace) }
}

fn resources(trace: &Trace, kind: ResourceKind) -> Group {
    let kind = &trace.kinds[kind.at()];
    let role = match kind.role {
        KindRole::Resource(role) => role.into(),
        _ => Role::Wait,
    };
    Group { role, name: kind.label.clone() }
}
