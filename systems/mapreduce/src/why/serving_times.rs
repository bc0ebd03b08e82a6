//! How long hosts take to serve map outputs, by reducer logs.
use super::job::{Fetch, Job};
use super::stats::{median, quantile};
use std::collections::BTreeMap;

/// Slow is at least this many times the others' time,
const TIMES: f64 = 3.0;

/// and longer by this time \[s\].
const LONGER: f64 = 0.5;

#[derive(Clone, PartialEq, Debug)]
pub struct ServingTimes {
    /// Slowest first.
    pub slow: Vec<String>,
    /// Median time per output of slow hosts \[s\].
    pub output: f64,
    /// Longest visit to a slow host \[s\]; 0: no visits are logged.
    pub longest: f64,
    /// Median time per output of other hosts \[s\].
    pub usual: f64,
    /// Longest visit to another host \[s\]; 0: no visits are logged.
    pub usual_longest: f64,
}

impl ServingTimes {
    /// `None`: no host is slow, or the logs name no hosts.
    pub fn of(job: &Job) -> Option<ServingTimes> {
        let (outputs, visits) = (by_host(&job.fetches), by_host(&job.visits));
        let medians: BTreeMap<&str, f64> =
            outputs.iter().filter_map(|(host, all)| Some((*host, median(all.clone())?))).collect();
        let mut sorted: Vec<f64> = medians.values().copied().collect();
        sorted.sort_by(f64::total_cmp);
        // Of two hosts, the faster one is the reference.
        let usual = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        let is_slow = |(host, all): &(&&str, &Vec<f64>)| {
            let bar = (TIMES * usual).max(usual + LONGER);
            medians[**host] >= bar && quantile((*all).clone(), 0.25) >= TIMES * usual
        };
        let mut slow: Vec<&str> = outputs.iter().filter(is_slow).map(|(host, _)| *host).collect();
        slow.sort_by(|a, b| medians[b].total_cmp(&medians[a]));
        if slow.is_empty() || 2 * slow.len() > medians.len() {
            return None;
        }
        let all = |of: &BTreeMap<&str, Vec<f64>>, slowly: bool| -> Vec<f64> {
            let of = of.iter().filter(|(host, _)| slow.contains(host) == slowly);
            of.flat_map(|(_, all)| all.clone()).collect()
        };
        let longest = |slowly| all(&visits, slowly).into_iter().fold(0.0, f64::max);
        Some(ServingTimes {
            output: median(all(&outputs, true))?,
            longest: longest(true),
            usual: median(all(&outputs, false))?,
            usual_longest: longest(false),
            slow: slow.into_iter().map(String::from).collect(),
        })
    }
}

fn by_host(all: &[Fetch]) -> BTreeMap<&str, Vec<f64>> {
    let mut by: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for fetch in all.iter().filter(|fetch| !fetch.host.is_empty()) {
        by.entry(&fetch.host).or_default().push(fetch.seconds)
    }
    by
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(hosts: &[(&str, f64)]) -> Job {
        let of = |(host, seconds): &(&str, f64)| {
            let fetch = |n: u32| Fetch {
                host: (*host).to_string(),
                seconds: seconds * (1.0 + 0.01 * f64::from(n)),
            };
            (0..4).map(fetch).collect::<Vec<_>>()
        };
        Job { fetches: hosts.iter().flat_map(of).collect(), ..Job::default() }
    }

    #[test]
    fn a_host_that_serves_slowly_is_named_and_none_where_all_do() {
        for (hosts, wanted) in [
            (vec![("a", 0.05), ("b", 0.05), ("c", 6.0), ("d", 0.06)], vec!["c"]),
            (vec![("a", 0.05), ("b", 9.0), ("c", 6.0), ("d", 0.06)], vec!["b", "c"]),
            (vec![("a", 0.05), ("b", 4.0)], vec!["b"]),
            (vec![("a", 6.0), ("b", 5.0), ("c", 6.0)], vec![]),
            (vec![("a", 0.01), ("b", 0.1), ("c", 0.01)], vec![]),
            (vec![("a", 6.0)], vec![]),
            (vec![], vec![]),
        ] {
            let served = ServingTimes::of(&job(&hosts)).map_or(Vec::new(), |served| served.slow);
            assert_eq!(served, wanted, "{hosts:?}")
        }
    }
}
