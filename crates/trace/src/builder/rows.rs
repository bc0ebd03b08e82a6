//! Nodes, resources and entities.
use super::TraceBuilder;
use crate::ids::*;
use crate::kinds::ResourceRole;
use crate::schema::{Entity, Node, Outcome, Resource};
use units::Nanos;

/// A node to add with [`NewNode::add`].
#[must_use = "a node is added by `add()`"]
pub struct NewNode<'a> {
    builder: &'a mut TraceBuilder,
    row: Node,
}

impl NewNode<'_> {
    /// As in logs: `ip:port`.
    pub fn address(mut self, address: &str) -> Self {
        self.row.address = Some(address.into());
        self
    }
    /// The rack of the node.
    pub fn rack(mut self, rack: RackId) -> Self {
        self.row.rack = Some(rack);
        self
    }
    /// The system's word: "worker", "client".
    pub fn role(mut self, role: &str) -> Self {
        self.row.role = role.into();
        self
    }
    /// Marks the node as lost or dead.
    pub fn lost(mut self) -> Self {
        self.row.alive = false;
        self
    }
    /// Appends the node to the table.
    pub fn add(self) -> NodeId {
        let nodes = &mut self.builder.trace.nodes;
        nodes.push(self.row);
        NodeId::of(nodes.len() - 1)
    }
}

/// A resource to add with [`NewResource::add`].
#[must_use = "a resource is added by `add()`"]
pub struct NewResource<'a> {
    builder: &'a mut TraceBuilder,
    row: Resource,
}

impl NewResource<'_> {
    /// The node that has the resource.
    pub fn node(mut self, node: NodeId) -> Self {
        self.row.node = Some(node);
        self
    }
    /// The rack that has the resource.
    pub fn rack(mut self, rack: RackId) -> Self {
        self.row.rack = Some(rack);
        self
    }
    /// Number among the node's resources of its kind.
    pub fn place(mut self, place: u32) -> Self {
        self.row.place = Some(place);
        self
    }
    /// Nominal capacity in the kind's unit.
    pub fn capacity(mut self, capacity: u64) -> Self {
        self.row.capacity = Some(capacity);
        self
    }
    /// The setting that defines the capacity.
    pub fn limited_by(mut self, setting: SettingId) -> Self {
        self.row.setting = Some(setting);
        self
    }
    /// Appends the resource to the table.
    pub fn add(self) -> ResourceId {
        let resources = &mut self.builder.trace.resources;
        resources.push(self.row);
        ResourceId::of(resources.len() - 1)
    }
}

/// An entity to add with [`NewEntity::add`].
#[must_use = "an entity is added by `add()`"]
pub struct NewEntity<'a> {
    builder: &'a mut TraceBuilder,
    row: Entity,
}

impl NewEntity<'_> {
    /// The entity that contains it.
    pub fn parent(mut self, parent: EntityId) -> Self {
        self.row.parent = Some(parent);
        self
    }
    /// Its number in the system.
    pub fn number(mut self, number: i64) -> Self {
        self.row.number = Some(number);
        self
    }
    /// Its name, if the kind's label with the number is not enough.
    pub fn name(mut self, name: &str) -> Self {
        self.row.name = Some(name.into());
        self
    }
    /// Its home node.
    pub fn node(mut self, node: NodeId) -> Self {
        self.row.node = Some(node);
        self
    }
    /// Time of the request.
    pub fn begun(mut self, begun: Nanos) -> Self {
        self.row.begun = Some(begun);
        self
    }
    /// Appends the entity to the table.
    pub fn add(self) -> EntityId {
        let entities = &mut self.builder.trace.entities;
        entities.push(self.row);
        EntityId::of(entities.len() - 1)
    }
}

impl Entity {
    /// Only the kind is known.
    pub fn new(kind: EntityKind) -> Entity {
        Entity {
            kind,
            parent: None,
            number: None,
            name: None,
            node: None,
            begun: None,
            end: None,
            outcome: Outcome::Ok,
        }
    }
}

impl TraceBuilder {
    /// A live node.
    pub fn node(&mut self, name: &str) -> NewNode<'_> {
        let (name, role) = (name.into(), String::new());
        let row = Node { name, address: None, rack: None, role, alive: true };
        NewNode { builder: self, row }
    }
    /// Marks a node as lost.
    pub fn lost(&mut self, node: NodeId) {
        self.trace.nodes[node.at()].alive = false
    }
    /// A resource of this kind and name.
    pub fn resource(&mut self, kind: ResourceKind, name: &str) -> NewResource<'_> {
        let row = Resource {
            kind,
            name: name.into(),
            node: None,
            rack: None,
            place: None,
            capacity: None,
            setting: None,
        };
        NewResource { builder: self, row }
    }
    /// Declares a kind with a single resource: role, name in tables, label for users.
    pub fn sole_resource(&mut self, role: ResourceRole, name: &str, label: &str) -> ResourceId {
        let kind = self.resource_kind(role, name, label).id();
        self.resource(kind, name).add()
    }
    /// An entity of this kind.
    pub fn entity(&mut self, kind: EntityKind) -> NewEntity<'_> {
        let row = Entity::new(kind);
        NewEntity { builder: self, row }
    }
    /// An entity ended at an unknown time.
    pub fn broke_off(&mut self, entity: EntityId, outcome: Outcome) {
        self.trace.entities[entity.at()].outcome = outcome
    }
    /// An entity ended.
    pub fn ended(&mut self, entity: EntityId, at: Nanos, outcome: Outcome) {
        let row = &mut self.trace.entities[entity.at()];
        (row.end, row.outcome) = (Some(at), outcome)
    }
}
