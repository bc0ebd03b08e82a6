//! What a scenario of MapReduce may say: nothing yet, there is no model.
use cluster::keys::{Vocabulary, shared};

/// The keys of MapReduce.
pub static MAPREDUCE: Vocabulary =
    Vocabulary::plain("mapreduce", &[&shared::SYSTEM, &shared::RUN, &shared::VARIANT], |_| {
        String::new()
    });
