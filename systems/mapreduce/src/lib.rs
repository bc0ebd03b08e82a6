#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod claims;
pub mod curves;
pub mod import;
mod keys;
pub mod log;
mod model;
mod policy;
mod tale;
pub mod why;
mod without;
pub mod words;

use cluster::keys::Vocabulary;
use system::claims::Document;
use system::{About, Action, Explains, Named, Simulation, System};

/// MapReduce.
pub struct MapReduce;

impl System for MapReduce {
    fn about(&self) -> About {
        let what = "MapReduce: real jobs' logs, why they were slow, and rules that schedule by I/O";
        About { name: "mapreduce", what, readme: include_str!("../README.md") }
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &keys::MAPREDUCE
    }

    fn simulation(&self) -> Option<&dyn Simulation> {
        Some(&model::Model)
    }

    fn named(&self) -> Vec<Named> {
        let named = |name, doc| Named { key: "policy.scheduling", name, doc: String::from(doc) };
        let orders = policy::ORDERS.iter().map(|order| named(order.name(), order.doc()));
        orders.chain(policy::RULES.iter().map(|rule| named(rule.name(), rule.doc()))).collect()
    }

    fn imports(&self) -> Vec<&'static dyn Action> {
        vec![&import::Histories, &curves::NodeCurves]
    }

    fn document(&self) -> Option<&dyn Document> {
        Some(&claims::S1)
    }

    fn explains(&self) -> Option<&dyn Explains> {
        Some(&words::Jobs)
    }
}
