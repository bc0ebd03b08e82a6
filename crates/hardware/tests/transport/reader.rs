//! Another system, with another vocabulary: it repeats one read, sequentially.
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

/// Differs from the other system's tags for the tests only; the transport would distinguish them.
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
