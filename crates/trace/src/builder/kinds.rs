//! Kinds, declared once.
use super::TraceBuilder;
use crate::ids::{EntityKind, FactKind, IntervalKind, ResourceKind};
use crate::kinds::{EntityRole, FactRole, IntervalRole, Kind, KindRole, ResourceRole};
use std::marker::PhantomData;

/// A kind that is being declared; it is there when [`NewKind::id`] is called.
#[must_use = "a kind is declared by `id()`"]
pub struct NewKind<'a, Id> {
    builder: &'a mut TraceBuilder,
    kind: Kind,
    of: fn(usize) -> Id,
    id: PhantomData<Id>,
}

impl<Id> NewKind<'_, Id> {
    /// What it is called when something else waits for it: "a fetch".
    pub fn other(mut self, other: &str) -> Self {
        self.kind.other = Some(other.into());
        self
    }
    /// The unit of amounts and capacities: "bytes", "bytes/s".
    pub fn unit(mut self, unit: &str) -> Self {
        self.kind.unit = Some(unit.into());
        self
    }
    /// Declares it. A kind of this name that is there already stays as it is.
    pub fn id(self) -> Id {
        let TraceBuilder { trace, kinds, .. } = self.builder;
        let key = (self.kind.role.of(), self.kind.name.clone());
        let at = *kinds.entry(key).or_insert_with(|| {
            trace.kinds.push(self.kind);
            trace.kinds.len() - 1
        });
        (self.of)(at)
    }
}

impl TraceBuilder {
    /// A kind of intervals: its role, its name in the tables, its name for people.
    pub fn interval_kind(
        &mut self,
        role: IntervalRole,
        name: &str,
        label: &str,
    ) -> NewKind<'_, IntervalKind> {
        self.kind(KindRole::Interval(role), name, label, IntervalKind::of)
    }
    /// A kind of entities; the label has `{}` in the place of the number.
    pub fn entity_kind(
        &mut self,
        role: EntityRole,
        name: &str,
        label: &str,
    ) -> NewKind<'_, EntityKind> {
        self.kind(KindRole::Entity(role), name, label, EntityKind::of)
    }
    /// A kind of resources: screens put those of one label together ("Disk").
    pub fn resource_kind(
        &mut self,
        role: ResourceRole,
        name: &str,
        label: &str,
    ) -> NewKind<'_, ResourceKind> {
        self.kind(KindRole::Resource(role), name, label, ResourceKind::of)
    }
    /// A kind of facts.
    pub fn fact_kind(&mut self, role: FactRole, name: &str, label: &str) -> NewKind<'_, FactKind> {
        self.kind(KindRole::Fact(role), name, label, FactKind::of)
    }
    fn kind<Id>(
        &mut self,
        role: KindRole,
        name: &str,
        label: &str,
        of: fn(usize) -> Id,
    ) -> NewKind<'_, Id> {
        let (name, label) = (name.into(), label.into());
        let kind = Kind { role, name, label, other: None, unit: None };
        NewKind { builder: self, kind, of, id: PhantomData }
    }
}
