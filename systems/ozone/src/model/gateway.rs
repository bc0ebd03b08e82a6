//! An S3 gateway: writes its clients' objects block by block.
use super::message::{Event, HEAD, KeyRecord, OmRequest, Record};
use super::settings::Settings;
use crate::raft::{Kind, MEMBERS, NO_LEADER};
use engine::*;
use units::Bytes;

/// Chunks of a block in flight: `ozone.client.stream.buffer.max.size`, 32 MB.
const WINDOW: u64 = 8;

#[derive(Clone, Copy, Debug, Scalar)]
struct KeyWrite {
    requested: Nanos,
    bytes: u64,
    /// Bytes of blocks that are not yet written.
    left: u64,
    /// Bytes of the current block that are not yet sent.
    unsent: u64,
    /// Committed chunks of the current block.
    taken: u64,
    pipeline: u32,
    container: u32,
    /// When the block was requested from OM, the block was sent, and the key's close was requested.
    om_requested: Nanos,
    sent: Nanos,
    close_requested: Nanos,
    attempt: u32,
    /// Index of the current node in the pipeline; sends so far; sleeps before them.
    to: u8,
    round: u32,
    slept: u32,
    tries: u32,
    timer: Option<Timer>,
}

#[derive(Rewind)]
pub(crate) struct Gateway {
    settings: Shared<Settings>,
    me: u64,
    begun: u64,
    arrivals: u64,
    /// When the NIC has sent all queued messages; total time spent sending.
    nic: Nanos,
    sent: Nanos,
    writing: Table<u64, KeyWrite>,
    /// Leaders that differ from those SCM reported: index in the pipeline.
    leads: Table<u32, u8>,
    slept: u64,
}

impl Gateway {
    pub(crate) fn new(settings: Shared<Settings>, me: u32) -> Gateway {
        let (begun, arrivals) = (0, 0);
        Gateway {
            settings,
            me: me.into(),
            begun,
            arrivals,
            nic: Nanos::ZERO,
            sent: Nanos::ZERO,
            writing: Table::new(),
            leads: Table::new(),
            slept: 0,
        }
    }
}

impl Model for Gateway {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Arrive => self.arrive(cx),
            Event::Allocated { op, pipeline, container, arrived: came, started: began, ended } => {
                let to = self.leader(pipeline);
                let Some(asked) = self.writing.update(&op, |w| {
                    (w.pipeline, w.container) = (pipeline, container);
                    w.sent = cx.now();
                    w.unsent = w.left.min(self.settings.block);
                    (w.to, w.taken, w.slept) = (to, 0, 0);
                    w.om_requested
                }) else {
                    return;
                };
                let om = [asked, came, began, ended];
                cx.record(Record::Sent(Box::new(OmRequest { op, om, back: cx.now() })));
                self.send(op, WINDOW, cx);
                self.wait(op, cx)
            }
            Event::Taken { op, attempt } => {
                if self.writing.get(&op).is_some_and(|w| w.attempt == attempt) {
                    self.writing.update(&op, |w| w.taken += 1);
                    self.send(op, 1, cx)
                }
            }
            Event::Written { op, attempt } => self.written(op, attempt, cx),
            Event::Closed { op, arrived: came, started: began } => {
                self.closed(op, [came, began], cx)
            }
            Event::Timeout { op, attempt } => self.give_up(op, attempt, cx),
            Event::Again { op } => self.allocate(op, true, cx),
            Event::Down { node } => self.reset(node, cx),
            Event::NotLeader { op, attempt, round, leader } => {
                if self.is_at(op, attempt, round) {
                    self.elsewhere(op, leader, cx)
                }
            }
            Event::Resend { op, attempt, round } => {
                if self.is_at(op, attempt, round) {
                    self.resend(op, cx)
                }
            }
            _ => unreachable!("for others"),
        }
    }
}

impl Gateway {
    /// Starts an object in a closed loop, or a burst of objects in open arrivals.
    fn arrive(&mut self, cx: &impl Context<Event, Record>) {
        let burst = match self.settings.every {
            None => 1,
            Some(every) => {
                let mut draw = cx.draw("arrive", self.me, self.arrivals);
                self.arrivals += 1;
                cx.after(draw.exponential(every), Event::Arrive);
                self.settings.burst
            }
        };
        for _ in 0..burst {
            self.start(cx)
        }
    }

