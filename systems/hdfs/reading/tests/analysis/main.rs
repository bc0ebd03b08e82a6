//! The analysis against hand-drawn traces, stupid shadow models and golden texts.
mod advice;
mod attribution;
mod blocks;
mod copies;
mod draw;
mod fake;
mod figures;
mod oracle;
mod pages;
mod random;
mod speed;
