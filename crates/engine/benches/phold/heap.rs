//! The simple program: a `BinaryHeap` with the payload inline.
use super::hand::{Node, Payload, agree};
use std::{cmp::Ordering, collections::BinaryHeap, time::Instant};

struct Event {
    t: u64,
    tie: u64,
    to: u32,
    job: Payload,
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Event {}
impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.t, other.tie).cmp(&(self.t, self.tie))
    }
}

pub(crate) fn run(lps: u32, events: u64) -> f64 {
    let mut nodes: Vec<Node> = (0..lps).map(Node::new).collect();
    let start = |(i, node): (usize, &mut Node)| {
        let t = node.delay();
        node.sent += 1;
        Event { t, tie: node.sent, to: i as u32, job: [t; 8] }
    };
    let mut heap: BinaryHeap<Event> = nodes.iter_mut().enumerate().map(start).collect();
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let begin = Instant::now();
    for _ in 0..events {
        let event = heap.pop().expect("as many as ever");
        let node = &mut nodes[event.to as usize];
        let (to, delay, job) = node.handle(event.to, lps, &event.job);
        heap.push(Event { t: event.t + delay, tie: node.sent, to, job })
    }
    let seconds = begin.elapsed().as_secs_f64();
    agree(lps, events, &nodes);
    events as f64 / seconds
}