    fn start(&mut self, cx: &impl Context<Event, Record>) {
        let gateways = u64::from(self.settings.gateways);
        let op = self.begun * gateways + self.me;
        if op >= self.settings.objects {
            return;
        }
        self.begun += 1;
        let bytes = self.settings.size(cx.draw("size", op, 0).unit());
        let writing = KeyWrite {
            requested: cx.now(),
            bytes,
            left: bytes,
            unsent: 0,
            pipeline: u32::MAX,
            container: 0,
            om_requested: cx.now(),
            sent: Nanos::ZERO,
            close_requested: Nanos::ZERO,
            taken: 0,
            attempt: 0,
            to: 0,
            round: 0,
            slept: 0,
            tries: 0,
            timer: None,
        };
        self.writing.insert(op, writing);
        self.allocate(op, false, cx)
    }

    /// Requests the next block from OM; `elsewhere`: not in the same pipeline.
    fn allocate(&mut self, op: u64, elsewhere: bool, cx: &impl Context<Event, Record>) {
        let found = self.writing.update(&op, |w| {
            w.om_requested = cx.now();
            (w.left.min(self.settings.block), if elsewhere { w.pipeline } else { u32::MAX })
        });
        let Some((bytes, except)) = found else { return };
        let om = self.settings.om;
        let ask = Event::Allocate { from: cx.me(), op, bytes, except };
        cx.notify(om, ask)
    }

    /// Sends up to `most` more chunks; the block's end follows the last.
    fn send(&mut self, op: u64, most: u64, cx: &impl Context<Event, Record>) {
        for _ in 0..most {
            let Some(&w) = self.writing.get(&op) else { return };
            if w.unsent == 0 {
                return;
            }
            let bytes = w.unsent.min(self.settings.chunk);
            self.writing.update(&op, |w| w.unsent -= bytes);
            self.write(op, &w, bytes, Kind::Chunk, cx);
            if w.unsent == bytes {
                self.write(op, &w, 0, Kind::Put, cx)
            }
        }
    }

    fn write(
        &mut self,
        op: u64,
        w: &KeyWrite,
        bytes: u64,
        kind: Kind,
        cx: &impl Context<Event, Record>,
    ) {
        let begin = self.nic.max(cx.now());
        let took = self.settings.nic.time_for(Bytes(bytes + HEAD));
        (self.nic, self.sent) = (begin + took, self.sent + took);
        let &KeyWrite { pipeline, container, attempt, round, .. } = w;
        let to = self.settings.member(pipeline, w.to);
        let bytes = u32::try_from(bytes).expect("a chunk is small");
        let from = cx.me();
        let held = None;
        let write =
            Event::Write { from, op, bytes, pipeline, container, attempt, round, kind, held };
        cx.send(to, Delay::link(cx.link(to)).plus(self.nic - cx.now()), write)
    }

    /// Index of a pipeline's presumed leader.
    fn leader(&self, pipeline: u32) -> u8 {
        let at_first = self.settings.layout.led[pipeline as usize];
        self.leads.get(&pipeline).copied().unwrap_or(at_first)
    }

    /// The message belongs to the current attempt and round.
    fn is_at(&self, op: u64, attempt: u32, round: u32) -> bool {
        self.writing.get(&op).is_some_and(|w| (w.attempt, w.round) == (attempt, round))
    }

    /// A node is down: writes in flight to it are lost.
    fn reset(&mut self, node: u32, cx: &impl Context<Event, Record>) {
        let layout = &self.settings.layout;
        let to_it = |w: &KeyWrite| {
            // Between two blocks nothing is in flight.
            w.timer.is_some() && layout.member(w.pipeline, w.to) == node
        };
        let lost: Vec<u64> =
            self.writing.iter().filter(|(_, w)| to_it(w)).map(|(op, _)| *op).collect();
        lost.into_iter().for_each(|op| self.elsewhere(op, NO_LEADER, cx))
    }

