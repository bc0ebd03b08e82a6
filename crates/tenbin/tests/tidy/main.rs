//! Style as a test: what reviewers would say again and again, said by a machine.
mod dependencies;
mod edges;
mod lexer;
mod lines;
mod links;
mod sizes;
mod tree;
mod variables;
mod words;
