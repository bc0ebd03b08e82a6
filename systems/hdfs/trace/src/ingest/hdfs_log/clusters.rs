//! Checks that all logs are of one cluster: another cluster reuses block ids and addresses.
use super::event::Event;
use import::{ImportError, issue};

/// (marker, prefix, name) of a cluster's ids: the namespace id in a DataNode's registration, the
/// block pool in a transfer.
const MARKS: [(&str, &str, &str); 2] = [(";nsid=", "", "namespace"), ("BP-", "BP-", "block pool")];

/// More switches between active NameNodes than this are of two clusters: failovers are rare.
const TURNS: u64 = 10;

/// An id in fewer lines comes from a damaged line.
const LINES: u64 = 2;

/// At most this number of ids is counted; a cluster's own id is among the first.
const MOST: usize = 64;

/// In the order of their first lines.
type Ids = Vec<Id>;

/// `file`, `line`: first occurrence; `lines`: number of lines.
struct Id {
    id: String,
    file: usize,
    line: u64,
    lines: u64,
}

#[derive(Default)]
pub(super) struct Clusters {
    ids: [Ids; MARKS.len()],
    /// File of the last decision, file before the last switch, number of switches.
    decider: Option<usize>,
    before: usize,
    turns: u64,
}

impl Clusters {
    pub(super) fn check_line(&mut self, file: usize, number: u64, text: &str) {
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

    pub(super) fn record_decision(&mut self, file: usize, event: &Event<'_>) {
        let Event::Asked { .. } = event else { return };
        if let Some(last) = self.decider.filter(|last| *last != file) {
            (self.before, self.turns) = (last, self.turns + 1);
        }
        self.decider = Some(file)
    }

    /// # Errors
    /// The logs are of two clusters.
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
