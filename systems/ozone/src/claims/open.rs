//! What the document leaves open, drawn at random: the band in which its figures would lie.
use super::base::{LIMIT, PRODUCTION, SMALL, Sets, rows_of};
use crate::policy::Dice;
use analysis::{Stat, stat};
use page::{Axis, Body, Kind, Origin, Point, Points, Scatter, Section};
use system::Failure;
use system::claims::Band;
use system::lab::{Lab, RowRuns, SeedRun};

const DRAWS: usize = 60;
/// Offered loads \[objects/s\]; OM's ceiling is 1 000.
pub(super) const LOADS: [u32; 7] = [50, 100, 200, 400, 600, 800, 900];

/// How long each load is offered \[s\].
const SECONDS: u32 = 120;

/// Single-Raft beside multi-Raft (limit 4), each run on the same clusters.
pub(super) struct Pairs {
    /// What was drawn, each with single- and multi-Raft's runs.
    pub(super) all: Vec<(Sets, [RowRuns; 2])>,
}

impl Pairs {
    fn run(
        lab: &Lab,
        what: &'static str,
        (drawn, seeds): (Vec<Sets>, &[u64]),
        sets: &Sets,
    ) -> Result<Pairs, Failure> {
        let single = [("policy.pipeline", "single-raft"), ("hardware.log_disks", "1")];
        let multi = [(LIMIT, "4")];
        let mut asked = Vec::new();
        for draw in &drawn {
            for way in [&single[..], &multi] {
                let own = way.iter().map(|(k, v)| (k.to_string(), v.to_string()));
                asked.push(own.chain(draw.iter().cloned()).chain(sets.iter().cloned()).collect())
            }
        }
        let done = lab.run(&rows_of(lab, what, asked)?, seeds, false, what)?;
        system::interrupt::check()?;
        let mut rows = done.rows.into_iter();
        let mut pair = || Some([rows.next()?, rows.next()?]);
        let all = drawn.into_iter().map_while(|draw| Some((draw, pair()?))).collect();
        Ok(Pairs { all })
    }

    /// A metric of single- and of multi-Raft, draw by draw: the mean over seeds.
    pub(super) fn both(&self, metric: &str) -> Vec<[f64; 2]> {
        self.stats(metric).into_iter().map(|pair| pair.map(|stat| stat.mean)).collect()
    }

    /// The same with its interval; 0 where a run has none.
    fn stats(&self, metric: &str) -> Vec<[Stat; 2]> {
        let of = |row: &RowRuns| {
            let value = |run: &SeedRun| run.reading.metrics.get(metric).copied().unwrap_or(0.0);
            stat(&row.runs.iter().map(value).collect::<Vec<f64>>())
        };
        self.all.iter().map(|(_, pair)| [of(&pair[0]), of(&pair[1])]).collect()
    }
}

pub(super) struct Open {
    /// Sizes from 1 kB on, as they come.
    pub(super) mixed: Pairs,
    /// 100 kB each, from writers that wait.
    pub(super) small: Pairs,
    pub(super) loads: Pairs,
}

impl Open {
    pub(super) fn run(lab: &Lab, sets: &Sets, seeds: &[u64]) -> Result<Open, Failure> {
        let mixed = (1..=DRAWS as u64).map(|draw| mixed(&mut Dice(draw))).collect();
        let small = (1..=DRAWS as u64).map(|draw| small(&mut Dice(draw))).collect();
        let load = |rate: &u32| {
            set([
                ("workload.rate", rate.to_string()),
                ("workload.objects", (rate * SECONDS).to_string()),
                // Who falls behind is cut off: what it has written by then counts.
                ("workload.limit", format!("{SECONDS}s")),
            ])
        };
        let loads = LOADS.iter().map(load).collect();
        let run = |what, drawn, seeds: &[u64]| Pairs::run(lab, what, (drawn, seeds), sets);
        Ok(Open {
            mixed: run("reproduce s3: mixed sizes", mixed, &[1])?,
            small: run("reproduce s3: 100 kB", small, &[1])?,
            loads: run("reproduce s3: loads", loads, seeds)?,
        })
    }

    pub(super) fn figures(&self) -> Vec<Section> {
        vec![self.shape(), self.third(), self.kept_up()]
    }

    /// Shares of writes below 0.2 s and in 2–3 s.
    fn shape(&self) -> Section {
        let (soon, late) = (self.mixed.both("share_below_200ms"), self.mixed.both("share_2_to_3s"));
        let points = |way: usize| -> Vec<(f64, f64)> {
            soon.iter().zip(&late).map(|(x, y)| (x[way], y[way])).collect()
        };
        let top = late.iter().flatten().fold(0.25, |a: f64, b| a.max(*b)) * 1.05;
        let x = Axis::linear("writes below 0.2 s", "%", 0.0, 1.0);
        let y = Axis::linear("writes in 2–3 s", "%", 0.0, top);
        let series = vec![
            ours("single-Raft", Kind::Disk, points(0)),
            ours("multi-Raft", Kind::Network, points(1)),
            document(vec![(0.68, 0.2, "single-Raft"), (0.98, 0.0, "multi-Raft")]),
        ];
        section("latency", "Mixed sizes: how soon writes end", x, y, series, false)
    }

