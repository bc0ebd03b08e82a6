//! A server: its rows, what it has answered, and its parts of directories.
use crate::message::{Ask, Op, Outcome, Placement, Response, hash};
use crate::{MOST_PARTITIONS, Map};
use rewind::{Queue, Rewind, Scalar, Table};

/// An entry: who made it, by which of its requests. With its key 24 bytes, in the table about 36.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Row {
    /// Which client.
    pub client: u32,
    /// Its request.
    pub number: u32,
}

/// What was answered to a request that may come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
struct Said {
    outcome: Outcome,
    directory: u32,
    name: u64,
}

/// A partition that lies here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
struct Part {
    entries: u32,
    radix: u32,
}

/// What becomes of a request.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// This is to be sent.
    Response(Response),
    /// This is to be sent, and half of a partition to another server.
    Split(Response, Split),
    /// Its partition is on its way here; it is taken up when that has come.
    Parked,
    /// Older than what the client has heard: nobody waits for it.
    Old,
}

/// Half of a partition, on its way to another server.
#[derive(Clone, PartialEq, Debug)]
pub struct Split {
    /// Of which directory.
    pub directory: u32,
    /// The new partition.
    pub part: u32,
    /// How many bits of a hash say that a name is in it.
    pub radix: u32,
    /// Its server.
    pub to: u32,
    /// The directory's map with it.
    pub map: Map,
    /// Names and rows.
    pub rows: Vec<(u64, Row)>,
    /// What was answered about names in it: client, number, outcome, name.
    pub said: Vec<(u32, u32, Outcome, u64)>,
}

/// A server.
#[derive(Rewind)]
pub struct Server {
    me: u32,
    /// Whether requests may come twice.
    repeated: bool,
    rows: Table<(u32, u64), Row>,
    /// Answers by client and number, of writes alone: to read twice does no harm.
    said: Table<(u32, u32), Said>,
    /// What each client has heard.
    heard: Table<u32, u32>,
    maps: Table<u32, Map>,
    parts: Table<(u32, u32), Part>,
    /// Entries of each directory here.
    entries: Table<u32, u32>,
    parked: Queue<Ask>,
}

impl Server {
    /// Server `me`, empty. `repeated`: the network may lose or repeat, so that answers have to be
    /// remembered.
    pub fn new(me: u32, repeated: bool) -> Server {
        Server {
            me,
            repeated,
            rows: Table::new(),
            said: Table::new(),
            heard: Table::new(),
            maps: Table::new(),
            parts: Table::new(),
            entries: Table::new(),
            parked: Queue::new(),
        }
    }

    /// A request.
    pub fn ask(&mut self, ask: Ask, placement: &(impl Placement + ?Sized)) -> Answer {
        if self.repeated
            && let Some(before) = self.before(&ask)
        {
            return before;
        }
        let splits = placement.split_at();
        let map = match splits {
            None => Map::default(),
            Some(_) => self.maps.get(&ask.directory).copied().unwrap_or_default(),
        };
        if ask.op == Op::Fetch {
            return Answer::Response(response(&ask, Outcome::Done, map));
        }
        if splits.is_some() && ask.op != Op::List {
            match self.part(&ask, placement) {
                None => {
                    self.parked.push_back(ask);
                    return Answer::Parked;
                }
                Some(part) if !inside(&ask, part.radix) => {
                    return Answer::Response(response(&ask, Outcome::Stale, map));
                }
                Some(_) => {}
            }
        }
        let outcome = self.work(&ask);
        if self.repeated && ask.op.writes() {
            let said = Said { outcome, directory: ask.directory, name: ask.name };
            self.said.insert((ask.client, ask.number), said);
        }
        let answer = response(&ask, outcome, map);
        match splits.filter(|_| ask.op.writes() && outcome == Outcome::Done) {
            None => Answer::Response(answer),
            Some(most) => self.counted(&ask, most, answer, placement),
        }
    }

    /// What a request comes to that was answered before, or is too old.
    fn before(&mut self, ask: &Ask) -> Option<Answer> {
        let heard = self.heard.get(&ask.client).copied().unwrap_or(0);
        if ask.number < heard {
            return Some(Answer::Old);
        }
        if ask.oldest > heard {
            self.heard.insert(ask.client, ask.oldest);
            let old = self.said.range((ask.client, 0)..(ask.client, ask.oldest));
            let old: Vec<_> = old.map(|(key, _)| *key).collect();
            for key in &old {
                self.said.discard(key);
            }
        }
        let said = self.said.get(&(ask.client, ask.number)).copied().filter(|_| ask.op.writes())?;
        let map = self.maps.get(&ask.directory).copied().unwrap_or_default();
        Some(Answer::Response(response(ask, said.outcome, map)))
    }

    /// Reads or changes the rows.
    fn work(&mut self, ask: &Ask) -> Outcome {
        let key = (ask.directory, ask.name);
        let mine = Row { client: ask.client, number: ask.number };
        match ask.op {
            Op::Create => match self.rows.get(&key) {
                Some(row) if *row != mine => Outcome::Exists,
                Some(_) => Outcome::Done,
                None => {
                    self.rows.insert(key, mine);
                    self.count(ask.directory, 1);
                    Outcome::Done
                }
            },
            Op::Unlink if self.rows.discard(&key) => {
                self.count(ask.directory, -1);
                Outcome::Done
            }
            Op::Lookup | Op::Stat if self.rows.contains(&key) => Outcome::Done,
            Op::List => Outcome::Entries(self.entries.get(&ask.directory).copied().unwrap_or(0)),
            _ => Outcome::Absent,
        }
    }

