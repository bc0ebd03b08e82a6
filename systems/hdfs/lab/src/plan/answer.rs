//! The answer of a plan, for the terminal and for `--json`.
use super::goals::Goals;
use super::grid;
use super::jar;
use super::knob::Knob;
use super::point::Point;
use super::space::{self, LAST_COPY, P99, RECOVERY, SLOWDOWN, Settings};
use crate::job;
use crate::repair_run::{PeakUse, RepairRun};
use hdfs_reading::loss::Loss;
use hdfs_reading::{Run, Stat, stat};
use page::Kind;
use serde_json::{Value, json};
use system::figures::{Top, figures};
use system::lab::RowRuns;
use system::plan::{Judge, SearchResult};
use system::reporter::hue;
use trace::Better;

/// With fewer seeds a real gain may not show.
const FEW: usize = 6;

/// A point and its results.
#[derive(Clone, Debug)]
pub struct PointResult {
    pub point: Point,
    /// Repair time of all repairable blocks over seeds \[s\]; `None` if it never ends.
    pub recovery: Option<Stat>,
    /// Until no block has a single replica \[s\].
    pub last_copy: Option<Stat>,
    /// Blocks without a replica at the end, and the number of seeds with any.
    pub loss: Option<Loss>,
    /// Clients' 99th percentile during the repair, over seeds \[ms\]; `None` without clients.
    pub p99: Option<Stat>,
    /// Its relative increase over the time before the repair.
    pub slowdown: Option<Stat>,
    /// The holder with the largest share, and the share.
    pub limiting: Option<(String, f64)>,
    /// With clients.
    pub busiest: Option<PeakUse>,
    pub limiting_kind: Option<Kind>,
    /// The deadline is met, or there is none.
    pub in_time: bool,
    /// The goal for clients is met, or there is none.
    pub gentle: bool,
    /// As a variant on a page.
    pub row: RowRuns,
}

impl PointResult {
    pub fn seeds(&self) -> usize {
        self.row.runs.len()
    }

    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.row.runs.iter().map(|run| &RepairRun::of(run).run)
    }

    /// A metric over seeds; `None` unless all have it.
    pub fn metric(&self, name: &str) -> Option<Stat> {
        metric(&self.row, name)
    }

    /// Half the width of the interval; `None` with one seed.
    fn ci95(&self, of: Option<Stat>) -> Option<f64> {
        of.filter(|_| self.seeds() > 1).map(|s| s.ci95)
    }

    /// Blocks lost, the maximum over seeds.
    fn lost(&self) -> u64 {
        self.runs().map(Run::blocks_lost).max().unwrap_or(0)
    }

    /// Key of the setting that limits it, if it is not a knob.
    pub fn limiting_key(&self) -> Option<&str> {
        let (holder, _) = self.limiting.as_ref()?;
        let (key, _) = holder.split_once(" = ")?;
        Knob::of_holder(holder).is_none().then_some(key)
    }
}

