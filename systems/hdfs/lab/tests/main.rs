//! One binary for all tests of the crate: each takes seconds to link and a hundred MB.
mod claims;
mod metamorphic;
mod policies;
mod stored;
