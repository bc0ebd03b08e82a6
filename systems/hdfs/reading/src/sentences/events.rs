//! Sentences about the events: nodes and racks are declared dead, a disk's loss is noticed, a
//! leaving node's blocks are checked.
use crate::context::{AffectedPart, Context, EventType};
use crate::words::{count, list};

/// HDFS's reaction to all events of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reaction {
    /// Declares nodes dead; also the default without losses.
    Dead,
    Disks,
    /// Checks the blocks of decommissioning nodes.
    Leaving,
    /// As [`Reaction::Leaving`], if at least one node goes into maintenance.
    Maintenance,
    Mixed,
}

pub fn reaction(context: &Context) -> Reaction {
    let mut ways = context.lost.iter().map(|lost| match lost.event_type {
        EventType::Node | EventType::Rack { .. } => Reaction::Dead,
        EventType::Disk => Reaction::Disks,
        EventType::Leaving => Reaction::Leaving,
        EventType::Maintenance => Reaction::Maintenance,
    });
    let first = ways.next().unwrap_or(Reaction::Dead);
    ways.fold(first, |all, one| match (all, one) {
        (all, one) if all == one => all,
        (Reaction::Leaving | Reaction::Maintenance, Reaction::Leaving | Reaction::Maintenance) => {
            Reaction::Maintenance
        }
        _ => Reaction::Mixed,
    })
}

/// "dn-r2-05", "a and b", "3 nodes".
pub fn names(context: &Context) -> String {
    names_of(&context.lost.iter().collect::<Vec<_>>())
}

fn names_of(lost: &[&AffectedPart]) -> String {
    // A node can be decommissioned and then lost.
    let mut names: Vec<String> = lost.iter().map(|lost| lost.name.clone()).collect();
    names.dedup();
    match names.len() {
        0 => "the node".into(),
        1 | 2 => list(&names),
        n => {
            let kinds = ["rack", "node", "disk"].into_iter();
            let kinds: Vec<&str> = kinds
                .filter(|kind| lost.iter().any(|lost| noun(lost.event_type) == *kind))
                .collect();
            let all: Vec<String> = kinds.iter().map(|kind| format!("{kind}s")).collect();
            match kinds[..] {
                [one] => count(n as u64, one),
                _ => format!("{n} {}", list(&all)),
            }
        }
    }
}

fn noun(event_type: EventType) -> &'static str {
    match event_type {
        EventType::Rack { .. } => "rack",
        EventType::Disk => "disk",
        EventType::Node | EventType::Leaving | EventType::Maintenance => "node",
    }
}

/// "dn-r2-05 is", "a and b are".
pub fn nodes_with_verb(context: &Context) -> String {
    format!("{} {}", names(context), if context.lost.len() > 1 { "are" } else { "is" })
}

/// Their state after the event: "lost".
pub fn participle(context: &Context) -> &'static str {
    let takes = |leaves: bool| context.lost.iter().any(|lost| lost.event_type.leaves() == leaves);
    match reaction(context) {
        Reaction::Dead | Reaction::Disks => "lost",
        Reaction::Leaving => "to leave",
        Reaction::Maintenance => "going into maintenance",
        Reaction::Mixed if takes(true) => "lost or to leave",
        Reaction::Mixed => "lost",
    }
}

/// Time 0 in words: "dn-r2-05 is declared dead", "the first of a and b is …".
pub fn declaration(context: &Context) -> String {
    let (names, several) = (names(context), context.lost.len() > 1);
    match reaction(context) {
        Reaction::Dead if has_racks_only(context) => {
            format!("the first node of {names} is declared dead")
        }
        Reaction::Dead if several => format!("the first of {names} is declared dead"),
        Reaction::Dead => format!("{names} is declared dead"),
        Reaction::Disks if several => format!("the loss of the first of {names} is known"),
        Reaction::Disks => format!("the loss of {names} is known"),
        Reaction::Leaving | Reaction::Maintenance => {
            format!(
                "HDFS checks the blocks that {names} {}",
                if several { "hold" } else { "holds" }
            )
        }
        Reaction::Mixed if context.lost.iter().all(|one| one.name == context.lost[0].name) => {
            format!("HDFS detects the first event of {names}")
        }
        Reaction::Mixed => format!("HDFS detects the first of {names}"),
    }
}

/// As [`declaration`], for a chart title without names: "since declared dead".
pub fn since_declaration(context: &Context) -> String {
    let many = context.lost.len() > 1;
    let since = match reaction(context) {
        Reaction::Dead if context.lost.is_empty() => "the start",
        Reaction::Dead if many || has_racks_only(context) => "the first was declared dead",
        Reaction::Dead => "declared dead",
        Reaction::Disks if many => "the loss of the first disk is known",
        Reaction::Disks => "the loss of the disk is known",
        Reaction::Leaving => "HDFS checked the leaving nodes",
        Reaction::Maintenance => "HDFS checked the nodes that go into maintenance",
        Reaction::Mixed => "HDFS detected the first loss",
    };
    format!("since {since}")
}

