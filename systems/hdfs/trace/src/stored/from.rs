//! HDFS's trace from the trace of all systems.
use super::SYSTEM;
use super::words::{INTERVALS, REQUESTS, RESOURCES};
use crate::{
    CapacityChange, Cause, Counter, Interval, IntervalKind, NodeRow, Request, Resource,
    ResourceKind, Sample, SettingRow, Trace,
};
use trace::{Cause as Stored, KindRole, Outcome};
use units::{Bytes, Nanos, u32_of};

/// HDFS's trace from the trace of all systems.
///
/// # Errors
/// A text for people: it is a run of another system, or one that HDFS could not have written.
pub fn from(stored: &trace::Trace) -> Result<Trace, String> {
    if stored.about(SYSTEM.0) != Some(SYSTEM.1) {
        let whose = stored.about(SYSTEM.0).unwrap_or("none that it names");
        return Err(format!("is a run of another system (\"{whose}\")"));
    }
    let from = From::new(stored)?;
    let (intervals, requests) = from.intervals()?;
    Ok(Trace {
        run: stored.run.iter().filter(|(key, _)| key != SYSTEM.0).cloned().collect(),
        racks: stored.racks.clone(),
        nodes: stored.nodes.iter().map(node).collect::<Result<_, _>>()?,
        resources: stored
            .resources
            .iter()
            .map(|row| from.resource(row))
            .collect::<Result<_, _>>()?,
        capacities: stored.capacities.iter().map(change).collect(),
        settings: settings(stored),
        intervals,
        series: stored.series.iter().map(sample).collect::<Result<_, _>>()?,
        counter_names: stored.counter_names.iter().map(|row| row.name.clone()).collect(),
        counters: stored.counters.iter().map(count).collect::<Result<_, _>>()?,
        requests,
    })
}

/// What must be there.
fn said<T>(value: Option<T>, what: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("has {what}"))
}

fn node(row: &trace::Node) -> Result<NodeRow, String> {
    Ok(NodeRow {
        name: row.name.clone(),
        address: row.address.clone().unwrap_or_default(),
        rack: u32_of(said(row.rack, "a node without a rack")?.at()),
        alive: row.alive,
    })
}

fn change(row: &trace::CapacityChange) -> CapacityChange {
    CapacityChange { resource: u32_of(row.resource.at()), at: row.at, capacity: row.capacity }
}

/// What the cluster lacks stands behind the settings.
fn settings(stored: &trace::Trace) -> Vec<SettingRow> {
    let row =
        |(key, value): (&String, &String)| SettingRow { key: key.clone(), value: value.clone() };
    let settings = stored.settings.iter().map(|row| (&row.key, &row.value));
    settings.chain(stored.lacks.iter().map(|row| (&row.name, &row.why))).map(row).collect()
}

fn sample(row: &trace::Sample) -> Result<Sample, String> {
    let unknown = "a sample that does not say how much was used";
    Ok(Sample {
        resource: u32_of(row.resource.at()),
        at: row.at,
        used: said(row.used, unknown)?,
        queue: said(row.queue, unknown)?,
    })
}

fn count(row: &trace::Count) -> Result<Counter, String> {
    let value = said(row.value, "a counter without a value")?;
    Ok(Counter { name: u32_of(row.counter.at()), at: row.at, value })
}

/// What a kind of intervals is to HDFS.
#[derive(Clone, Copy)]
enum Meaning {
    Interval(IntervalKind),
    Request { write: bool },
}

/// A trace that is read.
struct From<'a> {
    stored: &'a trace::Trace,
    /// By the places of kinds: what they are, of intervals and of resources.
    meanings: Vec<Option<Meaning>>,
    resources: Vec<Option<ResourceKind>>,
    /// By the places of stored intervals: HDFS's ids; of requests those of none.
    ids: Vec<u64>,
}

/// The id of no interval.
const NONE: u64 = u64::MAX;

