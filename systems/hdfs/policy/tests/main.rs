//! One program for all tests of the crate: each that is linked takes seconds and a hundred MB.
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
