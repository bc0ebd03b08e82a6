#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod claims;
mod commands;
mod keys;
mod model;
mod plan;
mod policy;
mod recorder;
mod words;

use system::{BuiltIn, Named, System};

/// PPMDS.
pub static PPMDS: System = System {
    what: "PPMDS: a distributed metadata service; how many servers, and what limits them",
    readme: include_str!("../README.md"),
    simulation: Some(&model::Model),
    scenarios: &[BuiltIn { name: "ppmds", text: include_str!("../../../scenarios/ppmds.toml") }],
    named,
    plans: &[&plan::Metadata],
    commands: &[&commands::CheckHistory],
    document: Some(&claims::S4),
    ..System::new(&keys::PPMDS)
};

fn named() -> Vec<Named> {
    let named = |name, doc| Named { key: "policy.metadata", name, doc: String::from(doc) };
    policy::metadata::ALL.iter().map(|policy| named(policy.name(), policy.doc())).collect()
}