#[derive(Clone, Debug)]
pub struct Answer {
    /// The present settings.
    pub now: PointResult,
    /// The best settings.
    pub settings: PointResult,
    /// The best with a policy that HDFS has no code for: research, never recommended.
    pub plugin: Option<PointResult>,
    /// The settings of `plugin` without its policy.
    pub without: Option<PointResult>,
    /// Recommended changes without a proven gain.
    pub unproven: Vec<Knob>,
    /// If nothing is recommended: a point that looks faster, with too few seeds to decide.
    pub undecided: Option<PointResult>,
    /// The fastest settings, if a slower point is recommended (goal or knee).
    pub faster: Option<PointResult>,
    /// Without a goal: a point faster on the mean than the recommended one, without proof.
    pub knee: Option<String>,
    /// Without a goal: the nearest settings with half the gain of the fastest.
    pub half: Option<PointResult>,
    /// The fastest of all points run with every seed, if a deadline is missed.
    pub fastest: Option<PointResult>,
    /// The figures are from seeds not used for the choice; those used look too good.
    pub fresh: bool,
    /// There are goals, and the present settings meet all.
    pub met_now: bool,
    /// Part of the present recovery before the last loss is detected \[s\].
    pub unnoticed: Option<f64>,
    /// The search was cut: it would have taken too long.
    pub cut: bool,
    /// The clock cut it, so that another search may give another answer.
    pub late: bool,
    /// Settings only. With clients: no other point is faster and gentler. Without: none is nearer
    /// to `now` and faster.
    pub front: Vec<PointResult>,
    /// All points run with every seed.
    pub whole: Vec<PointResult>,
    /// Clients' 99th percentile before the repair \[ms\].
    pub before_p99: Option<Stat>,
    /// The scenario has clients, with or without enough requests for percentiles.
    pub clients: bool,
    pub goals: Goals,
    /// The objective is the time at one replica.
    pub last_copy: bool,
    /// Whether the goals are met is not decided.
    pub open: bool,
    /// Nodes in maintenance.
    pub resting: usize,
    /// Number of points run.
    pub tried: usize,
    /// Ctrl-C ended the search.
    pub interrupted: bool,
}

/// Runs compared with the goals.
pub type RepairJudge<'b, 's, 'a> = Judge<'b, 's, Settings<'a>>;

impl Answer {
    pub fn new(
        judge: RepairJudge<'_, '_, '_>,
        goals: &Goals,
        found: &SearchResult<Point>,
    ) -> Answer {
        let bench = judge.bench;
        let (now, settings, best) = (bench.now(), &found.answer, &found.fastest);
        let meets = !goals.are_any() || judge.meets(settings);
        let changes = goals.are_any() || settings != now;
        let faster = meets && changes && settings != best && judge.is_worth(best, settings);
        let is_knee = !goals.are_any() && settings != now && settings != best && !faster;
        let knee = is_knee.then(|| {
            let (name, seeds) = (best.name(now), bench.runs(settings).len());
            format!("The knee: {seeds} seeds do not show that {name} is faster.")
        });
        let row = |point: &Point| row(judge, point, true);
        let nothing = settings == now && !goals.are_any();
        let late = goals.within.is_some() && !judge.meets(settings);
        let alone = |plugin: &Point| plugin.with_policy(&now.policy);
        let of_now = row(now);
        Answer {
            unproven: unproven(judge, settings),
            met_now: goals.are_any() && judge.meets(now),
            unnoticed: unnoticed(&of_now),
            before_p99: of_now.metric("foreground_before_p99_ms"),
            cut: bench.budget.is_cut(),
            late: bench.budget.is_late(),
            settings: row(settings),
            plugin: found.research.as_ref().map(row),
            without: found.research.as_ref().map(|plugin| row(&alone(plugin))),
            undecided: if nothing { seems_faster(judge).map(|point| row(&point)) } else { None },
            faster: faster.then(|| row(best)),
            fastest: if late { fastest(judge).map(row) } else { None },
            now: of_now,
            half: found.half.as_ref().map(row),
            knee,
            fresh: bench.is_fresh(settings),
            front: front(judge),
            whole: whole(judge).into_iter().map(|point| point_result(judge, point)).collect(),
            clients: bench.space.clients,
            goals: *goals,
            last_copy: judge.goals.objective == LAST_COPY,
            open: judge.is_open(),
            resting: bench.space.resting,
            tried: bench.tried(),
            interrupted: bench.is_stopped(),
        }
    }

    pub fn recommended(&self) -> &PointResult {
        &self.settings
    }

    /// From the present settings to the fastest; the recommended point is one of the steps.
    pub fn ladder(&self) -> Vec<&PointResult> {
        let steps = [Some(&self.now), self.half.as_ref(), Some(&self.settings)];
        let mut rows: Vec<&PointResult> = Vec::new();
        for step in steps.into_iter().chain([self.faster.as_ref()]).flatten() {
            if rows.iter().all(|row| row.point != step.point) {
                rows.push(step)
            }
        }
        rows
    }

