//! Builds one order of all operations that keeps the order by rows and real time, each operation as
//! late as possible.
//!
//! An operation is executed when it is answered, after all operations that rows put before it;
//! these must have been called by then. So readers see an old state for as long as possible: a
//! readdir that lacks an entry, an ENOENT for a directory not yet made. A readdir or ENOENT without
//! versions waits until the files match. If its time ends first, the next writers of the entry are
//! executed early, as few as needed. Executing less never excludes an order, so if this order fails
//! all do.
use crate::chains::{EXISTENCE, Graph};
use crate::fault::{Fault, Step};
use crate::files::Files;
use crate::history::{Call, Entry, Event, Outcome};
use crate::watch::Watch;
use crate::why::{by_list, by_rows, by_time};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Later,
    Asked,
    /// Its predecessors are being executed.
    Begun,
    Done,
}

/// Why an operation cannot be executed.
enum Stop {
    /// The first needs the second before it, which was not called yet.
    Early(usize, usize),
    Fault(Fault),
}

/// A change of a watched entry: operation, new inode.
type Change = (usize, Option<u64>);

struct Sweep<'a> {
    history: &'a [Event],
    graph: &'a Graph,
    before: Before,
    state: Vec<State>,
    /// For each operation the one whose answer made it execute.
    cause: Vec<u32>,
    files: Files,
    watch: Watch,
    past: BTreeMap<Entry, Vec<Change>>,
    /// (operation, readdir, reason): the readdir's result puts the operation before it.
    listed: Vec<(usize, usize, String)>,
    faults: Vec<Fault>,
}

/// Faults of the only possible order.
pub fn sweep(history: &[Event], graph: &Graph, directories: &[(u64, u64)]) -> Vec<Fault> {
    let mut sweep = Sweep {
        history,
        graph,
        before: Before::of(history.len(), &graph.edges),
        state: vec![State::Later; history.len()],
        cause: vec![u32::MAX; history.len()],
        files: Files::new(directories),
        watch: Watch::default(),
        past: BTreeMap::new(),
        listed: Vec::new(),
        faults: Vec::new(),
    };
    let done = sweep.all();
    sweep.faults.extend(done.err());
    sweep.faults
}

