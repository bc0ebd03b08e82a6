//! mdtest's phases (IOR 4.0, `src/mdtest.c`): trees of directories, then items in them, with a
//! barrier between phases. What no phase creates exists at the start.
use super::first::First;
use super::next::Next;
pub use super::rates::{Rates, WHATS};
use crate::model::Bound;
use crate::model::message::Record;
use cluster::Sheet;
use engine::*;
use ppmds_protocol::{
    Attributes, Ino, Key, Name, Operation, OperationKind, Outcome, ROOT, TwoPaths,
};
use rewind::Table;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    Tree,
    Directory,
    File,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Act {
    Create,
    /// The rest of a creation that a stonewall ended: up to the items of the fastest client.
    Rest,
    Stat,
    Read,
    Rename,
    Remove,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Phase {
    pub what: What,
    pub act: Act,
}

/// The name in mdtest's SUMMARY.
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

/// Bound on the fastest client's items, relative to the mean.
const UNEVEN: f64 = 1.5;

#[derive(Clone, Debug)]
pub struct Plan {
    pub clients: u32,
    /// `-n`: items of each client.
    pub items: u32,
    /// Bound on the items of each client: `items`, or what the closed form allows within `-W`.
    pub sized: u32,
    pub stride: u32,
    /// `-u`: one tree per client.
    pub unique: bool,
    /// `-z`, `-b`: levels below the top, and directories in each. `-L`: items in leaves only.
    pub depth: u32,
    pub branch: u32,
    pub leaves: bool,
    /// `-I`; 0: items are spread evenly over all directories.
    pub items_per_directory: u32,
    /// `-W`: end of a creation; 0: no limit.
    pub stonewall: Nanos,
    /// Phases of one iteration, and iterations (`-i`).
    pub phases: Vec<Phase>,
    pub iterations: u32,
}

impl Plan {
    /// The scenario must be checked.
    pub fn of(sheet: &Sheet) -> Plan {
        let flag = |key: &str| sheet.flag(key);
        let items = sheet.text("mdtest.items_are");
        let stonewall = sheet.time("mdtest.stonewall");
        let create = flag("mdtest.create");
        let tree = create.then_some(Phase { what: What::Tree, act: Act::Create });
        let mut phases: Vec<Phase> = tree.into_iter().collect();
        let kinds = [(What::Directory, "files"), (What::File, "directories")];
        for what in kinds.into_iter().filter(|(_, other)| items != *other).map(|(what, _)| what) {
            let mut add = |is: bool, act| {
                if is {
                    phases.push(Phase { what, act })
                }
            };
            add(create, Act::Create);
            add(create && stonewall > Nanos::ZERO, Act::Rest);
            add(flag("mdtest.stat"), Act::Stat);
            add(flag("mdtest.read") && what == What::File, Act::Read);
            let several = sheet.count32("mdtest.items") > 1;
            add(flag("mdtest.rename") && what == What::Directory && several, Act::Rename);
            add(flag("mdtest.remove"), Act::Remove)
        }
        if flag("mdtest.remove") {
            phases.push(Phase { what: What::Tree, act: Act::Remove })
        }
        let mut plan = Plan {
            clients: sheet.count32("cluster.clients"),
            items: sheet.count32("mdtest.items"),
            sized: sheet.count32("mdtest.items"),
            stride: sheet.count32("mdtest.stride"),
            unique: flag("mdtest.unique"),
            depth: sheet.count32("mdtest.depth"),
            branch: sheet.count32("mdtest.branch"),
            leaves: flag("mdtest.leaves"),
            items_per_directory: sheet.count32("mdtest.items_per_directory"),
            stonewall,
            phases,
            iterations: sheet.count32("mdtest.iterations"),
        };
        if stonewall > Nanos::ZERO && plan.is_made() {
            let each = Bound::of(sheet).rate(plan.clients) / f64::from(plan.clients.max(1));
            let made = units::floored_u64(stonewall.as_secs() * each * UNEVEN) + 1;
            plan.sized = plan.items.min(u32::try_from(made).unwrap_or(u32::MAX))
        }
        plan
    }

    /// Estimated operations of a run.
    pub fn expected(&self) -> u64 {
        let items = self.sized;
        let of_items = |phase: &&Phase| phase.what != What::Tree && phase.act != Act::Rest;
        let phases = self.phases.iter().filter(of_items).count() as u64;
        let each = u64::from(items).saturating_mul(phases) + u64::from(self.directories());
        each.saturating_mul(u64::from(self.clients)).saturating_mul(u64::from(self.iterations))
    }

    /// Estimated events of a run, from counts of runs: 5 for two operations, 20 for two that make,
    /// move or remove a directory, since its rows are on several servers. A stonewall leaves a
    /// quarter of the directories, which take four times the events.
    pub fn events(&self) -> u64 {
        let (even, few) = if self.sized < self.items { (UNEVEN, 0.25) } else { (1.0, 1.0) };
        let halves = |phase: &Phase| match (phase.what, phase.act) {
            (What::Tree, _) | (_, Act::Rest) => 0.0,
            (What::Directory, Act::Create | Act::Rename | Act::Remove) => 20.0 * few,
            (What::Directory, _) => 5.0 * few,
            (What::File, _) => 5.0,
        };
        let each: f64 = self.phases.iter().map(halves).sum::<f64>() / 2.0 / even;
        let items = f64::from(self.sized) * f64::from(self.clients) * f64::from(self.iterations);
        units::floored_u64(items * each)
    }

    /// Estimate of the most entries on all servers.
    pub fn entries(&self) -> u64 {
        let what = |what: What| self.phases.iter().any(|phase| phase.what == what);
        let kinds = [What::Directory, What::File].into_iter().filter(|is| what(*is)).count() as u64;
        // Removed before files are made; items of an iteration before the next one.
        let gone = self.is_made() && self.phases.iter().any(|phase| phase.act == Act::Remove);
        let times = if gone { 1 } else { kinds.saturating_mul(u64::from(self.iterations)) };
        let all =
            u64::from(self.clients).saturating_mul(u64::from(self.sized)).saturating_mul(times);
        all.saturating_add(self.trees().saturating_mul(u64::from(self.directories())))
    }

    /// Whether the phases create their items.
    pub fn is_made(&self) -> bool {
        self.phases.iter().any(|phase| phase.act == Act::Create)
    }

    fn trees(&self) -> u64 {
        if self.unique { u64::from(self.clients) } else { 1 }
    }

    pub fn directories(&self) -> u32 {
        let levels = (0..=self.depth).map(|level| self.branch.saturating_pow(level));
        levels.fold(0, u32::saturating_add)
    }

    /// What exists at the start: trees, then items, of all iterations, numbered after the root.
    /// Empty if phases create them.
    pub fn before(&self) -> impl Iterator<Item = First> + '_ {
        let rounds = if self.is_made() { 0 } else { self.iterations };
        let (all, trees) = (u64::from(self.directories()), self.trees());
        let number = move |round: u32, owner: u32, place: u32| {
            ROOT + 1 + (u64::from(round) * trees + u64::from(owner)) * all + u64::from(place)
        };
        let owners = if self.unique { self.clients } else { 1 };
        let places = move |round: u32| {
            (0..owners).flat_map(move |owner| (0..self.directories()).map(move |p| (owner, p))).map(
                move |(owner, place)| {
                    let above = parent(self, place).map_or(ROOT, |up| number(round, owner, up));
                    let name = named(&tree_of(round), owner, place);
                    First { above, name, ino: number(round, owner, place), directory: true }
                },
            )
        };
        let first = ROOT + 1 + u64::from(rounds) * trees * all;
        let kinds = [What::Directory, What::File].into_iter();
        let kinds: Vec<What> =
            kinds.filter(|what| self.phases.iter().any(|phase| phase.what == *what)).collect();
        let items = move |round: u32| {
            let kinds = kinds.clone().into_iter();
            kinds
                .flat_map(move |what| (0..self.clients).map(move |client| (what, client)))
                .flat_map(move |(what, client)| (0..self.items).map(move |n| (what, client, n)))
                .map(move |(what, client, item)| {
                    let owner = if self.unique { client } else { 0 };
                    let above = number(round, owner, self.directory_of(item));
                    (above, named(name_of(what), client, item), what == What::Directory)
                })
        };
        let items = (0..rounds).flat_map(items).zip(first..);
        let entry = |((above, name, directory), ino)| First { above, name, ino, directory };
        (0..rounds).flat_map(places).chain(items.map(entry))
    }

    /// The first directory that holds items, and how many do.
    fn holding(&self) -> (u32, u32) {
        let all = self.directories();
        let leaves = self.branch.saturating_pow(self.depth);
        if self.leaves { (all - leaves, leaves) } else { (0, all) }
    }

    fn directory_of(&self, item: u32) -> u32 {
        let (first, count) = self.holding();
        let each = match self.items_per_directory {
            0 => self.items.div_ceil(count).max(1),
            each => each,
        };
        first + (item / each) % count
    }

    pub fn all(&self) -> u32 {
        units::narrow::<u32>(self.phases.len() as u64) * self.iterations
    }

    fn each(&self) -> u32 {
        units::narrow(self.phases.len().max(1) as u64)
    }

    fn round(&self, phase: u32) -> u32 {
        phase / self.each()
    }

    pub fn phase(&self, number: u32) -> Phase {
        self.phases[number as usize % self.phases.len()]
    }

    /// The client whose items `me` uses in a phase (`-N`).
    fn whose(&self, act: Act, me: u32) -> u32 {
        let steps = match act {
            Act::Create | Act::Rest => 0,
            Act::Stat | Act::Rename => 1,
            Act::Read => 2,
            Act::Remove => 3,
        };
        let whose = u64::from(me) + u64::from(self.stride) * steps;
        units::narrow(whose % u64::from(self.clients))
    }
}

