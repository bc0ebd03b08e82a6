//! A JobTracker and its Tasks on any storage: the model uses the interface `storage`, not `store`.
use crate::storage::{self, BlockId, Reply, Request};
use engine::*;

#[derive(Message)]
#[message(sends(storage::Request))]
pub enum Event {
    Submit {
        tasks: u32,
    },
    Idle {
        worker: u32,
    },
    Run {
        task: u32,
        block: BlockId,
    },
    #[from]
    Storage(Reply),
    /// The read has timed out: retry.
    Impatient,
    Computed,
    Finished {
        worker: u32,
        task: u32,
    },
}

#[derive(Message)]
pub enum Record {
    TaskDone { task: u32, worker: u32 },
    JobDone,
    Retried { task: u32 },
}

#[derive(Clone)]
pub struct Jobs {
    pub tracker: Lp<Event>,
    pub workers: Lps<Event>,
    pub storage: Lp<Request>,
}

impl Jobs {
    pub fn place(topology: &mut Topology, workers: u32, storage: Lp<Request>) -> Self {
        Jobs {
            tracker: topology.place(1, |_| 0).at(0),
            workers: topology.place(workers, |i| i % 4),
            storage,
        }
    }
    pub fn build(&self, id: u32) -> Option<Node> {
        if id == self.tracker.id() {
            return Some(
                Box::new(Tracker {
                    workers: self.workers,
                    todo: Queue::new(),
                    idle: Queue::new(),
                    left: 0,
                })
                .into(),
            );
        }
        let index = self.workers.index(id)?;
        Some(
            Box::new(Worker {
                index,
                tracker: self.tracker,
                storage: self.storage,
                task: None,
                batch_limit: None,
                tries: 0,
            })
            .into(),
        )
    }
}

#[derive(Rewind, Model)]
pub enum Node {
    Tracker(Box<Tracker>),
    Worker(Box<Worker>),
}

#[derive(Rewind)]
pub struct Tracker {
    workers: Lps<Event>,
    todo: Queue<u32>,
    idle: Queue<u32>,
    left: u32,
}

impl Model for Tracker {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Submit { tasks } => {
                self.left = tasks;
                for t in 0..tasks {
                    self.todo.push_back(t)
                }
                for w in 0..self.workers.len() {
                    self.idle.push_back(w)
                }
            }
            Event::Idle { worker } => self.idle.push_back(worker),
            Event::Finished { worker, task } => {
                cx.record(Record::TaskDone { task, worker });
                self.idle.push_back(worker);
                self.left -= 1;
                if self.left == 0 {
                    cx.record(Record::JobDone);
                    cx.stop(cx.now() + Nanos::secs(1))
                }
            }
            _ => unreachable!("Tracker: {event:?}"),
        }
        while !self.todo.is_empty() && !self.idle.is_empty() {
            let (Some(task), Some(worker)) = (self.todo.pop_front(), self.idle.pop_front()) else {
                return;
            };
            let to = self.workers.at(worker);
            cx.send(to, Delay::link(cx.link(to)), Event::Run { task, block: BlockId(task) })
        }
    }
}

#[derive(Rewind)]
pub struct Worker {
    index: u32,
    tracker: Lp<Event>,
    storage: Lp<Request>,
    task: Option<(u32, BlockId)>,
    batch_limit: Option<Timer>,
    tries: u64,
}

impl Model for Worker {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Run { task, block } => {
                self.task = Some((task, block));
                self.ask(cx)
            }
            // A late answer to an earlier try is dropped.
            Event::Storage(Reply::Done { tag, .. }) if tag == self.tries => {
                if let Some(t) = self.batch_limit.take() {
                    cx.cancel(t);
                }
                cx.after(cx.random().exponential(Nanos::millis(500)), Event::Computed)
            }
            Event::Storage(_) => {}
            Event::Impatient => {
                cx.record(Record::Retried { task: self.task.expect("a task").0 });
                self.ask(cx)
            }
            Event::Computed => {
                let (task, _) = self.task.take().expect("a task");
                cx.send(
                    self.tracker,
                    Delay::link(cx.link(self.tracker)),
                    Event::Finished { worker: self.index, task },
                )
            }
            _ => unreachable!("Worker: {event:?}"),
        }
    }
}

impl Worker {
    fn ask(&mut self, cx: &impl Context<Event, Record>) {
        let (_, block) = self.task.expect("a task");
        self.tries += 1;
        cx.send(
            self.storage,
            Delay::link(cx.link(self.storage)),
            Request::Read { block, reply_to: cx.me().port(), tag: self.tries },
        );
        self.batch_limit = Some(cx.timer(Nanos::secs(3), Event::Impatient))
    }
}
