use engine::*;

#[derive(Message)]
enum Event {
    Ask,
}

fn send(to: Lp<Event>, cx: &impl Context<Event, ()>) {
    cx.send(to, Nanos::millis(1), Event::Ask)
}

fn main() {}
