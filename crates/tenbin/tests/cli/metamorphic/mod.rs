//! The systems except HDFS: a bottleneck's removal makes them faster, scaling work and speed by ten
//! keeps the time, and powers of two are not special.
use engine::{Draw, Scheduler};
use std::path::Path;
use system::lab::Lab;
use system::vary::Set;
use system::{RunOptions, System};
use trace::reading::Reading;

/// Scenarios that are drawn of each system.
const DRAWN: u64 = 6;

/// A system, and how its plain scenarios are drawn and relaxed.
struct Other {
    system: &'static System,
    draw: fn(&mut Draw) -> String,
    relaxed: &'static [Relaxed],
    /// Rates and sizes, all of them.
    scaled: &'static [&'static str],
}

/// What holds writes up, and how it is relaxed.
struct Relaxed {
    /// Parts of the holders' names.
    names: &'static [&'static str],
    /// By what factor each key is multiplied.
    keys: &'static [(&'static str, f64)],
    /// The run's own estimate of the objective without them; "": only their share.
    foretold: &'static str,
}

impl Relaxed {
    /// What a tenth of them is to gain.
    fn promises(&self, now: &Reading) -> f64 {
        match now.metrics.get(self.foretold) {
            Some(most) => 0.9 * (1.0 - now.value.expect("it ends") / most),
            None => 0.9 * share(now, self.names),
        }
    }
}

/// One of a few values.
fn any<'a>(draw: &mut Draw, values: &[&'a str]) -> &'a str {
    values[usize::try_from(draw.below(values.len() as u64)).expect("few")]
}

fn ppmds(draw: &mut Draw) -> String {
    format!(
        "cluster.servers = {}\ncluster.clients = {}\nnetwork.startup = \"{}us\"\n\
         network.client_bandwidth = \"{}MB/s\"\nnetwork.server_bandwidth = \"{}MB/s\"\n\
         network.switch_bandwidth = \"1250MB/s\"\nnetwork.payload = \"512B\"\n\
         network.packet = \"1500B\"\nstore.latency = \"{}us\"\n\
         workload.creates_per_client = 300\n",
        any(draw, &["1", "2", "4", "8"]),
        any(draw, &["8", "40", "160"]),
        any(draw, &["5", "32", "100"]),
        any(draw, &["25", "125"]),
        any(draw, &["125", "1250"]),
        any(draw, &["50", "500", "3000"]),
    )
}

fn ozone(draw: &mut Draw) -> String {
    format!(
        "cluster.nodes = {}\nhardware.disks_per_node = 4\nhardware.log_disks = {}\n\
         hardware.disk = \"150MB/s\"\nhardware.disk_seek = \"8ms\"\n\
         hardware.flush_time = \"{}us\"\nhardware.nic = \"{}MB/s\"\nom.time = \"{}us\"\n\
         ozone-site.\"hdds.ratis.raft.grpc.server.leader.outstanding.appends.max\" = {}\n\
         workload.clients = {}\nworkload.objects = 3000\nworkload.object_bytes = \"{}kB\"\n",
        any(draw, &["6", "9", "12"]),
        any(draw, &["1", "4"]),
        any(draw, &["500", "15000"]),
        any(draw, &["125", "1250"]),
        any(draw, &["100", "3000"]),
        any(draw, &["8", "128"]),
        any(draw, &["8", "64", "200"]),
        any(draw, &["10", "100"]),
    )
}

fn xor(draw: &mut Draw) -> String {
    format!(
        "cluster.nodes = {}\ncluster.clients = {}\nnetwork.rate = \"{}Mbit/s\"\n\
         workload.bytes = \"40MB\"\nworkload.block = \"16kB\"\npolicy.schedule = \"{}\"\n",
        any(draw, &["4", "5", "7", "8"]),
        any(draw, &["1", "2", "3"]),
        any(draw, &["100", "200", "1000"]),
        any(draw, &["naive", "chain", "pivot", "auto"]),
    )
}

