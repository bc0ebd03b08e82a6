//! C2.2: the transport compared with the raw link, figures 4 and 9, measured on this machine.
use super::table::{SAME, SLIGHTLY, c2_2};
use analysis::{Stat, stat};
use page::words::num;
use page::{Axis, Body, Origin, Point, Points, Scatter, Section};
use std::time::Duration;
use system::Failure;
use system::claims::{Band, Busy, Claim, ReproduceRequest, Verdict};
use xor_relay::kernel::xor;
use xor_relay::loopback::LOOPBACK;

const BLOCKS: [usize; 3] = [4 << 10, 16 << 10, 64 << 10];
/// Index of the block size from which the library of Otsuji, Tatebe 2013 reaches the link's rate.
const FROM: usize = 1;
/// Rounds alternate between the measurements, since other processes use this machine, too.
const ROUNDS: usize = 7;
const LASTS: Duration = Duration::from_millis(120);

/// Rates with one block size, by round \[MB/s\].
#[derive(Default)]
struct Rates {
    raw: Vec<f64>,
    own: Vec<f64>,
    relay: Vec<f64>,
}

impl Rates {
    fn measured(block: usize) -> Result<Rates, Failure> {
        let mut rates = Rates::default();
        for _ in 0..ROUNDS {
            system::interrupt::check()?;
            rates.raw.push(LOOPBACK.socket_rate(block, LASTS));
            rates.own.push(LOOPBACK.transport_rate(block, LASTS, None));
            rates.relay.push(LOOPBACK.relayed_rate(block, LASTS))
        }
        Ok(rates)
    }

    /// Transport / bare socket, and relay / transport.
    fn parts(&self) -> [Stat; 2] {
        let part = |a: &[f64], b: &[f64]| -> Stat {
            stat(&a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<f64>>())
        };
        [part(&self.own, &self.raw), part(&self.relay, &self.own)]
    }
}

fn said(stat: &Stat) -> String {
    format!("{} ± {}", num(stat.mean, 2), num(stat.ci95, 2))
}

/// Adds the claim, and figures 4 and 9 before the other figures.
pub fn judge(
    asked: &ReproduceRequest<'_>,
    claims: &mut Vec<Claim>,
    figures: &mut Vec<Section>,
) -> Result<(), Failure> {
    if !asked.includes("C2.2") {
        return Ok(());
    }
    let busy = Busy::now();
    let measured = BLOCKS.map(Rates::measured);
    let measured = measured.into_iter().collect::<Result<Vec<Rates>, Failure>>()?;
    let parts: Vec<[Stat; 2]> = measured.iter().map(Rates::parts).collect();
    let same = parts.iter().enumerate().map(|(at, [own, _])| match at < FROM {
        true => Band::below(SAME).holds(own),
        false => Band::above(SAME).holds(own),
    });
    let [own, relay] = parts[FROM];
    let slightly = Band::new(SLIGHTLY, 1.0).holds(&relay);
    let named = |at: usize| format!("{} KiB", BLOCKS[at] >> 10);
    let all = |which: usize| -> String {
        let one = |at: usize| format!("{} {}", named(at), said(&parts[at][which]));
        (0..BLOCKS.len()).map(one).collect::<Vec<_>>().join(", ")
    };
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let verdict = Verdict::of(same.chain([slightly])).with_these_assumptions();
    let (verdict, busy) = busy.judged(verdict);
    let reason = format!(
        "{busy}; tcp over loopback instead of RDMA, {ROUNDS} rounds. Relative to a bare socket \
         with the same blocks: {}. A relay over three nodes, without xor, relative to two nodes \
         with the same blocks: {}. Both ends and the relay share {cores} cores here, so this \
         measures the CPU's work, which the hardware of Otsuji 2013 bypasses; the {} KiB result \
         decides",
        all(0),
        all(1),
        BLOCKS[FROM] >> 10,
    );
    let (ours, spread) = (Some(own.mean), Some(own.ci95));
    claims.push(Claim { ours, spread, ..c2_2().decided(verdict, reason) });
    figures.splice(0..0, [figure_4(), figure_9(&measured)]);
    Ok(())
}

/// Blocks \[KiB\] and rates \[GB/s\].
fn chart(
    (id, title, qualifier): (&str, &str, &str),
    series: Vec<Points>,
    (blocks, top): ([f64; 2], f64),
) -> Section {
    let x = Axis::log("block", "KiB", blocks[0], blocks[1]);
    let y = Axis::linear("rate", "GB/s", 0.0, top);
    Section::new(id, title, qualifier, Body::Scatter(Scatter { x, y, series, diagonal: false }))
}

fn kib(block: usize) -> f64 {
    (block >> 10) as f64
}

fn figure_9(measured: &[Rates]) -> Section {
    let line = |name: &str, of: fn(&Rates) -> &Vec<f64>| {
        let point = |(block, rates): (&usize, &Rates)| {
            let Stat { mean, ci95, .. } = stat(of(rates));
            let [y, low, high] = [mean, mean - ci95, mean + ci95].map(|mb| mb / 1e3);
            Point { x: kib(*block), y, low: Some(low), high: Some(high), name: String::new() }
        };
        let points = BLOCKS.iter().zip(measured).map(point).collect();
        Points { name: name.into(), origin: Origin::Twin, kind: None, joined: true, points }
    };
    let series = vec![
        line("bare socket", |rates| &rates.raw),
        line("two nodes", |rates| &rates.own),
        line("over a third", |rates| &rates.relay),
    ];
    let top = series.iter().flat_map(|of| &of.points).filter_map(|p| p.high).fold(1.0, f64::max);
    let title = "Figure 9: from one node to another, and over a third without xor";
    let says = "measured here over loopback: the CPU's work, not a network's";
    chart(("figure-9", title, says), series, ([kib(BLOCKS[0]), kib(BLOCKS[2])], top))
}

/// The xor kernel with two sources.
fn figure_4() -> Section {
    let rate = |block: usize| {
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
        (kib(block), best)
    };
    let blocks = [4 << 10, 16 << 10, 64 << 10, 1 << 20, 16 << 20];
    let ends = [kib(blocks[0]), kib(blocks[4])];
    let ours =
        Points { origin: Origin::Twin, ..Points::line("here", Origin::Ours, blocks.map(rate)) };
    let paper = Points::line("paper", Origin::Document, ends.map(|kib| (kib, 6.0)));
    let top = ours.points.iter().map(|point| point.y).fold(7.0, f64::max);
    let title = "Figure 4: xor of two blocks on one core";
    chart(("figure-4", title, "measured here; bytes taken in"), vec![ours, paper], (ends, top))
}
