use crate::simulated::SIMULATED;
use crate::{commands, reproduce};
use system::System;

/// HDFS in the registry of systems.
pub static HDFS: System = System {
    imports: &commands::IMPORTS,
    plans: &commands::PLANS,
    document: Some(&reproduce::S0),
    ..SIMULATED
};
