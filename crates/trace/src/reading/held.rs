//! What held a run up, as the bars of a chart: resources of one kind together, settings under their
//! real keys, lacks in words, the rest unexplained.
use crate::ids::{ResourceKind, SettingId};
use crate::kinds::{KindRole, ResourceRole};
use crate::schema::{Charged, Sum, Trace};
use crate::walk::{Holder, Piece};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use units::Nanos;

/// Longest pieces that stand behind a bar.
const BEHIND: usize = 12;

/// What a holder is: its hue on screens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A pacing limit, an interval, a timeout; what the cluster lacks.
    Setting,
    /// Disks.
    Disk,
    /// NICs, links.
    Network,
    /// Cores.
    Cpu,
    /// Threads of a store.
    Store,
    /// Slots, streams, credits.
    Slot,
    /// Memory.
    Memory,
    /// A phase, another interval, nothing wanted.
    Wait,
    /// No evidence.
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

/// One holder's part.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Held {
    /// "key = value" of a setting, a kind of resources ("Disk"), "another copy", "unexplained".
    pub holder: String,
    /// Its hue.
    pub role: Role,
    /// Of the whole, 0–1.
    pub share: f64,
    /// Waited \[s\]; of operations, all of theirs together.
    pub waited_s: f64,
    /// Of resources: the one that was waited for longest, where there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hottest: Option<String>,
    /// Of resources: the one that was waited for longest, and its part of this, 0–1.
    #[serde(skip)]
    pub most: Option<(String, f64)>,
    /// So much of the window a larger value could save at most, 0–1: the path waited so long for
    /// slots that this setting gives out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// The share if all its ends are off the one way …
    pub low: f64,
    /// … and the other.
    pub high: f64,
    /// The longest pieces behind it, in the order of time.
    pub behind: Vec<Behind>,
}

impl Held {
    /// A part of which nothing but its length is known.
    pub fn part(holder: impl Into<String>, role: Role, share: f64, waited_s: f64) -> Held {
        Held {
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

/// A piece behind a bar.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Behind {
    /// Whose, and what was under way.
    pub label: String,
    /// From, in the trace's time \[s\].
    pub start_s: f64,
    /// To \[s\].
    pub end_s: f64,
}

/// What one bar stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    role: Role,
    name: String,
}

#[derive(Default)]
struct Bar {
    time: f64,
    /// How far it may be off.
    doubt: f64,
    each: BTreeMap<String, f64>,
    pieces: Vec<Piece>,
}

/// Time by holder.
pub(super) struct Charges<'a> {
    trace: &'a Trace,
    bars: BTreeMap<Group, Bar>,
}

impl<'a> Charges<'a> {
    pub(super) fn new(trace: &'a Trace) -> Charges<'a> {
        Charges { trace, bars: BTreeMap::new() }
    }

    /// A piece that stands for `weight` of its like.
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

    /// Time of all operations.
    pub(super) fn sum(&mut self, sum: &Sum) {
        let trace = self.trace;
        let (group, one) = match sum.charged {
            Charged::Resource(id) => {
                let name = &trace.resources[id.at()].name;
                (group(trace, Holder::Resource(id)), Some(name.clone()))
            }
            Charged::Resources(kind) => (resources(trace, kind), None),
            Charged::Setting(id) => (group(trace, Holder::Setting(id)), None),
            Charged::Shortage(id) => (group(trace, Holder::Shortage(id)), None),
            Charged::Intervals(kind) => (group(trace, Holder::Interval(kind)), None),
            Charged::Phase(kind) => (group(trace, Holder::Phase(kind)), None),
            Charged::Unexplained => (group(trace, Holder::Unexplained), None),
        };
        let bar = self.bars.entry(group).or_default();
        bar.time += sum.total as f64;
        if let Some(one) = one {
            *bar.each.entry(one).or_default() += sum.total as f64
        }
    }

    /// The bars: most first, unexplained last, then what settings could save that hold nothing up.
    pub(super) fn held(self, at_most: &BTreeMap<SettingId, Nanos>, window: Nanos) -> Vec<Held> {
        let total: f64 = self.bars.values().map(|bar| bar.time).sum();
        let mut bars: Vec<(Group, Bar)> =
            self.bars.into_iter().filter(|(_, bar)| bar.time > 0.0).collect();
        // Stable, and groups are in order before: equal ones stay by name.
        bars.sort_by(|(a, x), (b, y)| {
            let last = |group: &Group| group.role == Role::Unexplained;
            last(a).cmp(&last(b)).then(y.time.total_cmp(&x.time))
        });
        let trace = self.trace;
        let mut held: Vec<Held> =
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

/// The holders to which these pieces of time are charged, as bars.
pub fn charged(trace: &Trace, pieces: &[Piece]) -> Vec<Held> {
    let mut charges = Charges::new(trace);
    pieces.iter().for_each(|piece| charges.piece(piece, 1.0));
    charges.held(&BTreeMap::new(), Nanos::ZERO)
}

fn only_at_most(holder: String, part: f64) -> Held {
    Held { at_most: Some(part), ..Held::part(holder, Role::Setting, 0.0, 0.0) }
}

impl Bar {
    fn held(mut self, trace: &Trace, group: Group, total: f64) -> Held {
        longest(&mut self.pieces);
        self.pieces.sort_by_key(|piece| (piece.start, piece.end));
        let hottest = self.each.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        let most = hottest.map(|(name, time)| (name.clone(), time / self.time));
        let hottest = hottest.filter(|_| self.each.len() > 1).map(|(name, _)| name.clone());
        let share = |time: f64| (time / total).clamp(0.0, 1.0);
        Held {
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

fn behind(trace: &Trace, piece: &Piece) -> Behind {
    let label = super::label::label(trace, piece.interval);
    // Microseconds: more digits than this only make files longer.
    let seconds = |at: Nanos| (at.0 as f64 / 1e3).round() / 1e6;
    Behind { label, start_s: seconds(piece.start), end_s: seconds(piece.end) }
}

/// The hue of a holder.
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
