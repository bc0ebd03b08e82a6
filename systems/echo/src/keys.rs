//! Scenario keys of echo, and scenarios built from measured service times.
use cluster::keys::{Candidate, Key, KeyDefault::*, Kind, Vocabulary, shared};
use system::import::{TextImport, mean};

static OWN: [Key; 4] = [
    Key::new("cluster.clients", Kind::count(1, 1_000_000), Required, "Clients").row("{} clients"),
    Key::new("server.time", Kind::Time { zero: false }, Assumed("0.5ms"), "Mean of one service"),
    Key::new(
        "workload.requests",
        Kind::count(1, 1_000_000_000),
        Default("1000"),
        "Requests a client",
    ),
    Key::new("policy.queue", Kind::Name, Default("fifo"), "Order of service")
        .row("{}")
        .setting("at once")
        .tries(&["fifo", "lifo"])
        .candidate(Candidate::relieves(&[])),
];

pub static ECHO: Vocabulary =
    Vocabulary::plain("echo", &[&OWN, &shared::SYSTEM, &shared::RUN, &shared::VARIANT], |v| {
        v.text("policy.queue").to_string()
    });

pub static TIMES: TextImport = TextImport {
    name: "echo",
    about: "Echo: measured service times, in seconds, one per line",
    scenario: |text| {
        let time = 1e9 * mean(text, "seconds above 0: 0.0005")?;
        let head = "[model]\nsystem = \"echo\"\n\n[cluster]\nclients = 8\n\n";
        Ok(format!("{head}[server]\ntime = \"{time:.0}ns\"\n"))
    },
};
