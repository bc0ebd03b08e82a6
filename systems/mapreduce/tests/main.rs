//! One program for all tests of the crate: each that is linked takes seconds and a hundred MB.
mod advice;
mod bounds;
mod causes;
mod curves;
mod ends;
mod folders;
mod hadoop1;
mod hostile;
mod made;
mod node_curves;
mod pages;
mod rm_log;
mod rules;
mod samples;
mod simulated;
mod vectors;
