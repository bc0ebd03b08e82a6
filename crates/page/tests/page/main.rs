//! A page as JSON, as terminal text, and its number formats.
mod samples;
mod shape;
mod terminal;
mod words;
