//! Builds the history of blocks and copies from the events in time order.
use super::event::Event;
use super::nodes::Nodes;
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Block {
    pub(super) bytes: u64,
    /// Target number of replicas; `None`: in no line.
    pub(super) wants: Option<u8>,
    pub(super) planned: Vec<u32>,
    /// Holders at the first declared death.
    pub(super) holders: Vec<u32>,
    pub(super) later: Vec<u32>,
    pub(super) removed: Vec<u32>,
    /// Missing replicas by the first line about it after the first loss.
    pub(super) short: Option<Shortage>,
    /// Start of its wait for a decision.
    waits: Option<i64>,
    chosen: Option<i64>,
    /// Created after the first loss, or deleted: not in the map.
    pub(super) is_new: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Shortage {
    /// `live` replicas after `dead` nodes were declared dead.
    Has {
        live: u8,
        dead: usize,
    },
    Lacks(u8),
}

impl Block {
    /// Target number of replicas: from a line, else the allocation, else `default`.
    pub(super) fn wanted(&self, default: u8) -> u8 {
        let planned = u8::try_from(self.planned.len()).unwrap_or(u8::MAX);
        self.wants.unwrap_or(if planned > 0 { planned } else { default })
    }

    /// Nodes of the allocation without a line on adding or removing the replica.
    pub(super) fn unheard(&self) -> impl Iterator<Item = u32> {
        let known = [&self.holders, &self.later, &self.removed];
        let planned = self.planned.iter().copied();
        planned.filter(move |node| !known.iter().any(|nodes| nodes.contains(node)))
    }

    /// A line about an unknown replica proves that the replica is older than the logs.
    fn had(&mut self, node: u32) {
        let known = [&self.holders, &self.later, &self.removed];
        if !known.iter().any(|nodes| nodes.contains(&node)) {
            self.holders.push(node)
        }
    }
}

#[derive(Clone, Default)]
pub(super) struct Copy {
    pub(super) block: i64,
    pub(super) source: Option<u32>,
    pub(super) target: u32,
    /// Start of the block's wait.
    pub(super) queued: Option<i64>,
    pub(super) decided: Option<i64>,
    pub(super) started: Option<i64>,
    pub(super) sent: Option<i64>,
    pub(super) known: Option<i64>,
    pub(super) failed: Option<i64>,
    pub(super) bytes: u64,
    /// By `replaceBlock`, not by the NameNode.
    pub(super) moved: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Round {
    pub(super) at: i64,
    /// Blocks decided; blocks left in the queue.
    pub(super) decided: u64,
    pub(super) left: u64,
}

/// A replica added or removed after the first loss.
pub(super) struct ReplicaChange {
    pub(super) at: i64,
    pub(super) block: i64,
    pub(super) node: u32,
    pub(super) is_added: bool,
}

#[derive(Default)]
pub(super) struct LogHistory {
    pub(super) nodes: Nodes,
    pub(super) blocks: BTreeMap<i64, Block>,
    pub(super) copies: Vec<Copy>,
    /// Index in `copies` of the last copy by (block, target).
    last: BTreeMap<(i64, u32), usize>,
    pub(super) rounds: Vec<Round>,
    decided: u64,
    pub(super) settings: BTreeMap<&'static str, u64>,
    /// In the order of declaration.
    pub(super) dead: Vec<u32>,
    pub(super) changes: Vec<ReplicaChange>,
    /// Lines before the first death show holders of blocks.
    pub(super) has_holders: bool,
    /// The logs of target and NameNode race: moves that the target logged first, and new replicas
    /// without a known cause.
    moves: BTreeMap<i64, Option<u32>>,
    untold: BTreeMap<i64, usize>,
}

impl LogHistory {
    pub(super) fn take(&mut self, at: i64, event: Event<'_>) {
        match event {
            Event::Placed { rack, node } => {
                let id = self.nodes.id(node);
                self.nodes.place(id, rack)
            }
            Event::Storage { id, node } => {
                let node = self.nodes.id(node);
                self.nodes.store(node, id)
            }
            Event::Registered { node, uuid } => {
                let id = self.nodes.id(node);
                self.nodes.register(id, uuid);
                self.nodes.record_activity(id, at)
            }
            Event::Allocated { block, nodes } => {
                let young = !self.dead.is_empty();
                let planned = self.nodes.ids(&nodes);
                self.blocks.insert(block, Block { planned, is_new: young, ..Block::default() });
            }
            Event::Added { block, node, bytes } => self.added(at, block, node, bytes),
            Event::Removed { block, nodes } => self.removed(at, block, &nodes),
            Event::Dead { node } => self.died(at, node),
            Event::Deleted { block } => self.blocks.entry(block).or_default().is_new = true,
            Event::Needs { block, live, wants } => self.needs(at, block, live, wants),
            Event::TimedOut { block } => {
                self.blocks.entry(block).or_default().waits.get_or_insert(at);
            }
            Event::Chosen { block } => {
                self.blocks.entry(block).or_default().chosen = Some(at);
                self.decided += 1
            }
            Event::Round { left } => {
                self.rounds.push(Round { at, decided: std::mem::take(&mut self.decided), left })
            }
            Event::Asked { block, source, targets } => self.asked(at, block, source, &targets),
            Event::Started { block, source, targets } => {
                let source = self.nodes.id(source);
                self.nodes.record_activity(source, at);
                self.each(block, &targets, |copy| copy.started = copy.started.or(Some(at)))
            }
            Event::Sent { block, at: name, target, bytes } => {
                let target = self.nodes.id(target);
                let Some(&copy) = self.last.get(&(block, target)) else { return };
                let copy = &mut self.copies[copy];
                (copy.sent, copy.bytes) = (Some(at), bytes);
                if let Some(source) = copy.source {
                    self.nodes.record_activity(source, at);
                    self.nodes.name(source, name)
                }
            }
            Event::Failed { block, targets } => {
                self.each(block, &targets, |copy| copy.failed = Some(at))
            }
            Event::Moved { block, hint } => {
                let source = self.nodes.by_uuid(hint);
                match self.untold.remove(&block).map(|copy| &mut self.copies[copy]) {
                    Some(copy) => (copy.source, copy.moved) = (source, true),
                    None => drop(self.moves.insert(block, source)),
                }
            }
            Event::Stopped { node } => self.nodes.stop(node, at),
            Event::Setting { name, value } => {
                self.settings.insert(name, value);
            }
        }
    }

    fn needs(&mut self, at: i64, block: i64, live: u8, wants: u8) {
        let dead = self.dead.len();
        let block = self.blocks.entry(block).or_default();
        block.wants = Some(wants);
        if dead > 0 {
            block.short.get_or_insert(Shortage::Has { live, dead });
        }
        block.waits.get_or_insert(at);
    }

    fn added(&mut self, at: i64, id: i64, node: &str, bytes: Option<u64>) {
        let node = self.nodes.id(node);
        self.nodes.record_activity(node, at);
        let after = !self.dead.is_empty();
        self.has_holders |= !after;
        let block = self.blocks.entry(id).or_default();
        block.bytes = bytes.filter(|n| *n > 0).unwrap_or(block.bytes);
        let held = block.holders.contains(&node) || block.later.contains(&node);
        if !after && !held {
            block.removed.retain(|gone| *gone != node);
            block.holders.push(node)
        }
        if !after || block.is_new {
            return;
        }
        self.changes.push(ReplicaChange { at, block: id, node, is_added: true });
        if held {
            return;
        }
        block.later.push(node);
        let (waits, size) = (block.waits.take(), block.bytes);
        match self.last.get(&(id, node)).map(|copy| &mut self.copies[*copy]) {
            Some(copy) if copy.known.is_none() => {
                copy.known = Some(at);
                copy.bytes = copy.bytes.max(size);
                block.waits = waits.filter(|_| copy.failed.is_some())
            }
            _ => {
                let moved = self.moves.remove(&id);
                if moved.is_none() {
                    self.untold.insert(id, self.copies.len());
                }
                let source = moved.flatten();
                let (queued, known, moved) = (waits, Some(at), moved.is_some());
                let base = Copy { block: id, source, target: node, ..Copy::default() };
                self.copies.push(Copy { queued, known, bytes: size, moved, ..base })
            }
        }
    }

    fn removed(&mut self, at: i64, id: i64, nodes: &[&str]) {
        let nodes = self.nodes.ids(nodes);
        // Removals before the loss do not matter for unknown blocks.
        if self.dead.is_empty() && !self.blocks.contains_key(&id) {
            return;
        }
        let block = self.blocks.entry(id).or_default();
        for node in nodes {
            if self.dead.is_empty() {
                block.holders.retain(|holder| *holder != node);
                block.removed.push(node)
            } else {
                block.had(node);
                block.later.retain(|holder| *holder != node);
                block.removed.push(node);
                self.changes.push(ReplicaChange { at, block: id, node, is_added: false })
            }
        }
    }

    /// True if a replica was added after the first loss without a known cause.
    pub(super) fn has_unexplained_replica(&self, block: i64) -> bool {
        self.untold.contains_key(&block)
    }

    fn died(&mut self, at: i64, node: &str) {
        let id = self.nodes.id(node);
        if !self.dead.contains(&id) {
            self.nodes.mark_dead(id, at);
            self.dead.push(id)
        }
        if self.dead.len() == 1 {
            // Waits before the first loss are not part of the repair.
            self.blocks.values_mut().for_each(|block| block.waits = None)
        }
    }

    fn asked(&mut self, at: i64, id: i64, source: &str, targets: &[&str]) {
        let source = Some(self.nodes.id(source));
        let targets = self.nodes.ids(targets);
        let block = self.blocks.entry(id).or_default();
        source.into_iter().for_each(|node| block.had(node));
        if !self.dead.is_empty() {
            block
                .short
                .get_or_insert(Shortage::Lacks(u8::try_from(targets.len()).unwrap_or(u8::MAX)));
        }
        let chosen = block.chosen.take();
        self.decided += u64::from(chosen.is_none());
        let mut queued = block.waits.take();
        for target in targets {
            self.last.insert((id, target), self.copies.len());
            let decided = Some(chosen.unwrap_or(at));
            let (base, queued) = (Copy { block: id, target, ..Copy::default() }, queued.take());
            self.copies.push(Copy { source, decided, queued, ..base })
        }
    }

    fn each(&mut self, block: i64, targets: &[&str], change: impl Fn(&mut Copy)) {
        for target in self.nodes.ids(targets) {
            if let Some(copy) = self.last.get(&(block, target)) {
                change(&mut self.copies[*copy])
            }
        }
    }
}
