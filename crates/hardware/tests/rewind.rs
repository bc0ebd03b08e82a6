//! Rollback of the hardware's state: rewound and replayed, it is equal part by part.
use crate::common::Dice;
use hardware::{station::*, *};
use rewind::{Digest, Hasher, Rewind};
use units::{Bytes, BytesPerSec, Nanos};

/// A handler: a function of the state and the number of the event, as in a model.
trait Subject: Rewind {
    fn event(&mut self, number: u64, seed: u64) -> u128;
}

fn fingerprint(of: &impl Digest) -> Vec<(&'static str, u128)> {
    let mut parts = Vec::new();
    of.parts(&mut |name, digest| parts.push((name, digest)));
    parts
}

struct Moment<M, S> {
    mark: M,
    event: u64,
    state: S,
}

/// Runs forward, rewinds to a random mark, and runs forward again with half of the past committed.
/// All is compared with the first run, and with a twin that never rewinds.
fn check<T: Subject>(seed: u64, make: impl Fn() -> T) {
    let mut dice = Dice(seed);
    let (mut subject, mut twin) = (make(), make());
    subject.journal(Some(0));
    let mut first: Vec<(Vec<(&'static str, u128)>, u128)> = Vec::new();
    let mut moments: Vec<Moment<T::Mark, _>> = Vec::new();
    let mut event = 0;
    while event < 300 {
        if dice.below(3) > 0 {
            moments.push(Moment { mark: subject.mark(), event, state: fingerprint(&subject) })
        }
        let outcome = subject.event(event, seed);
        let seen = (fingerprint(&subject), outcome);
        match first.get(event as usize) {
            Some(before) => assert_eq!(before, &seen, "seed {seed}: event {event} run again"),
            None => {
                let twins = twin.event(event, seed);
                assert_eq!((fingerprint(&twin), twins), seen, "seed {seed}: the twin at {event}");
                first.push(seen);
            }
        }
        event += 1;
        if dice.below(8) == 0 && !moments.is_empty() {
            let to = dice.below(moments.len() as u64) as usize;
            subject.rewind(&moments[to].mark);
            assert_eq!(fingerprint(&subject), moments[to].state, "seed {seed}: back from {event}");
            event = moments[to].event;
            moments.truncate(to + 1);
        }
        if dice.below(20) == 0 && !moments.is_empty() {
            let upto = dice.below(moments.len() as u64) as usize;
            subject.commit(&moments[upto].mark);
            moments.drain(..upto);
        }
    }
}

const RESOURCES: u64 = 14;

#[derive(Rewind)]
struct Flows {
    fluid: Fluid,
    live: rewind::Queue<FlowId>,
    now: Nanos,
}

impl Subject for Flows {
    fn event(&mut self, number: u64, seed: u64) -> u128 {
        let mut dice = Dice(seed << 32 | number);
        self.now += Nanos(dice.below(1_000_000_000));
        while let Some((due, flow)) = self.fluid.next_completion().filter(|next| next.0 <= self.now)
        {
            self.fluid.finish(due, flow);
            let place = self.live.iter().position(|&live| live == flow).unwrap();
            self.live.remove(place);
            self.fluid.settle();
        }
        for _ in 0..1 + dice.below(2) {
            self.change(&mut dice);
        }
        let changes = self.fluid.settle();
        let mut hasher = Hasher::new(1, 2);
        changes.flows.iter().for_each(|flow| flow.digest(&mut hasher));
        changes.resources.iter().for_each(|resource| resource.digest(&mut hasher));
        hasher.finish()
    }
}

impl Flows {
    fn change(&mut self, dice: &mut Dice) {
        match dice.below(8) {
            0 => {
                let rate = BytesPerSec::mb(dice.below(200));
                let id = ResourceId(dice.below(RESOURCES) as u32);
                self.fluid.set_capacity(self.now, id, Capacity::fixed(rate))
            }
            1 => {
                if let Some(flow) = self.live.pop_front() {
                    self.fluid.cancel(self.now, flow);
                }
            }
            _ => {
                let mut path =
                    Path::new(Nanos(0)).via(ResourceId(dice.below(RESOURCES / 2) as u32));
                for _ in 0..dice.below(3) {
                    let id = ResourceId((RESOURCES / 2 + dice.below(RESOURCES / 2)) as u32);
                    path = if path.contains(&id) { path } else { path.via(id) };
                }
                let mut spec = FlowSpec::new(path, Bytes::mb(1 + dice.below(200)));
                spec.weight = 1.0 + dice.below(3) as f64;
                self.live.push_back(self.fluid.start(self.now, spec));
            }
        }
    }
}

#[test]
fn fluid() {
    for seed in 0..60 {
        check(seed, || {
            let capacity = [Capacity::fixed(BytesPerSec::mb(100)); RESOURCES as usize];
            let mut fluid = Fluid::new(&capacity);
            fluid.always_fill(seed % 4 == 3);
            Flows { fluid, live: Default::default(), now: Nanos(0) }
        });
    }
}

#[derive(Rewind)]
struct Stations {
    cores: Station,
    nic: SerialNic,
    slots: Slots<u32>,
    log: GroupCommit<u32>,
    now: Nanos,
}

impl Subject for Stations {
    fn event(&mut self, number: u64, seed: u64) -> u128 {
        let mut dice = Dice(seed << 32 | number);
        self.now += Nanos(dice.below(3_000));
        let (now, who, bytes) = (self.now, dice.below(9) as u32, Bytes(dice.below(1 << 10)));
        match dice.below(30) {
            0 => self.cores.set_rate(BytesPerSec::mb(1 + dice.below(900))),
            1 => self.cores.restart(now),
            2 => self.slots.set_total(1 + dice.below(4) as u32),
            3 => self.slots.forget(|waiting| *waiting == who),
            4 => self.log.restart(),
            _ => {}
        }
        let ticket = self.cores.submit(now, Work { time: Nanos(dice.below(9_000)), bytes });
        let sent = self.nic.send(now, bytes);
        let granted = match dice.below(2) == 0 && self.slots.held() > 0 {
            true => self.slots.release(now).map(|granted| granted.to),
            false => self.slots.request(now, who).then_some(who),
        };
        let mut done = 0;
        let turn = match dice.below(3) == 0 && self.log.flushing() > 0 {
            true => self.log.flushed(now, |write| done += write.writer + 1),
            false => self.log.arrive(now, bytes, who),
        };
        Hasher::of(&((ticket, sent, granted), (done, turn)))
    }
}

#[test]
fn stations() {
    for seed in 0..60 {
        check(seed, || Stations {
            cores: Station::new(Servers {
                servers: 1 + seed as u32 % 5,
                startup: Nanos(seed % 3),
                rate: BytesPerSec(777_777_777),
            }),
            nic: SerialNic::new(Nanos(100), BytesPerSec(777_777_777)),
            slots: Slots::new(2),
            log: GroupCommit::new(GroupCommitSpec {
                most: 4,
                delay: Nanos(seed % 2 * 500),
                startup: Nanos(900),
                each: Nanos(3),
                rate: BytesPerSec(777_777_777),
            }),
            now: Nanos(0),
        });
    }
}
