//! Import of a NameNode's JMX: real dumps, generated ones, and other inputs.
mod bad_input;
mod made;
mod samples;
mod support;
