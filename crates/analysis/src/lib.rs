//! What it means: balance, blocked-time attribution, comparison, sentences. It reads the trace and knows no engine.
pub mod report;
