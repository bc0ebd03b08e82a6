//! Whether all logs are of one cluster: block ids and addresses of another mean something else.
use super::event::Event;
use crate::ingest::hdfs::error::{ImportError, bad};

/// What a cluster is known by in its lines, and how that is called: a DataNode's registration has
/// the id of the NameNode's namespace, a DataNode's transfer its block pool.
const MARKS: [(&str, &str, &str); 2] = [(";nsid=", "", "namespace"), ("BP-", "BP-", "block pool")];

/// NameNodes that take over from one another do so seldom; those of two clusters take turns all
/// the time.
const TURNS: u64 = 10;

/// The first of a kind, and the first that differs: file, line, id.
type Ids = [Option<(usize, u64, String)>; 2];

/// What the lines tell of it.
#[derive(Default)]
pub(super) struct Clusters {
    ids: [Ids; MARKS.len()],
    /// Which file a NameNode decided in last, the one before, and how often that changed.
    decider: Option<usize>,
    before: usize,
    turns: u64,
}

impl Clusters {
    /// A line that matters.
    pub(super) fn see(&mut self, file: usize, number: u64, text: &str) {
        for ((mark, lead, what), ids) in MARKS.iter().zip(&mut self.ids) {
            let Some((_, rest)) = text.split_once(mark) else { continue };
            let end = rest.find([':', ';', ',', ')', ' ']).unwrap_or(rest.len());
            if *what == "block pool" && !rest[end..].starts_with(":blk_") {
                continue;
            }
            match ids {
                [Some((_, _, first)), other @ None] if first[lead.len()..] != rest[..end] => {
                    *other = Some((file, number, format!("{lead}{}", &rest[..end])))
                }
                [first @ None, _] => {
                    *first = Some((file, number, format!("{lead}{}", &rest[..end])))
                }
                _ => {}
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
            if let [Some((_, _, first)), Some((file, line, other))] = ids {
                let (one, _, _) = ids[0].as_ref().expect("it is there");
                let found = format!("the {what} {other}, and {first} in {}", names[*one]);
                let bad = bad(found, expected).advice(advice);
                return Err(bad.at(&names[*file], Some(*line)));
            }
        }
        match self.decider {
            Some(file) if self.turns > TURNS => {
                let found = format!(
                    "a NameNode that asks for copies in turns with that of {}",
                    names[self.before]
                );
                Err(bad(found, expected).advice(advice).at(&names[file], None))
            }
            _ => Ok(()),
        }
    }
}
