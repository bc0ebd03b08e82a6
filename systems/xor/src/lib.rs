#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod claims;
mod keys;
mod model;
mod policy;
mod tale;
mod words;

use cluster::keys::Vocabulary;
use system::claims::Document;
use system::{About, Named, Simulation, System};

/// Redundant writes.
pub struct Xor;

impl System for Xor {
    fn about(&self) -> About {
        let what = "Redundant writes by xor on the way: who forwards what, and which link is full";
        About { name: "xor", what, readme: include_str!("../README.md") }
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &keys::XOR
    }

    fn simulation(&self) -> Option<&dyn Simulation> {
        Some(&model::Model)
    }

    fn named(&self) -> Vec<Named> {
        let named = |name, doc| Named { key: "policy.schedule", name, doc: String::from(doc) };
        policy::ALL.iter().map(|policy| named(policy.name(), policy.doc())).collect()
    }

    fn document(&self) -> Option<&dyn Document> {
        Some(&claims::S2)
    }
}
