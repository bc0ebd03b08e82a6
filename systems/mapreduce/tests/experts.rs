//! Both sides of the rules of causes: made-up jobs of various sizes in which a cause is there, or
//! almost.
use crate::made::Made;
use mapreduce::why::{JobExplanation, Verdict};

/// An attempt's seconds, and its counters.
type Ran<'c> = (f64, Vec<(&'c str, u64)>);

/// `at_once` maps run concurrently; all reduces run after the last map, and copy for 1 s each.
fn job(number: u32, at_once: usize, maps: &[Ran<'_>], reduces: &[Ran<'_>]) -> JobExplanation {
    let mut made = Made::job(number, maps.len() as u32, reduces.len() as u32);
    let mut free: Vec<f64> = vec![5.0; at_once];
    for (map, (took, counters)) in maps.iter().enumerate() {
        let slot = (0..at_once).min_by(|a, b| free[*a].total_cmp(&free[*b])).unwrap();
        let (from, to) = (free[slot], free[slot] + took);
        free[slot] = to + 0.5;
        let (name, node) = (format!("m_{map:06}"), format!("n{}", slot % 8));
        made = made.ran(&name, &node, (from, to), from + 1.0, counters)
    }
    let mapped = free.iter().copied().fold(0.0, f64::max) - 0.5;
    let mut end = mapped;
    for (reduce, (took, counters)) in reduces.iter().enumerate() {
        let (from, to) = (mapped + 0.5, mapped + 0.5 + took);
        let (name, node) = (format!("r_{reduce:06}"), format!("n{}", reduce % 8));
        made = made.ran(&name, &node, (from, to), from + 1.0, counters);
        end = end.max(to)
    }
    made.done("SUCCEEDED", end + 0.3).why()
}

fn first(why: &JobExplanation) -> (&str, String) {
    well_said(why);
    let first = &why.verdicts[0];
    (&first.cause, first.holder.replace(['\u{a0}', '\u{202f}'], " "))
}

fn named<'w>(why: &'w JobExplanation, cause: &str) -> Option<&'w Verdict> {
    why.verdicts.iter().find(|verdict| verdict.cause == cause)
}

/// `n` maps of 128 MB.
fn maps(n: usize, took: f64) -> Vec<Ran<'static>> {
    vec![(took, vec![("HDFS_BYTES_READ", 128_000_000), ("COMBINE_INPUT_RECORDS", 0)]); n]
}

/// A reduce: its seconds, of them CPU, its keys and bytes.
fn reduce((took, cpu): (f64, f64), keys: u64, bytes: u64) -> Ran<'static> {
    let all = [
        ("CPU_MILLISECONDS", (1e3 * cpu) as u64),
        ("REDUCE_SHUFFLE_BYTES", bytes),
        ("REDUCE_INPUT_RECORDS", bytes / 100),
        ("REDUCE_INPUT_GROUPS", keys),
    ];
    (took, all.into_iter().filter(|(_, value)| *value > 0).collect())
}

