//! Compares stations with a simulation in steps of 1 ns, and with closed forms.
use crate::common::Dice;
use hardware::station::*;
use std::collections::VecDeque;
use units::{Bytes, BytesPerSec, Nanos};

/// Start and end of each request (arrival, service time), in steps of 1 ns: servers finish,
/// requests arrive and wait, and free servers take waiting ones.
fn ticked(servers: usize, requests: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut found = vec![(0, 0); requests.len()];
    let mut line: VecDeque<usize> = VecDeque::new();
    let mut taken: Vec<Option<(usize, u64)>> = vec![None; servers];
    let (mut next, mut done, mut now) = (0, 0, 0);
    while done < requests.len() {
        for server in taken.iter_mut() {
            if let Some((who, left)) = server.as_mut() {
                *left -= 1;
                if *left == 0 {
                    found[*who].1 = now;
                    done += 1;
                    *server = None
                }
            }
        }
        while next < requests.len() && requests[next].0 == now {
            line.push_back(next);
            next += 1
        }
        for server in taken.iter_mut().filter(|server| server.is_none()) {
            let Some(who) = line.pop_front() else { break };
            found[who].0 = now;
            *server = Some((who, requests[who].1))
        }
        now += 1
    }
    found
}

#[test]
fn the_servers_do_what_a_ticking_clock_says() {
    for seed in 0..400 {
        let mut dice = Dice(seed);
        let servers = 1 + dice.below(5) as u32;
        let (startup, gap) = (dice.below(4), 1 + dice.below(12));
        let spec = Servers { servers, startup: Nanos(startup), rate: BytesPerSec(500_000_000) };
        let (mut station, mut now) = (Station::new(spec), 0);
        let (mut requests, mut seen) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            now += dice.below(gap);
            let (time, bytes) = (1 + dice.below(20), dice.below(9));
            requests.push((now, startup + time + 2 * bytes));
            let work = Work { time: Nanos(time), bytes: Bytes(bytes) };
            let ticket = station.submit(Nanos(now), work);
            assert_eq!(ticket.arrival, Nanos(now));
            seen.push((ticket.start.0, ticket.end.0));
        }
        let found = ticked(servers as usize, &requests);
        assert_eq!(seen, found, "seed {seed}: {servers} servers");
        let spent = |until: u64| -> u64 {
            found.iter().map(|(start, end)| end.min(&until) - start.min(&until)).sum()
        };
        for until in [now, now + 7, now + 10_000] {
            assert_eq!(station.busy(Nanos(until)).0, spent(until), "seed {seed} until {until}");
        }
    }
}

/// D/D/1 above its capacity: request n waits n · (S − A).
#[test]
fn the_line_of_an_overloaded_server_grows_evenly() {
    let mut station = Station::new(Servers::timed(1));
    let waits: Vec<u64> =
        (0..5).map(|n| station.submit(Nanos(n * 70), Work::time(Nanos(100))).queued().0).collect();
    assert_eq!(waits, [0, 30, 60, 90, 120]);
}

/// Batches of n at once into one server: the i-th waits i · S, so the mean is (n − 1) · S / 2, and
/// the share of time busy is n · S / T (the utilisation law).
#[test]
fn batches_of_a_deterministic_server() {
    let (batch, service, period) = (8, 1_000, 10_000);
    let mut station = Station::new(Servers::timed(1));
    let mut queued = 0;
    for n in 0..100 * batch {
        let now = Nanos(n / batch * period);
        queued += station.submit(now, Work::time(Nanos(service))).queued().0
    }
    assert_eq!(queued / (100 * batch), (batch - 1) * service / 2);
    assert_eq!(station.busy(Nanos(100 * period)).0, 100 * batch * service);
}