fn has_racks_only(context: &Context) -> bool {
    let mut event_types = context.lost.iter().map(|lost| lost.event_type);
    !context.lost.is_empty()
        && event_types.all(|event_type| matches!(event_type, EventType::Rack { .. }))
}

/// "dn-r2-05 is not declared dead".
pub fn no_declaration(context: &Context) -> String {
    let names = names(context);
    match reaction(context) {
        Reaction::Dead if context.lost.is_empty() => "The node is not declared dead".into(),
        Reaction::Dead if has_racks_only(context) => format!("No node of {names} is declared dead"),
        Reaction::Dead => format!("{} not declared dead", nodes_with_verb(context)),
        Reaction::Disks => format!("The loss of {names} is not known"),
        Reaction::Leaving | Reaction::Maintenance => format!("HDFS does not check {names}"),
        Reaction::Mixed => format!("HDFS detects no event of {names}"),
    }
}

/// "dn-r2-05 is back before it is declared dead".
pub fn node_return(context: &Context) -> String {
    let (names, several) = (names(context), context.lost.len() > 1 || has_racks_only(context));
    match (reaction(context), several) {
        (Reaction::Dead, false) => format!("{names} is back before it is declared dead"),
        (Reaction::Dead, true) => format!("{names} are back before they are declared dead"),
        (_, _) => format!("all of {names} is back before HDFS detects it"),
    }
}

/// The time until the detection; `counted`: the recovery starts there.
pub fn detection_time(context: &Context, time: &str, counted: bool) -> String {
    let several = context.lost.len() > 1 || has_racks_only(context);
    let before = if counted { " before that" } else { "" };
    match reaction(context) {
        Reaction::Dead if several => {
            format!("HDFS needs {time}{before} to declare the first dead.")
        }
        Reaction::Dead => format!("HDFS needs {time}{before} to declare it dead."),
        Reaction::Disks | Reaction::Mixed if several => {
            format!("HDFS needs {time}{before} to detect the first.")
        }
        Reaction::Disks | Reaction::Mixed => format!("HDFS needs {time}{before} to detect it."),
        Reaction::Leaving | Reaction::Maintenance if counted => {
            format!("Its monitor needs {time} before that.")
        }
        Reaction::Leaving | Reaction::Maintenance => {
            format!("HDFS’s monitor needs {time} for the check.")
        }
    }
}

/// Outcome of blocks: "are safe again", "have their replicas elsewhere".
pub fn block_outcome(context: &Context, one: bool) -> &'static str {
    match (reaction(context), one) {
        (Reaction::Leaving, true) => "has its replicas elsewhere",
        (Reaction::Leaving, false) => "have their replicas elsewhere",
        (Reaction::Maintenance, true) => "has enough replicas elsewhere",
        (Reaction::Maintenance, false) => "have enough replicas elsewhere",
        (_, true) => "is safe again",
        (_, false) => "are safe again",
    }
}

pub fn unsafe_outcome(context: &Context, one: bool) -> &'static str {
    match (reaction(context), one) {
        (Reaction::Leaving, true) => "does not have its replicas elsewhere",
        (Reaction::Leaving, false) => "do not have their replicas elsewhere",
        (Reaction::Maintenance, true) => "does not have enough replicas elsewhere",
        (Reaction::Maintenance, false) => "do not have enough replicas elsewhere",
        (_, true) => "is not safe again",
        (_, false) => "are not safe again",
    }
}

/// (names, event) such as ("dn-r2-05", " (/rack2) lost"), one pair per fate.
pub fn event_facts(context: &Context) -> Vec<(String, String)> {
    let of = |which: fn(EventType) -> bool, done: &str| {
        let lost: Vec<&AffectedPart> =
            context.lost.iter().filter(|lost| which(lost.event_type)).collect();
        let place = match lost[..] {
            [] => return None,
            [AffectedPart { event_type: EventType::Rack { nodes }, .. }] => {
                format!(" ({})", count(u64::from(*nodes), "node"))
            }
            [AffectedPart { rack, .. }] if !rack.is_empty() => format!(" ({rack})"),
            _ => String::new(),
        };
        Some((names_of(&lost), format!("{place} {done}")))
    };
    let all = [
        of(|event_type| !event_type.leaves(), "lost"),
        of(|event_type| event_type == EventType::Leaving, "to leave"),
        of(|event_type| event_type == EventType::Maintenance, "into maintenance"),
    ];
    all.into_iter().flatten().collect()
}
