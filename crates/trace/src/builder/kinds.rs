//! Kinds, declared once.
use super::TraceBuilder;
use crate::ids::{EntityKind, FactKind, IntervalKind, ResourceKind};
use crate::kinds::{EntityRole, FactRole, IntervalRole, Kind, KindRole, ResourceRole};
use std::marker::PhantomData;

/// A kind to declare with [`NewKind::id`].
#[must_use = "a kind is declared by `id()`"]
pub struct NewKind<'a, Id> {
    builder: &'a mut TraceBuilder,
    kind: Kind,
    of: fn(usize) -> Id,
    id: PhantomData<Id>,
}

impl<Id> NewKind<'_, Id> {
    /// Its name as the object of another one's wait: "a fetch".
    pub fn other(mut self, other: &str) -> Self {
        self.kind.other = Some(other.into());
        self
    }
    /// The unit of amounts and capacities: "bytes", "bytes/s".
    pub fn unit(mut self, unit: &str) -> Self {
        self.kind.unit = Some(unit.into());
        self
    }
    /// Declares the kind. An existing one of this role and name stays unchanged.
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
    /// Declares a kind of intervals: role, name in tables, label for users.
    pub fn interval_kind(
        &mut self,
        role: IntervalRole,
        name: &str,
        label: &str,
    ) -> NewKind<'_, IntervalKind> {
        self.kind(KindRole::Interval(role), name, label, IntervalKind::of)
    }
    /// Declares a kind of entities. The label has `{}` for the number.
    pub fn entity_kind(
        &mut self,
        role: EntityRole,
        name: &str,
        label: &str,
    ) -> NewKind<'_, EntityKind> {
        self.kind(KindRole::Entity(role), name, label, EntityKind::of)
    }
    /// Declares a kind of resources. Reports group resources of one label, such as "Disk".
    pub fn resource_kind(
        &mut self,
        role: ResourceRole,
        name: &str,
        label: &str,
    ) -> NewKind<'_, ResourceKind> {
        self.kind(KindRole::Resource(role), name, label, ResourceKind::of)
    }
    /// Declares a kind of facts.
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