/// M/D/1: the mean wait is ρ · S / (2 · (1 − ρ)) (Pollaczek and Khinchine).
#[test]
fn random_arrivals_at_a_deterministic_server() {
    for percent in [30, 60, 80] {
        let (rho, service) = (percent as f64 / 100.0, 1_000_000.0);
        let mut station = Station::new(Servers::timed(1));
        let (mut dice, mut now, mut queued, requests) = (Dice(percent), 0.0, 0.0, 400_000);
        for _ in 0..requests {
            let uniform = (dice.below(1 << 52) + 1) as f64 / (1u64 << 52) as f64;
            now += -libm::log(uniform) * service / rho;
            queued +=
                station.submit(Nanos(now as u64), Work::time(Nanos(1_000_000))).queued().0 as f64
        }
        let (mean, theory) = (queued / requests as f64, rho * service / (2.0 * (1.0 - rho)));
        assert!((mean / theory - 1.0).abs() < 0.03, "at {rho}: {mean} ns, in theory {theory}");
    }
}

#[test]
fn parts_of_nanoseconds_are_not_lost_among_servers() {
    // Each takes a third of a nanosecond.
    let mut station =
        Station::new(Servers { servers: 2, ..Servers::moving(BytesPerSec(3_000_000_000)) });
    let ends: Vec<u64> =
        (0..8).map(|_| station.submit(Nanos(5), Work::bytes(Bytes(1))).end.0).collect();
    assert_eq!(ends, [6, 6, 6, 6, 6, 6, 7, 7]);
}

#[test]
fn a_rate_changes_for_those_who_come_later() {
    let mut station = Station::new(Servers::moving(BytesPerSec(1_000_000_000)));
    assert_eq!(station.submit(Nanos(0), Work::bytes(Bytes(10))).end, Nanos(10));
    station.set_rate(BytesPerSec(500_000_000));
    assert_eq!(station.submit(Nanos(2), Work::bytes(Bytes(10))).end, Nanos(30));
    station.restart(Nanos(12));
    assert_eq!((station.is_free(Nanos(12)), station.busy(Nanos(40))), (true, Nanos(12)));
}

/// `simple-net` with messages of 512 bytes at 125 MB/s (4 096 ns) and a start-up of 32 000 ns.
#[test]
fn start_ups_follow_one_another_at_the_sender() {
    let nic = || SerialNic::new(Nanos(32_000), BytesPerSec::mb(125));
    let (mut a, mut b, mut server) = (nic(), nic(), nic());
    // Three of one sender leave one start-up and one transmission apart.
    let heads = [(); 3].map(|()| a.send(Nanos(0), Bytes(512)).head.0);
    assert_eq!(heads, [32_000, 68_096, 104_192]);
    // Alone a message takes start-up + bytes / rate; two senders' heads that arrive together are
    // received one after the other.
    let other = b.send(Nanos(0), Bytes(512)).head;
    let delivered = [Nanos(heads[0]), other].map(|head| server.receive(head, Bytes(512)).end.0);
    assert_eq!(delivered, [36_096, 40_192]);
    // The ceiling: 1 / (startup + bytes/rate) a second.
    let last = (3..1000).map(|_| a.send(Nanos(0), Bytes(512)).ticket.end.0).last();
    assert_eq!(last, Some(1000 * 36_096));
}

#[test]
fn slots_go_to_who_asked_first() {
    let mut slots: Slots<char> = Slots::new(2);
    let asked =
        [(0, 'a'), (1, 'b'), (2, 'c'), (4, 'd')].map(|(at, who)| slots.request(Nanos(at), who));
    assert_eq!((asked, slots.in_line()), ([true, true, false, false], 2));
    let granted = slots.release(Nanos(10)).expect("c waits");
    assert_eq!((granted.to, granted.queued(Nanos(10))), ('c', Nanos(8)));
    // With fewer slots the next release grants none; with more, d is next.
    slots.set_total(1);
    assert_eq!((slots.release(Nanos(12)), slots.held()), (None, 1));
    slots.set_total(2);
    assert_eq!(slots.next(Nanos(13)).map(|granted| granted.to), Some('d'));
    assert_eq!(slots.next(Nanos(13)), None);
    // a and b from 0 and 1, two slots until 12, one until 13, two until 20.
    assert_eq!(slots.busy(Nanos(20)), Nanos(1 + 2 * 11 + 1 + 2 * 7));
    slots.set_total(0);
    assert!(!slots.request(Nanos(20), 'e') && !slots.request(Nanos(20), 'f'));
    slots.forget(|who| *who == 'e');
    slots.set_total(3);
    assert_eq!(slots.next(Nanos(21)).map(|granted| granted.to), Some('f'));
}

