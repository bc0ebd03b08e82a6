//! What a scenario of echo may say.
use cluster::keys::{Absent::*, Key, Kind, Vocabulary, shared};

static OWN: [Key; 4] = [
    Key::new("cluster.clients", Kind::count(1, 1_000_000), Required, "Clients").row("{} clients"),
    Key::new("server.time", Kind::Time { zero: false }, Assumed("0.5ms"), "Mean of one service"),
    Key::new(
        "workload.requests",
        Kind::count(1, 1_000_000_000),
        Default("1000"),
        "Requests of each client",
    ),
    Key::new("policy.queue", Kind::Name, Default("fifo"), "Who is served next").row("{}"),
];

/// The keys of echo.
pub static ECHO: Vocabulary =
    Vocabulary::plain("echo", &[&OWN, &shared::SYSTEM, &shared::RUN, &shared::VARIANT], |v| {
        v.text("policy.queue").to_string()
    });
