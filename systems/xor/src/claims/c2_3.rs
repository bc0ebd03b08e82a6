//! C2.3 and C2.4: what the layouts and schedules are, exactly.
use page::words::num;
use page::{Body, Cell, Column, Row, Section, Table};
use system::claims::{Claim, Sensitivity, Verdict};
use xor_protocol::schedule::{Kind, Party};
use xor_protocol::{Cell as Place, Layout, check, recoverable};

/// Nodes whose layouts are looked at.
const NODES: std::ops::RangeInclusive<usize> = 4..=26;

/// Both verdicts, and the layouts as a table.
pub fn judge() -> (Vec<Claim>, Section) {
    let rows: Vec<(usize, usize, usize)> = NODES
        .map(|n| {
            let best = Layout::best(n).expect("4 to 26 nodes have a layout");
            (n, bad_pairs(&best), bad_pairs(&Layout::document_unproved(n)))
        })
        .collect();
    (vec![c2_3(), c2_4(&rows)], figure(&rows))
}

fn c2_3() -> Claim {
    let layout = Layout::document_unproved(5);
    let schedule = Kind::Chain.schedule(&layout);
    let price = check(&layout, &schedule).expect("our own schedules are right");
    let sends = |node: usize| price.node_out[node];
    let sums = |node: usize| {
        let sent = schedule.steps.iter().filter(|s| s.from == Party::Node(node) && s.xor.len() > 1);
        let kept = schedule.keeps.iter().filter(|k| k.cell.node == node && k.xor.len() > 1);
        sent.count() + kept.count()
    };
    let all = |of: &dyn Fn(usize) -> usize| (0..5).map(of).collect::<Vec<usize>>();
    let (forwards, work) = (all(&sends), all(&sums));
    // The last node keeps parities only: it has nothing to forward.
    let spread = |of: &[usize]| Some(of[..4].iter().all(|count| *count > 0));
    let exact = Some(price.client_out == layout.data());
    Claim {
        id: "C2.3",
        claim: "2-D xor, 5 nodes: the client sends the data only; xor work and forwards are spread \
                over the nodes",
        document: "12 blocks sent for 12 of data".into(),
        ours: Some(price.client_out as f64),
        spread: None,
        unit: "blocks that the client sends for 12 of data",
        // The schedule is made so.
        verdict: Verdict::of([exact, spread(&forwards), spread(&work)]).by_construction(),
        reason: format!(
            "by node {forwards:?} blocks are forwarded and {work:?} sums made; a pivot forwards {} \
             in all, the chain {}",
            check(&layout, &Kind::Pivot(0).schedule(&layout)).map_or(0, |price| price.between()),
            price.between()
        ),
        sensitivity: Vec::new(),
    }
}

fn c2_4(rows: &[(usize, usize, usize)]) -> Claim {
    let lost = |of: &dyn Fn(&(usize, usize, usize)) -> usize| rows.iter().map(of).sum::<usize>();
    let named = |loses: bool| -> String {
        let rows = rows.iter().filter(|row| (row.2 > 0) == loses);
        rows.map(|row| row.0.to_string()).collect::<Vec<_>>().join(", ")
    };
    let documents = lost(&|row| row.2) as f64;
    Claim {
        id: "C2.4",
        claim: "any two losses are recovered (by the document's rule, for any number of nodes)",
        document: "any two".into(),
        ours: Some(documents),
        spread: None,
        unit: "pairs of nodes that lose data, n = 4 to 26",
        verdict: Verdict::of(rows.iter().map(|row| Some(row.2 == 0))),
        reason: format!(
            "all pairs tried: the rule holds for n = {}, the primes, its example among them, and \
             loses data for n = {}. The correction is ours: layouts of as many blocks that lose \
             none",
            named(false),
            named(true)
        ),
        sensitivity: vec![Sensitivity {
            what: "layout".into(),
            value: "ours, corrected".into(),
            ours: lost(&|row| row.1) as f64,
            verdict: Verdict::of(rows.iter().map(|row| Some(row.1 == 0))),
        }],
    }
}

/// Pairs of nodes after whose loss something is gone.
fn bad_pairs(layout: &Layout) -> usize {
    let nodes = layout.nodes();
    let pairs = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)));
    let lost = |(a, b)| layout.cells_of(a).chain(layout.cells_of(b)).collect::<Vec<Place>>();
    pairs.filter(|pair| !recoverable(layout, &lost(*pair))).count()
}

fn figure(rows: &[(usize, usize, usize)]) -> Section {
    let row = |&(n, ours, documents): &(usize, usize, usize)| {
        let pairs = n * (n - 1) / 2;
        let stored = n as f64 / (n - 2) as f64;
        let cells = [n as f64, pairs as f64, ours as f64, documents as f64, stored];
        Row::new(cells.map(Cell::number).to_vec())
    };
    let columns = vec![
        Column::numbers("n", "", 0),
        Column::numbers("pairs", "", 0),
        Column::numbers("lost, ours", "", 0),
        Column::numbers("lost, the document's", "", 0),
        Column::numbers("stored for 1 of data", "", 2),
    ];
    let none = rows.iter().filter(|row| row.2 == 0).count() as f64;
    Section::new(
        "layouts",
        "Two losses, all pairs",
        format!("the document's rule is right for {} of these n, the primes", num(none, 0)),
        Body::Table(Table { columns, rows: rows.iter().map(row).collect() }),
    )
}
