//! What a task moves, phase by phase: how much, through what.
use super::dice::Dice;
use super::done_task::DoneTask;
use super::share::via;
use super::slots::Assignment;
use crate::model::CORE;
use crate::settings::Settings;
use hardware::{FlowSpec, Path};
use units::{Bytes, BytesPerSec, Nanos, rounded_u64};

/// A map reads, computes, spills, merges its spills; without reduces it writes the output.
pub(super) fn of_map(
    settings: &Settings,
    did: &DoneTask,
    given: &Assignment,
    dice: Dice,
) -> Vec<FlowSpec> {
    let [read, spilled, _, written] = did.bytes;
    let machine = &settings.resources;
    let own = via(machine.disk(given.node, given.disk));
    let (from, disk) = given.source;
    let block = machine.add_network(via(machine.disk(from, disk)), from, given.node);
    let once = spilled.min(settings.map_output());
    let [piped, rest] = output(settings, given, written, dice);
    vec![
        FlowSpec::new(block, Bytes(read)),
        computing(settings, given, read as f64 * settings.profile.map_cpu),
        FlowSpec::new(own, settings.written(once)),
        FlowSpec::new(own, merged(settings, spilled - once)),
        piped,
        rest,
    ]
}

/// A reduce with all outputs copied merges files, reads them, computes and writes. `on_disk`: bytes
/// already written; `rest`: bytes that the buffer still has to write.
pub(super) fn of_reduce(
    settings: &Settings,
    did: &DoneTask,
    given: &Assignment,
    [on_disk, rest]: [u64; 2],
    dice: Dice,
) -> Vec<FlowSpec> {
    let [_, _, copied, written] = did.bytes;
    let own = via(settings.resources.disk(given.node, given.disk));
    let all = on_disk + rest;
    let files = all.div_ceil(settings.buffer.max(1));
    let again = all * settings.passes(files).saturating_sub(1);
    let [piped, last] = output(settings, given, written, dice);
    vec![
        FlowSpec::new(own, settings.written(rest) + merged(settings, again)),
        FlowSpec::new(own, Bytes(settings.reread_bytes(all))),
        computing(settings, given, copied as f64 * settings.profile.reduce_cpu),
        piped,
        last,
    ]
}

/// Path of a copy; an output in memory uses no disk.
pub(super) fn of_copy(
    settings: &Settings,
    (from, disk): (u32, u32),
    in_memory: bool,
    to: u32,
) -> Path {
    let machine = &settings.resources;
    let path = match in_memory {
        true => Path::new(Nanos::ZERO),
        false => via(machine.disk(from, disk)),
    };
    machine.add_network(path, from, to)
}

/// Work of reading and writing bytes once more.
fn merged(settings: &Settings, bytes: u64) -> Bytes {
    Bytes(settings.reread_bytes(bytes)) + settings.written(bytes)
}

/// Computes on at most one core.
fn computing(settings: &Settings, given: &Assignment, nanos: f64) -> FlowSpec {
    let path = via(settings.resources.cores(given.node));
    let cap = Some(BytesPerSec(CORE));
    FlowSpec { cap, ..FlowSpec::new(path, Bytes(rounded_u64(nanos))) }
}

/// An output in two flows: to the disks of all replicas, then the extra work of first writes.
fn output(settings: &Settings, given: &Assignment, bytes: u64, dice: Dice) -> [FlowSpec; 2] {
    let path = pipeline(settings, given, dice);
    let disks = settings.resources.only_disks(&path);
    let all = settings.written(bytes);
    let piped = if path.len() == 1 { all } else { Bytes(bytes) };
    [FlowSpec::new(path, piped), FlowSpec::new(disks, Bytes(all.0.saturating_sub(piped.0)))]
}

/// The node's own disk, then a disk of another node per further replica, with a single crossing of
/// racks.
fn pipeline(settings: &Settings, given: &Assignment, dice: Dice) -> Path {
    let machine = &settings.resources;
    let mut path = via(machine.disk(given.node, given.out));
    let (mut last, mut crossed, mut left) = (given.node, false, settings.output_replication - 1);
    if left == 0 {
        return path;
    }
    let mut draw = dice.pipeline(given.job, given.task, given.map);
    let mut others: Vec<u32> = (0..settings.nodes).filter(|node| *node != given.node).collect();
    draw.shuffle(&mut others);
    for node in others {
        let crosses = machine.rack(last) != machine.rack(node);
        if left == 0 || crosses && crossed {
            continue;
        }
        let disk = units::narrow(draw.below(machine.disks[node as usize].into()));
        path = machine.add_network(path, last, node).via(machine.disk(node, disk));
        (last, crossed, left) = (node, crossed || crosses, left - 1)
    }
    path
}
