//! The claims of Otsuji, Tatebe 2013.
use super::layouts::{LAYOUTS, Losses, chain, pivot_forwards};
use system::claims::{Alternative, Band, BaseScenario, Figure, Row, Run, Value};

/// FDR InfiniBand carries 54.5 of its 56 Gbit/s as data, in packets of 4 KB. One core does xor at 6
/// GB/s (figure 4). Blocks cost no other CPU time, since Otsuji, Tatebe 2013 bypass the CPU. The
/// latency is a guess: the paper has none.
const BASE: BaseScenario = BaseScenario {
    name: "s2",
    file: "s2.toml",
    text: "[model]\nsystem = \"xor\"\n[cluster]\nnodes = 3\n\
           [network]\nrate = \"54.5Gbit/s\"\nlatency = \"2us\"\nmtu = \"4096B\"\n\
           [node]\nxor_rate = \"6000MB/s\"\nblock_time = \"0us\"\n\
           [workload]\nbytes = \"64MiB\"\nblock = \"16KiB\"\n",
};

pub const BLOCKS: [&str; 5] = ["4KiB", "8KiB", "16KiB", "64KiB", "1MiB"];
/// The block size for which the paper gives a number.
const AT: &str = "16KiB";
/// Band for the paper's gain there, 32 % \[%\].
pub const GAIN: Band = Band { low: 27.0, high: 37.0 };
/// A smaller gain differs by at least this \[percentage points\].
pub const LESS: f64 = 1.0;
/// "Equal": at most 5 % less, as everywhere in Tenbin.
pub const SAME: f64 = 0.95;
/// "Slightly below": at most a fifth less.
pub const SLIGHTLY: f64 = 0.8;

/// A run without randomness, so one seed is enough. Its value is the goodput \[Mbit/s\].
pub fn at(nodes: u32, clients: u32, schedule: &str, block: &str, more: &[(&str, &str)]) -> Run {
    let [nodes, clients] = [nodes, clients].map(|n| n.to_string());
    let own = [
        ("cluster.nodes", nodes.as_str()),
        ("cluster.clients", &clients),
        ("policy.schedule", schedule),
        ("workload.block", block),
    ];
    Run::of(BASE, &own).with(more).seeds(1)
}

pub fn rows() -> Vec<Row> {
    vec![c2_1(), c2_2(), c2_3(), c2_4()]
}

/// Goodput of the chain over naive, minus 1.
fn gain(block: &str) -> Value {
    let goodput = |schedule| at(3, 1, schedule, block, &[]).value();
    Value::each(["chain", "naive"].map(goodput), |[relay, naive]| relay / naive - 1.0)
}

fn c2_1() -> Row {
    let mut figures = vec![gain(AT).named("ours").percent().is(GAIN)];
    for block in BLOCKS {
        figures.push(gain(block).at("gain", block).percent().above(0.0));
        if block != AT {
            figures.push((gain(AT) - gain(block)).at("less", block).percent().above(LESS))
        }
    }
    let open = [
        ("node.xor_rate", "12000MB/s"),
        ("node.xor_rate", "3000MB/s"),
        ("node.block_time", "0.1us"),
        ("node.block_time", "0.3us"),
        ("node.block_time", "1us"),
        ("network.rate", "48Gbit/s"),
    ];
    Row {
        id: "C2.1",
        claim: "3 nodes: the relay writes faster than naive at every block size, by 32 % at 16 KB \
                (27 to 37 %), by less at others",
        document: "+32 % at 16 KB, less at others (the bound is +50 %)",
        unit: "% at 16 KB",
        alternatives: open
            .iter()
            .flat_map(|(key, value)| Alternative::values(key, &[value], &figures))
            .collect(),
        figures,
        reason: |of| {
            format!(
                "{}. A core that sums 6 GB/s makes a parity in 5.5 us, the link sends its two data \
                 blocks in 4.8: the core is the limit. Without a cost of a message, \
                 blocks of all sizes gain alike; with one (node.block_time) small blocks gain less",
                of.list("gain", |gain| format!("{} +{gain} %", gain.place))
            )
        },
        decides: "the cost of a message on the core of Otsuji 2013, measured on such an adapter",
        ..Row::default()
    }
}

pub fn c2_2() -> Row {
    Row {
        id: "C2.2",
        claim: "two nodes: the library has the raw transport's rate from 16 KB on, and less in \
                smaller blocks; a relay over three without xor is slightly below (a fifth at most)",
        document: "equal from 16 KB on; slightly below",
        unit: "of a bare socket at 16 KiB",
        decides: "two hosts with RDMA adapters: `tenbin relay bench --transport verbs`",
        ..Row::default()
    }
}

/// True by construction. The last node holds only parities, so it forwards nothing.
fn c2_3() -> Row {
    let chain = chain();
    let data = chain.data as f64;
    let spread = |of: &[usize]| {
        let all = of[..4].iter().all(|count| *count > 0);
        Value::exactly(all.into()).named("spread").above(0.5)
    };
    Row {
        id: "C2.3",
        claim: "2-D xor, 5 nodes: the client sends only the data; xor work and forwards are spread \
                over the nodes",
        document: "12 blocks sent for 12 of data",
        unit: "blocks that the client sends for 12 of data",
        figures: vec![
            Value::exactly(chain.sent as f64).named("sent").within(data, data),
            spread(&chain.forwards),
            spread(&chain.sums),
        ],
        verdict: |of| of.verdict().by_construction(),
        reason: |_| {
            let chain = super::layouts::chain();
            format!(
                "by node {:?} blocks are forwarded and {:?} sums made; a pivot forwards {} in all, \
                 the chain {}",
                chain.forwards,
                chain.sums,
                pivot_forwards(),
                chain.between
            )
        },
        ..Row::default()
    }
}

/// Exhaustive: every pair for every number of nodes.
fn c2_4() -> Row {
    let lost = |of: fn(&Losses) -> usize| -> Vec<Figure> {
        let all = Value::exactly(LAYOUTS.iter().map(of).sum::<usize>() as f64).named("all");
        let none =
            |row: &Losses| Value::exactly(of(row) as f64).at("lost", row.nodes).within(0.0, 0.0);
        std::iter::once(all).chain(LAYOUTS.iter().map(none)).collect()
    };
    Row {
        id: "C2.4",
        claim: "any two losses are recovered (by the rule of Otsuji 2013, for any number of nodes)",
        document: "any two",
        unit: "pairs of nodes that lose data, n = 4 to 26",
        figures: lost(|row| row.documents),
        alternatives: vec![Alternative::of("layout", "Tenbin, corrected", &lost(|row| row.ours))],
        reason: |_| {
            let named = |loses: bool| -> String {
                let rows = LAYOUTS.iter().filter(|row| (row.documents > 0) == loses);
                rows.map(|row| row.nodes.to_string()).collect::<Vec<_>>().join(", ")
            };
            format!(
                "all pairs tried: the rule holds for n = {}, the primes, its example among them, \
                 and loses data for n = {}. The correction is Tenbin's: layouts of as many blocks \
                 that lose none",
                named(false),
                named(true)
            )
        },
        ..Row::default()
    }
}