/// Drives a log with timers and returns, by write, when its flush began and ended.
fn driven(spec: GroupCommitSpec, writes: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut log: GroupCommit<u32> = GroupCommit::new(spec);
    let mut found = vec![(0, 0); writes.len()];
    let (mut next, mut flush_ends, mut waits) = (0, None::<u64>, Vec::<u64>::new());
    loop {
        let arrival = writes.get(next).map(|write| write.0);
        let wait = waits.iter().min().copied();
        let Some(now) = [arrival, flush_ends, wait].into_iter().flatten().min() else { break };
        // At equal times arrivals are first.
        let turn = if arrival == Some(now) {
            next += 1;
            log.arrive(Nanos(now), Bytes(writes[next - 1].1), next as u32 - 1)
        } else if flush_ends == Some(now) {
            flush_ends = None;
            log.flushed(Nanos(now), |write| found[write.writer as usize] = (write.start.0, now))
        } else {
            waits.retain(|at| *at != now);
            log.waited(Nanos(now))
        };
        match turn {
            Some(Turn::Flush(flush)) => flush_ends = Some(now + flush.takes.0),
            Some(Turn::Wait(until)) => waits.push(until.0),
            None => {}
        }
    }
    found
}

/// The same in steps of 1 ns, with a scan of all writes in each.
fn flushed_by_ticks(spec: GroupCommitSpec, writes: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut found = vec![(u64::MAX, u64::MAX); writes.len()];
    let mut idle_from = 0;
    for now in 0.. {
        let there: Vec<usize> =
            (0..writes.len()).filter(|&w| writes[w].0 <= now && found[w].0 == u64::MAX).collect();
        let ripe = there.len() >= spec.most as usize
            || there.first().is_some_and(|&w| writes[w].0 + spec.delay.0 <= now);
        if now >= idle_from && ripe {
            let group = &there[..there.len().min(spec.most as usize)];
            let bytes: u64 = group.iter().map(|&w| writes[w].1).sum();
            let takes = spec.startup.0 + spec.each.0 * group.len() as u64 + 2 * bytes;
            idle_from = now + takes;
            group.iter().for_each(|&w| found[w] = (now, idle_from))
        }
        if found.iter().all(|times| times.0 < u64::MAX) {
            return found;
        }
    }
    unreachable!()
}

#[test]
fn a_flush_takes_all_that_waits() {
    for seed in 0..400 {
        let mut dice = Dice(seed);
        let spec = GroupCommitSpec {
            most: 1 + dice.below(6) as u32,
            delay: Nanos([0, dice.below(30)][dice.below(2) as usize]),
            startup: Nanos(1 + dice.below(25)),
            each: Nanos(dice.below(4)),
            rate: BytesPerSec(500_000_000),
        };
        let (mut now, gap) = (0, 1 + dice.below(25));
        let writes: Vec<(u64, u64)> = (0..60)
            .map(|_| {
                // All times differ: of two equal ones the first would begin a flush alone.
                now += 1 + dice.below(gap);
                (now, dice.below(5))
            })
            .collect();
        assert_eq!(driven(spec, &writes), flushed_by_ticks(spec, &writes), "seed {seed}: {spec:?}");
    }
}

/// A log that always flushes: throughput is `most` writes per S at any load; with groups of one
/// write 1 / S.
#[test]
fn group_commit_multiplies_the_throughput() {
    let all_at_once: Vec<(u64, u64)> = vec![(0, 0); 960];
    for most in [1, 8, 96] {
        let spec = GroupCommitSpec {
            most,
            delay: Nanos(0),
            startup: Nanos(5_000),
            each: Nanos(0),
            rate: BytesPerSec(0),
        };
        let ends = driven(spec, &all_at_once);
        // The first write is flushed alone.
        let flushes = 1 + 959u64.div_ceil(u64::from(most));
        assert_eq!(ends.last(), Some(&((flushes - 1) * 5_000, flushes * 5_000)), "{most} a flush");
    }
}
