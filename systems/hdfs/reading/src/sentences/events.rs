//! Sentences about the events: nodes and racks are declared dead, a disk's loss is noticed, a
//! leaving node's blocks are checked.
use crate::context::{Context, Fate, Lost};
use crate::words::{count, list};

/// HDFS's reaction to all events of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Declares nodes dead; also the default without losses.
    Dead,
    Disks,
    /// Checks the blocks of decommissioning nodes.
    Leaving,
    /// As [`Way::Leaving`], if at least one node goes into maintenance.
    Maintenance,
    Mixed,
}

pub fn way(context: &Context) -> Way {
    let mut ways = context.lost.iter().map(|lost| match lost.fate {
        Fate::Node | Fate::Rack { .. } => Way::Dead,
        Fate::Disk => Way::Disks,
        Fate::Leaving => Way::Leaving,
        Fate::Maintenance => Way::Maintenance,
    });
    let first = ways.next().unwrap_or(Way::Dead);
    ways.fold(first, |all, one| match (all, one) {
        (all, one) if all == one => all,
        (Way::Leaving | Way::Maintenance, Way::Leaving | Way::Maintenance) => Way::Maintenance,
        _ => Way::Mixed,
    })
}

/// "dn-r2-05", "a and b", "3 nodes".
pub fn names(context: &Context) -> String {
    names_of(&context.lost.iter().collect::<Vec<_>>())
}

fn names_of(lost: &[&Lost]) -> String {
    // A node can be decommissioned and then lost.
    let mut names: Vec<String> = lost.iter().map(|lost| lost.name.clone()).collect();
    names.dedup();
    match names.len() {
        0 => "the node".into(),
        1 | 2 => list(&names),
        n => {
            let kinds = ["rack", "node", "disk"].into_iter();
            let kinds: Vec<&str> =
                kinds.filter(|kind| lost.iter().any(|lost| noun(lost.fate) == *kind)).collect();
            let all: Vec<String> = kinds.iter().map(|kind| format!("{kind}s")).collect();
            match kinds[..] {
                [one] => count(n as u64, one),
                _ => format!("{n} {}", list(&all)),
            }
        }
    }
}

fn noun(fate: Fate) -> &'static str {
    match fate {
        Fate::Rack { .. } => "rack",
        Fate::Disk => "disk",
        Fate::Node | Fate::Leaving | Fate::Maintenance => "node",
    }
}

/// "dn-r2-05 is", "a and b are".
pub fn is(context: &Context) -> String {
    format!("{} {}", names(context), if context.lost.len() > 1 { "are" } else { "is" })
}

/// Their state after the event: "lost".
pub fn participle(context: &Context) -> &'static str {
    let takes = |leaves: bool| context.lost.iter().any(|lost| lost.fate.leaves() == leaves);
    match way(context) {
        Way::Dead | Way::Disks => "lost",
        Way::Leaving => "to leave",
        Way::Maintenance => "to go into maintenance",
        Way::Mixed if takes(true) => "lost or to leave",
        Way::Mixed => "lost",
    }
}

/// Time 0 in words: "dn-r2-05 is declared dead", "the first of a and b is …".
pub fn noticed(context: &Context) -> String {
    let (names, several) = (names(context), context.lost.len() > 1);
    match way(context) {
        Way::Dead if has_racks_only(context) => {
            format!("the first node of {names} is declared dead")
        }
        Way::Dead if several => format!("the first of {names} is declared dead"),
        Way::Dead => format!("{names} is declared dead"),
        Way::Disks if several => format!("the loss of the first of {names} is known"),
        Way::Disks => format!("the loss of {names} is known"),
        Way::Leaving | Way::Maintenance => {
            format!("HDFS looks at what {names} {}", if several { "hold" } else { "holds" })
        }
        Way::Mixed if context.lost.iter().all(|one| one.name == context.lost[0].name) => {
            format!("HDFS notices what first happens to {names}")
        }
        Way::Mixed => format!("HDFS notices the first of {names}"),
    }
}

/// As [`noticed`], for a chart title without names: "since declared dead".
pub fn since(context: &Context) -> String {
    let many = context.lost.len() > 1;
    let since = match way(context) {
        Way::Dead if context.lost.is_empty() => "the start",
        Way::Dead if many || has_racks_only(context) => "the first was declared dead",
        Way::Dead => "declared dead",
        Way::Disks if many => "the loss of the first disk is known",
        Way::Disks => "the loss of the disk is known",
        Way::Leaving => "HDFS looked at what is to leave",
        Way::Maintenance => "HDFS looked at what goes into maintenance",
        Way::Mixed => "HDFS noticed the first loss",
    };
    format!("since {since}")
}