#[test]
fn few_reduces_are_told_by_time_cpu_and_keys() {
    const MB: u64 = 1_000_000;
    let mut number = 300;
    // Containers, map seconds, reduces and each one's (seconds, CPU), keys, bytes; the cause.
    for (at_once, map, n, work, keys, bytes, cause) in [
        (8, 10.0, 1, (51.0, 50.0), 20_000, 30 * MB, "few reduces"),
        (2, 10.0, 1, (51.0, 50.0), 20_000, 30 * MB, "few reduces"),
        (200, 60.0, 1, (600.0, 500.0), 1_000_000, 800 * MB, "few reduces"),
        (8, 10.0, 1, (51.0, 10.0), 20_000, 30 * MB, "few reduces"),
        (8, 10.0, 1, (51.0, 50.0), 0, 30 * MB, "few reduces"),
        (16, 20.0, 2, (120.0, 100.0), 5000, 60 * MB, "few reduces"),
        (64, 30.0, 4, (300.0, 50.0), 5_000_000, 4000 * MB, "few reduces"),
        // One key cannot be shared: it is hot.
        (8, 10.0, 1, (51.0, 50.0), 1, 30 * MB, "skew"),
        (64, 30.0, 2, (300.0, 280.0), 1, 300 * MB, "skew"),
        // Its start, and little more.
        (64, 60.0, 1, (3.0, 2.0), 20_000, MB, "nothing stands out"),
        (8, 300.0, 1, (20.0, 19.0), 20_000, 30 * MB, "nothing stands out"),
        // Half of the containers reduce; several that wait for something else.
        (8, 20.0, 4, (51.0, 50.0), 20_000, 30 * MB, "nothing stands out"),
        (16, 30.0, 4, (60.0, 5.0), 20_000, 30 * MB, "nothing stands out"),
        (1, 30.0, 1, (60.0, 50.0), 20_000, 30 * MB, "nothing stands out"),
    ] {
        number += 1;
        let why = job(number, at_once, &maps(at_once, map), &vec![reduce(work, keys, bytes); n]);
        let (found, holder) = first(&why);
        assert_eq!(found, cause, "{at_once} {n} {work:?} {keys}: {holder} {:?}", why.verdicts);
        let done = named(&why, "few reduces").map(|verdict| verdict.remedy.key);
        assert!(cause != "few reduces" || done == Some("mapreduce.job.reduces"), "{done:?}");
    }
}

fn map(took: f64, mb: f64) -> Ran<'static> {
    (took, vec![("HDFS_BYTES_READ", (1e6 * mb) as u64)])
}

#[test]
fn a_slow_map_is_skew_where_its_input_explains_it_and_else_a_straggler() {
    let same = |_: usize| 1.0;
    let differ = |n: usize| 1.0 + (n % 5) as f64;
    type Inputs<'i> = &'i dyn Fn(usize) -> f64;
    let mut number = 330;
    // The others' inputs [MB], start and slope of their times, the last one's input and time.
    for (inputs, start, slope, mb, took, cause) in [
        (&same as Inputs<'_>, 15.0, 0.0, 40.0, 148.0, "skew"),
        (&same, 0.0, 10.0, 10.0, 100.0, "skew"),
        (&same, 10.0, 5.0, 3.0, 40.0, "skew"),
        (&differ, 10.0, 2.0, 40.0, 90.0, "skew"),
        (&differ, 0.0, 10.0, 30.0, 300.0, "skew"),
        (&same, 10.0, 0.0, 1.0, 200.0, "straggler"),
        (&same, 10.0, 0.0, 2.0, 100.0, "straggler"),
        (&differ, 10.0, 2.0, 5.0, 200.0, "straggler"),
        (&differ, 15.0, 0.0, 10.0, 300.0, "straggler"),
    ] {
        for n in [10, 40] {
            number += 1;
            let others = (0..n - 1).map(|n| map(start + slope * inputs(n), inputs(n)));
            let all: Vec<Ran<'_>> = others.chain([map(took, mb)]).collect();
            let why = job(number, n, &all, &[]);
            let (found, holder) = first(&why);
            assert_eq!(found, cause, "{mb} MB in {took} s of {n}: {holder}");
            let other = if cause == "skew" { "straggler" } else { "skew" };
            assert!(named(&why, other).is_none(), "{mb} MB in {took} s: both are named");
            let marked = why.stragglers.iter().flat_map(|kind| &kind.marked);
            let causes: Vec<&str> = marked.map(|one| one.cause.as_str()).collect();
            let skewed = causes.iter().any(|cause| cause.starts_with("skew"));
            assert_eq!(skewed, cause == "skew" && !causes.is_empty(), "{causes:?}");
        }
    }
}

#[test]
fn an_even_input_leaves_each_task_its_start() {
    // 15 s of start, 10 s a MB, one at a time in each of its containers; the truth is the same job
    // with all inputs the same.
    let mut number = 360;
    for (n, at_once, mb) in [(10, 8, 20.0), (10, 10, 40.0), (40, 10, 30.0)] {
        number += 2;
        let sizes: Vec<f64> = (0..n).map(|map| if map == 0 { mb } else { 0.5 }).collect();
        let mean = sizes.iter().sum::<f64>() / n as f64;
        let of = |sizes: &[f64]| -> Vec<Ran<'_>> {
            sizes.iter().map(|mb| map(15.0 + 10.0 * mb, *mb)).collect()
        };
        let skewed = job(number, at_once, &of(&sizes), &[]);
        let even = job(number + 1, at_once, &of(&vec![mean; n]), &[]);
        let gain = 1.0 - even.job.duration_s() / skewed.job.duration_s();
        let found = named(&skewed, "skew").unwrap_or_else(|| panic!("{:?}", skewed.verdicts));
        assert!((found.share - gain).abs() < 0.05, "{} of {gain}", found.share);
        assert!(found.share_high >= gain - 0.05, "{} of {gain}", found.share_high)
    }
}

