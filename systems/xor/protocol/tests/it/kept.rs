//! The rule of what is kept, over all states of up to five nodes. Before a command, each node has a
//! whole, unreadable, older or absent record of the newest version, and is there or away.
//!
//! Only two properties distinguish nodes: the node that a command names (node 0 here), and its
//! state. Verdicts, steps and reach count states, independent of their order. So one of all states
//! that differ by a permutation of nodes 1, 2, … is tested. [`the_order_of_nodes_does_not_count`]
//! checks this on the functions themselves.
use xor_protocol::commit::{ReplicaState, Verdict, quorum};
use xor_protocol::keep::{self, Availability, JudgedVersion, Step};

/// A node's record of the newest version, which was acknowledged. `Older`: only the version before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Record {
    Whole,
    Unreadable,
    Older,
    Absent,
    Removed,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Node {
    record: Record,
    is_away: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Command {
    Get,
    Put,
    Scrub,
    Repair,
    GiveUp,
    Replace,
    Grow,
    Remove,
}

const COMMANDS: [Command; 8] = [
    Command::Get,
    Command::Put,
    Command::Scrub,
    Command::Repair,
    Command::GiveUp,
    Command::Replace,
    Command::Grow,
    Command::Remove,
];

type Nodes = Vec<Node>;

fn losses(nodes: usize) -> usize {
    if nodes == 3 { 1 } else { 2 }
}

/// Reported states of the newest version and of the one before. The name of an unreadable record is
/// known only from a node that can read its own.
fn reported_states(nodes: &[Node]) -> [Vec<ReplicaState>; 2] {
    let explains = |n: &Node| !n.is_away && matches!(n.record, Record::Whole | Record::Removed);
    let is_explained = nodes.iter().any(explains);
    let of = |is_newest: bool| {
        let say = |node: &Node| match (node.record, is_newest) {
            _ if node.is_away => ReplicaState::Unknown,
            (Record::Whole, true) | (Record::Older, false) => ReplicaState::Committed,
            (Record::Unreadable, true) if is_explained => ReplicaState::Unreadable,
            (Record::Removed, true) => ReplicaState::Removed { with_older: true },
            _ => ReplicaState::Nothing,
        };
        nodes.iter().map(say).collect()
    };
    [of(true), of(false)]
}

/// Whether a client fills node 0, and has begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fills {
    None,
    Will,
    Does,
}

impl Fills {
    /// Nodes that are filled, and nodes with copies.
    fn nodes(self) -> (&'static [usize], &'static [usize]) {
        match self {
            Fills::None => (&[], &[]),
            Fills::Will => (&[0], &[]),
            Fills::Does => (&[0], &[0]),
        }
    }
}

fn verdicts(nodes: &[Node], fills: Fills) -> ([Vec<ReplicaState>; 2], Vec<Verdict>) {
    let (all, (filled, copies)) = (reported_states(nodes), fills.nodes());
    let count = |states: &Vec<ReplicaState>| keep::evidence(states, filled, copies);
    let evidence: Vec<Vec<ReplicaState>> = all.iter().map(count).collect();
    // A version without any readable record is not judged.
    let is_named = |states: &[ReplicaState]| {
        states.iter().any(|h| !matches!(h, ReplicaState::Nothing | ReplicaState::Unknown))
    };
    let of = evidence.iter().map(|states| (losses(nodes.len()), &states[..]));
    let judged = keep::verdicts(of);
    let verdicts = judged.iter().zip(&all).map(|(judged, states)| match is_named(states) {
        true => judged.verdict,
        false => Verdict::Gone,
    });
    let verdicts = verdicts.collect();
    (all, verdicts)
}

fn judged<'a>(states: &'a [Vec<ReplicaState>; 2], verdicts: &[Verdict]) -> Vec<JudgedVersion<'a>> {
    let both = states.iter().zip(verdicts);
    both.map(|(states, verdict)| JudgedVersion { verdict: *verdict, states }).collect()
}

fn availability(nodes: &[Node], fills: Fills) -> Availability {
    let (states, verdicts) = verdicts(nodes, fills);
    keep::availability(&judged(&states, &verdicts))
}

