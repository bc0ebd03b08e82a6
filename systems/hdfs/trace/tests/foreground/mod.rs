//! Client load from DataNodes' JMX: generated clusters with known load, and invalid pages.
mod bad_input;
mod hadoop;
mod made;
mod mutations;
mod support;
