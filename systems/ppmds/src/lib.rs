#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod claims;
pub mod commands;
mod keys;
mod measured;
mod model;
mod plan;
pub mod policy;
mod recorder;
mod tables;
mod words;

use system::{BuiltIn, PolicyInfo, System};

pub static PPMDS: System = System {
    summary: "PPMDS: a distributed metadata service; how many servers, and what limits them",
    readme: include_str!("../README.md"),
    simulation: Some(&model::Model),
    scenarios: &[
        BuiltIn { name: "ppmds", text: include_str!("../../../scenarios/ppmds.toml") },
        BuiltIn { name: "ppmds-mix", text: include_str!("../../../scenarios/ppmds-mix.toml") },
        BuiltIn { name: "ppmds-names", text: include_str!("../../../scenarios/ppmds-names.toml") },
    ],
    policies: named,
    imports: &[&commands::MDTEST, &commands::HdfsAudit],
    plans: &[&plan::Metadata],
    commands: &[&commands::CheckHistory, &commands::MetaCommand],
    document: Some(&claims::S4),
    ..System::new(&keys::PPMDS)
};

fn named() -> Vec<PolicyInfo> {
    let named = |key, name, doc| PolicyInfo { key, name, doc: String::from(doc) };
    let placements = policy::metadata::all().into_iter();
    let placements = placements.map(|one| named("policy.metadata", one.name(), one.doc()));
    let contentions = ppmds_protocol::contention::ALL.iter();
    let contentions =
        contentions.map(|one| named("transactions.contention", one.name(), one.doc()));
    placements.chain(contentions).collect()
}
