//! What a scenario of echo may say.
use cluster::keys::{Absent::*, Key, Kind, Vocabulary, shared};

static OWN: [Key; 4] = [
    Key::new("cluster.clients", Kind::count(1, 1_000_000), Required, "Clients").row("{} clients"),
    Key::new("server.time", Kind::Time { zero: false }, Assumed("0.5ms"), "Mean of one service"),
    Key::new("workload.requests", Kind::count(1, 1 << 40), Default("1000"), "Requests a client"),
    Key::new("policy.queue", Kind::Name, Default("fifo"), "Who is served next").row("{}"),
];

/// The keys of echo.
pub static ECHO: Vocabulary =
    Vocabulary::plain("echo", &[&OWN, &shared::SYSTEM, &shared::RUN, &shared::VARIANT], |v| {
        v.text("policy.queue").to_string()
    });

/// A scenario of measured times of service: seconds, a line each.
pub fn measured(text: &str) -> Result<String, (usize, String)> {
    let (mut sum, mut count) = (0.0, 0);
    for line in text.lines().map(str::trim) {
        count += 1;
        let time = line.parse::<f64>().ok().filter(|time| time.is_finite() && *time > 0.0);
        let expected = || (count, format!("\"{line}\": expected seconds above 0: 0.0005"));
        sum += time.ok_or_else(expected)?
    }
    if count == 0 {
        return Err((1, "no line: expected seconds above 0: 0.0005".into()));
    }
    let head = "[model]\nsystem = \"echo\"\n\n[cluster]\nclients = 8\n\n";
    Ok(format!("{head}[server]\ntime = \"{:.0}ns\"\n", 1e9 * sum / count as f64))
}
