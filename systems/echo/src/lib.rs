#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
mod claims;
mod keys;
mod model;
mod policy;
mod trace;

use system::{BuiltIn, System};

pub static ECHO: System = System {
    summary: "Clients and one server: the template for a new system",
    readme: include_str!("../README.md"),
    simulation: Some(&model::Model),
    scenarios: &[BuiltIn { name: "echo", text: include_str!("../../../scenarios/echo.toml") }],
    policies: || policy::QUEUE.infos(),
    imports: &[&keys::TIMES],
    document: Some(&claims::LAW),
    ..System::new(&keys::ECHO)
};