#[derive(Rewind)]
pub struct State {
    phase: u32,
    began: Nanos,
    /// Items done in total, and before this phase.
    item: u32,
    before: u32,
    /// Items per client; after a stonewall those of the fastest.
    target: u32,
    /// This iteration's known directories, by owner and place. `asks`: the one being looked up.
    known: Table<(u32, u32), Ino>,
    asks: Option<(u32, u32)>,
    /// Client 0 only: clients at the end of the phase, and the most items of one.
    here: u32,
    most: u32,
}

impl State {
    pub fn new(target: u32) -> State {
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

    pub fn next(&mut self, plan: &Plan, me: u32, at: Nanos) -> Next {
        if self.phase >= plan.all() {
            return Next::Nothing;
        }
        let Phase { what, act } = plan.phase(self.phase);
        if let Some(next) = self.operation(plan, me, at, (what, act)) {
            return Next::Operation(next, at);
        }
        let (phase, from, to) = (self.phase, self.began, at);
        let operations = u64::from(self.item - self.before);
        Next::Barrier(Some(Record::Phase { phase, operations, from, to }))
    }

    fn operation(
        &mut self,
        plan: &Plan,
        me: u32,
        at: Nanos,
        (what, act): (What, Act),
    ) -> Option<Operation> {
        if what == What::Tree {
            return self.tree(plan, me, act);
        }
        let timed = plan.stonewall > Nanos::ZERO && act == Act::Create;
        let over = timed && at >= self.began + plan.stonewall;
        // mdtest does not rename a single directory.
        let alone = act == Act::Rename && self.target < 2;
        if self.item >= self.target || over || alone {
            return None;
        }
        let whose = plan.whose(act, me);
        let owner = if plan.unique { whose } else { 0 };
        let (item, items) = (self.item, self.target);
        let mut key = |item: u32| {
            let above = self.directory(plan, owner, plan.directory_of(item))?;
            Ok(Key::entry(above, &named(name_of(what), whose, item)))
        };
        let operation = match act {
            Act::Rename => renamed(&mut key, (whose, item), items),
            _ => key(item).map(|key| on_item(key, (what, act), me)),
        };
        match operation {
            Ok(operation) => {
                self.item += 1;
                Some(operation)
            }
            Err(lookup) => Some(lookup),
        }
    }

    /// A directory's number, or the lookup to send first.
    fn directory(&mut self, plan: &Plan, owner: u32, place: u32) -> Result<Ino, Operation> {
        // From the top down, stopping at the first unknown directory.
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
                    let key = tree_key(above, plan.round(self.phase), owner, place);
                    return Err(Operation::Lookup(key));
                }
            }
        }
        Ok(above)
    }

    /// The owner makes a tree from the top down, and removes it from the bottom up.
    fn tree(&mut self, plan: &Plan, me: u32, act: Act) -> Option<Operation> {
        let all = plan.directories();
        if !plan.unique && me > 0 || self.item >= all {
            return None;
        }
        let place = if act == Act::Create { self.item } else { all - 1 - self.item };
        let above = match parent(plan, place) {
            None => ROOT,
            Some(up) => match self.directory(plan, me, up) {
                Ok(above) => above,
                Err(lookup) => return Some(lookup),
            },
        };
        self.item += 1;
        let key = tree_key(above, plan.round(self.phase), me, place);
        if act == Act::Create {
            self.asks = Some((me, place));
            return Some(Operation::Mkdir(key, Attributes { mode: 0o755, owner: me, group: 0 }));
        }
        self.known.discard(&(me, place));
        Some(Operation::Rmdir(key))
    }

    /// Learns a directory's number from a lookup or mkdir.
    pub fn on_outcome(&mut self, op: OperationKind, outcome: &Outcome) {
        if !matches!(op, OperationKind::Lookup | OperationKind::Mkdir) {
            return;
        }
        if let (Some(asked), Outcome::Of(ino)) = (self.asks.take(), outcome) {
            self.known.insert(asked, *ino);
        }
    }

    /// Starts a phase with `items` per client.
    pub fn start_phase(&mut self, plan: &Plan, (phase, items): (u32, u32), at: Nanos) {
        (self.phase, self.began, self.target) = (phase, at, items);
        let act = (phase < plan.all()).then(|| plan.phase(phase));
        if act.is_none_or(|phase| phase.act != Act::Rest) {
            self.item = 0
        }
        self.before = self.item;
        if act.is_some() && plan.round(phase) * plan.each() == phase {
            self.known.clear();
            self.target = plan.items
        }
    }

    pub fn made(&self) -> u32 {
        self.item
    }

    /// Counts a client at the end of its phase; returns the next phase and its items after the
    /// last.
    pub fn arrived(&mut self, plan: &Plan, made: u32) -> Option<(u32, u32)> {
        self.here += 1;
        self.most = self.most.max(made);
        if self.here < plan.clients {
            return None;
        }
        let timed = plan.stonewall > Nanos::ZERO && plan.phase(self.phase).act == Act::Create;
        let timed = timed && plan.phase(self.phase).what != What::Tree;
        let items = if timed { self.most } else { self.target };
        (self.here, self.most) = (0, 0);
        Some((self.phase + 1, items))
    }
}

