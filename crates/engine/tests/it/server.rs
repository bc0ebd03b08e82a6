//! The tutorial's model: clients of a server that serves at most two at a time.
use engine::*;

const STREAMS: u32 = 2;

#[derive(Message)]
pub enum Event {
    Read { from: Lp<Event>, bytes: u64 },
    Served { from: Lp<Event>, bytes: u64 },
    Reply { bytes: u64 },
}

#[derive(Message)]
pub struct Got {
    pub bytes: u64,
}

#[derive(Rewind, Default)]
pub struct Server {
    streams: u32,
    bytes: u64,
    waiting: Queue<(Lp<Event>, u64)>,
}

impl Model for Server {
    type Event = Event;
    type Record = Got;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Got>) {
        match *event {
            Event::Read { from, bytes } => self.waiting.push_back((from, bytes)),
            Event::Served { from, bytes } => {
                self.streams -= 1;
                self.bytes += bytes;
                cx.send(from, Delay::link(cx.link(from)), Event::Reply { bytes })
            }
            Event::Reply { bytes } => cx.record(Got { bytes }),
        }
        self.serve(cx)
    }
}

impl Server {
    fn serve(&mut self, cx: &impl Context<Event, Got>) {
        while self.streams < STREAMS {
            let Some((from, bytes)) = self.waiting.pop_front() else { return };
            self.streams += 1;
            cx.after(cx.random().exponential(Nanos::millis(5)), Event::Served { from, bytes })
        }
    }
}
