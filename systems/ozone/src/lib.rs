#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
mod audit;
mod change;
mod claims;
mod heat;
mod idle;
mod import;
mod keys;
mod model;
mod names;
mod plan;
pub mod policy;
mod price;
mod raft;
mod version;
mod words;

use system::{BuiltIn, PolicyInfo, System};

pub static OZONE: System = System {
    summary: "Apache Ozone: Raft pipelines, their logs and disks, small writes through S3",
    readme: include_str!("../README.md"),
    simulation: Some(&model::Model),
    scenarios: &[
        BuiltIn {
            name: "ozone-lost-node",
            text: include_str!("../../../scenarios/ozone-lost-node.toml"),
        },
        BuiltIn {
            name: "ozone-small-files",
            text: include_str!("../../../scenarios/ozone-small-files.toml"),
        },
    ],
    policies: named,
    imports: &[&import::Import],
    plans: &[&plan::Pipelines],
    audits: &[&audit::Audit],
    document: Some(&claims::S3),
    ..System::new(&keys::OZONE)
};

fn named() -> Vec<PolicyInfo> {
    let named = |key, name, doc| PolicyInfo { key, name, doc: String::from(doc) };
    let placed = policy::PLACEMENTS.iter().map(|p| named("policy.pipeline", p.name(), p.doc()));
    let led = policy::LEADERS.iter().map(|&(name, doc)| named("policy.leader", name, doc));
    let imported = named("policy.pipeline", "as-imported", policy::AS_IMPORTED);
    let all = placed.chain([imported]).chain(led);
    all.chain(policy::CHOICES.infos()).chain(policy::VOLUMES.infos()).collect()
}
