//! Queue sharing: a rack's switch, where its uplink stands (the first one also has the one link of
//! two racks).
use super::{
    messages::{Event, Record},
    setup::Setup,
    stations::Stations,
};
use engine::{Context, Model, Rewind, Shared};
use hardware::ResourceId;

/// A rack's switch.
#[derive(Rewind)]
pub struct Switch {
    stations: Stations,
}

impl Switch {
    /// Nothing on its way.
    pub fn new(setup: Shared<Setup>) -> Switch {
        Switch { stations: Stations::new(setup) }
    }
}

impl Model for Switch {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Chunk(chunk) => {
                let ended = self.stations.pass(chunk, cx);
                assert!(ended.is_none(), "a path ends at a disk: {chunk:?}")
            }
            Event::Slow { resource, rate } => self.stations.slow(ResourceId(resource), rate, cx),
            // The chunks of what is lost find its node refusing.
            Event::Lost(_) | Event::Back(_) | Event::DiskLost(..) => {}
            _ => unreachable!("a switch was sent {event:?}"),
        }
    }
}
