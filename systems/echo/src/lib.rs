#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod claims;
mod import;
mod keys;
mod model;
mod policy;
mod tale;
mod words;

use cluster::keys::Vocabulary;
use system::claims::Document;
use system::{About, Action, Named, Simulation, System, Words};

/// The smallest system.
pub struct Echo;

impl System for Echo {
    fn about(&self) -> About {
        let what = "Clients and one server: the template for a new system";
        About { name: "echo", what, readme: include_str!("../README.md") }
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &keys::ECHO
    }

    fn simulation(&self) -> Option<&dyn Simulation> {
        Some(&model::Model)
    }

    fn words(&self) -> &dyn Words {
        &words::Plain
    }

    fn named(&self) -> Vec<Named> {
        let named = |name, doc| Named { key: "policy.queue", name, doc };
        policy::ALL.iter().map(|policy| named(policy.name(), policy.doc())).collect()
    }

    fn imports(&self) -> Vec<&'static dyn Action> {
        vec![&import::Times]
    }

    fn document(&self) -> Option<&dyn Document> {
        Some(&claims::Law)
    }
}
