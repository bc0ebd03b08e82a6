//! Metrics of a run other than its objective: latencies, use of disks, leaders.
use std::collections::BTreeMap;
use units::Nanos;

type Metrics = BTreeMap<String, f64>;

/// Limit of "98 % below 0.2 s" in Li Cheng 2020.
const SOON: Nanos = Nanos::millis(200);
/// `read_timeout` of botocore, the library of S3's usual clients.
const GIVEN_UP: Nanos = Nanos::secs(60);

/// Sorts `latencies` \[ns\] and adds percentiles. `asked`: number of writes, including unfinished
/// ones.
pub(super) fn latencies(into: &mut Metrics, latencies: &mut [u64], asked: u64) {
    latencies.sort_unstable();
    let done = latencies.len();
    let asked = asked.max(done as u64) as f64;
    let below = |limit: u64| latencies.partition_point(|&took| took < limit);
    let plateau = below(3_000_000_000) - below(2_000_000_000);
    put(into, "latency_ms_p50", quantile(latencies, 0.50));
    put(into, "latency_ms_p98", quantile(latencies, 0.98));
    put(into, "latency_ms_p99", quantile(latencies, 0.99));
    let sum = latencies.iter().sum::<u64>() as f64;
    put(into, "latency_ms_mean", sum / done.max(1) as f64 / 1e6);
    put(into, "share_below_200ms", below(SOON.0 + 1) as f64 / asked);
    put(into, "share_2_to_3s", plateau as f64 / asked);
    put(into, "finished", done as f64 / asked);
    put(into, "share_given_up", 1.0 - below(GIVEN_UP.0) as f64 / asked)
}

/// Percentiles by power of ten of the write's size.
pub(super) fn by_size(into: &mut Metrics, sizes: &mut BTreeMap<u32, Vec<u64>>) {
    for (magnitude, all) in sizes {
        all.sort_unstable();
        put(into, &format!("latency_ms_p50_from_1e{magnitude}"), quantile(all, 0.50));
        put(into, &format!("latency_ms_p99_from_1e{magnitude}"), quantile(all, 0.99))
    }
}

/// `busy`: busy time of each disk \[ns\].
pub(super) fn disks(into: &mut Metrics, busy: &[u64], end: Nanos) {
    let whole = end.0.max(1) as f64;
    let share = |busy: Option<&u64>| busy.map_or(0.0, |busy| *busy as f64 / whole);
    let count = busy.len().max(1) as f64;
    let mean = busy.iter().sum::<u64>() as f64 / count;
    let square = |&b: &u64| (b as f64 - mean) * (b as f64 - mean);
    let deviation = libm::sqrt(busy.iter().map(square).sum::<f64>() / count);
    put(into, "disk_busy_max", share(busy.iter().max()));
    put(into, "disk_busy_min", share(busy.iter().min()));
    put(into, "disk_busy_cv", if mean > 0.0 { deviation / mean } else { 0.0 });
    let used = busy.iter().filter(|&&b| b as f64 > 0.001 * whole).count();
    put(into, "disks_used", used as f64)
}

/// `leads`: pipelines that each node leads.
pub(super) fn leaders(into: &mut Metrics, leads: &[u32], pipelines: usize) {
    let most = f64::from(leads.iter().copied().max().unwrap_or(0));
    let mean = pipelines as f64 / leads.len().max(1) as f64;
    put(into, "pipelines_open", pipelines as f64);
    put(into, "leaders_max_over_mean", if mean > 0.0 { most / mean } else { 0.0 })
}

/// Nearest-rank quantile of sorted latencies \[ns\], in ms.
fn quantile(sorted: &[u64], part: f64) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        n => {
            let place = units::usize_of(units::rounded_u64(part * n as f64)).clamp(1, n);
            sorted[place - 1] as f64 / 1e6
        }
    }
}

fn put(into: &mut Metrics, name: &str, value: f64) {
    if value.is_finite() {
        into.insert(name.into(), value);
    }
}
