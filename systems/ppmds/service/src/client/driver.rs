//! The task that owns a client's state machine: sends, receives, resends.
use super::links::{Event, Links};
use crate::clock::{nanoseconds, now, wall_ns};
use crate::cluster::{Cluster, Members, Places};
use crate::wire::{Body, Session};
use ppmds_protocol::message::{Message, Peer};
use ppmds_protocol::{Client, Completed, MessageEffect, Net, Operation, Options, Rules, Timer};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

pub struct Call {
    pub operation: Operation,
    pub reply: oneshot::Sender<Completed>,
    /// Why there is no answer within the deadline.
    pub problem: oneshot::Sender<String>,
    pub deadline: Duration,
    /// Held until the operation is answered.
    pub permit: OwnedSemaphorePermit,
}

/// An operation without an answer.
struct Open {
    reply: oneshot::Sender<Completed>,
    /// `None`: the caller was notified; the operation continues, since it may have taken effect.
    problem: Option<oneshot::Sender<String>>,
    deadline: Instant,
    resend: Instant,
    resends: u32,
    _permit: OwnedSemaphorePermit,
}

/// First interval between two requests; it doubles up to 32 times.
const RESEND: Duration = Duration::from_millis(100);
/// Longest wait for the end of a session.
const GOODBYE: Duration = Duration::from_millis(500);
/// Numbers above this are left for operations that are open.
const LAST_NUMBER: u32 = u32::MAX - 1_000;

pub struct Driver {
    machine: Client,
    session: Session,
    open: BTreeMap<u32, Open>,
    timers: BTreeMap<(u64, u64), Timer>,
    set: u64,
    began: Instant,
    options: Options,
    placement: Places,
    cluster: Cluster,
    links: Links,
}

struct Environment<'a> {
    links: &'a Links,
    timers: &'a mut BTreeMap<(u64, u64), Timer>,
    set: &'a mut u64,
    now: u64,
}

impl Net for Environment<'_> {
    fn send(&mut self, to: Peer, message: Message) {
        if let Peer::Server(server) = to {
            self.links.send(server, Body::Message(message))
        }
    }
    fn later(&mut self, after: u64, timer: Timer) {
        *self.set += 1;
        self.timers.insert((self.now.saturating_add(after), *self.set), timer);
    }
    fn now(&self) -> u64 {
        wall_ns()
    }
}

impl Driver {
    pub fn new(cluster: &Cluster, session: Session) -> Driver {
        Driver {
            machine: Client::resume(session.id, session.next),
            session,
            open: BTreeMap::new(),
            timers: BTreeMap::new(),
            set: 0,
            began: now(),
            options: cluster.options(),
            placement: cluster.placement(),
            cluster: cluster.clone(),
            links: Links::start(cluster, session),
        }
    }

    /// Until the caller closes the client.
    pub async fn run(mut self, mut calls: mpsc::Receiver<Call>) {
        loop {
            let due = self.next_due();
            tokio::select! {
                call = calls.recv() => match call {
                    Some(call) => self.begin(call),
                    None => break,
                },
                event = self.links.next() => match event {
                    Event::Message(message) => self.receive(message),
                    Event::Connected => self.resend_all(),
                    Event::Members(members) => self.learn(*members),
                },
                () = tokio::time::sleep_until(due.into()) => self.wake(),
            }
        }
        if self.open.is_empty() {
            let next = self.machine.next();
            self.links.end(Session { next, ..self.session }, GOODBYE).await
        }
    }

    fn learn(&mut self, members: Members) {
        if members.growth.version > self.cluster.version() {
            self.cluster = self.cluster.clone().with_members(Some(members));
            self.placement = self.cluster.placement();
            self.links.set(&self.cluster);
            self.machine.forget_lists()
        }
    }

    fn next_due(&self) -> Instant {
        let timer = self.timers.first_key_value();
        let timer = timer.map(|((at, _), _)| self.began + Duration::from_nanos(*at));
        let open = self.open.values().map(|open| match open.problem {
            Some(_) => open.resend.min(open.deadline),
            None => open.resend,
        });
        open.chain(timer).min().unwrap_or_else(|| now() + Duration::from_secs(60))
    }

    fn with<R>(
        &mut self,
        work: impl FnOnce(&mut Client, &Rules<'_, Places>, &mut Environment<'_>) -> R,
    ) -> R {
        let rules = Rules { options: &self.options, placement: &self.placement };
        let now = nanoseconds(self.began.elapsed());
        let (links, timers, set) = (&self.links, &mut self.timers, &mut self.set);
        work(&mut self.machine, &rules, &mut Environment { links, timers, set, now })
    }

    fn begin(&mut self, call: Call) {
        let Call { operation, reply, problem, deadline, permit } = call;
        if self.machine.next() >= LAST_NUMBER {
            let why = "the session has used its 4 294 966 295 numbers: connect a new client";
            let _ = problem.send(String::from(why));
            return;
        }
        let number = self.with(|machine, rules, net| machine.begin(operation, rules, net));
        let (deadline, resend) = (now() + deadline, now() + RESEND);
        let (problem, resends, _permit) = (Some(problem), 0, permit);
        self.open.insert(number, Open { reply, problem, deadline, resend, resends, _permit });
    }

    fn receive(&mut self, message: Message) {
        let effect = self.with(|machine, rules, net| machine.handle_message(message, rules, net));
        if let MessageEffect::Completed(completed) = effect
            && let Some(open) = self.open.remove(&completed.number)
        {
            // The caller may have gone.
            let _ = open.reply.send(completed);
        }
    }

    fn resend_all(&mut self) {
        let numbers: Vec<u32> = self.open.keys().copied().collect();
        for number in numbers {
            self.with(|machine, _, net| machine.resend(number, net));
        }
    }

    fn wake(&mut self) {
        let at = nanoseconds(self.began.elapsed());
        while let Some(timer) = self.timers.first_entry()
            && timer.key().0 <= at
        {
            let timer = timer.remove();
            self.with(|machine, rules, net| machine.wake(timer, rules, net))
        }
        let now = now();
        let mut late = Vec::new();
        for (number, open) in &mut self.open {
            if open.resend <= now {
                open.resends += 1;
                open.resend = now + RESEND * (1 << open.resends.min(5));
                late.push(*number)
            }
            if open.deadline <= now
                && let Some(problem) = open.problem.take()
            {
                let _ = problem.send(format!("no answer in time: {}", self.links.problems()));
            }
        }
        for number in late {
            self.with(|machine, _, net| machine.resend(number, net));
        }
    }
}
