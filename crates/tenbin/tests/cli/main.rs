//! The contracts of the command line, through the real binary.
mod bad_input;
mod contract;
mod diff;
mod foreground;
mod imports;
mod interrupt;
mod matrix;
mod names;
mod plan;
mod plan_budget;
mod plan_wishes;
mod tenbin;
mod tutorial;
