//! One binary for all tests of the crate: each takes seconds to link and a hundred MB.
mod balance;
mod both_ends;
mod drawn;
mod memory;
mod optimised;
mod properties;
mod seeded;
mod semi_matching;
mod spread;
mod tables;
mod vectors;
