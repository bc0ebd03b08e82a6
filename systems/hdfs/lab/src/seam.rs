//! HDFS behind the seam.
use crate::simulated::SIMULATED;
use crate::{commands, reproduce};
use system::System;

/// HDFS as the registry knows it.
pub static HDFS: System = System {
    imports: &commands::IMPORTS,
    plans: &commands::PLANS,
    document: Some(&reproduce::S0),
    ..SIMULATED
};
