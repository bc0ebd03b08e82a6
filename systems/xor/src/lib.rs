#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod claims;
pub mod commands;
mod keys;
pub mod model;
mod policy;
mod recorder;
mod words;

use system::{BuiltIn, PolicyInfo, System};

pub static XOR: System = System {
    summary: "Redundant writes by xor in flight: forwarding, and the full link",
    readme: include_str!("../README.md"),
    simulation: Some(&model::Model),
    scenarios: &[BuiltIn {
        name: "xor-write",
        text: include_str!("../../../scenarios/xor-write.toml"),
    }],
    policies: named,
    commands: &[&commands::RelayCommand],
    document: Some(&claims::S2),
    ..System::new(&keys::XOR)
};

fn named() -> Vec<PolicyInfo> {
    let named = |name, doc| PolicyInfo { key: "policy.schedule", name, doc: String::from(doc) };
    policy::ALL.iter().map(|policy| named(policy.name(), policy.doc())).collect()
}
