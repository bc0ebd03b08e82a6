//! mdtest's phases (IOR 4.0, `src/mdtest.c`): trees of directories, then items in them; each phase
//! begins when all clients have ended the one before.
use super::{Next, Record};
use crate::model::settings::Settings;
use cluster::Sheet;
use engine::*;
use ppmds_protocol::{Attributes, Doing, Ino, Key, Name, Operation, Outcome, ROOT, Two};
use rewind::Table;
use std::fmt;

/// What a phase is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    Tree,
    Directory,
    File,
}

/// What it does with each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Act {
    Create,
    /// The rest of a creation that time ended: as many as the fastest had by then.
    Rest,
    Stat,
    Read,
    Rename,
    Remove,
}

/// A phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Phase {
    pub what: What,
    pub act: Act,
}

/// As mdtest's SUMMARY names it.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.what {
            What::Tree => "Tree",
            What::Directory => "Directory",
            What::File => "File",
        };
        let act = match self.act {
            Act::Create | Act::Rest => "creation",
            Act::Stat => "stat",
            Act::Read => "read",
            Act::Rename => "rename",
            Act::Remove => "removal",
        };
        f.pad(&format!("{what} {act}"))
    }
}

/// Phases as mdtest's SUMMARY names them.
pub const WHATS: [&str; 10] = [
    "Directory creation",
    "Directory stat",
    "Directory rename",
    "Directory removal",
    "File creation",
    "File stat",
    "File read",
    "File removal",
    "Tree creation",
    "Tree removal",
];

/// Operations a second that mdtest measured, by phase: `File creation 13000.5, File stat 85000`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rates(pub Vec<(String, f64)>);

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (name, rate)) in self.0.iter().enumerate() {
            write!(f, "{}{name} {rate}", if n == 0 { "" } else { ", " })?
        }
        Ok(())
    }
}

impl Rates {
    /// Of a scenario.
    ///
    /// # Errors
    /// What is no phase with a rate above 0.
    pub fn of(text: &str) -> Result<Rates, String> {
        let of = |part: &str| {
            let (name, rate) = part.trim().rsplit_once(' ')?;
            let rate = rate.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0)?;
            WHATS.contains(&name).then(|| (name.to_string(), rate))
        };
        let parts = text.split(',').filter(|part| !part.trim().is_empty());
        let all = parts.map(|part| of(part).ok_or_else(|| part.trim().to_string()));
        all.collect::<Result<Vec<_>, String>>().map(Rates)
    }

    /// What was measured of a phase.
    pub fn rate(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(is, _)| is == name).map(|(_, rate)| *rate)
    }
}

/// What all clients do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// `-n`: items of each client. `-N`: by how many clients each act looks further.
    pub items: u32,
    pub stride: u32,
    /// `-u`: each client has a tree of its own.
    pub unique: bool,
    /// `-z`, `-b`: levels below the top, and directories in each; `-L`: items in leaves alone.
    pub depth: u32,
    pub branch: u32,
    pub leaves: bool,
    /// `-I`; 0: items are dealt to all directories alike.
    pub items_per_directory: u32,
    /// `-W`: creation ends then; 0: when all are made.
    pub stonewall: Nanos,
    /// Phases of one iteration, and how many iterations (`-i`).
    pub phases: Vec<Phase>,
    pub iterations: u32,
}

impl Plan {
    /// Of a scenario that was checked.
    pub fn of(sheet: &Sheet) -> Plan {
        let flag = |key: &str| sheet.flag(key);
        let items = sheet.text("mdtest.items_are");
        let stonewall = sheet.time("mdtest.stonewall");
        let mut phases = vec![Phase { what: What::Tree, act: Act::Create }];
        let kinds = [(What::Directory, "files"), (What::File, "directories")];
        for what in kinds.into_iter().filter(|(_, other)| items != *other).map(|(what, _)| what) {
            let mut add = |is: bool, act| {
                if is {
                    phases.push(Phase { what, act })
                }
            };
            add(flag("mdtest.create"), Act::Create);
            add(flag("mdtest.create") && stonewall > Nanos::ZERO, Act::Rest);
            add(flag("mdtest.stat"), Act::Stat);
            add(flag("mdtest.read") && what == What::File, Act::Read);
            add(flag("mdtest.rename") && what == What::Directory, Act::Rename);
            add(flag("mdtest.remove"), Act::Remove)
        }
        if flag("mdtest.remove") {
            phases.push(Phase { what: What::Tree, act: Act::Remove })
        }
        Plan {
            items: sheet.count32("mdtest.items"),
            stride: sheet.count32("mdtest.stride"),
            unique: flag("mdtest.unique"),
            depth: sheet.count32("mdtest.depth"),
            branch: sheet.count32("mdtest.branch"),
            leaves: flag("mdtest.leaves"),
            items_per_directory: sheet.count32("mdtest.items_per_directory"),
            stonewall,
            phases,
            iterations: sheet.count32("mdtest.iterations"),
        }
    }