/// One pass of resolving versions, as in a client. Returns whether it changed anything.
fn resolve(nodes: &mut Nodes, fills: Fills) -> bool {
    let (states, verdicts) = verdicts(nodes, fills);
    let all = judged(&states, &verdicts);
    let before = nodes.clone();
    for at in 0..2 {
        for (node, step) in keep::steps(&all[at], &all[at + 1..]) {
            let record = &mut nodes[node].record;
            *record = match (step, at) {
                (Step::Restore | Step::Commit, 0) => Record::Whole,
                (Step::Restore | Step::Commit, _) => Record::Older,
                (Step::Discard, 0) => Record::Removed,
                (Step::Discard | Step::Forget, _) => Record::Absent,
            }
        }
    }
    if keep::superseded(&all) == Some(0) {
        for node in nodes.iter_mut().filter(|node| node.record == Record::Older) {
            node.record = Record::Absent
        }
    }
    *nodes != before
}

fn resolve_all(nodes: &mut Nodes, fills: Fills) {
    while resolve(nodes, fills) {}
}

/// Resolves versions and rebuilds missing parts on the target nodes.
fn heal(nodes: &mut Nodes, fills: Fills, targets: impl Fn(usize) -> bool) {
    resolve_all(nodes, fills);
    let newest = match availability(nodes, fills) {
        Availability::Readable(0) => Record::Whole,
        Availability::Readable(_) => Record::Older,
        _ => return,
    };
    for (at, node) in nodes.iter_mut().enumerate() {
        let lacks = node.record != newest && node.record != Record::Removed;
        if !node.is_away && targets(at) && lacks && node.record != Record::Unreadable {
            node.record = newest
        }
    }
    resolve_all(nodes, fills)
}

/// Discards versions that are out of reach, even if all nodes except node 0 came back.
fn take_loss(nodes: &mut Nodes) {
    if availability(nodes, Fills::Will) != Availability::Unavailable {
        return;
    }
    let (states, verdicts) = verdicts(nodes, Fills::Will);
    for (at, mark) in [(0, Record::Removed), (1, Record::Absent)] {
        let may_come_back = keep::may_come_back(losses(nodes.len()), &states[at], &[0]);
        if verdicts[at] == Verdict::Undecided && !may_come_back {
            let holds = |held: &ReplicaState| *held != ReplicaState::Unknown && held.is_something();
            for (node, _) in nodes.iter_mut().zip(&states[at]).filter(|(_, held)| holds(held)) {
                node.record = mark
            }
        }
    }
}

/// Runs a command. `Repair` and `Replace` fill node 0.
fn run(command: Command, nodes: &mut Nodes) {
    let (count, there) = (nodes.len(), nodes.iter().filter(|n| !n.is_away).count());
    match command {
        Command::Get => {}
        Command::Scrub => heal(nodes, Fills::None, |_| true),
        Command::Repair | Command::GiveUp if nodes[0].is_away => {}
        Command::Repair => {
            resolve_all(nodes, Fills::Will);
            if availability(nodes, Fills::Will) != Availability::Unavailable {
                heal(nodes, Fills::Does, |node| node == 0)
            }
        }
        Command::GiveUp => {
            resolve_all(nodes, Fills::Will);
            take_loss(nodes);
            heal(nodes, Fills::Does, |node| node == 0)
        }
        // Repairs by the former list while the node is there; then fills the new one.
        Command::Replace if there < count => {}
        Command::Replace => {
            heal(nodes, Fills::None, |_| true);
            if availability(nodes, Fills::None) != Availability::Unavailable {
                let former = std::mem::replace(&mut nodes[0].record, Record::Absent);
                match availability(nodes, Fills::Will) {
                    Availability::Unavailable => nodes[0].record = former,
                    _ => heal(nodes, Fills::Does, |node| node == 0),
                }
            }
        }
        Command::Grow if there < count => {}
        // Rewrites readable objects for more nodes; equals a repair here.
        Command::Grow => heal(nodes, Fills::None, |_| true),
        Command::Put if there < count => {}
        Command::Put => {
            resolve_all(nodes, Fills::None);
            nodes.iter_mut().for_each(|node| node.record = Record::Whole)
        }
        Command::Remove if there < quorum(count, losses(count)) => {}
        Command::Remove => {
            resolve_all(nodes, Fills::None);
            let here = nodes.iter_mut().filter(|node| !node.is_away);
            here.for_each(|node| node.record = Record::Removed);
            resolve_all(nodes, Fills::None)
        }
    }
}

