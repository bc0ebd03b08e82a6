//! Distributions of times of tasks and of fetches, as in figures 9, 10, 14 and 16 to 18 of Watanabe
//! 2014.
use crate::plain::printable;
use crate::why::{JobExplanation, ServingTimes};
use page::words::count;
use page::{Body, Distribution, Kind, Latency, Role, Section, Width};

/// Minimum number of tasks for a distribution.
const MANY: usize = 10;

/// Times of a job's maps and reduces; `None`: too few tasks.
pub(super) fn tasks(why: &JobExplanation) -> Option<Section> {
    of_jobs(std::slice::from_ref(why))
}

/// Times of all jobs' maps and reduces; `None`: too few tasks.
pub fn of_jobs(jobs: &[JobExplanation]) -> Option<Section> {
    let of = |kind: &str| -> Vec<f64> {
        let all = jobs.iter().flat_map(|why| why.job.successful(kind));
        all.map(|a| a.duration_s()).filter(|seconds| *seconds > 0.0).collect()
    };
    let (maps, reduces) = (of("MAP"), of("REDUCE"));
    let many = maps.len() + reduces.len() >= MANY;
    let line = |all: Vec<f64>, name: &str, role, hue| {
        (!all.is_empty()).then(|| Distribution {
            kind: hue,
            ..Distribution::of(count(all.len() as u64, name), role, all)
        })
    };
    let series = [
        line(maps, "map", Role::Now, None),
        line(reduces, "reduce", Role::Other, Some(Kind::Wait)),
    ];
    let body =
        Body::Latency(Latency { unit: "s".into(), series: series.into_iter().flatten().collect() });
    let qualifier = "share of tasks that took at most this time";
    many.then(|| Section::new("times", "Times of tasks", qualifier, body).width(Width::Half))
}

/// Fetches of all jobs' map outputs; `None`: no reducer logs.
pub fn fetches_of_jobs(jobs: &[JobExplanation]) -> Option<Section> {
    let all = jobs.iter().flat_map(|why| &why.job.fetches).map(|fetch| fetch.seconds);
    let all: Vec<f64> = all.collect();
    (!all.is_empty()).then(|| section(vec![outputs(all, "", Role::Now)]))
}

fn outputs(all: Vec<f64>, whose: &str, role: Role) -> Distribution {
    let name = count(all.len() as u64, "map output") + whose;
    Distribution { kind: Some(Kind::Network), ..Distribution::of(name, role, all) }
}

fn section(series: Vec<Distribution>) -> Section {
    let body = Body::Latency(Latency { unit: "s".into(), series });
    let qualifier = "share of map outputs copied within this time";
    Section::new("fetches", "Fetches of map outputs", qualifier, body).width(Width::Half)
}

/// Fetches of map outputs, with slow hosts apart; `None`: no reducer logs.
pub(super) fn fetches(why: &JobExplanation) -> Option<Section> {
    let served = ServingTimes::of(&why.job);
    let slow =
        |host: &str| served.as_ref().is_some_and(|served| served.slow.iter().any(|s| s == host));
    let of = |slowly: bool| -> Vec<f64> {
        let all = why.job.fetches.iter().filter(|fetch| slow(&fetch.host) == slowly);
        all.map(|fetch| fetch.seconds).filter(|seconds| *seconds > 0.0).collect()
    };
    let (slowly, others) = (of(true), of(false));
    let any = !slowly.is_empty() || !others.is_empty();
    let series = match &served {
        Some(served) => {
            let whose = format!(" of {}", printable(&served.slow.join(", ")));
            vec![outputs(slowly, &whose, Role::Now), outputs(others, " of the others", Role::Other)]
        }
        None => vec![outputs(others, "", Role::Now)],
    };
    any.then(|| section(series))
}
