//! Raft's invariants under random loss, repetition, reordering, delay and crashes, with seeds.
use super::*;
use crate::policy::Dice;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
enum Message {
    Append(Append),
    Notice(Notice),
    Answer(AppendReply),
    Ask(VoteRequest),
    Vote(Vote),
}

/// Three replicas, messages in flight, and what was committed.
struct World {
    dice: Dice,
    members: Vec<Replica>,
    up: [bool; 3],
    mail: Vec<(u8, Message)>,
    leaders: BTreeMap<u32, u8>,
    committed: Vec<Entry>,
    made: u32,
}

impl Replica {
    /// Resends all entries in flight. The model needs no such timer, since its network loses
    /// nothing.
    fn resend(&mut self, place: u8) {
        if self.leads() {
            self.peers.update(usize::from(place), |peer| {
                (peer.next, peer.answered) = (peer.flushed + 1, peer.flushed)
            })
        }
    }

    /// A crash and restart: data that was not flushed is lost; term and vote are on disk.
    fn restart(&mut self) {
        self.busy = false;
        self.flushing = 0;
        self.truncate(self.flushed + 1);
        (self.role, self.leader) = (Role::Follower, NO_LEADER);
        self.commit = self.floor;
        self.matched = self.floor
    }
}

impl World {
    fn new(seed: u64) -> World {
        let members: Vec<Replica> = (0..3).map(|place| Replica::new(place, 0)).collect();
        let leaders = BTreeMap::from([(1, 0)]);
        let (mail, committed) = (Vec::new(), Vec::new());
        World { dice: Dice(seed), members, up: [true; 3], mail, leaders, committed, made: 0 }
    }

    fn post(&mut self, from: u8, message: Message) {
        for to in (0..3).filter(|to| *to != from) {
            self.mail.push((to, message))
        }
    }

    /// `wild`: messages are lost, repeated and reordered, and replicas crash.
    fn step(&mut self, wild: bool) {
        let place = u8::try_from(self.dice.below(3)).unwrap();
        let at = usize::from(place);
        match self.dice.below(if wild { 400 } else { 360 }) {
            0..200 => (0..4).for_each(|_| self.deliver(wild)),
            200..260 => {
                if self.up[at] && self.members[at].leads() {
                    self.made += 1;
                    self.members[at].append(Kind::Put, 1, self.made);
                }
            }
            260..320 => self.flush(at),
            320..350 => {
                // A retransmission timer.
                if self.up[at] && self.members[at].leads() && (wild || self.mail.is_empty()) {
                    let notice = self.members[at].notice();
                    self.post(place, Message::Notice(notice));
                    self.members[at].places().iter().for_each(|to| self.members[at].resend(*to))
                }
            }
            // An election timeout: rare, unless no replica leads.
            350..360 => {
                let led = (0..3).any(|other| self.up[other] && self.members[other].leads());
                if self.up[at]
                    && !self.members[at].leads()
                    && (!led || wild && self.dice.below(8) == 0)
                {
                    let ask = self.members[at].start_election();
                    self.post(place, Message::Ask(ask))
                }
            }
            360..364 => {
                self.up[at] = false;
                self.mail.retain(|(to, _)| *to != place)
            }
            _ => self.rise(at),
        }
        self.send(at)
    }

    fn rise(&mut self, at: usize) {
        if !self.up[at] {
            self.up[at] = true;
            self.members[at].restart()
        }
    }

    fn flush(&mut self, at: usize) {
        if self.up[at] {
            // Starts a flush and ends another, with other steps between them.
            self.members[at].end_flush();
            self.members[at].next_flush();
            if !self.members[at].leads() {
                let answer = self.members[at].answer(false);
                self.mail.push((self.members[at].leader(), Message::Answer(answer)))
            }
        }
    }

    fn send(&mut self, at: usize) {
        if !self.up[at] || !self.members[at].leads() {
            return;
        }
        for to in self.members[at].places() {
            while let Some(append) = self.members[at].next_for(to, 4) {
                self.mail.push((to, Message::Append(append)))
            }
        }
        let before = |replica: &Replica, from: u64| -> Vec<Entry> {
            (from + 1..=replica.last()).map(|i| replica.entry(i).unwrap()).collect()
        };
        let had = before(&self.members[at], self.members[at].committed());
        if let Some((from, to, holders)) = self.members[at].advance() {
            assert!(holders >= 2, "on two disks at least");
            for (index, entry) in (from + 1..=to).zip(had) {
                self.commit(index, entry)
            }
        }
    }

    /// Checks that a committed entry never changes, and is on two disks.
    fn commit(&mut self, index: u64, entry: Entry) {
        let place = usize::try_from(index).unwrap() - 1;
        match self.committed.get(place) {
            Some(before) => assert_eq!(*before, entry, "entry {index} was committed before"),
            None => {
                assert_eq!(self.committed.len(), place, "no entry is left out");
                self.committed.push(entry)
            }
        }
        let has = |replica: &&Replica| {
            let same = index <= replica.floor || replica.entry(index) == Some(entry);
            replica.flushed >= index && same
        };
        let holders = self.members.iter().filter(has).count();
        assert!(holders >= 2, "entry {index} is on {holders} disks")
    }

