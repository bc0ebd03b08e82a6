#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod claims;
mod keys;
mod model;
mod plan;
mod policy;
mod tale;
mod words;

use cluster::keys::Vocabulary;
use system::claims::Document;
use system::{About, Action, Named, Simulation, System};

/// PPMDS.
pub struct Ppmds;

impl System for Ppmds {
    fn about(&self) -> About {
        let what = "PPMDS: a distributed metadata service; how many servers, and what limits them";
        About { name: "ppmds", what, readme: include_str!("../README.md") }
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &keys::PPMDS
    }

    fn simulation(&self) -> Option<&dyn Simulation> {
        Some(&model::Model)
    }

    fn named(&self) -> Vec<Named> {
        let named = |name, doc| Named { key: "policy.metadata", name, doc: String::from(doc) };
        policy::metadata::ALL.iter().map(|policy| named(policy.name(), policy.doc())).collect()
    }

    fn document(&self) -> Option<&dyn Document> {
        Some(&claims::S4)
    }

    fn plans(&self) -> Vec<&'static dyn Action> {
        vec![&plan::Metadata]
    }
}
