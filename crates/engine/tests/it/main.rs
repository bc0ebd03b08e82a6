//! Whole small systems through the public interface, under every scheduler.
mod client;
mod endless;
mod faults;
mod golden;
mod jobs;
mod limits;
mod mistakes;
mod parallel;
mod ranks;
mod server;
mod storage;
mod store;
mod stress;
mod systems;
mod timers;
mod wire;
mod witness;
