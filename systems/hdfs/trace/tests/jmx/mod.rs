//! The import of a NameNode's JMX: real dumps, made ones, and what is none.
mod bad_input;
mod made;
mod samples;
mod support;
