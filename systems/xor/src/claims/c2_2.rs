//! C2.2: the transport against the raw link, figures 4 and 9, measured on this machine.
use super::runs::{at, goodputs};
use page::words::num;
use page::{Body, Cell, Column, Row, Section, Table};
use std::time::Duration;
use system::Failure;
use system::claims::{Claim, Verdict};
use xor_relay::kernel::xor;
use xor_relay::loopback::{bare, through};

const BLOCKS: [usize; 3] = [4 << 10, 16 << 10, 64 << 10];
/// Each is measured so often, in turn: the best counts, since others use this machine as well.
const ROUNDS: usize = 5;
const LASTS: Duration = Duration::from_millis(150);
/// Equal, and not: between them a shared machine does not decide.
const EQUAL: [f64; 2] = [0.95, 0.85];

/// The verdict, and figures 4 and 9.
pub fn judge(over: &[(String, String)]) -> Result<(Claim, Vec<Section>), Failure> {
    let mut measured = BLOCKS.map(|_| (0.0f64, 0.0f64));
    for (block, (own, raw)) in BLOCKS.iter().zip(&mut measured) {
        for _ in 0..ROUNDS {
            system::interrupt::check()?;
            *raw = raw.max(bare(*block, LASTS));
            *own = own.max(through(*block, LASTS))
        }
    }
    let equal = |(own, raw): &(f64, f64)| match own / raw {
        ratio if ratio >= EQUAL[0] => Some(true),
        ratio if ratio < EQUAL[1] => Some(false),
        _ => None,
    };
    // What a relay gets of a link that two ends fill.
    let relay = goodputs(&[at(3, 1, "chain", "16KiB", &[])], over)?[0] / 54_500.0;
    let below = Some(relay < 1.0);
    let places = measured[1..].iter().map(equal).chain([below]);
    let said: Vec<String> = BLOCKS
        .iter()
        .zip(&measured)
        .map(|(block, (own, raw))| format!("{} KiB {}", block >> 10, num(own / raw, 2)))
        .collect();
    let claim = Claim {
        id: "C2.2",
        claim: "two nodes: the library carries what the raw transport does from 16 KB on; a relay \
                over three is slightly below",
        document: "equal from 16 KB on; slightly below".into(),
        ours: Some(measured[1].0 / measured[1].1),
        spread: None,
        unit: "of a bare socket at 16 KiB",
        verdict: Verdict::of(places),
        reason: format!(
            "tcp on loopback here, of a bare socket with blocks of that size: {}; a relay over \
             three is simulated at {} of the link's 54.5 Gbit/s. RDMA itself is not here",
            said.join(", "),
            num(relay, 2)
        ),
        sensitivity: Vec::new(),
    };
    Ok((claim, vec![figure_4(), figure_9(&measured)]))
}

fn figure_9(measured: &[(f64, f64)]) -> Section {
    let row = |(block, (own, raw)): (&usize, &(f64, f64))| {
        let mut cells = vec![Cell::text(format!("{} KiB", block >> 10).as_str())];
        cells.extend([own / 1e3, raw / 1e3, own / raw].map(Cell::number));
        Row::new(cells)
    };
    let columns = vec![
        Column::words("block"),
        Column::numbers("transport", "GB/s", 2),
        Column::numbers("bare socket", "GB/s", 2),
        Column::numbers("ratio", "", 2),
    ];
    Section::new(
        "figure-9",
        "Figure 9: from one node to another",
        "measured here, over loopback: the CPU's work, and no network's",
        Body::Table(Table { columns, rows: BLOCKS.iter().zip(measured).map(row).collect() }),
    )
}

/// The kernel, two sources into one.
fn figure_4() -> Section {
    let row = |block: usize| {
        let sources = [vec![1u8; block], vec![2u8; block]];
        let sources: Vec<&[u8]> = sources.iter().map(Vec::as_slice).collect();
        let mut target = vec![0; block];
        let turns = ((64 << 20) / block).max(4);
        let mut best = 0.0f64;
        for _ in 0..ROUNDS {
            let started = system::clock::now();
            (0..turns).for_each(|_| xor(std::hint::black_box(&mut target), &sources));
            best = best.max((2 * turns * block) as f64 / 1e9 / started.elapsed().as_secs_f64())
        }
        Row::new(vec![Cell::text(format!("{} KiB", block >> 10).as_str()), Cell::number(best)])
    };
    let columns = vec![Column::words("block"), Column::numbers("taken in", "GB/s", 1)];
    let rows = [4 << 10, 16 << 10, 64 << 10, 1 << 20, 16 << 20].map(row).to_vec();
    Section::new(
        "figure-4",
        "Figure 4: xor of two blocks on one core",
        "measured here; the document: about 6 GB/s",
        Body::Table(Table { columns, rows }),
    )
}
