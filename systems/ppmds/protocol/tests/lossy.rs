//! Clients and servers over a network that loses, repeats and turns round what it carries.
use ppmds_protocol::{
    Answer, Ask, Client, Heard, Map, Op, Outcome, Placement, Response, Sending, Server, Split, hash,
};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Over all servers by hash, or in partitions that split.
struct Spread {
    servers: u32,
    split: Option<u32>,
}

impl Placement for Spread {
    fn home(&self, directory: u32) -> u32 {
        directory % self.servers
    }
    fn owner(&self, directory: u32, hash: u64, map: Map) -> (u32, u32) {
        match self.split {
            None => (0, (hash % u64::from(self.servers)) as u32),
            Some(_) => {
                let part = map.of(hash);
                (part, (self.home(directory) + part) % self.servers)
            }
        }
    }
    fn listed(&self, directory: u32, at: u32, map: Map) -> Option<u32> {
        match self.split {
            None => (at < self.servers).then_some(at),
            Some(_) => map.nth(at).map(|part| (self.home(directory) + part) % self.servers),
        }
    }
    fn split_at(&self) -> Option<u32> {
        self.split
    }
    fn most_partitions(&self) -> u32 {
        self.servers
    }
}

enum Message {
    Ask(Sending),
    Response(usize, Response),
    Half(Split),
}

struct Net {
    spread: Spread,
    servers: Vec<Server>,
    clients: Vec<Client>,
    /// Anything may come next.
    under_way: Vec<Message>,
    dice: Dice,
    /// Percent that is lost, percent that comes twice.
    bad: (usize, usize),
    /// What clients wait for.
    open: BTreeMap<(usize, u32), (Op, u32, u64)>,
    /// Names that must be there, by what clients were told.
    there: BTreeSet<(u32, u64)>,
}

impl Net {
    fn new(seed: u64, split: Option<u32>, bad: (usize, usize)) -> Net {
        let spread = Spread { servers: 4, split };
        let servers = (0..4).map(|me| Server::new(me, true)).collect();
        let clients = (0..5).map(Client::new).collect();
        let (open, there) = (BTreeMap::new(), BTreeSet::new());
        Net { spread, servers, clients, under_way: vec![], dice: Dice(seed), bad, open, there }
    }

    fn begin(&mut self, client: usize, op: Op, directory: u32, name: u64) {
        let sending = self.clients[client].begin(op, directory, name, &self.spread);
        self.open.insert((client, sending.ask.number), (op, directory, name));
        self.post(Message::Ask(sending))
    }

    /// Halves of partitions go over a connection that loses nothing.
    fn post(&mut self, message: Message) {
        let (lost, twice) = self.bad;
        match message {
            Message::Half(_) => self.under_way.push(message),
            _ if self.dice.below(100) < lost => {}
            Message::Ask(sending) => {
                let copies = 1 + usize::from(self.dice.below(100) < twice);
                (0..copies).for_each(|_| self.under_way.push(Message::Ask(sending)))
            }
            Message::Response(client, told) => {
                let copies = 1 + usize::from(self.dice.below(100) < twice);
                (0..copies).for_each(|_| self.under_way.push(Message::Response(client, told)))
            }
        }
    }

    fn serve(&mut self, server: u32, ask: Ask) {
        match self.servers[server as usize].ask(ask, &self.spread) {
            Answer::Response(told) => self.post(Message::Response(ask.client as usize, told)),
            Answer::Split(told, split) => {
                self.post(Message::Half(split));
                self.post(Message::Response(ask.client as usize, told))
            }
            Answer::Parked | Answer::Old => {}
        }
    }

    /// Any message comes, or any client loses patience.
    fn step(&mut self) {
        let patience = self.under_way.is_empty() || self.dice.below(20) == 0;
        if patience && !self.open.is_empty() {
            let place = self.dice.below(self.open.len());
            let (client, number) = *self.open.keys().nth(place).unwrap();
            let again = self.clients[client].again(number).expect("it waits for this");
            return self.post(Message::Ask(again));
        }
        if self.under_way.is_empty() {
            return;
        }
        let place = self.dice.below(self.under_way.len());
        match self.under_way.swap_remove(place) {
            Message::Ask(Sending { server, ask }) => self.serve(server, ask),
            Message::Response(client, told) => match self.clients[client].heard(told, &self.spread)
            {
                Heard::Next(sending) => self.post(Message::Ask(sending)),
                Heard::Done { number, outcome } => self.done(client, number, outcome),
                Heard::Stray => {}
            },
            Message::Half(split) => {
                for ask in self.servers[split.to as usize].take(&split) {
                    self.serve(split.to, ask)
                }
            }
        }
    }

