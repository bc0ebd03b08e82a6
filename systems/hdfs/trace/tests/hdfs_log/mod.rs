//! The import of a NameNode's and DataNodes' logs: a real loss, real moves, made lines, damage.
mod bad_input;
mod made;
mod mixed;
mod rolled;
mod samples;
mod support;
mod unsorted;
