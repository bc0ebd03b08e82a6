//! One kind of LP, one kind of event.
use super::{Rules, Setting, Value, prepare, work};
use crate::{Context, Delay, Lps, Message, Model, Rewind, Shared, World};

/// 64 bytes of payload.
#[derive(Message)]
pub(crate) struct Job {
    words: [u64; 8],
}

#[derive(Rewind)]
pub(crate) struct Node {
    rules: Shared<Rules>,
    all: Lps<Job>,
    handled: u64,
    sum: u64,
    last: [u64; 3],
}

impl Model for Node {
    type Event = Job;
    type Record = Value;
    fn handle(&mut self, job: &Job, cx: &impl Context<Job, Value>) {
        self.handled += 1;
        work(self.rules.work);
        self.sum = self.sum.wrapping_add(job.words[0]);
        self.last[(self.handled % 3) as usize] = job.words[7];
        cx.record(Value(self.sum));
        let mut draw = cx.random();
        let to = self.rules.target(&mut draw, self.all, cx.me());
        let delay = Delay::link(cx.link(to)).plus(draw.exponential(self.rules.mean));
        let mut words = job.words;
        words[0] = draw.bits();
        words[7] = self.handled;
        cx.send(to, delay, Job { words })
    }
}

pub(crate) fn world(setting: &Setting) -> World<'static, Node> {
    prepare(
        setting,
        |_, rules, all| Node { rules, all, handled: 0, sum: 0, last: [0; 3] },
        |word| Job { words: [word; 8] },
    )
}
