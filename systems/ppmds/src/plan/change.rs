//! Changes other than more servers, each with its price.
use cluster::Sheet;
use system::vary::Set;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub set: Set,
    pub price: &'static str,
    /// Needs other hardware, not only a setting.
    pub hardware: bool,
}

impl Change {
    /// "network.startup = 16us"
    pub fn words(&self) -> String {
        format!("{} = {}", self.set.0, self.set.1)
    }
}

/// Keys whose change means buying hardware.
const HARDWARE: [&str; 3] = ["network.startup", "network.switch", "store.latency"];

/// All changes that apply to a scenario.
pub fn all(sheet: &Sheet) -> Vec<Change> {
    let set = |key: &str, value: String, price| {
        let hardware = HARDWARE.contains(&key);
        Change { set: (key.to_string(), value), price, hardware }
    };
    let half = |key: &str| units::Nanos(sheet.time(key).0 / 2).to_string();
    let mut all = vec![set(
        "network.startup",
        half("network.startup"),
        "NICs and software that send a message in half the time, at the servers and the clients",
    )];
    if sheet.time("store.latency").0 > 1 {
        let price = "a faster device at each server, or commits that a power failure may undo";
        all.push(set("store.latency", half("store.latency"), price))
    }
    if sheet.text("store.mode") == "threads" {
        let threads = sheet.count("store.threads");
        if sheet.text("store.durability") == "sync" {
            let price = "threads, and a device with as many writes at once";
            all.push(set("store.threads", (2 * threads).min(1_024).to_string(), price));
            let price = "a store with group commit; a write waits for the previous commit";
            all.push(set("store.durability", "group".into(), price))
        }
    }
    if !["port", "lp"].contains(&sheet.text("network.switch")) {
        all.push(set("network.switch", "port".into(), "switches with a NIC for each node"))
    }
    if sheet.text("policy.metadata") != "hash" {
        let price = "a readdir asks every server; existing entries must move";
        all.push(set("policy.metadata", "hash".into(), price))
    }
    all
}
