//! A system with a list of transfers, each at its time.
use super::Job;
use engine::*;
use hardware::transport::{Ports, flow};

#[derive(Message)]
#[message(sends(flow::Request))]
pub enum Event {
    /// Starts the job of this number.
    Go(u32),
    Stop(u32),
    #[from]
    Answer(flow::Reply),
}

#[derive(Message)]
pub struct Record {
    pub tag: u32,
    pub end: flow::Reply,
}

#[derive(Rewind)]
pub struct Node {
    pub ports: Shared<Ports>,
    pub jobs: Shared<Vec<Job>>,
}

impl Model for Node {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        let owner = cx.me().port();
        match event {
            Event::Go(tag) => {
                let Job { path, bytes, .. } = self.jobs[*tag as usize];
                let flow = flow::FlowName { owner, tag: *tag };
                self.ports.start(cx, flow::Start { flow, peer: None, path, bytes })
            }
            Event::Stop(tag) => {
                let to = self.ports.entry(&self.jobs[*tag as usize].path);
                let cut = flow::Request::Cut(flow::FlowName { owner, tag: *tag });
                cx.send(to, Delay::link(cx.link(to)), cut)
            }
            Event::Answer(end) => {
                let (flow::Reply::Done { tag } | flow::Reply::Broken { tag, .. }) = *end;
                cx.record(Record { tag, end: end.clone() })
            }
        }
    }
}
