//! Decommission and maintenance (`DatanodeAdminManager`).
use super::NameNode;
use crate::hdfs::messages::{Event, Record};
use cluster::{Admin, NodeId};
use engine::{Context, Nanos};

impl NameNode {
    /// `startDecommission`, `startMaintenance`: the node receives nothing from now on, and its
    /// replicas are needed elsewhere. The monitor's next tick queues them.
    pub(super) fn leave(
        &mut self,
        node: NodeId,
        maintenance: bool,
        cx: &impl Context<Event, Record>,
    ) {
        let view = self.nodes[node.at()];
        cx.record(Record::Leaves { node, maintenance });
        if view.in_service() && view.alive {
            self.load = (self.load.0 - view.xceivers as u64, self.load.1 - 1)
        }
        let admin = if maintenance { Admin::EnteringMaintenance } else { Admin::Decommissioning };
        self.nodes.update(node.at(), |n| n.admin = admin as u8);
        self.notify_balancer(Event::Serves(node, false), cx);
        self.leaving.push_back(node);
        if self.setup.event_driven() {
            self.look_at_leaving(cx);
            self.start_streams(cx);
            self.stop_if_done(cx)
        }
    }

    /// `DatanodeAdminMonitor`, once per `dfs.namenode.decommission.interval`.
    pub(super) fn admin_tick(&mut self, cx: &impl Context<Event, Record>) {
        self.look_at_leaving(cx);
        cx.after(self.setup.hdfs.decommission_interval, Event::AdminTick);
        self.stop_if_done(cx)
    }

    /// Schedules the first tick, at a random phase of the period, if a node leaves in the run.
    pub(super) fn start_admin_monitor(&self, cx: &impl Context<Event, Record>) {
        if self.setup.leaves {
            let period = self.setup.hdfs.decommission_interval;
            let phase = cx.draw("admin-phase", 0, 0).below(period.0.max(1)).max(1);
            cx.after(Nanos(phase), Event::AdminTick)
        }
    }

    fn look_at_leaving(&mut self, cx: &impl Context<Event, Record>) {
        while let Some(node) = self.leaving.pop_front() {
            self.undeclared = self.undeclared.saturating_sub(1);
            cx.record(Record::Declared(node));
            let blocks = self.blocks_on(node);
            self.add_needed(blocks.into_iter(), cx)
        }
    }
}
