//! The value of every key, and where it came from.
use super::{Origin, Setting};
use crate::Problem;
use crate::document::Place;
use crate::keys::Typed;
use std::collections::BTreeMap;
use units::{Bytes, BytesPerSec, Nanos};

/// A key's value.
#[derive(Clone, Debug)]
pub struct Slot {
    pub typed: Typed,
    /// As written, or as the default would be written.
    pub text: String,
    /// Where it came from.
    pub origin: Origin,
    pub place: Option<Place>,
    /// The old name of the key by which it stands there.
    pub old_name: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Values {
    pub(super) slots: BTreeMap<&'static str, Slot>,
    /// Keys of real systems that no model reads.
    pub not_modelled: Vec<Setting>,
    /// What is wrong with the values so far.
    pub problems: Vec<Problem>,
}

impl Values {
    /// The value of a key, if it has one.
    pub fn find(&self, key: &str) -> Option<&Slot> {
        self.slots.get(key)
    }

    /// The value of a key that has one by its default.
    pub fn slot(&self, key: &str) -> &Slot {
        self.slots.get(key).unwrap_or_else(|| panic!("no value of {key}"))
    }

    /// The value as its text.
    pub fn text(&self, key: &str) -> &str {
        &self.slot(key).text
    }

    /// Of keys whose values do not go together the one to blame, and its place: what the command
    /// line sets, if it sets another than the first, for the file was right without it.
    pub fn blamed<'k>(&self, keys: &[&'k str]) -> (&'k str, Place) {
        let place = |key: &str| self.find(key).and_then(|slot| slot.place.clone());
        let set = |key: &&&str| matches!(place(key), Some(Place::CommandLine));
        let key = *keys.iter().find(set).or(keys.first()).expect("a key at least");
        (key, place(key).unwrap_or(Place::CommandLine))
    }

    /// Whether something is wrong with the value of one of these keys already: what it was before
    /// is no reason for another complaint.
    pub fn are_wrong(&self, keys: &[&str]) -> bool {
        self.problems.iter().any(|problem| keys.contains(&problem.key.as_str()))
    }

    pub fn count(&self, key: &str) -> u64 {
        match self.slot(key).typed {
            Typed::Count(n) => n,
            _ => panic!("{key} is no count"),
        }
    }

    /// A count of a key whose greatest value fits.
    pub fn narrow<T: TryFrom<u64>>(&self, key: &str) -> T {
        let count = self.count(key);
        T::try_from(count).unwrap_or_else(|_| panic!("{key} takes {count}: more than it can hold"))
    }

    pub fn flag(&self, key: &str) -> bool {
        self.slot(key).typed == Typed::Flag(true)
    }

    pub fn number(&self, key: &str) -> f64 {
        match self.slot(key).typed {
            Typed::Number(n) => n,
            _ => panic!("{key} is no number"),
        }
    }

    pub fn bytes(&self, key: &str) -> Bytes {
        match self.slot(key).typed {
            Typed::Bytes(n) => n,
            _ => panic!("{key} is no amount"),
        }
    }

    pub fn time(&self, key: &str) -> Nanos {
        match self.slot(key).typed {
            Typed::Time(t) => t,
            _ => panic!("{key} is no time"),
        }
    }

    /// A rate, or the rate of a catalogue's name.
    pub fn rate(&self, key: &str) -> BytesPerSec {
        self.slot(key).typed.rate().unwrap_or_else(|| panic!("{key} is no rate"))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// The imported cluster's name, else the file's stem.
    pub name: String,
    /// A cluster file is imported.
    pub imported: bool,
    /// There is one rack, so that nothing is known of the way between racks and nothing depends on
    /// it.
    pub one_rack: bool,
    /// Where an import tells the disks of every node.
    pub disks_told: Option<Origin>,
}

impl Defaults {
    /// A guess is only an assumption where it matters.
    pub(super) fn assumed(&self, key: &str) -> Origin {
        match key {
            "hardware.disks_per_node" => self.disks_told.clone().unwrap_or(Origin::Assumed),
            _ if self.one_rack && key.starts_with("hardware.inter_rack") => Origin::Default,
            _ => Origin::Assumed,
        }
    }
}
