//! A client that only knows `storage`.
use crate::storage;
use engine::*;

pub type Record = ();

#[derive(Message)]
#[message(sends(storage::Request))]
pub enum Event {
    Ask,
    #[from]
    Answer(storage::Reply),
}

#[derive(Rewind)]
pub struct Node {
    pub storage: Lp<storage::Request>,
    pub asked: u64,
}

impl Model for Node {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        if let Event::Ask = event {
            self.asked += 1;
            let block = storage::BlockId(cx.random().below(40) as u32);
            let request =
                storage::Request::Read { block, reply_to: cx.me().port(), tag: self.asked };
            cx.send(self.storage, Delay::link(cx.link(self.storage)), request);
            cx.after(Nanos::millis(300), Event::Ask)
        }
    }
}
