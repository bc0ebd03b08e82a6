use super::{Origin, Setting};
use crate::Problem;
use crate::document::Place;
use crate::keys::TypedValue;
use std::collections::BTreeMap;
use units::{Bytes, BytesPerSec, Nanos};

#[derive(Clone, Debug)]
pub struct Slot {
    pub typed: TypedValue,
    /// As written; a default in the same format.
    pub text: String,
    pub origin: Origin,
    pub place: Option<Place>,
    /// Deprecated name of the key in the file.
    pub old_name: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Values {
    pub(super) slots: BTreeMap<&'static str, Slot>,
    /// Keys of real systems that no model reads.
    pub not_modelled: Vec<Setting>,
    pub problems: Vec<Problem>,
}

impl Values {
    pub fn find(&self, key: &str) -> Option<&Slot> {
        self.slots.get(key)
    }

    /// Panics if the key has no value.
    pub fn slot(&self, key: &str) -> &Slot {
        self.slots.get(key).unwrap_or_else(|| panic!("no value of {key}"))
    }

    pub fn text(&self, key: &str) -> &str {
        &self.slot(key).text
    }

    /// The key to report among keys with incompatible values, with its place: the first that the
    /// command line sets, since the file was valid without it, else the first.
    pub fn reported_key<'k>(&self, keys: &[&'k str]) -> (&'k str, Place) {
        let place = |key: &str| self.find(key).and_then(|slot| slot.place.clone());
        let set = |key: &&&str| matches!(place(key), Some(Place::CommandLine));
        let key = *keys.iter().find(set).or(keys.first()).expect("a key at least");
        (key, place(key).unwrap_or(Place::CommandLine))
    }

    /// True if one of these keys has a reported problem, which makes further ones meaningless.
    pub fn have_problems(&self, keys: &[&str]) -> bool {
        self.problems.iter().any(|problem| keys.contains(&problem.key.as_str()))
    }

    pub fn count(&self, key: &str) -> u64 {
        match self.slot(key).typed {
            TypedValue::Count(n) => n,
            _ => panic!("{key} is no count"),
        }
    }

    /// For a key whose maximum fits `T`.
    pub fn narrow<T: TryFrom<u64>>(&self, key: &str) -> T {
        let count = self.count(key);
        T::try_from(count).unwrap_or_else(|_| panic!("{key} takes {count}: more than it can hold"))
    }

    pub fn flag(&self, key: &str) -> bool {
        self.slot(key).typed == TypedValue::Flag(true)
    }

    pub fn number(&self, key: &str) -> f64 {
        match self.slot(key).typed {
            TypedValue::Number(n) => n,
            _ => panic!("{key} is no number"),
        }
    }

    pub fn bytes(&self, key: &str) -> Bytes {
        match self.slot(key).typed {
            TypedValue::Bytes(n) => n,
            _ => panic!("{key} is no amount"),
        }
    }

    pub fn time(&self, key: &str) -> Nanos {
        match self.slot(key).typed {
            TypedValue::Time(t) => t,
            _ => panic!("{key} is no time"),
        }
    }

    /// Resolves names of the catalogue.
    pub fn rate(&self, key: &str) -> BytesPerSec {
        self.slot(key).typed.rate().unwrap_or_else(|| panic!("{key} is no rate"))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// Name of the imported cluster, else the file name without extension.
    pub name: String,
    pub imported: bool,
    /// A single rack: nothing between racks matters.
    pub one_rack: bool,
    /// The import has the disks of every node.
    pub disks_origin: Option<Origin>,
}

impl Defaults {
    /// A guess is an assumption only where it matters.
    pub(super) fn assumed(&self, key: &str) -> Origin {
        match key {
            "hardware.disks_per_node" => self.disks_origin.clone().unwrap_or(Origin::Assumed),
            _ if self.one_rack && key.starts_with("hardware.inter_rack") => Origin::Default,
            _ => Origin::Assumed,
        }
    }
}
