//! Readers outside of all jobs.
use super::flow::Purpose;
use super::machine::nothing;
use super::streams::Access;
use super::tracker::Tracker;
use engine::*;
use units::Bytes;

impl Tracker {
    pub(super) fn foreign(&mut self, now: Nanos) {
        let settings = Shared::clone(&self.settings);
        let machine = &settings.resources;
        for node in 0..settings.nodes {
            for place in 0..settings.foreign.min(machine.disks[node as usize]) {
                let path = nothing().via(machine.disk(node, place));
                self.start(path, Bytes(1 << 52), Access::READ, Purpose::Foreign, now)
            }
        }
    }
}
