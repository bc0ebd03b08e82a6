use engine::*;

mod storage {
    use engine::*;

    #[derive(Message)]
    pub struct Request {
        pub block: u32,
    }
}

#[derive(Message)]
enum Event {
    Ask,
}

#[derive(Rewind)]
struct Node {
    to: Lp<storage::Request>,
}

impl Model for Node {
    type Event = Event;
    type Record = ();
    fn handle(&mut self, _: &Event, cx: &impl Context<Event, ()>) {
        cx.send(self.to, Delay::link(cx.link(self.to)), storage::Request { block: 1 })
    }
}

fn main() {}
