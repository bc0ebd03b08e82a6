//! Kinds by name, during the reading of a trace.
use crate::kinds::{FactRole, Kind, KindRole};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// By table and name.
#[derive(Default)]
pub(super) struct Names {
    places: RefCell<BTreeMap<&'static str, BTreeMap<String, usize>>>,
    /// Kinds of facts that no row of `kinds` declares, which is allowed.
    found: RefCell<Vec<Kind>>,
    declared: usize,
}

impl Names {
    pub(super) fn of(kinds: &[Kind]) -> Names {
        let mut places: BTreeMap<&'static str, BTreeMap<String, usize>> = BTreeMap::new();
        for (place, kind) in kinds.iter().enumerate() {
            places.entry(kind.role.of()).or_default().entry(kind.name.clone()).or_insert(place);
        }
        let found = RefCell::default();
        Names { places: RefCell::new(places), found, declared: kinds.len() }
    }
    /// The row of a kind; the error is for users.
    pub(super) fn kind(&self, of: &'static str, name: &str) -> Result<usize, String> {
        let mut places = self.places.borrow_mut();
        let places = places.entry(of).or_default();
        if let Some(place) = places.get(name) {
            return Ok(*place);
        }
        if of != "fact" {
            return Err(format!("has a kind of {of} \"{name}\" that kinds.parquet does not have"));
        }
        let mut found = self.found.borrow_mut();
        let place = self.declared + found.len();
        let (label, name) = (name.to_string(), name.to_string());
        places.insert(name.clone(), place);
        let role = KindRole::Fact(FactRole::Other);
        found.push(Kind { role, name, label, other: None, unit: None });
        Ok(place)
    }
    pub(super) fn found(self) -> Vec<Kind> {
        self.found.into_inner()
    }
}