fn parent(plan: &Plan, place: u32) -> Option<u32> {
    place.checked_sub(1).map(|below| below / plan.branch.max(1))
}

fn named(what: &str, owner: u32, n: u32) -> Name {
    Name::new(format!("{what}.{owner}.{n}").as_bytes()).expect("letters, digits and dots")
}

/// Each iteration has its own trees.
fn tree_of(round: u32) -> String {
    if round == 0 { "mdtest_tree".into() } else { format!("mdtest_tree-{round}") }
}

fn tree_key(above: Ino, round: u32, owner: u32, place: u32) -> Key {
    Key::entry(above, &named(&tree_of(round), owner, place))
}

fn name_of(what: What) -> &'static str {
    if what == What::File { "file.mdtest" } else { "dir.mdtest" }
}

/// Each directory takes the name of the one before. The first is renamed aside, and takes the last
/// name at the end.
fn renamed(
    key: &mut impl FnMut(u32) -> Result<Key, Operation>,
    (whose, item): (u32, u32),
    items: u32,
) -> Result<Operation, Operation> {
    let first = key(0)?;
    let aside = Key::entry(first.ino, &named("dir.mdtest-XX", whose, 0));
    let from = if item + 1 == items { aside.clone() } else { key(item)? };
    let to = if item == 0 { aside } else { key(item - 1)? };
    Ok(Operation::Rename(Box::new(TwoPaths { from, to })))
}

fn on_item(key: Key, (what, act): (What, Act), me: u32) -> Operation {
    let with = |mode| Attributes { mode, owner: me, group: 0 };
    match (what, act) {
        (What::File, Act::Create | Act::Rest) => Operation::Create(key, with(0o644)),
        (_, Act::Create | Act::Rest) => Operation::Mkdir(key, with(0o755)),
        (_, Act::Stat) => Operation::Stat(key),
        // A read opens the file; for a metadata service that is a lookup.
        (_, Act::Read | Act::Rename) => Operation::Lookup(key),
        (What::File, Act::Remove) => Operation::Unlink(key),
        (_, Act::Remove) => Operation::Rmdir(key),
    }
}
