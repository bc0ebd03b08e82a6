//! Tests of style rules.
mod dependencies;
mod edges;
mod imports;
mod lexer;
mod lines;
mod links;
mod ratchets;
mod sizes;
mod tree;
mod variables;
mod words;
