//! stub
pub use crate::schema::Better;
pub use crate::schema::Outcome as RunOutcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::Nanos;
#[derive(Clone, PartialEq, Debug)]
pub struct Objective {
    pub metric: String,
    pub unit: String,
    pub better: Better,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Setting,
    Disk,
    Network,
    Cpu,
    Store,
    Slot,
    Memory,
    Wait,
    Unexplained,
}
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Behind {
    pub label: String,
    pub start_s: f64,
    pub end_s: f64,
}
#[derive(Clone, PartialEq, Debug)]
pub struct Held {
    pub holder: String,
    pub role: Role,
    pub share: f64,
    pub waited_s: f64,
    pub at_most: Option<f64>,
    pub low: f64,
    pub high: f64,
    pub behind: Vec<Behind>,
}
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    pub name: String,
    pub unit: String,
    pub role: Option<Role>,
    pub capacity: Option<f64>,
    pub points: Vec<(f64, f64)>,
}
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    pub objective: Objective,
    pub window: (Nanos, Nanos),
    pub value: Option<f64>,
    pub held: Vec<Held>,
    pub metrics: BTreeMap<String, f64>,
    pub curves: Vec<Curve>,
}
