//! Traces drawn at random.
use crate::dice::Dice;
use trace::*;
use units::Nanos;

/// A trace of `rows` intervals between 0 and 1000 ns. `wild`: parents and causes may be cyclic or
/// dangling; otherwise parts are inside their parents, and causes are earlier.
pub fn trace(seed: u64, rows: usize, wild: bool) -> Trace {
    let mut dice = Dice::new(seed);
    let mut trace = TraceBuilder::new();
    let roles = IntervalRole::ALL;
    let kinds: Vec<IntervalKind> = roles
        .iter()
        .map(|role| trace.interval_kind(*role, role.name(), role.name()).id())
        .collect();
    let item = trace.entity_kind(EntityRole::Item, "item", "item {}").id();
    let attempt = trace.entity_kind(EntityRole::Try, "try", "try {}").id();
    let disk = trace.resource_kind(ResourceRole::Disk, "disk", "Disk").id();
    let setting = trace.setting("key", "1");
    let lack = trace.lack("no source", "none is left");
    for at in 0..3 {
        trace.resource(disk, &format!("disk {at}")).limited_by(setting).add();
    }
    for at in 0..6 {
        let entity = trace.entity(if dice.below(3) == 0 { attempt } else { item }).number(at);
        match maybe(&mut dice, if wild { 6 } else { at.max(1) as usize }) {
            Some(parent) if wild || at > 0 => entity.parent(EntityId::of(parent)).add(),
            _ => entity.add(),
        };
    }
    for at in 0..rows {
        let (a, b) = (dice.below(1_000) as u64, dice.below(1_000) as u64);
        let mut row =
            Interval::new(kinds[dice.below(kinds.len())], Nanos(a.min(b)), Nanos(a.max(b)));
        let others = if wild { rows + 3 } else { at.max(1) };
        let other = |place: usize| (wild || at > 0).then(|| IntervalId::of(place));
        row.parent = maybe(&mut dice, others).and_then(other);
        row.subject = maybe(&mut dice, if wild { 8 } else { 6 }).map(EntityId::of);
        row.resource = maybe(&mut dice, if wild { 5 } else { 3 }).map(ResourceId::of);
        row.need = maybe(&mut dice, 4).filter(|_| at % 5 == 0).map(|need| need as u32);
        row.queued = Nanos(maybe(&mut dice, 200).unwrap_or(0) as u64);
        row.doubt = Nanos(dice.below(3) as u64);
        row.cause = match dice.below(8) {
            0 => Cause::Unexplained,
            1 => Cause::Phase,
            2 => Cause::Resource(ResourceId::of(dice.below(if wild { 9 } else { 3 }))),
            3 => Cause::Setting(setting),
            4 => Cause::Shortage(lack),
            _ => other(dice.below(others)).map_or(Cause::Phase, Cause::Interval),
        };
        let placed = trace.interval(row.kind).push();
        *trace.interval_mut(placed) = row
    }
    trace.finish(Nanos(1_000))
}

fn maybe(dice: &mut Dice, n: usize) -> Option<usize> {
    (dice.below(2) == 0).then(|| dice.below(n))
}
