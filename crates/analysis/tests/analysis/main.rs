//! The analysis against hand-drawn traces, stupid shadow models and golden texts.
mod attribution;
mod draw;
mod figures;
mod oracle;
mod random;
