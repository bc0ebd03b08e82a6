//! Measures the write throughput of a cluster and compares it with the ideal.
use crate::client::{Strategy, connect};
use crate::error::Error;
use crate::transport::Kind;
use keys::Keys;
use std::sync::Barrier;
use std::time::Duration;
use xor_protocol::Layout;
use xor_protocol::strategy::ideal;

#[derive(Clone, Debug)]
pub struct Setting {
    /// In the layout's order.
    pub nodes: Vec<String>,
    pub keys: Option<Keys>,
    pub kind: Kind,
    pub strategy: Strategy,
    /// In bytes.
    pub block: u32,
    /// Clients at a time, each with its own thread and connections.
    pub clients: usize,
    /// Clients that write at the same time, including those of other machines.
    pub among: usize,
    pub lasts: Duration,
    /// Rate of each link in each direction \[Mbit/s\]. `None`: unknown.
    pub link_mbit: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Data of all clients that all nodes have received, forwarded and checked \[Mbit/s\].
    pub goodput_mbit: f64,
    /// With full links under this schedule \[Mbit/s\]. `None`: unknown link rate.
    pub ideal_mbit: Option<f64>,
}

/// Share of the time that is not counted at the start.
const WARM_UP: f64 = 0.25;
/// After the counted time all clients write on for this share of it. So the last counted client
/// does not have the links of ended ones.
const WRITE_ON: f64 = 0.15;
/// In bytes; more than the time allows.
const ENDLESS: u64 = 1 << 44;

/// Measures without storing anything.
pub fn measure(setting: &Setting, stop: &(dyn Fn() -> bool + Sync)) -> Result<Outcome, Error> {
    measure_from(setting, &|_| Ok(()), stop)
}

/// Like [`measure`], with each client on its own host: its thread calls `enter` first.
pub fn measure_from(
    setting: &Setting,
    enter: &(dyn Fn(usize) -> Result<(), Error> + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Outcome, Error> {
    let barrier = Barrier::new(setting.clients);
    let rates: Vec<Result<f64, Error>> = std::thread::scope(|scope| {
        let barrier = &barrier;
        let start = |nth| scope.spawn(move || one_client(setting, (nth, enter), barrier, stop));
        let threads: Vec<_> = (0..setting.clients).map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err(Error::Failed("a client panicked".into())))
        };
        threads.into_iter().map(join).collect()
    });
    let mut goodput_mbit = 0.0;
    for rate in rates {
        goodput_mbit += rate?
    }
    let layout = layout_of(setting)?;
    let share = setting.clients as f64 / setting.among as f64;
    let ideal = |link| ideal(&layout, setting.strategy, setting.among) * link * share;
    Ok(Outcome { goodput_mbit, ideal_mbit: setting.link_mbit.map(ideal) })
}

fn layout_of(setting: &Setting) -> Result<Layout, Error> {
    Layout::best(setting.nodes.len()).map_err(|e| Error::BadInput(e.to_string()))
}

fn one_client(
    setting: &Setting,
    (nth, enter): (usize, &(dyn Fn(usize) -> Result<(), Error> + Sync)),
    barrier: &Barrier,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<f64, Error> {
    let connected =
        enter(nth).and_then(|()| connect(&setting.nodes, setting.keys.as_ref(), setting.kind));
    barrier.wait();
    let mut client = connected?;
    let started = crate::clock::now();
    let warm = setting.lasts.mul_f64(WARM_UP);
    let (mut before, mut after) = (0, 0);
    // Acknowledgements arrive in bursts: an interval between two of them would be too short or too
    // long.
    let mut watch = |done: u64, _| {
        let now = started.elapsed();
        if now < warm {
            before = done
        }
        if now < setting.lasts {
            after = done
        }
        now < setting.lasts.mul_f64(1.0 + WRITE_ON) && !stop()
    };
    client.measure(ENDLESS, setting.block, setting.strategy, &mut watch)?;
    if stop() {
        return Err(Error::Stopped);
    }
    match after > before {
        true => Ok((after - before) as f64 * 8.0 / 1e6 / (setting.lasts - warm).as_secs_f64()),
        false => Err(Error::Failed("too little time: no write was acknowledged".into())),
    }
}
