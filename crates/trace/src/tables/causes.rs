//! Columns of causes: kind of table, row number, and name.
use super::names::Names;
use crate::ids::*;
use crate::parquet_io::Cell;
use crate::schema::{Cause, ChargeTarget, Interval, Sum, Trace};

/// The first row of a kind, as a placeholder until the column of row numbers is read.
fn first(kind: &str) -> Option<Cause> {
    Some(match kind {
        "unexplained" => Cause::Unexplained,
        "phase" => Cause::Phase,
        "resource" => Cause::Resource(ResourceId::of(0)),
        "setting" => Cause::Setting(SettingId::of(0)),
        "lack" => Cause::Shortage(ShortageId::of(0)),
        "interval" => Cause::Interval(IntervalId::of(0)),
        _ => return None,
    })
}

pub(super) fn kind<'a>(row: &'a Interval, _: &'a Trace) -> Cell<'a> {
    Cell::Text(match row.cause {
        Cause::Unexplained => "unexplained",
        Cause::Phase => "phase",
        Cause::Resource(_) => "resource",
        Cause::Setting(_) => "setting",
        Cause::Shortage(_) => "lack",
        Cause::Interval(_) => "interval",
    })
}

pub(super) fn set_kind(row: &mut Interval, cell: Cell<'_>, _: &Names) -> Result<(), String> {
    let kind = if let Cell::Text(kind) = cell { kind } else { "unexplained" };
    row.cause = first(kind).ok_or_else(|| format!("has an unknown cause \"{kind}\""))?;
    Ok(())
}

pub(super) fn place<'a>(row: &'a Interval, _: &'a Trace) -> Cell<'a> {
    let place = match row.cause {
        Cause::Unexplained | Cause::Phase => return Cell::Null,
        Cause::Resource(id) => id.at(),
        Cause::Setting(id) => id.at(),
        Cause::Shortage(id) => id.at(),
        Cause::Interval(id) => id.at(),
    };
    Cell::Int(place as i64)
}

/// An invalid row number becomes `Unexplained`.
pub(super) fn set_place(row: &mut Interval, cell: Cell<'_>, _: &Names) -> Result<(), String> {
    let place = if let Cell::Int(place) = cell { place } else { -1 };
    let cause = match row.cause {
        Cause::Unexplained | Cause::Phase => return Ok(()),
        Cause::Resource(_) => ResourceId::read(place).map(Cause::Resource),
        Cause::Setting(_) => SettingId::read(place).map(Cause::Setting),
        Cause::Shortage(_) => ShortageId::read(place).map(Cause::Shortage),
        Cause::Interval(_) => IntervalId::read(place).map(Cause::Interval),
    };
    row.cause = cause.unwrap_or_default();
    Ok(())
}

/// The resource's name, the setting's key or the shortage: saves readers a join.
pub(super) fn name<'a>(row: &'a Interval, trace: &'a Trace) -> Cell<'a> {
    let name = match row.cause {
        Cause::Resource(id) => trace.resources.get(id.at()).map(|resource| &resource.name),
        Cause::Setting(id) => trace.settings.get(id.at()).map(|setting| &setting.key),
        Cause::Shortage(id) => trace.lacks.get(id.at()).map(|lack| &lack.name),
        Cause::Interval(_) | Cause::Phase | Cause::Unexplained => None,
    };
    name.map_or(Cell::Null, |name| Cell::Text(name))
}

pub(super) fn charged_kind<'a>(row: &'a Sum, _: &'a Trace) -> Cell<'a> {
    Cell::Text(match row.charged {
        ChargeTarget::Resource(_) | ChargeTarget::Resources(_) => "resource",
        ChargeTarget::Setting(_) => "setting",
        ChargeTarget::Shortage(_) => "lack",
        ChargeTarget::Intervals(_) => "interval",
        ChargeTarget::Phase(_) => "phase",
        ChargeTarget::Unexplained => "unexplained",
    })
}

/// The first row is a placeholder until the other columns are read.
pub(super) fn set_charged_kind(row: &mut Sum, cell: Cell<'_>, _: &Names) -> Result<(), String> {
    let kind = if let Cell::Text(kind) = cell { kind } else { "" };
    row.charged = match kind {
        "resource" => ChargeTarget::Resources(ResourceKind::of(0)),
        "setting" => ChargeTarget::Setting(SettingId::of(0)),
        "lack" => ChargeTarget::Shortage(ShortageId::of(0)),
        "interval" => ChargeTarget::Intervals(IntervalKind::of(0)),
        "phase" => ChargeTarget::Phase(IntervalKind::of(0)),
        "unexplained" => ChargeTarget::Unexplained,
        _ => return Err(format!("has an unknown cause \"{kind}\"")),
    };
    Ok(())
}

pub(super) fn charged_place<'a>(row: &'a Sum, _: &'a Trace) -> Cell<'a> {
    match row.charged {
        ChargeTarget::Resource(id) => Cell::Int(id.at() as i64),
        ChargeTarget::Setting(id) => Cell::Int(id.at() as i64),
        ChargeTarget::Shortage(id) => Cell::Int(id.at() as i64),
        _ => Cell::Null,
    }
}

pub(super) fn set_charged_place(row: &mut Sum, cell: Cell<'_>, _: &Names) -> Result<(), String> {
    let Cell::Int(place) = cell else {
        return match row.charged {
            ChargeTarget::Setting(_) | ChargeTarget::Shortage(_) => Err("is null".into()),
            _ => Ok(()),
        };
    };
    let charged = match row.charged {
        ChargeTarget::Resources(_) => ResourceId::read(place).map(ChargeTarget::Resource),
        ChargeTarget::Setting(_) => SettingId::read(place).map(ChargeTarget::Setting),
        ChargeTarget::Shortage(_) => ShortageId::read(place).map(ChargeTarget::Shortage),
        other => Some(other),
    };
    row.charged = charged.ok_or_else(|| format!("has an invalid number {place}"))?;
    Ok(())
}

pub(super) fn charged_of<'a>(row: &'a Sum, trace: &'a Trace) -> Cell<'a> {
    let kind = match row.charged {
        ChargeTarget::Resource(id) => trace.resources.get(id.at()).map(|r| r.kind.at()),
        ChargeTarget::Resources(kind) => Some(kind.at()),
        ChargeTarget::Intervals(kind) | ChargeTarget::Phase(kind) => Some(kind.at()),
        ChargeTarget::Setting(_) | ChargeTarget::Shortage(_) | ChargeTarget::Unexplained => None,
    };
    let kind = kind.and_then(|kind| trace.kinds.get(kind));
    kind.map_or(Cell::Null, |kind| Cell::Text(&kind.name))
}

pub(super) fn set_charged_of(row: &mut Sum, cell: Cell<'_>, names: &Names) -> Result<(), String> {
    let name = if let Cell::Text(name) = cell { name } else { "" };
    match &mut row.charged {
        ChargeTarget::Resources(kind) => *kind = ResourceKind::of(names.kind("resource", name)?),
        ChargeTarget::Intervals(kind) | ChargeTarget::Phase(kind) => {
            *kind = IntervalKind::of(names.kind("interval", name)?)
        }
        _ => {}
    }
    Ok(())
}
