mod monitor;
pub use monitor::Monitor;