/// All states of `count` nodes, without permutations of nodes 1, 2, ….
fn states(count: usize, records: &[Record], mut look: impl FnMut(&Nodes)) {
    let one = |code: usize| Node { record: records[code / 2], is_away: code % 2 == 1 };
    let kinds = 2 * records.len();
    for code in 0..kinds.pow(count as u32) {
        let nodes: Nodes = (0..count).map(|at| one(code / kinds.pow(at as u32) % kinds)).collect();
        if nodes[1..].is_sorted() {
            look(&nodes)
        }
    }
}

fn has(node: &Node) -> bool {
    matches!(node.record, Record::Whole | Record::Unreadable)
}

const LEFT: [Record; 4] = [Record::Whole, Record::Unreadable, Record::Older, Record::Absent];

/// No command removes an acknowledged version from any node, except a put, a removal, and an
/// accepted loss.
#[test]
fn what_was_acknowledged_is_kept() {
    let mut looked = 0;
    for (count, command) in (3..=5).flat_map(|n| COMMANDS.map(|command| (n, command))) {
        states(count, &LEFT, |before| {
            looked += 1;
            let mut nodes = before.clone();
            run(command, &mut nodes);
            let what = format!("{command:?}: {before:?} to {nodes:?}");
            let discards = matches!(command, Command::Put | Command::Remove | Command::GiveUp);
            // The replaced node is removed.
            let skipped = usize::from(command == Command::Replace);
            for (now, then) in nodes.iter().zip(before).skip(skipped) {
                assert!(discards || !has(then) || has(now), "{what}")
            }
            let come_back = |nodes: &[Node]| {
                let mut all: Nodes =
                    nodes.iter().map(|node| Node { is_away: false, ..*node }).collect();
                heal(&mut all, Fills::None, |_| true);
                availability(&all, Fills::None)
            };
            let mut without = before.clone();
            if command == Command::GiveUp {
                without[0].record = Record::Absent
            }
            let could = come_back(&without);
            let is_kept = !matches!(command, Command::Put | Command::Remove);
            if is_kept && could == Availability::Readable(0) {
                assert_eq!(come_back(&nodes), Availability::Readable(0), "{what}")
            }
        })
    }
    assert!(looked > 30_000, "{looked}");
}

/// A former content is current only if n − t or more nodes are back from before, and no present
/// node has a newer one.
#[test]
fn no_former_content_is_current() {
    for count in 3..=5 {
        states(count, &LEFT, |nodes| {
            let is = |record| nodes.iter().filter(|n| !n.is_away && n.record == record).count();
            if let Availability::Readable(1) = availability(nodes, Fills::None) {
                assert!(is(Record::Older) >= count - losses(count), "{nodes:?}");
                assert_eq!(is(Record::Whole), 0, "{nodes:?}");
            }
        })
    }
}

/// What a quorum removed stays removed when absent nodes come back.
#[test]
fn what_was_removed_stays_removed() {
    for (count, command) in (3..=5).flat_map(|n| COMMANDS.map(|command| (n, command))) {
        states(count, &[Record::Whole, Record::Removed], |before| {
            let gone = before.iter().filter(|n| n.record == Record::Removed).count();
            if gone < quorum(count, losses(count)) || command == Command::Put {
                return;
            }
            let mut nodes = before.clone();
            run(command, &mut nodes);
            nodes.iter_mut().for_each(|node| node.is_away = false);
            heal(&mut nodes, Fills::None, |_| true);
            let is_gone = nodes.iter().all(|node| node.record == Record::Absent);
            assert!(is_gone, "{command:?}: {before:?} to {nodes:?}")
        })
    }
}

#[test]
fn the_order_of_nodes_does_not_count() {
    let records =
        [Record::Whole, Record::Unreadable, Record::Older, Record::Absent, Record::Removed];
    states(4, &records, |nodes| {
        for (a, b) in [(1, 2), (2, 3), (1, 3)] {
            let mut other = nodes.clone();
            other.swap(a, b);
            for fills in [Fills::None, Fills::Will, Fills::Does] {
                assert_eq!(
                    availability(nodes, fills),
                    availability(&other, fills),
                    "{nodes:?} {a} {b}"
                );
                let (mut one, mut two) = (nodes.clone(), other.clone());
                resolve(&mut one, fills);
                resolve(&mut two, fills);
                two.swap(a, b);
                assert_eq!(one, two, "{nodes:?} {a} {b}")
            }
        }
    })
}
