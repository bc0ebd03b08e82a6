//! Clients' load from DataNodes' JMX: made clusters whose truth is known, and what is no page.
mod bad_input;
mod hadoop;
mod made;
mod mutations;
mod support;
