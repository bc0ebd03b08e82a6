//! How fast data go through a cluster, and how fast they could.
use crate::client::{Strategy, connect};
use crate::error::Error;
use crate::keys::Keys;
use crate::transport::Kind;
use std::sync::Barrier;
use std::time::Duration;
use xor_protocol::Layout;
use xor_protocol::strategy::ideal;

#[derive(Clone, Debug)]
pub struct Setting {
    /// The nodes, in the layout's order.
    pub nodes: Vec<String>,
    pub keys: Option<Keys>,
    pub kind: Kind,
    pub strategy: Strategy,
    /// Block size \[bytes\].
    pub block: u32,
    /// Clients at a time, each on a thread and connections of its own.
    pub clients: usize,
    /// Clients that write at the same time in all, those of other machines included.
    pub among: usize,
    pub lasts: Duration,
    /// What each link carries, each way \[Mbit/s\], if that is known.
    pub link_mbit: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Data that all nodes had received, forwarded and checked, of all clients \[Mbit/s\].
    pub goodput_mbit: f64,
    /// What full links would carry under this schedule \[Mbit/s\].
    pub ideal_mbit: Option<f64>,
}

/// Data that are counted come after this share of the time.
const WARM_UP: f64 = 0.25;
/// So much longer, as a share of the time, all write on, and nothing of it counts: who is counted
/// last must not have the links of those that have ended.
const WRITE_ON: f64 = 0.15;
/// More than there is time for \[bytes\].
const ENDLESS: u64 = 1 << 44;

/// Measures; nothing is stored.
pub fn measure(setting: &Setting, stop: &(dyn Fn() -> bool + Sync)) -> Result<Outcome, Error> {
    measure_from(setting, &|_| Ok(()), stop)
}

/// The same with clients on hosts of their own: what each one's thread does first takes it there.
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
    // Acknowledgements come in bursts, so that time is not counted from one to another of them.
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
        false => Err(Error::Failed("too little time: nothing was acknowledged".into())),
    }
}
