//! What a page says, in JSON, for a terminal, and number by number.
mod samples;
mod shape;
mod terminal;
mod words;
