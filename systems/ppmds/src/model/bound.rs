//! The closed form of README.md: the rate of creates in a closed loop.
use super::times::Times;
use cluster::Sheet;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bound {
    /// Round trip on an idle network, including the store \[s\].
    pub round: f64,
    /// Most creates per second, for any number of clients.
    pub ceiling: f64,
    pub why: &'static str,
}

impl Bound {
    pub fn of(sheet: &Sheet) -> Bound {
        let times = Times::of(sheet);
        let latency = sheet.time("store.latency").as_secs();
        let servers = sheet.count("cluster.servers") as f64;
        let (start, client) = (times.startup.as_secs(), times.client.as_secs());
        let core = times.switch.as_secs();
        let mut bounds =
            vec![(servers / times.at_server().as_secs(), "servers / (start-up + transmission)")];
        match sheet.text("network.switch") {
            "single" => bounds.push((
                1.0 / (2.0 * start + client + core),
                "1 / (2 start-ups + transmissions) at the clients' switch",
            )),
            "document" => bounds.push((
                1.0 / (start + client.max(core)),
                "1 / (start-up + transmission) at the clients' switch",
            )),
            _ => {}
        }
        if sheet.text("store.mode") == "threads" && latency > 0.0 {
            bounds.push(match sheet.text("store.durability") {
                "sync" | "async" => {
                    let threads = sheet.count("store.threads") as f64;
                    (servers * threads / latency, "servers * threads / latency")
                }
                _ => {
                    let group = sheet.count("store.group") as f64;
                    let commit = latency + group * sheet.time("store.each").as_secs();
                    (servers * group / commit, "servers * group / (latency + group * each)")
                }
            })
        }
        let least = bounds.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("one at least");
        let round = times.round_trip().as_secs() + latency;
        Bound { round, ceiling: least.0, why: least.1 }
    }

    pub fn knee(&self) -> f64 {
        self.ceiling * self.round
    }

    pub fn rate(&self, clients: u32) -> f64 {
        self.ceiling.min(f64::from(clients) / self.round)
    }
}