fn echo(draw: &mut Draw) -> String {
    let (clients, time) = (any(draw, &["1", "8", "40"]), any(draw, &["50", "500", "2000"]));
    format!("cluster.clients = {clients}\nserver.time = \"{time}us\"\n")
}

static OTHERS: [Other; 4] = [
    Other {
        system: &ppmds::PPMDS,
        draw: ppmds,
        relaxed: &[
            Relaxed {
                names: &["NIC", "port"],
                keys: &[
                    ("network.startup", 0.1),
                    ("network.client_bandwidth", 10.0),
                    ("network.server_bandwidth", 10.0),
                    ("network.switch_bandwidth", 10.0),
                ],
                foretold: "at_most_without_network_per_s",
            },
            Relaxed {
                names: &["store"],
                keys: &[("store.latency", 0.1)],
                foretold: "at_most_without_store_per_s",
            },
        ],
        scaled: &[
            "network.client_bandwidth",
            "network.server_bandwidth",
            "network.switch_bandwidth",
            "network.payload",
            "network.packet",
        ],
    },
    Other {
        system: &ozone::OZONE,
        draw: ozone,
        relaxed: &[
            Relaxed {
                names: &["Disks", "outstanding.appends"],
                keys: &[
                    ("hardware.flush_time", 0.1),
                    ("hardware.disk", 10.0),
                    ("hardware.disk_seek", 0.1),
                ],
                foretold: "at_most_without_disks_per_s",
            },
            Relaxed {
                names: &["OM"],
                keys: &[("om.time", 0.1)],
                foretold: "at_most_without_om_per_s",
            },
            Relaxed {
                names: &["NICs"],
                keys: &[("hardware.nic", 10.0)],
                foretold: "at_most_without_nics_per_s",
            },
        ],
        scaled: &[],
    },
    Other {
        system: &xor::XOR,
        draw: xor,
        relaxed: &[Relaxed {
            names: &["links", "Links"],
            keys: &[("network.rate", 10.0)],
            foretold: "",
        }],
        scaled: &[],
    },
    Other {
        system: &echo::ECHO,
        draw: echo,
        relaxed: &[Relaxed { names: &["Server"], keys: &[("server.time", 0.1)], foretold: "" }],
        scaled: &[],
    },
];

/// Scales the value of a key in a drawn text.
fn times(text: &str, (key, by): &(&str, f64)) -> (String, String) {
    let found = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    let value = found.expect("a key that is drawn").trim_matches('"');
    let unit = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    let number: f64 = value[..unit].parse().expect("a number");
    (key.replace('"', ""), format!("{}{}", (number * by).round(), &value[unit..]))
}

fn read(other: &Other, text: &str, sets: &[(String, String)]) -> Reading {
    let name = other.system.name;
    let lab = Lab::of(other.system).expect("simulated");
    let text = format!("model.system = \"{name}\"\n{text}");
    let sheet = lab.read_text(&text, Path::new("drawn.toml"), sets);
    let sheet = sheet.unwrap_or_else(|why| panic!("{why:?}\n{sets:?}\n{text}"));
    let how = RunOptions { check: true, ..RunOptions::by(Scheduler::Sequential) };
    let done = lab.run_once(&sheet, 1, how);
    let done = done.unwrap_or_else(|why| panic!("{why:?}\n{text}")).expect("not interrupted");
    assert_eq!(done.violations, Vec::<String>::new(), "{text}");
    done.reading
}

/// What an operation takes, in the mean: all of these are judged by operations a second.
fn took(reading: &Reading) -> f64 {
    1.0 / reading.value.expect("it ends")
}

fn drawn(other: &Other) -> Vec<String> {
    (0..DRAWN).map(|n| (other.draw)(&mut Draw::keyed(n, "metamorphic", 0, 0))).collect()
}

fn share(reading: &Reading, names: &[&str]) -> f64 {
    let ours = |holder: &str| names.iter().any(|name| holder.contains(name));
    reading.held.iter().filter(|held| ours(&held.holder)).map(|held| held.share).sum()
}

