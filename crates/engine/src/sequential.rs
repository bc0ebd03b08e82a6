//! One event after the other, in the total order.
use crate::{
    Message, Model, Progress, Stamp,
    outcome::Verdict,
    parallel::slots::Slots,
    start::{RunState, Start},
    watch::{Stride, Watch},
    worker::{SingleThread, Worker},
};

pub(crate) fn run<M: Model>(
    start: Start<M>,
    sink: &mut impl FnMut(Stamp, M::Record),
    progress: impl FnMut(Progress) -> Verdict,
) -> RunState<M>
where
    M::Event: Message<Out = M::Event>,
{
    let Start { mut lps, pending, frame, ranks } = start;
    let (mut watch, mut stride) = (Watch::new(progress), Stride::start());
    let mut worker = Worker::new(frame, pending, Slots::new(&mut lps), ranks, SingleThread);
    while worker.work(u64::MAX, stride.next(), sink) {
        worker.actions().pending.tidy();
        let stop = worker.actions().stop;
        if watch.breaks(&worker.tally, stop) {
            worker.tally.interrupted = true;
            break;
        }
    }
    let stop = worker.actions().stop;
    (worker.tally, stop, lps)
}