    /// Operations that a run has about.
    pub fn expected(&self, clients: u32) -> u64 {
        let phases = self.phases.iter().filter(|phase| phase.what != What::Tree).count() as u64;
        let each = u64::from(self.items) * phases + u64::from(self.directories());
        each * u64::from(clients) * u64::from(self.iterations)
    }

    /// Directories of a tree.
    pub fn directories(&self) -> u32 {
        (0..=self.depth).map(|level| self.branch.saturating_pow(level)).sum()
    }

    /// The first of those that hold items, and how many there are.
    fn holding(&self) -> (u32, u32) {
        let all = self.directories();
        let leaves = self.branch.saturating_pow(self.depth);
        if self.leaves { (all - leaves, leaves) } else { (0, all) }
    }

    /// The tree's directory of an item.
    fn directory_of(&self, item: u32) -> u32 {
        let (first, count) = self.holding();
        let each = match self.items_per_directory {
            0 => self.items.div_ceil(count).max(1),
            each => each,
        };
        first + (item / each) % count
    }

    /// Phases of all iterations.
    pub fn all(&self) -> u32 {
        units::narrow::<u32>(self.phases.len() as u64) * self.iterations
    }

    /// A phase by its number.
    pub fn phase(&self, number: u32) -> Phase {
        self.phases[number as usize % self.phases.len()]
    }

    /// Whose items a client takes in a phase.
    fn whose(&self, act: Act, me: u32, clients: u32) -> u32 {
        let steps = match act {
            Act::Create | Act::Rest => 0,
            Act::Stat => 1,
            Act::Read => 2,
            Act::Rename | Act::Remove => 3,
        };
        let whose = u64::from(me) + u64::from(self.stride) * steps;
        units::narrow(whose % u64::from(clients))
    }
}

/// How far a client is.
#[derive(Rewind)]
pub struct State {
    phase: u32,
    began: Nanos,
    /// Items that it has done; those that it had before this phase.
    item: u32,
    before: u32,
    /// Items of each client: what the fastest made in the time that there was.
    target: u32,
    /// Directories of trees that it knows, by owner and place; those of the iteration.
    known: Table<(u32, u32), Ino>,
    /// What it is about to learn.
    asks: Option<(u32, u32)>,
    /// Of the first client: who is at the end of the phase, and the most that one has made.
    here: u32,
    most: u32,
}

impl State {
    pub fn new(settings: &Settings, _me: u32) -> State {
        let target = match &settings.workload {
            super::Workload::Mdtest(plan) => plan.items,
            _ => 0,
        };
        State {
            phase: 0,
            began: Nanos::ZERO,
            item: 0,
            before: 0,
            target,
            known: Table::new(),
            asks: None,
            here: 0,
            most: 0,
        }
    }

    pub fn next(&mut self, plan: &Plan, settings: &Settings, me: u32, at: Nanos) -> Next {
        if self.phase >= plan.all() {
            return Next::Nothing;
        }
        let Phase { what, act } = plan.phase(self.phase);
        if let Some(next) = self.operation(plan, settings, me, at, (what, act)) {
            return Next::Operation(next, at);
        }
        let (phase, from, to) = (self.phase, self.began, at);
        let operations = u64::from(self.item - self.before);
        Next::Barrier(Some(Record::Phase { phase, operations, from, to }))
    }

    fn operation(
        &mut self,
        plan: &Plan,
        settings: &Settings,
        me: u32,
        at: Nanos,
        (what, act): (What, Act),
    ) -> Option<Operation> {
        if what == What::Tree {
            return self.tree(plan, me, act);
        }
        let timed = plan.stonewall > Nanos::ZERO && act == Act::Create;
        let over = timed && at >= self.began + plan.stonewall;
        if self.item >= self.target || over {
            return None;
        }
        let whose = plan.whose(act, me, settings.clients);
        let owner = if plan.unique { whose } else { 0 };
        let place = plan.directory_of(self.item);
        let directory = match self.directory(plan, owner, place) {
            Ok(directory) => directory,
            Err(lookup) => return Some(lookup),
        };
        let item = self.item;
        self.item += 1;
        Some(on_item(directory, (what, act), (whose, item), me))
    }

