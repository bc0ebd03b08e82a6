//! Style as a test: what reviewers would say again and again, said by a machine.
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
