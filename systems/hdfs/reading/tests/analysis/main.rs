//! The analysis against hand-drawn traces, stupid shadow models and golden texts.
mod advice;
mod attribution;
mod blocks;
mod draw;
mod fake;
mod figures;
mod fleet;
mod oracle;
mod pages;
mod random;
mod speed;