impl<'a> From<'a> {
    fn new(stored: &'a trace::Trace) -> Result<From<'a>, String> {
        let meaning = |kind: &trace::Kind| {
            let known = INTERVALS.iter().find(|words| words.name == kind.name);
            let request = REQUESTS.iter().find(|(_, name, _)| *name == kind.name);
            match kind.role {
                KindRole::Interval(_) => known
                    .map(|words| Meaning::Interval(words.kind))
                    .or(request.map(|(write, ..)| Meaning::Request { write: *write })),
                _ => None,
            }
        };
        let resource = |kind: &trace::Kind| {
            let known = RESOURCES.iter().find(|(_, _, name, _)| *name == kind.name);
            known.filter(|_| matches!(kind.role, KindRole::Resource(_))).map(|(kind, ..)| *kind)
        };
        let mut from = From {
            stored,
            meanings: stored.kinds.iter().map(meaning).collect(),
            resources: stored.kinds.iter().map(resource).collect(),
            ids: Vec::with_capacity(stored.intervals.len()),
        };
        let mut next = 0;
        for row in &stored.intervals {
            let is_request = matches!(from.meaning(row)?, Meaning::Request { .. });
            from.ids.push(if is_request { NONE } else { next });
            next += u64::from(!is_request)
        }
        Ok(from)
    }

    fn meaning(&self, row: &trace::Interval) -> Result<Meaning, String> {
        let kind = &self.stored.kinds[row.kind.at()].name;
        self.meanings[row.kind.at()].ok_or_else(|| format!("has an unknown kind \"{kind}\""))
    }

    fn resource(&self, row: &trace::Resource) -> Result<Resource, String> {
        let kind = &self.stored.kinds[row.kind.at()].name;
        let known = self.resources[row.kind.at()];
        Ok(Resource {
            kind: known.ok_or_else(|| format!("has an unknown kind \"{kind}\""))?,
            name: row.name.clone(),
            node: row.node.map(|node| u32_of(node.at())),
            rack: row.rack.map(|rack| u32_of(rack.at())),
            capacity: said(row.capacity, "a resource without a capacity")?,
        })
    }

    fn intervals(&self) -> Result<(Vec<Interval>, Vec<Request>), String> {
        let (mut intervals, mut requests) = (Vec::new(), Vec::new());
        for row in &self.stored.intervals {
            match self.meaning(row)? {
                Meaning::Interval(kind) => intervals.push(self.interval(row, kind)?),
                Meaning::Request { write } => requests.push(request(row, write)?),
            }
        }
        Ok((intervals, requests))
    }

    fn interval(&self, row: &trace::Interval, kind: IntervalKind) -> Result<Interval, String> {
        let entity = row.subject.map(|subject| &self.stored.entities[subject.at()]);
        let number = |entity: &trace::Entity| said(entity.number, "a block without a number");
        Ok(Interval {
            kind,
            parent: row.parent.and_then(|parent| self.id(parent)),
            block: entity.map(number).transpose()?,
            node: row.node.map(|node| u32_of(node.at())),
            peer: row.peer.map(|peer| u32_of(peer.at())),
            disk: self.disk(row.resource)?,
            peer_disk: self.disk(row.peer_resource)?,
            start: row.start,
            end: if row.outcome == Outcome::Cut { Nanos::MAX } else { row.end },
            bytes: Bytes(row.amount.unwrap_or(0)),
            cause: self.cause(row.cause),
        })
    }

    fn id(&self, id: trace::IntervalId) -> Option<u64> {
        self.ids.get(id.at()).copied().filter(|id| *id != NONE)
    }

    fn disk(&self, disk: Option<trace::ResourceId>) -> Result<Option<u16>, String> {
        let Some(disk) = disk else { return Ok(None) };
        let number = self.stored.resources[disk.at()].place;
        let number = number.and_then(|number| u16::try_from(number).ok());
        said(number, "a disk without a number in its node").map(Some)
    }

    fn cause(&self, cause: Stored) -> Cause {
        match cause {
            Stored::Resource(id) => Cause::Resource(u32_of(id.at())),
            Stored::Setting(id) => Cause::Setting(u32_of(id.at())),
            Stored::Shortage(id) => Cause::Setting(u32_of(self.stored.settings.len() + id.at())),
            Stored::Interval(id) => self.id(id).map_or(Cause::Unexplained, Cause::Interval),
            Stored::Phase | Stored::Unexplained => Cause::Unexplained,
        }
    }
}

fn request(row: &trace::Interval, write: bool) -> Result<Request, String> {
    let nowhere = "a request without a client or a node";
    Ok(Request {
        write,
        client: u32_of(said(row.node, nowhere)?.at()),
        node: u32_of(said(row.peer, nowhere)?.at()),
        begun: row.start,
        end: (row.outcome != Outcome::Cut).then_some(row.end),
        bytes: Bytes(row.amount.unwrap_or(0)),
        tries: row.tries,
    })
}