    /// The partition that a request means; the first of a directory is at its home from the start.
    fn part(&mut self, ask: &Ask, placement: &(impl Placement + ?Sized)) -> Option<Part> {
        let key = (ask.directory, ask.part);
        if ask.part == 0 && placement.home(ask.directory) == self.me && !self.parts.contains(&key) {
            self.parts.insert(key, Part { entries: 0, radix: 0 });
        }
        self.parts.get(&key).copied()
    }

    /// Counts a write, and splits the partition when it has become too large.
    fn counted(
        &mut self,
        ask: &Ask,
        most: u32,
        answer: Response,
        placement: &(impl Placement + ?Sized),
    ) -> Answer {
        let key = (ask.directory, ask.part);
        let change = |part: &mut Part| {
            match ask.op {
                Op::Create => part.entries += 1,
                _ => part.entries = part.entries.saturating_sub(1),
            }
            *part
        };
        let part = self.parts.update(&key, change).expect("it was looked at before");
        let fits = placement.most_partitions().min(MOST_PARTITIONS);
        let new = ask.part.checked_add(1 << part.radix.min(6)).filter(|new| *new < fits);
        match new.filter(|_| part.entries > most) {
            None => Answer::Response(answer),
            Some(new) => {
                let split = self.split(key, part, new, placement);
                Answer::Split(Response { map: split.map, ..answer }, split)
            }
        }
    }

    fn split(
        &mut self,
        (directory, old): (u32, u32),
        part: Part,
        new: u32,
        placement: &(impl Placement + ?Sized),
    ) -> Split {
        let radix = part.radix + 1;
        let bits = (1u64 << radix) - 1;
        let moves = |name: u64| hash(directory, name) & bits == u64::from(new);
        let rows = self.rows.range((directory, 0)..=(directory, u64::MAX));
        let rows: Vec<(u64, Row)> =
            rows.filter(|(key, _)| moves(key.1)).map(|(key, row)| (key.1, *row)).collect();
        for (name, _) in &rows {
            self.rows.discard(&(directory, *name));
        }
        let said = self.said.iter().filter(|(_, s)| s.directory == directory && moves(s.name));
        let said: Vec<_> =
            said.map(|((client, number), s)| (*client, *number, s.outcome, s.name)).collect();
        for (client, number, ..) in &said {
            self.said.discard(&(*client, *number));
        }
        let entries =
            part.entries.saturating_sub(u32::try_from(rows.len()).expect("rows of one split"));
        self.count(directory, -(rows.len() as i64));
        self.parts.insert((directory, old), Part { entries, radix });
        let map = self.maps.get(&directory).copied().unwrap_or_default().with(new);
        self.maps.insert(directory, map);
        let (_, to) = placement.owner(directory, u64::from(new), map);
        Split { directory, part: new, radix, to, map, rows, said }
    }

    /// Half of another's partition has come. Returns what waited for it, to be asked again.
    pub fn take(&mut self, split: &Split) -> Vec<Ask> {
        let Split { directory, part, radix, map, .. } = *split;
        for (name, row) in &split.rows {
            self.rows.insert((directory, *name), *row);
        }
        self.count(directory, split.rows.len() as i64);
        for (client, number, outcome, name) in &split.said {
            let said = Said { outcome: *outcome, directory, name: *name };
            self.said.insert((*client, *number), said);
        }
        self.parts.insert(
            (directory, part),
            Part { entries: u32::try_from(split.rows.len()).expect("rows of one split"), radix },
        );
        let known = self.maps.get(&directory).copied().unwrap_or_default();
        self.maps.insert(directory, known.and(map));
        let is = |ask: &Ask| (ask.directory, ask.part) == (directory, part);
        let (ready, wait): (Vec<Ask>, Vec<Ask>) = self.parked.iter().copied().partition(is);
        if !ready.is_empty() {
            self.parked.replace(wait)
        }
        ready
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows: directory, name, who made it.
    pub fn rows(&self) -> impl Iterator<Item = ((u32, u64), Row)> + '_ {
        self.rows.iter().map(|(key, row)| (*key, *row))
    }

    fn count(&mut self, directory: u32, more: i64) {
        let change = |n: &mut u32| *n = u32::try_from(i64::from(*n) + more).unwrap_or(0);
        if self.entries.update(&directory, change).is_none() {
            self.entries.insert(directory, u32::try_from(more).unwrap_or(0));
        }
    }
}

fn response(ask: &Ask, outcome: Outcome, map: Map) -> Response {
    Response { number: ask.number, op: ask.op, part: ask.part, outcome, map }
}

/// Whether the name's hash has the bits of the partition that the client took it for.
fn inside(ask: &Ask, radix: u32) -> bool {
    hash(ask.directory, ask.name) & ((1 << radix) - 1) == u64::from(ask.part)
}
