use engine::*;

#[derive(Message)]
enum Event {
    Put { at: usize, text: &'static str },
}

fn main() {}
