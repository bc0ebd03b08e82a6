#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
mod claims;
mod keys;
mod model;
mod policy;
mod trace;

use cluster::keys::Vocabulary;
use system::claims::Document;
use system::{About, Action, Named, Simulation, System};

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
    fn named(&self) -> Vec<Named> {
        policy::QUEUE.named()
    }
    fn imports(&self) -> Vec<&'static dyn Action> {
        vec![&keys::TIMES]
    }
    fn document(&self) -> Option<&dyn Document> {
        Some(&claims::Law)
    }
}