    /// A directory of a tree, or the lookup that leads to it.
    fn directory(&mut self, plan: &Plan, owner: u32, place: u32) -> Result<Ino, Operation> {
        // From the top down: the first that is not known.
        let mut way = vec![place];
        while let Some(up) = parent(plan, *way.last().expect("it begins with one")) {
            way.push(up)
        }
        let mut above = ROOT;
        for place in way.into_iter().rev() {
            match self.known.get(&(owner, place)) {
                Some(ino) => above = *ino,
                None => {
                    self.asks = Some((owner, place));
                    return Err(Operation::Lookup(tree_key(above, owner, place)));
                }
            }
        }
        Ok(above)
    }

    /// A tree is made from the top down, and removed from the bottom up, by its owner.
    fn tree(&mut self, plan: &Plan, me: u32, act: Act) -> Option<Operation> {
        let all = plan.directories();
        if !plan.unique && me > 0 || self.item >= all {
            return None;
        }
        let place = if act == Act::Create { self.item } else { all - 1 - self.item };
        let above = match parent(plan, place) {
            None => ROOT,
            Some(up) => *self.known.get(&(me, up))?,
        };
        self.item += 1;
        let key = tree_key(above, me, place);
        if act == Act::Create {
            self.asks = Some((me, place));
            return Some(Operation::Mkdir(key, Attributes { mode: 0o755, owner: me, group: 0 }));
        }
        self.known.discard(&(me, place));
        Some(Operation::Rmdir(key))
    }

    /// What came of an operation: who asked for a directory knows it now.
    pub fn over(&mut self, op: Doing, outcome: &Outcome) {
        if !matches!(op, Doing::Lookup | Doing::Mkdir) {
            return;
        }
        if let (Some(asked), Outcome::Of(ino)) = (self.asks.take(), outcome) {
            self.known.insert(asked, *ino);
        }
    }

    /// All clients begin a phase, with so many items each.
    pub fn go(&mut self, plan: &Plan, (phase, items): (u32, u32), at: Nanos) {
        (self.phase, self.began, self.target) = (phase, at, items);
        let act = (phase < plan.all()).then(|| plan.phase(phase));
        if act.is_none_or(|phase| phase.act != Act::Rest) {
            self.item = 0
        }
        self.before = self.item;
        if act == Some(Phase { what: What::Tree, act: Act::Create }) {
            self.known.clear();
            self.target = plan.items
        }
    }

    /// Items that this client has made in its phase.
    pub fn made(&self) -> u32 {
        self.item
    }

    /// One more has ended its phase with so many items; the next phase and its items, if all have.
    pub fn arrived(&mut self, plan: &Plan, made: u32, clients: u32) -> Option<(u32, u32)> {
        self.here += 1;
        self.most = self.most.max(made);
        if self.here < clients {
            return None;
        }
        let timed = plan.stonewall > Nanos::ZERO && plan.phase(self.phase).act == Act::Create;
        let timed = timed && plan.phase(self.phase).what != What::Tree;
        let items = if timed { self.most } else { self.target };
        (self.here, self.most) = (0, 0);
        Some((self.phase + 1, items))
    }
}

/// The directory above one of a tree's.
fn parent(plan: &Plan, place: u32) -> Option<u32> {
    place.checked_sub(1).map(|below| below / plan.branch.max(1))
}

fn named(what: &str, owner: u32, n: u32) -> Name {
    Name::new(format!("{what}.{owner}.{n}").as_bytes()).expect("letters, digits and dots")
}

fn tree_key(above: Ino, owner: u32, place: u32) -> Key {
    Key::entry(above, &named("mdtest_tree", owner, place))
}

/// What a phase does with an item of somebody's.
fn on_item(
    directory: Ino,
    (what, act): (What, Act),
    (whose, item): (u32, u32),
    me: u32,
) -> Operation {
    let name = if what == What::File { "file.mdtest" } else { "dir.mdtest" };
    let key = Key::entry(directory, &named(name, whose, item));
    let with = |mode| Attributes { mode, owner: me, group: 0 };
    match (what, act) {
        (What::File, Act::Create | Act::Rest) => Operation::Create(key, with(0o644)),
        (_, Act::Create | Act::Rest) => Operation::Mkdir(key, with(0o755)),
        (_, Act::Stat) => Operation::Stat(key),
        // What a read asks of a metadata service: open, which looks the name up.
        (_, Act::Read) => Operation::Lookup(key),
        (_, Act::Rename) => {
            let to = Key::entry(directory, &named("renamed", whose, item));
            Operation::Rename(Box::new(Two { from: key, to }))
        }
        (What::File, Act::Remove) => Operation::Unlink(key),
        (_, Act::Remove) => Operation::Rmdir(key),
    }
}
