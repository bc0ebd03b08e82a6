//! The library as users have it: the header, a C compiler, Python, and real nodes.
mod clients;
mod header;
mod nodes;
mod programs;