impl Sweep<'_> {
    /// Executes all operations by time. A call at the time of another's answer overlaps that.
    fn all(&mut self) -> Result<(), Fault> {
        let mut times: Vec<(u64, bool, u32)> = Vec::with_capacity(2 * self.graph.took_effect.len());
        for &at in &self.graph.took_effect {
            let (event, number) = (&self.history[at], narrow(at));
            times.push((event.invoked_ns, false, number));
            times.extend(event.completed_ns.map(|time| (time, true, number)))
        }
        times.sort_unstable();
        for (_, is_answer, at) in times {
            let at = at as usize;
            match (is_answer, self.history[at].is_apart()) {
                (false, false) => self.state[at] = State::Asked,
                (false, true) => self.watch.open(at, &self.history[at], &self.files),
                (true, false) => self.finish(at)?,
                // A wrong readdir leaves the files right, so the sweep continues.
                (true, true) => {
                    let fault = self.settle(at).err();
                    self.faults.extend(fault)
                }
            }
        }
        for &at in &self.graph.took_effect {
            if self.history[at].completed_ns.is_none() {
                self.finish(at)?
            }
        }
        Ok(())
    }

    fn finish(&mut self, at: usize) -> Result<(), Fault> {
        self.work(at, at).map_err(|stop| self.explained(stop))
    }

    fn explained(&self, stop: Stop) -> Fault {
        match stop {
            Stop::Fault(fault) => fault,
            Stop::Early(at, first) => {
                let path = self.path(first, at, false);
                Fault::Cycle(self.steps(&path, by_time(&self.history[at], &self.history[first])))
            }
        }
    }

    /// Executes an operation after all its predecessors.
    fn work(&mut self, root: usize, cause: usize) -> Result<(), Stop> {
        if self.state[root] == State::Done {
            return Ok(());
        }
        if self.state[root] == State::Later {
            return Err(Stop::Early(root, root));
        }
        self.state[root] = State::Begun;
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(&first) = self.before.of_one(at).get(*next) else {
                stack.pop();
                self.apply(at, cause)?;
                continue;
            };
            *next += 1;
            let first = first as usize;
            match self.state[first] {
                State::Done => {}
                State::Asked => {
                    self.state[first] = State::Begun;
                    stack.push((first, 0))
                }
                State::Later => return Err(Stop::Early(root, first)),
                State::Begun => {
                    let path = self.path(first, at, false);
                    let why = by_rows(&self.history[at], &self.history[first]);
                    return Err(Stop::Fault(Fault::Cycle(self.steps(&path, why))));
                }
            }
        }
        Ok(())
    }

    fn apply(&mut self, at: usize, cause: usize) -> Result<(), Stop> {
        (self.state[at], self.cause[at]) = (State::Done, narrow(cause));
        let event = &self.history[at];
        let touched: Vec<Entry> = event.call.entries();
        let before: Vec<Option<u64>> = touched.iter().map(|entry| self.files.get(entry)).collect();
        let came = self.files.apply(&event.call, event.new_inode());
        for (entry, before) in touched.into_iter().zip(before) {
            let now = self.files.get(&entry);
            if before == now {
                continue;
            }
            self.watch.changed(&entry, [before, now], self.history, &self.files);
            if self.graph.watched.contains(&entry.0) {
                self.past.entry(entry).or_default().push((at, now))
            }
        }
        match &event.result {
            Some(result) if *result != came => {
                let expected = serde_json::to_string(&came).unwrap_or_default();
                Err(Stop::Fault(Fault::Wrong(at, expected)))
            }
            _ => Ok(()),
        }
    }

    /// Decides on an operation without versions when its time ends.
    fn settle(&mut self, at: usize) -> Result<(), Fault> {
        let event = &self.history[at];
        match (&event.call, &event.result) {
            (Call::Readdir { directory }, Some(Outcome::Entries(listed))) => {
                if let Some(name) = twice(listed) {
                    return Err(Fault::Wrong(at, format!("{name:?} once")));
                }
                let settled = self.settle_list(at, *directory);
                self.watch.close(at, event);
                settled
            }
            (call, Some(Outcome::Error(errno))) if errno == "ENOENT" => {
                let settled = self.settle_absence(at, call);
                self.watch.close(at, event);
                settled
            }
            _ => Err(Fault::Wrong(at, "a list of entries, or ENOENT".into())),
        }
    }

    fn settle_list(&mut self, at: usize, directory: u64) -> Result<(), Fault> {
        if self.watch.lacks_directory(at, directory) {
            for by in self.life(directory) {
                let _ = self.work(by, at);
                if self.files.is_directory(directory) {
                    break;
                }
            }
            if self.watch.lacks_directory(at, directory) {
                let expected = "ENOENT: the directory does not exist";
                return Err(Fault::Wrong(at, expected.into()));
            }
        }
        while let Some((name, wanted)) = self.watch.missing(at, directory) {
            self.advance((directory, name), wanted, at)?
        }
        Ok(())
    }

    /// Executes the next writers of an entry until it is as the readdir shows it.
    fn advance(&mut self, entry: Entry, wanted: Option<u64>, list: usize) -> Result<(), Fault> {
        let [after, before] = by_list(&entry, wanted);
        let row = (entry.0, entry.1.clone(), 0);
        let writers = self.graph.chains.get(&row).map_or(&[][..], |all| &all[..]);
        let left =
            writers.iter().map(|by| *by as usize).filter(|by| self.state[*by] != State::Done);
        let will_do = |by: &usize| self.history[*by].leaves(&entry) == Some(wanted);
        let left: Vec<usize> = left.collect();
        let upto = left.iter().position(will_do).map_or(0, |last| last + 1);
        for &by in &left[..upto] {
            if let Err(stop) = self.work(by, list) {
                return Err(self.too_late(stop, (by, list), after));
            }
            self.listed.push((by, list, after.clone()))
        }
        match self.files.get(&entry) == wanted {
            true => Ok(()),
            false => Err(self.too_early(&entry, wanted, list, before)),
        }
    }

    /// The readdir needs a writer that must come after it.
    fn too_late(&self, stop: Stop, (by, list): (usize, usize), why: String) -> Fault {
        let Stop::Early(_, first) = stop else { return self.explained(stop) };
        let path = self.path(first, by, false);
        let mut steps = self.steps(&path, why);
        let why = by_time(&self.history[list], &self.history[first]);
        steps.push(Step { at: list, why });
        Fault::Cycle(steps)
    }

    /// The entry matched before the readdir was called, and never will again.
    fn too_early(&self, entry: &Entry, wanted: Option<u64>, list: usize, why: String) -> Fault {
        let changes = self.past.get(entry).map_or(&[][..], |all| &all[..]);
        let states = std::iter::once(None).chain(changes.iter().map(|(_, now)| *now));
        let last = states.enumerate().filter(|(_, now)| *now == wanted).last();
        let Some((by, _)) = last.and_then(|(nth, _)| changes.get(nth)) else {
            let expected = match wanted {
                Some(_) => format!("no {:?}, which did not exist", entry.1),
                None => format!("{:?}, which existed all the time", entry.1),
            };
            return Fault::Wrong(list, expected);
        };
        let cause = self.cause[*by] as usize;
        let path = self.path(*by, cause, true);
        let mut steps = self.steps(&path, by_time(&self.history[cause], &self.history[list]));
        steps.push(Step { at: list, why });
        Fault::Cycle(steps)
    }

    fn settle_absence(&mut self, at: usize, call: &Call) -> Result<(), Fault> {
        if !self.watch.waits(at) {
            return Ok(());
        }
        for (directory, name) in call.entries() {
            let row = (directory, name, 0);
            let entry = self.graph.chains.get(&row).map_or(&[][..], |all| &all[..]);
            let entry: Vec<usize> = entry.iter().map(|by| *by as usize).collect();
            for by in self.life(directory).into_iter().chain(entry) {
                if self.work(by, at).is_ok() && self.files.lacks(call) {
                    return Ok(());
                }
            }
        }
        let expected = "an answer: its entry existed all the time";
        Err(Fault::Wrong(at, expected.into()))
    }

    /// Operations not executed yet that create or remove a directory.
    fn life(&self, directory: u64) -> Vec<usize> {
        let all: Vec<usize> = match self.graph.chains.get(&(directory, String::new(), EXISTENCE)) {
            Some(all) => all.iter().map(|by| *by as usize).collect(),
            None => {
                let is = |event: &Event| {
                    matches!(event.call, Call::Mkdir { .. } | Call::Rmdir { .. })
                        && event.result == Some(Outcome::Ino(directory))
                };
                (0..self.history.len()).filter(|at| is(&self.history[*at])).collect()
            }
        };
        all.into_iter().filter(|by| self.state[*by] != State::Done).collect()
    }

    /// The shortest path from one operation to a later one, by rows and readdirs. With `done` it
    /// may pass executed operations.
    fn path(&self, first: usize, last: usize, done: bool) -> Vec<usize> {
        let mut after: BTreeMap<usize, usize> = BTreeMap::new();
        let mut next = VecDeque::from([last]);
        while let Some(at) = next.pop_front() {
            if at == first {
                break;
            }
            let lists = self.listed.iter().filter(|(_, list, _)| *list == at).map(|(by, ..)| *by);
            let rows = self.before.of_one(at).iter().map(|by| *by as usize);
            for by in rows.chain(lists) {
                let open = done || self.state[by] != State::Done;
                if open && by != last && !after.contains_key(&by) {
                    after.insert(by, at);
                    next.push_back(by)
                }
            }
        }
        let mut path = vec![first];
        while let Some(at) = after.get(&path[path.len() - 1]).filter(|_| path.len() <= after.len())
        {
            path.push(*at)
        }
        path
    }

    /// The steps of a path; `last`: why its end comes before its start.
    fn steps(&self, path: &[usize], last: String) -> Vec<Step> {
        let why = |pair: &[usize]| {
            let listed = self.listed.iter().find(|(by, list, _)| [*by, *list] == *pair);
            let rows = || by_rows(&self.history[pair[0]], &self.history[pair[1]]);
            Step { at: pair[0], why: listed.map_or_else(rows, |(.., why)| why.clone()) }
        };
        let mut steps: Vec<Step> = path.windows(2).map(why).collect();
        steps.push(Step { at: path[path.len() - 1], why: last });
        steps
    }
}

/// A name that occurs more than once.
fn twice(listed: &[(String, u64)]) -> Option<&str> {
    let mut names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

struct Before {
    from: Vec<u32>,
    all: Vec<u32>,
}

impl Before {
    fn of(ops: usize, edges: &[(usize, usize)]) -> Before {
        let mut from = vec![0u32; ops + 1];
        edges.iter().for_each(|(_, to)| from[*to + 1] += 1);
        for at in 0..ops {
            from[at + 1] += from[at]
        }
        let (mut next, mut all) = (from.clone(), vec![0; edges.len()]);
        for (first, to) in edges {
            all[next[*to] as usize] = narrow(*first);
            next[*to] += 1
        }
        Before { from, all }
    }

    fn of_one(&self, at: usize) -> &[u32] {
        &self.all[self.from[at] as usize..self.from[at + 1] as usize]
    }
}

fn narrow(at: usize) -> u32 {
    u32::try_from(at).expect("fewer than 2^32 operations")
}
