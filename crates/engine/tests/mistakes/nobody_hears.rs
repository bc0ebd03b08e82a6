use engine::*;

mod storage {
    use engine::*;

    #[derive(Message)]
    pub struct Request {
        pub block: u32,
    }
}

mod client {
    use engine::*;

    #[derive(Message)]
    #[message(sends(super::storage::Request))]
    pub enum Event {
        Ask,
    }
    pub type Record = ();
    #[derive(Rewind)]
    pub struct Node {
        pub to: Lp<super::storage::Request>,
    }
    impl Model for Node {
        type Event = Event;
        type Record = ();
        fn handle(&mut self, _: &Event, _: &impl Context<Event, ()>) {}
    }
}

#[derive(Rewind, Wiring)]
enum Site {
    Client(client::Node),
}

fn main() {}
