//! OM, which serves one request at a time, and its requests to SCM for pipelines and containers.
use super::message::{Event, Record};
use super::settings::Settings;
use engine::*;

#[derive(Clone, Copy, Debug, Scalar)]
struct Pipeline {
    open: bool,
    under_way: u32,
}

#[derive(Rewind)]
pub(crate) struct Manager {
    settings: Shared<Settings>,
    /// When OM has served all queued requests.
    free: Nanos,
    turn: u64,
    closed: u64,
    pipelines: Array<Pipeline>,
    /// By slot of a pipeline: number of containers; `filled`: bytes in the last one.
    containers: Array<u32>,
    filled: Array<u64>,
}

impl Manager {
    pub(crate) fn new(settings: Shared<Settings>) -> Manager {
        let (pipelines, at_first) = (settings.layout.trios.len(), settings.layout.at_first);
        let slots = settings.slots as usize;
        let mut manager = Manager {
            settings,
            free: Nanos::ZERO,
            turn: 0,
            closed: 0,
            pipelines: Array::new(),
            containers: Array::new(),
            filled: Array::new(),
        };
        let pipeline = |place| Pipeline { open: place < at_first, under_way: 0 };
        manager.pipelines.replace((0..pipelines).map(pipeline));
        manager.containers.replace(vec![0; slots]);
        manager.filled.replace(vec![0; slots]);
        manager
    }
}

impl Model for Manager {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Allocate { from, op, bytes, except } => {
                let (came, began, delay) = self.serve(cx);
                let Some(pipeline) = self.pipeline(except, cx) else {
                    // All pipelines are closed: retry later, as the client would.
                    return cx.after(Nanos::secs(10), Event::Allocate { from, op, bytes, except });
                };
                let container = self.container(pipeline, bytes, cx);
                let ended = began + self.settings.om_time;
                let to = Event::Allocated {
                    op,
                    pipeline,
                    container,
                    arrived: came,
                    started: began,
                    ended,
                };
                cx.send(from, Delay::link(cx.link(from)).plus(delay), to)
            }
            Event::Close { from, op, pipeline } => {
                let (came, began, delay) = self.serve(cx);
                self.done(pipeline);
                self.closed += 1;
                if self.closed == self.settings.objects {
                    cx.stop(cx.now() + delay + Nanos::millis(10))
                }
                let to = Event::Closed { op, arrived: came, started: began };
                cx.send(from, Delay::link(cx.link(from)).plus(delay), to)
            }
            Event::Done { pipeline } => self.done(pipeline),
            Event::Missed { node } => {
                for (place, trio) in self.settings.layout.trios.iter().enumerate() {
                    if trio.contains(&node) {
                        self.pipelines.update(place, |p| p.open = false);
                    }
                }
            }
            Event::Opened => {
                for place in self.settings.layout.at_first..self.settings.layout.trios.len() {
                    self.pipelines.update(place, |p| p.open = true);
                }
            }
            _ => unreachable!("for others"),
        }
    }
}

impl Manager {
    /// Queues a request: arrival, start of service, delay until its end.
    fn serve(&mut self, cx: &impl Context<Event, Record>) -> (Nanos, Nanos, Nanos) {
        let began = self.free.max(cx.now());
        self.free = began + self.settings.om_time;
        (cx.now(), began, self.free - cx.now())
    }

    /// A pipeline for the next block; `except` only if no other is open. `None`: none is open.
    fn pipeline(&mut self, except: u32, cx: &impl Context<Event, Record>) -> Option<u32> {
        let open = |except: u32| -> Vec<(u32, u32)> {
            let all = (0u32..).zip(self.pipelines.iter());
            let may = all.filter(|(p, row)| row.open && *p != except);
            may.map(|(p, row)| (p, row.under_way)).collect()
        };
        let mut all = open(except);
        if all.is_empty() {
            all = open(u32::MAX)
        }
        if all.is_empty() {
            return None;
        }
        let bits = cx.draw("pipeline", 0, self.turn).bits();
        let place = self.settings.choice.next(&all, self.turn, bits);
        self.turn += 1;
        let pipeline = all[place].0;
        self.pipelines.update(pipeline as usize, |p| p.under_way += 1);
        Some(pipeline)
    }

    /// One of the pipeline's open containers at random; a full one is replaced.
    fn container(&mut self, pipeline: u32, bytes: u64, cx: &impl Context<Event, Record>) -> u32 {
        let each = self.settings.containers;
        let any = cx.draw("container", 0, self.turn).below(u64::from(each));
        let slot = pipeline * each + u32::try_from(any).expect("few");
        let place = slot as usize;
        if self.filled[place] + bytes > self.settings.container_size && self.filled[place] > 0 {
            self.containers.update(place, |n| *n += 1);
            self.filled.set(place, 0)
        }
        self.filled.update(place, |filled| *filled += bytes);
        self.containers[place] * self.settings.slots + slot
    }

    fn done(&mut self, pipeline: u32) {
        self.pipelines.update(pipeline as usize, |p| p.under_way = p.under_way.saturating_sub(1));
    }
}
