use engine::*;

mod storage {
    use engine::*;

    #[derive(Message)]
    pub struct Reply {
        pub tag: u64,
    }
}

mod client {
    use engine::*;

    #[derive(Message)]
    pub enum Event {
        #[from]
        Answer(super::storage::Reply),
    }
    #[derive(Message)]
    pub struct Record;
    #[derive(Rewind)]
    pub struct Node {
        pub asked: u64,
    }
    impl Model for Node {
        type Event = Event;
        type Record = Record;
        fn handle(&mut self, _: &Event, _: &impl Context<Event, Record>) {}
    }
}

mod other {
    use engine::*;

    #[derive(Message)]
    pub enum Event {
        #[from]
        Answer(super::storage::Reply),
    }
    #[derive(Message)]
    pub struct Record;
    #[derive(Rewind)]
    pub struct Node {
        pub asked: u64,
    }
    impl Model for Node {
        type Event = Event;
        type Record = Record;
        fn handle(&mut self, _: &Event, _: &impl Context<Event, Record>) {}
    }
}

#[derive(Rewind, Wiring)]
enum Site {
    #[hears(storage::Reply)]
    Client(client::Node),
    Other(other::Node),
}

fn main() {}
