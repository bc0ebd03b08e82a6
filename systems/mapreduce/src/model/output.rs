//! Writes outputs to their replicas.
use super::attempt::Assignment;
use super::flow::Purpose;
use super::machine::nothing;
use super::message::{Event, Record};
use super::streams::Access;
use super::tracker::Tracker;
use engine::*;
use hardware::Path;
use units::Bytes;

impl Tracker {
    /// False if the page cache has all of it at once.
    pub(super) fn write_output(
        &mut self,
        attempt: u32,
        given: &Assignment,
        bytes: u64,
        cx: &impl Context<Event, Record>,
    ) -> bool {
        let (path, purpose) = (self.pipeline(given, cx), Purpose::Phase { attempt });
        // One replica has no network: the whole time is the disk's.
        if path.len() == 1 {
            return self.write(path, bytes, purpose, cx.now());
        }
        if self.write_back(&path, bytes, cx.now()) {
            let network = self.settings.resources.without_disks(&path);
            self.start(network, Bytes(bytes), Access::WRITE, purpose, cx.now())
        } else {
            let purpose = Purpose::Output { attempt, bytes };
            self.start(path, Bytes(bytes), Access::WRITE, purpose, cx.now())
        }
        true
    }

    /// All replicas are received. Disks may still have extra work for first writes, which is no
    /// network traffic.
    pub(super) fn is_received(
        &mut self,
        attempt: u32,
        bytes: u64,
        cx: &impl Context<Event, Record>,
    ) {
        let left = self.settings.written(bytes).0.saturating_sub(bytes);
        let given = self.running.get(&attempt).map(|running| running.given);
        let Some(given) = given.filter(|_| left > 0) else { return self.next_phase(attempt, cx) };
        let disks = self.settings.resources.only_disks(&self.pipeline(&given, cx));
        self.start(disks, Bytes(left), Access::WRITE, Purpose::Phase { attempt }, cx.now())
    }

    /// The node's own disk, then a disk of another node per further replica. Fewer replicas if
    /// racks are too small for a single crossing.
    fn pipeline(&self, given: &Assignment, cx: &impl Context<Event, Record>) -> Path {
        let (settings, machine) = (&self.settings, &self.settings.resources);
        let entity = u64::from(given.job) << 32 | u64::from(given.task);
        let mut draw = cx.draw("pipeline", entity, u64::from(given.map));
        let mut path = nothing().via(machine.disk(given.node, given.out));
        let (mut nodes, mut crossed) = (vec![given.node], false);
        let all = settings.output_replication as usize;
        for _ in 0..64 * all {
            let node = units::narrow::<u32>(draw.below(settings.nodes.into()));
            let last = *nodes.last().expect("there is one");
            let crosses = machine.rack(last) != machine.rack(node);
            // A flow cannot use an uplink twice, as a second crossing might.
            if nodes.len() == all || nodes.contains(&node) || crosses && crossed {
                continue;
            }
            crossed |= crosses;
            let disk = units::narrow(draw.below(machine.disks[node as usize].into()));
            path = machine.add_network(path, last, node).via(machine.disk(node, disk));
            nodes.push(node)
        }
        path
    }
}