    /// Handles a node that does not lead: resends to the leader if it is known, else to the next
    /// node after a sleep.
    fn elsewhere(&mut self, op: u64, leader: u8, cx: &impl Context<Event, Record>) {
        let before = self.writing.update(&op, |w| {
            let before = *w;
            w.round += 1;
            w.slept += u32::from(leader == NO_LEADER);
            before
        });
        let Some(KeyWrite { pipeline, attempt, to, round, slept, .. }) = before else { return };
        if leader != NO_LEADER {
            self.leads.insert(pipeline, leader);
            return self.resend(op, cx);
        }
        // Another object may already have found the leader.
        if self.leader(pipeline) == to {
            self.leads.insert(pipeline, (to + 1) % MEMBERS);
        }
        let part = cx.draw("sleep", self.me, self.slept).unit();
        self.slept += 1;
        let sleep = self.settings.sleeps.before(slept, part);
        cx.after(sleep, Event::Resend { op, attempt, round: round + 1 })
    }

    /// Resends all data without an answer.
    fn resend(&mut self, op: u64, cx: &impl Context<Event, Record>) {
        let (block, chunk) = (self.settings.block, self.settings.chunk);
        let Some(to) = self.writing.get(&op).map(|w| self.leader(w.pipeline)) else { return };
        let found = self.writing.update(&op, |w| {
            w.to = to;
            w.unsent = w.left.min(block).saturating_sub(w.taken * chunk);
            let before = std::mem::replace(&mut w.sent, cx.now());
            (*w, before)
        });
        let Some((w, sent)) = found else { return };
        cx.record(Record::Resent { op, sent, again: cx.now() });
        match w.unsent {
            0 => self.write(op, &w, 0, Kind::Put, cx),
            _ => self.send(op, WINDOW, cx),
        }
    }

    fn wait(&mut self, op: u64, cx: &impl Context<Event, Record>) {
        let Some(&w) = self.writing.get(&op) else { return };
        let timer = cx.timer(self.settings.patience, Event::Timeout { op, attempt: w.attempt });
        self.writing.update(&op, |w| w.timer = Some(timer));
    }

    fn written(&mut self, op: u64, attempt: u32, cx: &impl Context<Event, Record>) {
        let Some(&w) = self.writing.get(&op).filter(|w| w.attempt == attempt) else { return };
        if let Some(timer) = w.timer {
            cx.cancel(timer);
        }
        let left = w.left - w.left.min(self.settings.block);
        self.writing.update(&op, |w| {
            (w.left, w.timer) = (left, None);
            w.attempt += 1;
            w.close_requested = cx.now()
        });
        let om = self.settings.om;
        if left > 0 {
            cx.notify(om, Event::Done { pipeline: w.pipeline });
            return self.allocate(op, false, cx);
        }
        let close = Event::Close { from: cx.me(), op, pipeline: w.pipeline };
        cx.notify(om, close)
    }

    /// Abandons a block after a timeout: it is rewritten in another pipeline after an exponential
    /// backoff.
    fn give_up(&mut self, op: u64, attempt: u32, cx: &impl Context<Event, Record>) {
        let Some(&w) = self.writing.get(&op).filter(|w| w.attempt == attempt) else { return };
        let wait = self.settings.backoff * (1 << w.tries.min(3));
        self.writing.update(&op, |w| {
            w.attempt += 1;
            w.tries += 1;
            w.timer = None
        });
        cx.record(Record::GaveUp { op, sent: w.sent, again: cx.now() + wait });
        let om = self.settings.om;
        cx.notify(om, Event::Done { pipeline: w.pipeline });
        cx.after(wait, Event::Again { op })
    }

    fn closed(&mut self, op: u64, closing: [Nanos; 2], cx: &impl Context<Event, Record>) {
        let Some(w) = self.writing.remove(&op) else { return };
        let KeyWrite { bytes, requested: asked, tries, close_requested: closed_asked, .. } = w;
        let sending = self.sent;
        let object = KeyRecord {
            op,
            bytes,
            requested: asked,
            closing,
            close_requested: closed_asked,
            tries,
            sending,
        };
        cx.record(Record::Object(Box::new(object)));
        if self.settings.every.is_none() {
            self.start(cx)
        }
    }
}