#[test]
fn what_holds_most_gains_most_and_what_holds_nothing_gains_nothing() {
    for other in &OTHERS {
        let (mut promised, mut gained, mut idle) = (0.0, 0.0, 0);
        for text in drawn(other) {
            let now = read(other, &text, &[]);
            let gain = |keys: &[(&str, f64)]| {
                let sets: Vec<Set> = keys.iter().map(|key| times(&text, key)).collect();
                1.0 - took(&read(other, &text, &sets)) / took(&now)
            };
            let mut all: Vec<(f64, &Relaxed)> =
                other.relaxed.iter().map(|one| (one.promises(&now), one)).collect();
            all.sort_by(|a, b| b.0.total_cmp(&a.0));
            let (top, one) = all[0];
            let brought = gain(one.keys);
            let words = format!("{:?}: {top:.2} promised, {brought:.2} gained\n{text}", one.names);
            assert!(brought > 0.3 * top, "{words}");
            promised += top;
            gained += brought;
            let nothing = |one: &Relaxed| share(&now, one.names) < 0.001;
            for (_, one) in all.iter().skip(1).filter(|(_, one)| nothing(one)) {
                let brought = gain(one.keys);
                assert!(brought < 0.1, "{:?} hold nothing, gain {brought:.2}\n{text}", one.names);
                idle += 1
            }
        }
        let name = other.system.name;
        println!("{name}: relaxed gains {gained:.2} of {promised:.2}; {idle} hold nothing");
        assert!(gained > 0.5 * promised, "{name}: {gained:.2} of {promised:.2} over all");
    }
}

#[test]
fn ten_times_as_much_ten_times_as_fast_takes_as_long() {
    for other in OTHERS.iter().filter(|other| !other.scaled.is_empty()) {
        for text in drawn(other) {
            let more: Vec<Set> =
                other.scaled.iter().map(|key| times(&text, &(key, 10.0))).collect();
            let (one, ten) = (read(other, &text, &[]), read(other, &text, &more));
            let (before, after) = (took(&one), took(&ten));
            assert!((after / before - 1.0).abs() < 1e-6, "{before} s, then {after} s\n{text}");
            for held in &one.held {
                let (a, b) = (held.share, share(&ten, &[held.holder.as_str()]));
                assert!((a - b).abs() < 1e-6, "{}: {a}, then {b}\n{text}", held.holder)
            }
        }
    }
}

/// With the same load a node, neighbours on both sides of a power of two take as long.
fn alike(other: &Other, groups: &[&[u32]], text: &dyn Fn(u32) -> String) {
    let each = |&n: &u32| (n, took(&read(other, &text(n), &[])) * f64::from(n));
    for sizes in groups {
        let all: Vec<(u32, f64)> = sizes.iter().map(each).collect();
        let (first, name) = (all[0].1, other.system.name);
        let same = |(_, each): &&(u32, f64)| (each / first - 1.0).abs() < 0.1;
        assert_eq!(all.iter().filter(same).count(), all.len(), "{name}: {all:?}")
    }
}

#[test]
fn round_a_byte_nothing_changes() {
    let [ppmds, ozone, ..] = &OTHERS;
    let sizes: [&[u32]; 3] = [&[126, 127, 128, 129], &[255, 256, 257], &[511, 512, 513]];
    alike(ppmds, &sizes, &|n| {
        format!(
            "cluster.servers = {n}\ncluster.clients = {}\nworkload.creates_per_client = 100\n",
            n * 8
        )
    });
    // By threes, so that no node is spare.
    let sizes: [&[u32]; 3] = [&[126, 129], &[255, 258], &[510, 513]];
    alike(ozone, &sizes, &|n| {
        format!(
            "cluster.nodes = {n}\nhardware.disks_per_node = 4\nworkload.gateways = {n}\n\
             workload.clients = {}\nworkload.objects = {}\nom.time = \"1us\"\n",
            n * 4,
            n * 80
        )
    });
}