fn has_racks_only(context: &Context) -> bool {
    let mut fates = context.lost.iter().map(|lost| lost.fate);
    !context.lost.is_empty() && fates.all(|fate| matches!(fate, Fate::Rack { .. }))
}

/// "dn-r2-05 is not declared dead".
pub fn unnoticed(context: &Context) -> String {
    let names = names(context);
    match way(context) {
        Way::Dead if context.lost.is_empty() => "The node is not declared dead".into(),
        Way::Dead if has_racks_only(context) => format!("No node of {names} is declared dead"),
        Way::Dead => format!("{} not declared dead", is(context)),
        Way::Disks => format!("The loss of {names} is not known"),
        Way::Leaving | Way::Maintenance => format!("HDFS does not look at {names}"),
        Way::Mixed => format!("HDFS notices nothing of {names}"),
    }
}

/// "dn-r2-05 is back before it is declared dead".
pub fn back(context: &Context) -> String {
    let (names, several) = (names(context), context.lost.len() > 1 || has_racks_only(context));
    match (way(context), several) {
        (Way::Dead, false) => format!("{names} is back before it is declared dead"),
        (Way::Dead, true) => format!("{names} are back before they are declared dead"),
        (_, _) => format!("all of {names} is well before HDFS notices"),
    }
}

/// The time until the detection; `counted`: the recovery starts there.
pub fn needs(context: &Context, time: &str, counted: bool) -> String {
    let several = context.lost.len() > 1 || has_racks_only(context);
    let before = if counted { " before that" } else { "" };
    match way(context) {
        Way::Dead if several => format!("HDFS needs {time}{before} to declare the first dead."),
        Way::Dead => format!("HDFS needs {time}{before} to declare it dead."),
        Way::Disks | Way::Mixed if several => {
            format!("HDFS needs {time}{before} to notice the first.")
        }
        Way::Disks | Way::Mixed => format!("HDFS needs {time}{before} to notice it."),
        Way::Leaving | Way::Maintenance if counted => {
            format!("Its monitor needs {time} before that.")
        }
        Way::Leaving | Way::Maintenance => format!("HDFS’s monitor needs {time} to look."),
    }
}

/// Outcome of blocks: "are safe again", "have their replicas elsewhere".
pub fn mended(context: &Context, one: bool) -> &'static str {
    match (way(context), one) {
        (Way::Leaving, true) => "has its replicas elsewhere",
        (Way::Leaving, false) => "have their replicas elsewhere",
        (Way::Maintenance, true) => "has enough replicas elsewhere",
        (Way::Maintenance, false) => "have enough replicas elsewhere",
        (_, true) => "is safe again",
        (_, false) => "are safe again",
    }
}

pub fn unmended(context: &Context, one: bool) -> &'static str {
    match (way(context), one) {
        (Way::Leaving, true) => "does not have its replicas elsewhere",
        (Way::Leaving, false) => "do not have their replicas elsewhere",
        (Way::Maintenance, true) => "does not have enough replicas elsewhere",
        (Way::Maintenance, false) => "do not have enough replicas elsewhere",
        (_, true) => "is not safe again",
        (_, false) => "are not safe again",
    }
}

/// (names, event) such as ("dn-r2-05", " (/rack2) lost"), one pair per fate.
pub fn facts(context: &Context) -> Vec<(String, String)> {
    let of = |which: fn(Fate) -> bool, done: &str| {
        let lost: Vec<&Lost> = context.lost.iter().filter(|lost| which(lost.fate)).collect();
        let place = match lost[..] {
            [] => return None,
            [Lost { fate: Fate::Rack { nodes }, .. }] => {
                format!(" ({})", count(u64::from(*nodes), "node"))
            }
            [Lost { rack, .. }] if !rack.is_empty() => format!(" ({rack})"),
            _ => String::new(),
        };
        Some((names_of(&lost), format!("{place} {done}")))
    };
    let all = [
        of(|fate| !fate.leaves(), "lost"),
        of(|fate| fate == Fate::Leaving, "to leave"),
        of(|fate| fate == Fate::Maintenance, "into maintenance"),
    ];
    all.into_iter().flatten().collect()
}