    fn deliver(&mut self, wild: bool) {
        if self.mail.is_empty() {
            return;
        }
        let any = usize::try_from(self.dice.below(self.mail.len() as u64)).unwrap();
        let place = if wild { any } else { 0 };
        let (to, message) = match wild && self.dice.below(10) == 0 {
            true => self.mail[place],
            false => self.mail.remove(place),
        };
        let lost = wild && self.dice.below(5) == 0;
        let at = usize::from(to);
        if to == NO_LEADER || !self.up[at] || lost {
            return;
        }
        let member = &mut self.members[at];
        match message {
            Message::Append(append) => {
                let result = member.on_append(append);
                let answer = member.answer(result == AppendResult::Gap);
                self.mail.push((append.notice.leader, Message::Answer(answer)))
            }
            Message::Notice(notice) => {
                assert!(!(member.leads() && member.term() == notice.term), "one leader a term");
                member.on_notice(notice);
                let answer = member.answer(false);
                self.mail.push((notice.leader, Message::Answer(answer)))
            }
            Message::Answer(answer) => drop(member.handle_reply(answer)),
            Message::Ask(ask) => {
                let vote = member.on_ask(ask);
                self.mail.push((ask.place, Message::Vote(vote)))
            }
            Message::Vote(vote) => {
                if member.on_vote(vote) {
                    let (term, place) = (member.term(), member.place());
                    let other = self.leaders.insert(term, place);
                    assert!(other.is_none(), "term {term} has one leader");
                    let whole = self.committed.len() as u64;
                    assert!(self.members[at].last() >= whole, "who leads has what is committed");
                    self.members[at].append(Kind::Begin, 0, 0);
                }
            }
        }
    }

    /// Checks that equal terms at an index mean equal logs up to it, and that replicas only take
    /// committed entries for committed.
    fn check(&self) {
        for replica in &self.members {
            for index in replica.floor + 1..=replica.committed().min(replica.last()) {
                let entry = replica.entry(index).unwrap();
                assert_eq!(self.committed[usize::try_from(index).unwrap() - 1], entry);
            }
            for other in &self.members {
                let from = replica.floor.max(other.floor) + 1;
                let same = |i: &u64| replica.term_at(*i) == other.term_at(*i);
                let to = (from..=replica.last().min(other.last())).rev().find(same).unwrap_or(0);
                for index in from..=to {
                    assert_eq!(replica.entry(index), other.entry(index), "logs differ at {index}")
                }
            }
        }
    }
}

#[test]
fn promises_hold_under_loss_repetition_reordering_delay_and_crashes() {
    let (mut committed, mut terms, mut crashes) = (0, 0, 0);
    for seed in 0..300 {
        let mut world = World::new(seed);
        for _ in 0..4_000 {
            let up = world.up;
            world.step(true);
            crashes += up.iter().zip(world.up).filter(|(before, now)| **before && !now).count();
            world.check()
        }
        committed += world.committed.len();
        terms += world.leaders.len()
    }
    // The faults were frequent enough to break a wrong implementation.
    let had = format!("{committed} entries, {terms} terms, {crashes} crashes");
    assert!(committed > 10_000 && terms > 2_000 && crashes > 5_000, "{had}");
}

#[test]
fn a_calm_network_commits_all() {
    for seed in 0..100 {
        let mut world = World::new(seed);
        (0..2_000).for_each(|_| world.step(true));
        (0..3).for_each(|at| world.rise(at));
        (0..4_000).for_each(|_| world.step(false));
        let before = world.committed.len();
        (0..4_000).for_each(|_| world.step(false));
        world.check();
        assert!(world.committed.len() > before + 100, "seed {seed}: {before} and no further")
    }
}

#[test]
fn nobody_votes_for_a_log_that_is_shorter_or_of_an_earlier_term() {
    let mut voter = Replica::new(1, 0);
    let entry = Entry { term: 1, kind: Kind::Put, bytes: 0, container: 0 };
    let notice = Notice { term: 1, leader: 0, commit: 0, floor: 0 };
    assert_eq!(voter.on_append(Append { notice, index: 1, before: 1, entry }), AppendResult::New);
    let ask = |term, last| VoteRequest { term, place: 2, last };
    assert!(!voter.on_ask(ask(2, (1, 0))).granted, "shorter");
    assert!(voter.on_ask(ask(3, (1, 1))).granted, "as long");
    assert!(!voter.on_ask(ask(3, (1, 9))).granted, "one vote a term");
    assert!(voter.on_ask(ask(4, (1, 1))).granted, "a later term");
}

#[test]
fn a_window_bounds_what_is_under_way() {
    let mut leader = Replica::new(0, 0);
    for i in 0..20 {
        leader.append(Kind::Put, 0, i);
    }
    let sent = |leader: &mut Replica| std::iter::from_fn(|| leader.next_for(1, 8)).count();
    assert_eq!(sent(&mut leader), 8);
    assert_eq!(sent(&mut leader), 0);
    let answer = AppendReply { term: 1, place: 1, flushed: 3, commit: 0, first_missing: 0 };
    leader.handle_reply(answer);
    assert_eq!(sent(&mut leader), 3);
}

#[test]
fn an_entry_of_an_earlier_term_is_committed_with_one_of_its_own() {
    let mut leader = Replica::new(1, 0);
    let entry = Entry { term: 1, kind: Kind::Put, bytes: 0, container: 0 };
    let notice = Notice { term: 1, leader: 0, commit: 0, floor: 0 };
    leader.on_append(Append { notice, index: 1, before: 1, entry });
    leader.start_election();
    assert!(leader.on_vote(Vote { term: 2, place: 2, granted: true }));
    let flush = |leader: &mut Replica| {
        leader.next_flush();
        leader.end_flush()
    };
    let answer = |flushed| AppendReply { term: 2, place: 2, flushed, commit: 0, first_missing: 0 };
    flush(&mut leader);
    leader.handle_reply(answer(1));
    assert_eq!(leader.advance(), None, "two have it, and a third may still overwrite it");
    leader.append(Kind::Begin, 0, 0);
    flush(&mut leader);
    leader.handle_reply(answer(2));
    assert_eq!(leader.advance(), Some((0, 2, 2)));
}
