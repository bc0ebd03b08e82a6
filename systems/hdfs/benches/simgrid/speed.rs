//! CPU time per copy on both sides, and whether Tenbin's is as much less as it should be.
use crate::copies::Copies;
use crate::ours;
use crate::peer::{Optim, Peer};
use crate::verdicts::Verdicts;

/// Runs of each side, alternating.
const REPEATS: usize = 5;

/// A row of the table.
struct Row {
    streams: u32,
    nodes: u32,
    /// CPU seconds of the peer at most, per run.
    seconds: f64,
    /// The ratio that is to be reached, where there is one.
    bound: Option<f64>,
}

const fn row(streams: u32, nodes: u32, seconds: f64, bound: Option<f64>) -> Row {
    Row { streams, nodes, seconds, bound }
}

const ROWS: [Row; 10] = [
    row(2, 32, 1.0, None),
    row(2, 128, 1.0, None),
    row(1, 512, 1.0, Some(40.0)),
    row(2, 512, 1.5, Some(40.0)),
    row(4, 512, 2.0, Some(10.0)),
    row(8, 512, 3.0, Some(10.0)),
    row(1, 8192, 3.0, Some(2000.0)),
    row(2, 8192, 4.0, Some(2000.0)),
    row(4, 8192, 4.0, Some(10.0)),
    row(8, 8192, 4.0, Some(10.0)),
];

/// Ours at 8 192 nodes over ours at 512, two streams, at most.
const GROWTH: f64 = 3.0;

/// Quartiles of a few values.
struct Quartiles([f64; 3]);

impl Quartiles {
    fn of(mut values: Vec<f64>) -> Quartiles {
        values.sort_by(f64::total_cmp);
        let at = |part: usize| values[(values.len() - 1) * part / 4];
        Quartiles([1, 2, 3].map(at))
    }
    fn median(&self) -> f64 {
        self.0[1]
    }
}

/// Microseconds of CPU per copy, run by run: ours and theirs.
fn measure(peer: &Peer, row: &Row) -> (Vec<f64>, Vec<f64>) {
    // As many copies as either side can do in its time, and short enough to be written and read.
    let each = if row.nodes > 1000 { 4 } else { 32 } * row.streams;
    let copies = Copies::random(row.nodes, 1, row.streams, each);
    (0..REPEATS)
        .map(|_| {
            let ours = ours::run(&copies, 0.7).micros_per_copy;
            (ours, peer.run(&copies, row.seconds, Optim::Full).micros_per_copy)
        })
        .unzip()
}

pub fn print(peer: &Peer, verdicts: &mut Verdicts) {
    println!(
        "\nCPU time per copy, one rack, {REPEATS} runs of each side in turn (SimGrid: a few \
         seconds of a run)\n{:>7} {:>6} {:>11} {:>11} {:>8} {:>17}  bound",
        "streams", "nodes", "Tenbin µs", "SimGrid µs", "ratio", "quartiles"
    );
    let mut two_streams = Vec::new();
    for row in &ROWS {
        let (ours, theirs) = measure(peer, row);
        let ratio = Quartiles::of(ours.iter().zip(&theirs).map(|(o, t)| t / o).collect());
        let [low, middle, high] = ratio.0;
        let Row { streams, nodes, bound, .. } = row;
        let bound = bound.map_or("-".into(), |bound| {
            format!("at least {bound:.0}: {}", verdicts.of(middle >= bound))
        });
        let (mine, peers) = (Quartiles::of(ours).median(), Quartiles::of(theirs).median());
        let quartiles = format!("{low:.1} to {high:.1}");
        println!(
            "{streams:7} {nodes:6} {mine:11.2} {peers:11.0} {middle:8.1} {quartiles:>17}  {bound}"
        );
        if *streams == 2 && *nodes >= 512 {
            two_streams.push(mine)
        }
    }
    let growth = two_streams[1] / two_streams[0];
    let held = verdicts.of(growth <= GROWTH);
    println!(
        "Tenbin at 8 192 nodes takes {growth:.1} times as long per copy as at 512, two streams; \
         bound at most {GROWTH:.0}: {held}"
    );
    print_lazy(peer)
}

/// The other way in which SimGrid can look for what changes.
fn print_lazy(peer: &Peer) {
    let copies = Copies::random(512, 1, 2, 8);
    let run = |optim| peer.run(&copies, 1.0, optim).micros_per_copy;
    let ratio = Quartiles::of((0..3).map(|_| run(Optim::Lazy) / run(Optim::Full)).collect());
    println!(
        "SimGrid's network/optim is Full above; Lazy takes {:.1} times as long.",
        ratio.median()
    )
}