    /// How long a 100 kB object takes, and what multi-Raft makes of it.
    fn third(&self) -> Section {
        let both = self.small.both("latency_ms_mean");
        let points: Vec<(f64, f64)> =
            both.iter().map(|[single, multi]| (single / 1e3, multi / single)).collect();
        let most = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).fold(1.1, f64::max);
        let x = Axis::linear("single-Raft, an object", "s", 0.0, most(&|p| p.0) * 1.05);
        let y = Axis::linear("multi-Raft over single-Raft", "", 0.0, most(&|p| p.1) * 1.05);
        let series =
            vec![ours("drawn", Kind::Disk, points), document(vec![(1.02, 1.0 / 3.0, "100 KB")])];
        section("third", "100 kB: latency of multi-Raft over single-Raft", x, y, series, false)
    }

    /// What is written of what is offered.
    fn kept_up(&self) -> Section {
        let done = self.loads.both("writes_per_s");
        let most = f64::from(LOADS[LOADS.len() - 1]) * 1.05;
        let points = |way: usize| -> Vec<(f64, f64)> {
            LOADS.iter().zip(&done).map(|(load, done)| (f64::from(*load), done[way])).collect()
        };
        let x = Axis::linear("offered", "1/s", 0.0, most);
        let y = Axis::linear("written", "1/s", 0.0, most);
        let line = |points: Points| Points { joined: true, ..points };
        let series = vec![
            line(ours("single-Raft", Kind::Disk, points(0))),
            line(ours("multi-Raft", Kind::Network, points(1))),
        ];
        section("loads", "Loads that single-Raft does not finish", x, y, series, true)
    }

    /// The first load that single-Raft surely falls behind and multi-Raft surely does not:
    /// offered, and what each writes. Whether there is one; `None`: the intervals do not tell.
    pub(super) fn unfinished(&self) -> (Option<(f64, [Stat; 2])>, Option<bool>) {
        let done = self.loads.stats("writes_per_s");
        let behind = |load: f64, stat: &Stat| Band::below(0.9 * load).holds(stat) == Some(true);
        let kept = |load: f64, stat: &Stat| Band::above(0.95 * load).holds(stat) == Some(true);
        let all = LOADS.iter().map(|load| f64::from(*load)).zip(done);
        let single: Vec<(f64, [Stat; 2])> =
            all.filter(|(load, [single, _])| behind(*load, single)).collect();
        let neither = !single.is_empty() && single.iter().all(|(load, [_, m])| behind(*load, m));
        let found = single.into_iter().find(|(load, [_, multi])| kept(*load, multi));
        let decided = match found.is_some() {
            true => Some(true),
            false => neither.then_some(false),
        };
        (found, decided)
    }
}

/// Mixed sizes in production: load, bursts, flushes, sizes and OM.
fn mixed(dice: &mut Dice) -> Sets {
    let rate = log_uniform(dice, 0.5, 300.0);
    let largest = ["100kB", "1MB", "10MB", "64MB"][pick(dice, 4)];
    let mut draw = hardware(dice);
    draw.extend(set([
        ("cluster.nodes", PRODUCTION.into()),
        ("workload.rate", format!("{rate:.2}")),
        ("workload.burst", ["1", "5", "20"][pick(dice, 3)].into()),
        ("workload.object_bytes", "1kB".into()),
        ("workload.largest_bytes", largest.into()),
        ("workload.objects", "1500".into()),
    ]));
    draw
}

/// 100 kB objects: writers, flushes and OM.
fn small(dice: &mut Dice) -> Sets {
    let clients = ["1", "8", "64", "256", "1024"][pick(dice, 5)];
    let mut draw = hardware(dice);
    draw.push(("workload.clients".into(), clients.into()));
    draw.extend(SMALL.iter().map(|(key, value)| (key.to_string(), value.to_string())));
    draw
}

fn hardware(dice: &mut Dice) -> Sets {
    let flush = log_uniform(dice, 5.0, 150.0);
    set([
        ("hardware.flush_time", format!("{flush:.1}ms")),
        ("hardware.flush_shape", ["uniform", "exponential"][pick(dice, 2)].into()),
        ("om.time", ["0.05ms", "0.2ms", "0.5ms", "1ms"][pick(dice, 4)].into()),
    ])
}

fn set<const N: usize>(all: [(&str, String); N]) -> Sets {
    all.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

fn pick(dice: &mut Dice, n: u64) -> usize {
    units::usize_of(dice.below(n))
}

fn log_uniform(dice: &mut Dice, from: f64, to: f64) -> f64 {
    let part = dice.below(1_000_000) as f64 / 1e6;
    from * libm::exp(part * libm::log(to / from))
}

fn ours(name: &str, kind: Kind, points: Vec<(f64, f64)>) -> Points {
    let point = |(x, y)| Point { x, y, ..Point::default() };
    let points = points.into_iter().map(point).collect();
    Points { name: name.into(), origin: Origin::Ours, kind: Some(kind), joined: false, points }
}

fn document(points: Vec<(f64, f64, &str)>) -> Points {
    let point =
        |(x, y, name): (f64, f64, &str)| Point { x, y, name: name.into(), ..Point::default() };
    let points = points.into_iter().map(point).collect();
    let name = "document".to_string();
    Points { name, origin: Origin::Document, kind: None, joined: false, points }
}

fn section(
    id: &str,
    title: &str,
    x: Axis,
    y: Axis,
    series: Vec<Points>,
    diagonal: bool,
) -> Section {
    let qualifier = match diagonal {
        true => "100 kB, two minutes of each load; the diagonal: all is written",
        false => "each point a cluster: load, flushes, sizes and OM drawn at random",
    };
    Section::new(id, title, qualifier, Body::Scatter(Scatter { x, y, series, diagonal }))
}
