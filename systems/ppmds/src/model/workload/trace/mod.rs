//! A recorded trace of operations with paths. A client looks up unknown directories, and caches
//! their numbers.
mod paths;
mod read;
use super::mix::attributes;
use super::next::Next;
use cluster::{BadInput, Sheet};
use engine::*;
use paths::{Paths, TOP};
use ppmds_protocol::{Change, Errno, Ino, Key, Operation, OperationKind, Outcome, ROOT, TwoPaths};
use rewind::Table;

struct Step {
    at: Nanos,
    op: OperationKind,
    path: u32,
    to: u32,
}

pub struct Trace {
    pub paths: Paths,
    steps: Vec<Vec<Step>>,
    /// Whether operations start at their recorded times or later.
    paced: bool,
}

impl Trace {
    /// Assigns the trace's clients round-robin to the scenario's.
    ///
    /// # Errors
    /// The file is missing or wrong, or the scenario has more clients than the trace.
    pub fn of(sheet: &Sheet) -> Result<Trace, BadInput> {
        let expected = "a trace of operations: workload.trace = \"trace.jsonl\"";
        let path = (!sheet.text("workload.trace").is_empty()).then(|| sheet.path("workload.trace"));
        let path =
            path.flatten().ok_or_else(|| sheet.problem("workload.trace", "none", expected))?;
        let paced = sheet.text("workload.loop") == "open";
        let lines = read::read(&path, paced)?;
        let clients = sheet.count32("cluster.clients");
        let has = 1 + lines.iter().map(|line| line.client).max().unwrap_or(0);
        if clients > has {
            let expected = format!("at most {has}, the number in {}", path.display());
            return Err(sheet.problem("cluster.clients", clients.to_string(), expected).into());
        }
        let (paths, places) = Paths::of(&lines);
        let start = lines[0].at;
        let mut steps: Vec<Vec<Step>> = (0..clients).map(|_| Vec::new()).collect();
        for (line, (path, to)) in lines.iter().zip(places) {
            let step = Step { at: line.at - start, op: line.op, path, to };
            steps[(line.client % clients) as usize].push(step)
        }
        Ok(Trace { paths, steps, paced })
    }

    pub fn len(&self) -> u64 {
        self.steps.iter().map(|steps| steps.len() as u64).sum()
    }

    pub fn is_paced(&self) -> bool {
        self.paced
    }
}

#[derive(Rewind)]
pub struct State {
    /// Index of its next step.
    next: u32,
    /// Numbers of known directories, by path.
    known: Table<u32, Ino>,
    /// The path whose number the pending operation returns.
    asks: Option<u32>,
}

impl State {
    pub fn new() -> State {
        State { next: 0, known: Table::new(), asks: None }
    }

    pub fn next(&mut self, trace: &Trace, me: u32, at: Nanos) -> Next {
        let Some(step) = trace.steps[me as usize].get(self.next as usize) else {
            return Next::Nothing;
        };
        if trace.paced && at < step.at {
            return Next::Later(step.at);
        }
        let wanted = if trace.paced { step.at } else { at };
        match self.operation(trace, step, me) {
            Ok(operation) => {
                self.next += 1;
                Next::Operation(operation, wanted)
            }
            // Only the operation itself had to wait for its time, not the lookups before it.
            Err(lookup) => Next::Operation(lookup, at),
        }
    }

    /// The operation, or a lookup that must come first.
    fn operation(&mut self, trace: &Trace, step: &Step, me: u32) -> Result<Operation, Operation> {
        let Step { op, path, to, .. } = *step;
        if op == OperationKind::Readdir {
            return Ok(Operation::Readdir(Key::itself(self.directory(trace, path)?), 0, 0));
        }
        let key = self.key(trace, path)?;
        Ok(match op {
            OperationKind::Lookup => Operation::Lookup(key),
            OperationKind::Stat => Operation::Stat(key),
            OperationKind::Create => Operation::Create(key, attributes(me, 0o644)),
            OperationKind::Mkdir => {
                self.asks = Some(path);
                Operation::Mkdir(key, attributes(me, 0o755))
            }
            OperationKind::Setattr => {
                Operation::Setattr(key, Box::new(Change { mode: Some(0o600), ..Change::default() }))
            }
            OperationKind::Unlink => Operation::Unlink(key),
            OperationKind::Rmdir => {
                self.forget(trace, path);
                Operation::Rmdir(key)
            }
            _ => {
                let two = Box::new(TwoPaths { from: key, to: self.key(trace, to)? });
                self.forget(trace, to);
                match op {
                    OperationKind::Link => Operation::Link(two),
                    _ => {
                        self.forget(trace, path);
                        Operation::Rename(two)
                    }
                }
            }
        })
    }

    fn key(&mut self, trace: &Trace, path: u32) -> Result<Key, Operation> {
        let above = self.directory(trace, trace.paths.above(path))?;
        Ok(Key::entry(above, trace.paths.name(path)))
    }

    /// A directory's number, or the lookup of the first unknown one above it.
    fn directory(&mut self, trace: &Trace, path: u32) -> Result<Ino, Operation> {
        if path == TOP {
            return Ok(ROOT);
        }
        if let Some(ino) = self.known.get(&path) {
            return Ok(*ino);
        }
        let key = self.key(trace, path)?;
        self.asks = Some(path);
        Err(Operation::Lookup(key))
    }

    /// Forgets the numbers of a path and of those below it, which are wrong now.
    fn forget(&mut self, trace: &Trace, path: u32) {
        // A client that knows a directory knows those above it.
        if !self.known.contains(&path) {
            return;
        }
        let below = |known: &&u32| trace.paths.is_below(**known, path);
        let gone: Vec<u32> = self.known.keys().filter(below).copied().collect();
        for path in gone {
            self.known.discard(&path);
        }
    }

    /// Ends an operation; returns a new directory and its path. Learns the number of a directory.
    /// If a lookup fails, skips the step that needs it. On ENOENT forgets the directory, to look it
    /// up again.
    pub fn on_outcome(
        &mut self,
        trace: &Trace,
        me: u32,
        op: OperationKind,
        outcome: &Outcome,
    ) -> Option<(Ino, u32)> {
        match (op, self.asks.take(), outcome) {
            (OperationKind::Lookup | OperationKind::Mkdir, Some(path), Outcome::Of(ino)) => {
                self.known.insert(path, *ino);
                return (op == OperationKind::Mkdir).then_some((*ino, path));
            }
            (OperationKind::Lookup, Some(_), _) => self.next += 1,
            (_, None, Outcome::Failed(Errno::ENOENT)) => {
                let step = &trace.steps[me as usize][self.next as usize - 1];
                self.forget(trace, trace.paths.above(step.path))
            }
            _ => {}
        }
        None
    }
}
