//! The library as its users have it: the header, a C compiler, Python, and nodes that are real.
mod clients;
mod header;
mod nodes;
mod programs;