    /// The recommended point meets every goal with the upper end of its interval.
    pub fn meets_goals(&self) -> bool {
        self.is_in_time() && self.is_gentle()
    }

    pub fn is_in_time(&self) -> bool {
        self.recommended().in_time
    }

    pub fn is_gentle(&self) -> bool {
        self.recommended().gentle
    }

    pub fn json(&self) -> Value {
        let of = |tried: &PointResult| self.row(tried);
        json!({
            "meets": (!self.open).then(|| self.meets_goals()),
            "within_s": self.goals.within,
            "objective": if self.last_copy { "last-copy" } else { "recovery" },
            "recommended": of(self.recommended()),
            "settings_only": of(&self.settings),
            "needs_the_plugin": self.plugin.as_ref().map(of),
            "without_the_plugin": self.without.as_ref().map(of),
            "ladder": self.ladder().into_iter().map(of).collect::<Vec<_>>(),
            "current": of(&self.now),
            "met_now": self.met_now,
            "unproven": self.unproven.iter().map(|knob| knob.key()).collect::<Vec<_>>(),
            "seems_faster": self.undecided.as_ref().map(of),
            "faster_still": self.faster.as_ref().map(of),
            "unnoticed_s": self.unnoticed,
            "pareto": self.front.iter().map(of).collect::<Vec<_>>(),
            "foreground": self.clients.then(|| json!({
                "before_p99_ms": self.before_p99.map(|s| s.mean),
                "before_p99_ci95_ms": self.before_p99.map(|s| s.ci95),
                "slowdown_wish": self.goals.slowdown,
            })),
            "nodes_resting": self.resting,
            "points_tried": self.tried,
            "cut_by_budget": self.cut,
            "cut_by_clock": self.late,
            "interrupted": self.interrupted,
        })
    }

    fn row(&self, tried: &PointResult) -> Value {
        let now = &self.now.point;
        let limiting = tried.limiting.as_ref();
        json!({
            "name": tried.point.name(now),
            "settings": job::set_json(&settings_of(&tried.point, now)),
            "policy": tried.point.policy,
            "needs_plugin": tried.point.needs_plugin(now),
            "jar": tried.point.needs_jar(now),
            "recovery_s": tried.recovery.map(|s| s.mean),
            "recovery_ci95_s": tried.ci95(tried.recovery),
            "last_copy_s": tried.last_copy.map(|s| s.mean),
            "last_copy_ci95_s": tried.ci95(tried.last_copy),
            "seeds": tried.seeds(),
            "blocks_lost": tried.lost(),
            "seeds_with_blocks_lost": tried.loss.as_ref().map(|loss| loss.seeds),
            "foreground_p99_ms": tried.p99.map(|s| s.mean),
            "foreground_p99_ci95_ms": tried.ci95(tried.p99),
            "foreground_slowdown": tried.slowdown.map(|s| s.mean),
            "foreground_slowdown_ci95": tried.ci95(tried.slowdown),
            "limiting": limiting.map(|(holder, _)| holder),
            "limiting_share": limiting.map(|(_, share)| share),
        })
    }
}

fn settings_of(point: &Point, now: &Point) -> Vec<(String, String)> {
    let settings = point.changes(now).map(|(knob, _, new)| (knob.key().into(), new.to_string()));
    let jar = jar::edits(point, now).into_iter().map(|edit| (edit.key, edit.value));
    settings.chain(jar).collect()
}

/// Results of a point, from the seeds used for the choice.
pub fn point_result(judge: RepairJudge<'_, '_, '_>, point: &Point) -> PointResult {
    row(judge, point, false)
}

