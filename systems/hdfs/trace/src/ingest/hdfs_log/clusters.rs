//! Whether all logs are of one cluster: block ids and addresses of another mean something else.
use super::event::Event;
use import::{ImportError, issue};

/// What a cluster is known by in its lines, and how that is called: a DataNode's registration has
/// the id of the NameNode's namespace, a DataNode's transfer its block pool.
const MARKS: [(&str, &str, &str); 2] = [(";nsid=", "", "namespace"), ("BP-", "BP-", "block pool")];

/// NameNodes that take over from one another do so seldom; those of two clusters take turns all
/// the time.
const TURNS: u64 = 10;

/// An id in fewer lines is one that a damaged line has.
const LINES: u64 = 2;

/// So many ids are counted; that of a cluster is among the first.
const MOST: usize = 64;

/// The ids of a kind in the order of their first lines.
type Ids = Vec<Id>;

/// An id, where it stands first, and in how many lines.
struct Id {
    id: String,
    file: usize,
    line: u64,
    lines: u64,
}

#[derive(Default)]
pub(super) struct Clusters {
    ids: [Ids; MARKS.len()],
    /// Which file a NameNode decided in last, the one before, and how often that changed.
    decider: Option<usize>,
    before: usize,
    turns: u64,
}

impl Clusters {
    pub(super) fn see(&mut self, file: usize, number: u64, text: &str) {
        for ((mark, lead, what), ids) in MARKS.iter().zip(&mut self.ids) {
            let Some((_, rest)) = text.split_once(mark) else { continue };
            let end = rest.find([':', ';', ',', ')', ' ']).unwrap_or(rest.len());
            let whole = match *what {
                "block pool" => rest[end..].starts_with(":blk_"),
                _ => rest[end..].starts_with([';', ')']) && rest[..end].parse::<u32>().is_ok(),
            };
            if !whole {
                continue;
            }
            match ids.iter().position(|known| known.id[lead.len()..] == rest[..end]) {
                Some(at) => ids[at].lines += 1,
                None if ids.len() == MOST => {}
                None => {
                    let id = format!("{lead}{}", &rest[..end]);
                    ids.push(Id { id, file, line: number, lines: 1 })
                }
            }
        }
    }

    /// What the line says: only an active NameNode asks for copies.
    pub(super) fn decides(&mut self, file: usize, event: &Event<'_>) {
        let Event::Asked { .. } = event else { return };
        if let Some(last) = self.decider.filter(|last| *last != file) {
            (self.before, self.turns) = (last, self.turns + 1);
        }
        self.decider = Some(file)
    }

    /// # Errors
    /// Logs of two clusters.
    pub(super) fn check(&self, names: &[String]) -> Result<(), ImportError> {
        let expected = "the logs of one cluster";
        let advice = "Give one cluster's logs at a time (of a federation, one namespace's: \
                      `grep -v` its other block pool).";
        for ((_, _, what), ids) in MARKS.iter().zip(&self.ids) {
            let mut sure = ids.iter().filter(|id| id.lines >= LINES);
            if let (Some(one), Some(other)) = (sure.next(), sure.next()) {
                let first = &names[one.file];
                let found = format!("the {what} {}, and {} in {first}", other.id, one.id);
                let bad = issue(found, expected).advice(advice);
                return Err(bad.at(&names[other.file], Some(other.line)));
            }
        }
        match self.decider {
            Some(file) if self.turns > TURNS => {
                let found = format!(
                    "a NameNode that asks for copies in turns with that of {}",
                    names[self.before]
                );
                Err(issue(found, expected).advice(advice).at(&names[file], None))
            }
            _ => Ok(()),
        }
    }
}
