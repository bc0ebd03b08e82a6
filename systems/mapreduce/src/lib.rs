#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod claims;
mod commands;
pub mod curves;
pub mod import;
pub mod keys;
pub mod log;
mod model;
mod plain;
pub use mapreduce_policy as policy;
pub mod settings;
mod simulation;
mod trace;
pub mod why;
mod without;
pub mod words;

use system::{BuiltIn, PolicyInfo, System};

pub static MAPREDUCE: System = System {
    summary: "MapReduce: logs of real jobs, causes of slow jobs, I/O-aware scheduling rules",
    readme: include_str!("../README.md"),
    simulation: Some(&simulation::Model),
    scenarios: &[
        BuiltIn {
            name: "mapreduce-ec2",
            text: include_str!("../../../scenarios/mapreduce-ec2.toml"),
        },
        BuiltIn {
            name: "mapreduce-lab",
            text: include_str!("../../../scenarios/mapreduce-lab.toml"),
        },
        BuiltIn {
            name: "mapreduce-racks",
            text: include_str!("../../../scenarios/mapreduce-racks.toml"),
        },
    ],
    policies: named,
    imports: &[&import::Histories, &curves::NodeCurves],
    commands: &[&commands::Monitor],
    jobs: Some(&words::JOBS),
    document: Some(&claims::S1),
    ..System::new(&keys::MAPREDUCE)
};

fn named() -> Vec<PolicyInfo> {
    let named = |name, doc| PolicyInfo { key: "policy.scheduling", name, doc: String::from(doc) };
    let orders = policy::ORDERS.iter().map(|order| named(order.name(), order.doc()));
    orders.chain(policy::rules().map(|rule| named(rule.name(), rule.doc()))).collect()
}
