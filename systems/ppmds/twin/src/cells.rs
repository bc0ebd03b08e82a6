//! Kinds of load, real and simulated.
use ppmds_protocol::OperationKind;
use ppmds_service::load::{HOT_NAMES, Workload};
use std::fmt::Write as _;

pub type Set = (String, String);

/// Simulated operations of each client.
pub const OPERATIONS: u32 = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub kind: Workload,
    pub servers: u32,
    pub clients: u32,
}

impl Cell {
    /// "mix, 2 servers, 8 clients"
    pub fn name(&self) -> String {
        use page::words::count;
        let (servers, clients) = (self.servers.into(), self.clients.into());
        let (servers, clients) = (count(servers, "server"), count(clients, "client"));
        format!("{}, {servers}, {clients}", self.kind.name())
    }
}

/// Shares of the simulated operations; empty: creates or a trace.
fn shares(kind: Workload) -> &'static [(&'static str, f64)] {
    match kind {
        Workload::Create | Workload::Rename => &[],
        Workload::Stat => &[("stat", 1.0)],
        Workload::Mix => &[
            ("stat", 0.5),
            ("create", 0.25),
            ("unlink", 0.1),
            ("readdir", 0.05),
            ("mkdir", 0.05),
            ("rename", 0.05),
        ],
        Workload::Hot => &[("stat", 0.5), ("create", 0.25), ("unlink", 0.25)],
    }
}

/// The operations whose messages a kind has, with their shares.
pub fn work(kind: Workload) -> [(OperationKind, f64); 2] {
    let reads = match kind {
        Workload::Create => 0.0,
        Workload::Rename => return [(OperationKind::Rename, 1.0), (OperationKind::Stat, 0.0)],
        Workload::Stat => 1.0,
        // Stats and readdirs.
        Workload::Mix => 0.55,
        Workload::Hot => 0.5,
    };
    [(OperationKind::Stat, reads), (OperationKind::Create, 1.0 - reads)]
}

/// Keys of a scenario for a kind; a rename needs [`renames`] in the file `trace`.
pub fn keys(kind: Workload, trace: &str) -> Vec<Set> {
    let set = |key: &str, value: &str| (format!("workload.{key}"), value.to_string());
    let mut keys = vec![set("creates_per_client", &OPERATIONS.to_string())];
    match kind {
        Workload::Create => keys.push(set("kind", "create")),
        Workload::Rename => keys.extend([set("kind", "trace"), set("trace", trace)]),
        Workload::Stat | Workload::Mix | Workload::Hot => {
            let all = ["stat", "create", "lookup", "unlink", "readdir", "mkdir", "rename"];
            let share = |name: &str| shares(kind).iter().find(|(one, _)| *one == name);
            let value = |name: &str| share(name).map_or(0.0, |(_, share)| *share).to_string();
            keys.push(set("kind", "mix"));
            keys.extend(all.map(|name| set(name, &value(name))));
            let shared = if kind == Workload::Hot { HOT_NAMES } else { 0 };
            keys.push(set("shared_names", &shared.to_string()))
        }
    }
    keys
}

/// A trace in which each client creates a file and renames it again and again.
pub fn renames(clients: u32) -> String {
    let mut trace = String::new();
    for client in 0..clients {
        let _ =
            writeln!(trace, "{{\"client\":{client},\"op\":\"create\",\"path\":\"/f{client}.0\"}}");
        for n in 1..OPERATIONS {
            let _ = writeln!(
                trace,
                "{{\"client\":{client},\"op\":\"rename\",\"path\":\"/f{client}.{}\",\
                 \"to\":\"/f{client}.{n}\"}}",
                n - 1
            );
        }
    }
    trace
}