    fn done(&mut self, client: usize, number: u32, outcome: Outcome) {
        let (op, directory, name) = self.open.remove(&(client, number)).expect("done once");
        let key = (directory, name);
        match op {
            Op::Create => {
                assert_eq!(outcome, Outcome::Done, "a name of its own: {key:?}");
                assert!(self.there.insert(key))
            }
            Op::Unlink => {
                assert_eq!(outcome, Outcome::Done, "it was created: {key:?}");
                assert!(self.there.remove(&key))
            }
            Op::Stat | Op::Lookup => assert_eq!(outcome, Outcome::Done, "it is there: {key:?}"),
            _ => {}
        }
    }

    fn settle(&mut self) {
        while !self.open.is_empty() || !self.under_way.is_empty() {
            self.step()
        }
    }

    /// What is on the servers is what clients were told, each row once and where it belongs.
    fn check(&self) {
        let mut found = BTreeSet::new();
        for (at, server) in self.servers.iter().enumerate() {
            for (key, _) in server.rows() {
                assert!(found.insert(key), "{key:?} is there twice");
                if self.spread.split.is_none() {
                    let owner = self.spread.owner(key.0, hash(key.0, key.1), Map::default());
                    assert_eq!(owner.1 as usize, at)
                }
            }
        }
        assert_eq!(found, self.there)
    }
}

/// Each client creates names of its own, and removes and reads those that it was told of.
fn play(seed: u64, split: Option<u32>, bad: (usize, usize)) -> Net {
    let mut net = Net::new(seed, split, bad);
    let mut made: Vec<Vec<(u32, u64)>> = vec![Vec::new(); 5];
    for round in 0..60u64 {
        for (client, made) in made.iter_mut().enumerate() {
            let (directory, name) = (net.dice.below(2) as u32, (client as u64) << 32 | round);
            match net.dice.below(6) {
                0 if !made.is_empty() => {
                    let place = net.dice.below(made.len());
                    let (directory, name) = made.swap_remove(place);
                    net.begin(client, Op::Unlink, directory, name)
                }
                1 if !made.is_empty() => {
                    let (directory, name) = made[0];
                    net.begin(client, Op::Stat, directory, name)
                }
                _ => {
                    net.begin(client, Op::Create, directory, name);
                    made.push((directory, name))
                }
            }
        }
        // A few steps besides what is needed, so that old messages meet the next round's.
        while !net.open.is_empty() {
            net.step()
        }
    }
    net.settle();
    net
}

#[test]
fn nothing_is_lost_or_there_twice_whatever_the_network_does() {
    for seed in 0..40 {
        for bad in [(0, 0), (30, 0), (0, 40), (20, 30)] {
            play(seed, None, bad).check()
        }
    }
}

#[test]
fn the_same_while_directories_split() {
    let mut split = 0;
    for seed in 0..40 {
        for bad in [(0, 0), (20, 30)] {
            let net = play(seed, Some(12), bad);
            net.check();
            split += usize::from(net.servers.iter().filter(|s| !s.is_empty()).count() == 4);
        }
    }
    assert!(split > 60, "hardly anything was split: {split}")
}

#[test]
fn a_list_counts_the_entries_of_all_servers_once() {
    for split in [None, Some(12)] {
        let mut net = play(7, split, (0, 0));
        for directory in 0..2 {
            let count = net.there.iter().filter(|(d, _)| *d == directory).count();
            net.begin(1, Op::List, directory, 0);
            let number = net.open.keys().next().unwrap().1;
            let mut entries = None;
            while let Some(message) = net.under_way.pop() {
                match message {
                    Message::Ask(Sending { server, ask }) => net.serve(server, ask),
                    Message::Response(client, told) => {
                        match net.clients[client].heard(told, &net.spread) {
                            Heard::Next(sending) => net.post(Message::Ask(sending)),
                            Heard::Done { outcome, .. } => entries = Some(outcome),
                            Heard::Stray => {}
                        }
                    }
                    Message::Half(_) => unreachable!("nothing was written"),
                }
            }
            net.open.remove(&(1, number));
            assert_eq!(entries, Some(Outcome::Entries(count as u32)), "{split:?}")
        }
    }
}