/// Results of a point, from the seeds used for the choice, or from others if `fresh` and there are
/// any.
fn row(judge: RepairJudge<'_, '_, '_>, point: &Point, fresh: bool) -> PointResult {
    let bench = judge.bench;
    let runs = match fresh && bench.is_fresh(point) {
        true => bench.fresh_runs(point),
        false => bench.runs(point),
    };
    let busiest = runs.first().and_then(|run| RepairRun::of(run).busiest);
    let row = RowRuns {
        name: point.name(bench.now()),
        set: point.sets(bench.now()),
        runs: runs.into_iter().cloned().collect(),
    };
    let of = |name: &str| metric(&row, name);
    let top: Option<Top> = figures(std::slice::from_ref(&row), Better::Less).remove(0).top;
    let loss = hdfs_reading::loss::loss(row.runs.iter().map(|run| &RepairRun::of(run).run));
    PointResult {
        in_time: judge.is_in_time(point),
        gentle: judge.is_gentle(point),
        p99: of(P99),
        slowdown: of(SLOWDOWN),
        limiting_kind: top.as_ref().map(|top| hue(top.role)),
        limiting: top.map(|top| (top.holder, top.share)),
        recovery: of(RECOVERY),
        last_copy: of(LAST_COPY),
        loss: loss.filter(|loss| loss.seeds > 0),
        busiest,
        row,
        point: point.clone(),
    }
}

fn metric(row: &RowRuns, name: &str) -> Option<Stat> {
    row.metric(name).filter(|all| !all.is_empty()).map(|all| stat(&all))
}

/// From the declaration of the first loss to that of the last, over seeds \[s\]; `None` if
/// negligible.
fn unnoticed(now: &PointResult) -> Option<f64> {
    let mean = space::detection_lag(&now.runs().collect::<Vec<_>>());
    (mean >= hdfs_reading::stat::SAME * now.recovery?.mean && mean > 1.0).then_some(mean)
}

/// Changes of a point without a proven gain over the point without them.
fn unproven(judge: RepairJudge<'_, '_, '_>, point: &Point) -> Vec<Knob> {
    let fewer = judge.unproven(point);
    let all = grid::points_without_each(judge.bench.now(), point).into_iter();
    all.filter(|(_, without)| fewer.contains(without)).map(|(knob, _)| knob).collect()
}

/// If nothing is recommended: a point faster by 5 % on the mean, with so few seeds that it may be
/// chance.
fn seems_faster(judge: RepairJudge<'_, '_, '_>) -> Option<Point> {
    let bench = judge.bench;
    let part = |p: &Point| {
        let seeds = bench.runs(p).len();
        let few = (1..FEW).contains(&seeds) && !p.needs_plugin(bench.now());
        let of = few.then(|| bench.need_of(p, seeds) / bench.need_of(bench.now(), seeds));
        of.filter(|part| part.is_finite() && *part < 1.0 - hdfs_reading::stat::SAME)
    };
    let all = bench.points().filter_map(|p| Some((p, part(p)?)));
    all.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(point, _)| point.clone())
}

/// The fastest of all points run with every seed.
fn fastest<'b>(judge: RepairJudge<'b, '_, '_>) -> Option<&'b Point> {
    let bench = judge.bench;
    let ends = whole(judge).into_iter().filter_map(|p| Some((p, bench.metric(p, RECOVERY)?.mean)));
    ends.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(point, _)| point)
}

/// Points run with the largest number of seeds.
fn whole<'b>(judge: RepairJudge<'b, '_, '_>) -> Vec<&'b Point> {
    let bench = judge.bench;
    let most = bench.points().map(|p| bench.runs(p).len()).max().unwrap_or(0);
    bench.points().filter(|p| bench.runs(p).len() == most).collect()
}

/// Settings only. With clients the Pareto front; else the nearest to `now` first, each faster than
/// all before.
fn front(judge: RepairJudge<'_, '_, '_>) -> Vec<PointResult> {
    let seeds = match judge.bench.metric(judge.bench.now(), P99) {
        Some(_) => judge.bench.runs(judge.bench.now()).len(),
        None => 1,
    };
    judge.front(seeds).into_iter().map(|point| point_result(judge, point)).collect()
}
