//! The contracts of the command line, through the real binary.
mod bad_input;
mod contract;
mod diff;
mod diverge;
mod foreground;
mod imports;
mod interrupt;
mod matrix;
mod names;
mod plan;
mod plan_budget;
mod plan_stages;
mod plan_wishes;
mod plan_worth;
mod soak;
mod tenbin;
mod tutorial;
