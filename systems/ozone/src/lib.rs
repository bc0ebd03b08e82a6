#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod audit;
mod claims;
mod heat;
mod import;
mod keys;
mod model;
mod plan;
pub mod policy;
mod raft;
mod words;

use cluster::keys::Vocabulary;
use system::claims::Document;
use system::{About, Action, Named, Simulation, System};

/// Apache Ozone's write path.
pub struct Ozone;

impl System for Ozone {
    fn about(&self) -> About {
        let what = "Apache Ozone: Raft pipelines, their logs and disks, small writes through S3";
        About { name: "ozone", what, readme: include_str!("../README.md") }
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &keys::OZONE
    }

    fn simulation(&self) -> Option<&dyn Simulation> {
        Some(&model::Model)
    }

    fn imports(&self) -> Vec<&'static dyn Action> {
        vec![&import::Import]
    }

    fn plans(&self) -> Vec<&'static dyn Action> {
        vec![&plan::Pipelines]
    }

    fn document(&self) -> Option<&dyn Document> {
        Some(&claims::MultiRaft)
    }

    fn audits(&self) -> Vec<&'static dyn Action> {
        vec![&audit::Audit]
    }

    fn named(&self) -> Vec<Named> {
        let named = |key, name, doc| Named { key, name, doc: String::from(doc) };
        let placed = policy::PLACEMENTS.iter().map(|p| named("policy.pipeline", p.name(), p.doc()));
        let led = policy::LEADERS.iter().map(|&(name, doc)| named("policy.leader", name, doc));
        let imported = named("policy.pipeline", "as-imported", policy::AS_IMPORTED);
        let all = placed.chain([imported]).chain(led);
        all.chain(policy::CHOICES.named()).chain(policy::VOLUMES.named()).collect()
    }
}
