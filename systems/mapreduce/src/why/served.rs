//! How long hosts take to serve map outputs, as reducers' logs tell it.
use super::job::{Fetch, Job};
use super::stats::{median, quantile};
use std::collections::BTreeMap;

/// So many times what the others take is slow.
const TIMES: f64 = 3.0;

/// And it takes so much longer for one output, or for one visit \[s\].
const LONGER: f64 = 0.5;

/// Hosts that serve map outputs slowly, compared with the others.
#[derive(Clone, PartialEq, Debug)]
pub struct Served {
    /// Slow ones, the slowest first.
    pub slow: Vec<String>,
    /// What an output of the slow ones takes, in the median \[s\].
    pub output: f64,
    /// Their longest visit \[s\]; 0 where the logs do not tell visits.
    pub longest: f64,
    /// What an output of the others takes, in the median \[s\].
    pub usual: f64,
    /// The others' longest visit \[s\]; likewise.
    pub usual_longest: f64,
}

impl Served {
    /// Of a job; `None` if no host stands out, or no log names hosts.
    pub fn of(job: &Job) -> Option<Served> {
        let (outputs, visits) = (by_host(&job.fetches), by_host(&job.visits));
        let medians: BTreeMap<&str, f64> =
            outputs.iter().filter_map(|(host, all)| Some((*host, median(all.clone())?))).collect();
        let mut sorted: Vec<f64> = medians.values().copied().collect();
        sorted.sort_by(f64::total_cmp);
        // Of two hosts the quicker one is usual.
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
        Some(Served {
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
            let served = Served::of(&job(&hosts)).map_or(Vec::new(), |served| served.slow);
            assert_eq!(served, wanted, "{hosts:?}")
        }
    }
}
