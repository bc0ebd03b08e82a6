//! Another system, of another vocabulary: it reads the same over and over, one after the other.
use super::Job;
use engine::*;
use hardware::transport::{Ports, flow};

#[derive(Message)]
#[message(sends(flow::Request))]
pub enum Event {
    Begin,
    #[from]
    Answer(flow::Reply),
}

/// Other numbers than the other system's, so that tests tell them apart; the transport would.
const FIRST_TAG: u32 = 1_000;

#[derive(Message)]
pub struct Record {
    pub read: u32,
}

#[derive(Rewind)]
pub struct Node {
    pub ports: Shared<Ports>,
    pub job: Shared<Option<Job>>,
    pub left: u32,
    pub read: u32,
}

impl Model for Node {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        if let Event::Answer(_) = event {
            self.read += 1;
            cx.record(Record { read: self.read })
        }
        if let (true, Some(job)) = (self.left > 0, *self.job) {
            self.left -= 1;
            let flow = flow::FlowName { owner: cx.me().port(), tag: FIRST_TAG + self.left };
            self.ports.start(cx, flow::Start { flow, peer: None, path: job.path, bytes: job.bytes })
        }
    }
}
