//! Properties of the layouts and schedules, computed exactly.
use page::words::num;
use page::{Body, Cell, Column, Row, Section, Table};
use std::sync::LazyLock;
use xor_protocol::schedule::{Kind, Party};
use xor_protocol::{Cell as Place, Layout, check, recoverable};

/// Pairs of nodes whose loss loses data.
pub struct Losses {
    pub nodes: usize,
    /// With the corrected layout.
    pub ours: usize,
    pub documents: usize,
}

pub static LAYOUTS: LazyLock<Vec<Losses>> = LazyLock::new(|| {
    let losses = |nodes: usize| {
        let best = Layout::best(nodes).expect("4 to 26 nodes have a layout");
        let documents = bad_pairs(&Layout::document_unproved(nodes));
        Losses { nodes, ours: bad_pairs(&best), documents }
    };
    (4..=26).map(losses).collect()
});

fn bad_pairs(layout: &Layout) -> usize {
    let nodes = layout.nodes();
    let pairs = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)));
    let lost = |(a, b)| layout.cells_of(a).chain(layout.cells_of(b)).collect::<Vec<Place>>();
    pairs.filter(|pair| !recoverable(layout, &lost(*pair))).count()
}

/// One stripe written to five nodes by the chain schedule.
pub struct Chain {
    pub data: usize,
    pub sent: usize,
    pub between: usize,
    /// By node.
    pub forwards: Vec<usize>,
    /// By node.
    pub sums: Vec<usize>,
}

pub fn chain() -> Chain {
    let layout = Layout::document_unproved(5);
    let schedule = Kind::Chain.schedule(&layout);
    let price = check(&layout, &schedule).expect("our own schedules are right");
    let sums = |node: usize| {
        let sent = schedule.steps.iter().filter(|s| s.from == Party::Node(node) && s.xor.len() > 1);
        let kept = schedule.keeps.iter().filter(|k| k.cell.node == node && k.xor.len() > 1);
        sent.count() + kept.count()
    };
    Chain {
        data: layout.data(),
        sent: price.client_out,
        between: price.between(),
        forwards: (0..5).map(|node| price.node_out[node]).collect(),
        sums: (0..5).map(sums).collect(),
    }
}

/// Blocks between nodes if one node collects all data.
pub fn pivot_forwards() -> usize {
    let layout = Layout::document_unproved(5);
    check(&layout, &Kind::Pivot(0).schedule(&layout)).map_or(0, |price| price.between())
}

pub fn figure() -> Section {
    let row = |losses: &Losses| {
        let n = losses.nodes;
        let (pairs, stored) = (n * (n - 1) / 2, n as f64 / (n - 2) as f64);
        let counts = [n, pairs, losses.ours, losses.documents].map(|count| count as f64);
        Row::new(counts.into_iter().chain([stored]).map(Cell::number).collect())
    };
    let columns = vec![
        Column::numbers("n", "", 0),
        Column::numbers("pairs", "", 0),
        Column::numbers("lost, Tenbin", "", 0),
        Column::numbers("lost, paper", "", 0),
        Column::numbers("stored for 1 of data", "", 2),
    ];
    let none = LAYOUTS.iter().filter(|row| row.documents == 0).count() as f64;
    Section::new(
        "layouts",
        "Two losses, all pairs",
        format!("the rule of Otsuji 2013 is right for {} of these n, the primes", num(none, 0)),
        Body::Table(Table { columns, rows: LAYOUTS.iter().map(row).collect() }),
    )
}
