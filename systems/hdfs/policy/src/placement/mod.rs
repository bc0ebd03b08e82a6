//! Nodes for the replicas of a new block and for the internal blocks of a group, their order in the
//! pipeline, and the rack rule.
mod default_placement;
mod pipeline;
mod rack_fault_tolerant;
mod rack_rule;
mod scope;
pub use default_placement::{Generation, Repair, choose_target_for_repair, place_new_block};
pub use pipeline::sort_as_pipeline;
pub use rack_fault_tolerant::{Group, fault_tolerant_rule_met, spread_group};
pub use rack_rule::{max_per_rack, rack_rule_met};
pub use scope::{Scope, draw_from};
