use engine::*;

#[derive(Message)]
struct Request {
    block: u32,
}

#[derive(Message)]
#[message(sends(Request))]
enum Event {
    Ask,
}

fn send(to: Lp<Event>, cx: &impl Context<Event, ()>) {
    cx.send(to, Delay::link(cx.link(to)), Request { block: 1 })
}

fn main() {}
