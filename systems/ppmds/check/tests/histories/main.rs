//! Histories, each with what is to be said of it.
mod drawn;
mod messages;
mod named;
mod service;
mod table;
