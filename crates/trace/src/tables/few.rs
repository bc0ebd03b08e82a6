//! Tables of objects: nodes, kinds, settings, resources, entities.
use super::field::{Field, Table, field};
use crate::ids::*;
use crate::kinds::{FactRole, Kind, KindRole};
use crate::parquet_io::{Cell, CellKind};
use crate::schema::*;
use units::Nanos;

macro_rules! table {
    (
        $row:ty, $name:literal, ids: $ids:literal, $rows:ident,
        $blank:expr,
        [$($field:expr),* $(,)?]
    ) => {
        impl Table for $row {
            const NAME: &'static str = $name;
            const IDS: bool = $ids;
            fn rows(trace: &Trace) -> &Vec<Self> {
                &trace.$rows
            }
            fn rows_mut(trace: &mut Trace) -> &mut Vec<Self> {
                &mut trace.$rows
            }
            fn blank() -> Self {
                $blank
            }
            fn fields() -> Vec<Field<Self>> {
                vec![$($field),*]
            }
        }
    };
}
pub(super) use table;

fn no_name() -> String {
    String::new()
}

table!(
    (String, String), "run", ids: false, run,
    Default::default(),
    [field!("key", 0), field!("value", 1)]);

table!(String, "racks", ids: true, racks, no_name(), [Field::new("name", |row| row, |row| row)]);

table!(
    Node, "nodes", ids: true, nodes,
    Node { name: no_name(), address: None, rack: None, role: no_name(), alive: true },
    [
    field!(name),
    field!(address),
    field!(rack),
    field!(role),
    field!(alive),
]);

table!(
    Setting, "settings", ids: true, settings,
    Setting { key: no_name(), value: no_name() },
    [field!(key), field!(value)]);

table!(
    Shortage, "lacks", ids: true, lacks,
    Shortage { name: no_name(), why: no_name() },
    [field!(name), field!(why)]);

table!(
    Resource, "resources", ids: true, resources,
    Resource {
        kind: ResourceKind::of(0), name: no_name(), node: None, rack: None, place: None,
        capacity: None, setting: None,
    },
    [
    field!(kind),
    field!(name),
    field!(node),
    field!(rack),
    field!(place),
    field!(capacity),
    field!(setting),
]);

table!(
    Entity, "entities", ids: true, entities,
    Entity::new(EntityKind::of(0)),
    [
    field!(kind),
    field!(parent),
    field!(number).sorted(),
    field!(name),
    field!(node),
    field!("begun_ns", begun).sorted(),
    field!("end_ns", end).sorted(),
    field!(outcome),
]);

table!(
    Fact, "facts", ids: false, facts,
    Fact { entity: EntityId::of(0), kind: FactKind::of(0), value: None, text: None },
    [
    field!(entity).sorted(),
    field!("name", kind),
    field!(value),
    field!(text),
]);

table!(
    CounterName, "counter_names", ids: true, counter_names,
    CounterName { name: no_name(), unit: no_name(), entity: None, node: None },
    [
    field!(name),
    field!(unit),
    field!(entity),
    field!(node),
]);

table!(
    ObjectiveRow, "objectives", ids: true, objectives,
    ObjectiveRow {
        metric: no_name(), unit: no_name(), better: Better::Less, how: Aggregation::Last, of: None,
        subject: None, from: Nanos::ZERO, to: None, value: None, outcome: Outcome::Ok,
    },
    [
    field!(metric),
    field!(unit),
    field!(better),
    field!(how),
    field!(of),
    field!(subject),
    field!("from_ns", from),
    field!("to_ns", to),
    field!(value),
    field!(outcome),
]);

table!(
    Clock, "clocks", ids: false, clocks,
    Clock { node: NodeId::of(0), offset: 0, low: 0, high: 0 },
    [
    field!(node),
    field!("offset_ns", offset),
    field!("low_ns", low),
    field!("high_ns", high),
]);

table!(
    Source, "sources", ids: true, sources,
    Source { name: no_name(), format: no_name(), sha256: None },
    [
    field!(name),
    field!(format),
    field!(sha256),
]);

table!(
    ImportIssue, "problems", ids: false, problems,
    ImportIssue { source: SourceId::of(0), line: None, what: no_name(), times: 0 },
    [
    field!(source),
    field!(line),
    field!(what),
    field!(times),
]);

/// Placeholder: two columns define the role, the table and the name.
const NO_ROLE: KindRole = KindRole::Fact(FactRole::Other);

table!(
    Kind, "kinds", ids: false, kinds,
    Kind { role: NO_ROLE, name: no_name(), label: no_name(), other: None, unit: None },
    [
    // The column of roles needs the table's name, which waits in the label.
    Field::made("of", CellKind::Text, |row, _| Cell::Text(row.role.of()), |row, cell, _| {
        let Cell::Text(of) = cell else { return Err("is null".into()) };
        row.label = of.into();
        Ok(())
    }),
    Field::made("role", CellKind::Text, |row, _| Cell::Text(row.role.name()), |row, cell, _| {
        let role = if let Cell::Text(role) = cell { role } else { "" };
        row.role = KindRole::by_name(&row.label, role)
            .ok_or_else(|| format!("has an unknown role \"{role}\" of \"{}\"", row.label))?;
        Ok(())
    }),
    field!(name),
    field!(label),
    field!(other),
    field!(unit),
]);