#[test]
fn a_hot_key_is_told_from_a_bad_partition() {
    let mut number = 380;
    // Keys and thousands of records of the first reduce, of each of the others.
    for (first_one, others, said) in [
        ((5000, 800), (5000, 66), "a hot key"),
        ((1, 800), (6000, 66), "a hot key"),
        ((200, 500), (400, 50), "a hot key"),
        ((16_000, 800), (1333, 66), "a bad partition"),
        ((500, 500), (50, 50), "a bad partition"),
        ((8, 400), (1, 50), "a bad partition"),
    ] {
        for n in [4, 16] {
            number += 1;
            let one = |(keys, thousands): (u64, u64)| {
                let took = 5.0 + 0.2 * thousands as f64;
                reduce((took, took - 4.0), keys, 100_000 * thousands)
            };
            let mut all = vec![one(others); n - 1];
            all.insert(n / 2, one(first_one));
            let why = job(number, 16, &maps(16, 15.0), &all);
            let (found, holder) = first(&why);
            assert_eq!(found, "skew", "{holder}");
            assert!(holder.contains(said), "{first_one:?} of {n}: {holder}");
            let cure = &why.verdicts[0].remedy;
            let combine = cure.key == "mapreduce.job.combine.class";
            assert_eq!(combine, said == "a hot key", "no combiner ran: {cure:?}");
        }
    }
}

#[test]
fn what_starting_takes_of_a_short_job_is_no_cause() {
    // 5 s of start, then maps: 10 % of a job of 40 s.
    let short = job(410, 8, &maps(8, 30.0), &[]);
    assert_eq!(first(&short).0, "nothing stands out", "{:?}", short.verdicts);
    let shorter = job(411, 8, &maps(8, 4.0), &[reduce((3.0, 1.0), 100, 1000)]);
    assert_eq!(first(&shorter).0, "nothing stands out", "{:?}", shorter.verdicts);
    let start = "AM start";
    let why = Made::late(412, 1, 0, 25.0)
        .task("m_000000", 27.0)
        .starts("m_000000_0", "n1", 28.0, "")
        .ends("m_000000_0", "FINISHED", 60.0, "")
        .over("m_000000", "SUCCEEDED", 60.0)
        .done("SUCCEEDED", 60.2)
        .why();
    assert_eq!(first(&why).0, start, "{:?}", why.verdicts)
}

/// What `explain` prints of a cause.
fn page(cause: &str) -> String {
    let rule = mapreduce::why::causes::ALL.iter().find(|rule| rule.name == cause);
    rule.map_or_else(String::new, mapreduce::why::causes::Rule::page)
}

/// Checks that causes are ordered by gain, and that each has advice; its page names the property.
pub fn well_said(why: &JobExplanation) {
    let known = ["nothing stands out", "unexplained", "recorded"];
    let mut causes = why.verdicts.iter().filter(|v| !known.contains(&&*v.cause) && !v.ended_it);
    let shares: Vec<f64> = causes.clone().map(|verdict| verdict.share).collect();
    assert!(shares.is_sorted_by(|a, b| a >= b), "{}: {shares:?}", why.id);
    assert!(causes.clone().all(|verdict| !verdict.remedy.is_none()), "{:?}", why.verdicts);
    assert!(causes.clone().all(|verdict| verdict.remedy.what.chars().count() <= 200));
    let lacks = causes.find(|verdict| !page(&verdict.cause).contains(verdict.remedy.key));
    assert_eq!(lacks.map(|verdict| (&verdict.cause, verdict.remedy.key)), None);
}
