//! One program for all tests of the crate: each that is linked takes seconds and a hundred MB.
mod import;
mod model;
mod plan;
mod policies;
mod site;
