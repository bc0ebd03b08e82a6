//! What a plan says: for people, for scripts.
use super::choose;
use super::gain::is_worth;
use super::goals::Goals;
use super::knob::Knob;
use super::lab::{Busiest, Lab};
use super::point::Point;
use super::proof;
use super::search::settings_only;
use super::trade;
use crate::job;
use hdfs_reading::loss::Loss;
use hdfs_reading::stat::of_metric;
use hdfs_reading::{Stat, VariantRuns, shares};
use page::Kind;
use serde_json::{Value, json};

/// Fewer seeds than this may not show a gain that is there.
const FEW: usize = 6;

/// A point with what came of it.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Where.
    pub point: Point,
    /// Over seeds, of all blocks that can be repaired \[s\]; `None` if it never ends.
    pub recovery: Option<Stat>,
    /// Until no block stands at one replica \[s\].
    pub last_copy: Option<Stat>,
    /// Blocks without a replica at the end, and in how many seeds there are any.
    pub loss: Option<Loss>,
    /// Clients' 99th percentile during the repair, over seeds \[ms\]; `None` without clients.
    pub p99: Option<Stat>,
    /// By what part that is longer than before the repair.
    pub slowdown: Option<Stat>,
    /// The holder with the largest share, and that share.
    pub limiting: Option<(String, f64)>,
    /// Beside clients: how busy the busiest disk is, and the busiest NIC or uplink.
    pub busiest: Option<Busiest>,
    /// What kind of thing that is.
    pub limiting_kind: Option<Kind>,
    /// Whether it keeps the deadline, if there is one.
    pub in_time: bool,
    /// Whether it spares clients as is asked.
    pub gentle: bool,
    /// As a row of a page.
    pub variant: VariantRuns,
}

impl Tried {
    /// From how many seeds all of this is.
    pub fn seeds(&self) -> usize {
        self.variant.runs.len()
    }

    /// Half the width of an interval; one seed has none.
    fn ci95(&self, of: Option<Stat>) -> Option<f64> {
        of.filter(|_| self.seeds() > 1).map(|s| s.ci95)
    }

    /// Blocks lost, at most over seeds.
    fn lost(&self) -> u64 {
        self.variant.runs.iter().map(|run| run.blocks_lost()).max().unwrap_or(0)
    }

    /// The setting that holds it up, where that is none that was tried.
    pub fn untried(&self) -> Option<&str> {
        let (holder, _) = self.limiting.as_ref()?;
        let (key, _) = holder.split_once(" = ")?;
        Knob::of_holder(holder).is_none().then_some(key)
    }
}

/// The whole answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// As the cluster is set.
    pub now: Tried,
    /// The best of the settings.
    pub settings: Tried,
    /// The best with a policy for which HDFS has no code: research, never recommended.
    pub plugin: Option<Tried>,
    /// Its settings without it.
    pub without: Option<Tried>,
    /// Changes of what is recommended of which nothing shows that they gain anything.
    pub unproven: Vec<Knob>,
    /// Where nothing is recommended: what looks faster, from too few seeds to tell.
    pub seems: Option<Tried>,
    /// The fastest settings, where what is recommended is enough or the knee.
    pub faster: Option<Tried>,
    /// Beyond what is recommended without a goal: what is faster on the mean, and not shown to be.
    pub knee: Option<String>,
    /// Without a goal: the nearest settings that gain half of what the fastest do.
    pub half: Option<Tried>,
    /// The fastest of all that were run from every seed, where a deadline is missed.
    pub fastest: Option<Tried>,
    /// The figures are from seeds that chose nothing; else they look better than they are.
    pub afresh: bool,
    /// Whether there are goals, and the present settings meet them all.
    pub met_now: bool,
    /// Of the present recovery what passes before the last loss is noticed \[s\].
    pub unnoticed: Option<f64>,
    /// Less was tried than there was to try: it would have taken too long.
    pub cut: bool,
    /// It was the clock that said so: another time the answer may be another one.
    pub late: bool,
    /// Settings only. Beside clients: no other point is both sooner done and gentler to them.
    /// Without: no other is both nearer to now and faster.
    pub front: Vec<Tried>,
    /// All that were run from every seed.
    pub whole: Vec<Tried>,
    /// Clients' 99th percentile before the repair \[ms\].
    pub before_p99: Option<Stat>,
    /// Clients' requests in the scenario, too few to tell percentiles or not.
    pub clients: bool,
    /// What was asked for.
    pub goals: Goals,
    /// Whether it is the time at one replica that was to be short.
    pub last_copy: bool,
    /// What meets it is not known yet.
    pub open: bool,
    /// Nodes that rest in maintenance.
    pub resting: usize,
    /// Points that were looked at.
    pub tried: usize,
    /// Ctrl-C came before the search was over.
    pub interrupted: bool,
}

impl Answer {
    /// Of what the lab has seen.
    pub fn new(
        lab: &Lab<'_>,
        goals: &Goals,
        settings: Point,
        best: Point,
        plugin: Option<Point>,
    ) -> Answer {
        let enough = !goals.are_any() || goals.are_met(lab, &settings);
        let changes = goals.are_any() || settings != lab.now;
        let faster = enough && changes && settings != best && is_worth(lab, &best, &settings);
        let is_knee = !goals.are_any() && settings != lab.now && settings != best && !faster;
        let knee = is_knee.then(|| {
            let (name, seeds) = (best.name(&lab.now), lab.runs(&settings).len());
            format!("The knee: {name} is not shown to be faster by {seeds} seeds.")
        });
        let recommended = &settings;
        let nothing = *recommended == lab.now && !goals.are_any();
        let half = if goals.are_any() { None } else { choose::half(lab, &best, &settings) };
        let seems = if nothing { proof::seems_faster(lab, FEW) } else { None };
        let faster = (faster && settings_only(&best, &lab.now)).then_some(best);
        let without = plugin.as_ref().map(|p| p.with_policy(&lab.now.policy));
        let late = goals.within.is_some() && !goals.are_met(lab, recommended);
        let fastest = if late { fastest(lab) } else { None };
        let others = [&plugin, &without, &seems, &faster, &fastest, &half].into_iter().flatten();
        let shown: Vec<&Point> = [&lab.now, &settings].into_iter().chain(others).collect();
        let afresh = shown.iter().all(|p| lab.is_told(p) || lab.runs(p).is_empty());
        let row = |point: &Point| row(lab, goals, point, afresh);
        let now = row(&lab.now);
        Answer {
            unproven: proof::unproven(lab, goals, recommended),
            met_now: goals.are_any() && goals.are_met(lab, &lab.now),
            unnoticed: unnoticed(lab, &now),
            before_p99: of_metric(&now.variant.runs, "foreground_before_p99_ms"),
            cut: lab.budget.is_cut(),
            late: lab.budget.was_late(),
            settings: row(&settings),
            plugin: plugin.as_ref().map(row),
            without: without.as_ref().map(row),
            seems: seems.as_ref().map(row),
            faster: faster.as_ref().map(row),
            fastest: fastest.as_ref().map(row),
            now,
            half: half.as_ref().map(row),
            knee,
            afresh,
            front: front(lab, goals),
            whole: whole(lab).map(|point| tried(lab, goals, point)).collect(),
            clients: lab.has_clients(),
            goals: *goals,
            last_copy: lab.objective == super::lab::LAST_COPY,
            open: goals.are_open(lab),
            resting: lab.resting,
            tried: lab.tried(),
            interrupted: lab.stopped(),
        }
    }

    /// The points that have a row of their own, each once.
    pub fn shown(&self) -> Vec<Point> {
        let rows = [&self.plugin, &self.without, &self.seems, &self.faster, &self.half];
        let others = rows.into_iter().chain([&self.fastest]).flatten();
        let mut points: Vec<Point> = Vec::new();
        for tried in [&self.now, &self.settings].into_iter().chain(others) {
            if !points.contains(&tried.point) {
                points.push(tried.point.clone())
            }
        }
        points
    }

    /// What to do.
    pub fn recommended(&self) -> &Tried {
        &self.settings
    }

    /// From the present settings to the fastest, each with its price; what is recommended is one.
    pub fn ladder(&self) -> Vec<&Tried> {
        let steps = [Some(&self.now), self.half.as_ref(), Some(&self.settings)];
        let mut rows: Vec<&Tried> = Vec::new();
        for step in steps.into_iter().chain([self.faster.as_ref()]).flatten() {
            if rows.iter().all(|row| row.point != step.point) {
                rows.push(step)
            }
        }
        rows
    }

    /// Whether what is recommended meets every goal: the upper end of its interval does.
    pub fn meets(&self) -> bool {
        self.is_in_time() && self.is_gentle()
    }

    /// As to the deadline.
    pub fn is_in_time(&self) -> bool {
        self.recommended().in_time
    }

    /// As to the clients.
    pub fn is_gentle(&self) -> bool {
        self.recommended().gentle
    }

    /// The object of `--json`.
    pub fn json(&self) -> Value {
        let of = |tried: &Tried| self.row(tried);
        json!({
            "meets": (!self.open).then(|| self.meets()),
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
            "seems_faster": self.seems.as_ref().map(of),
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

    fn row(&self, tried: &Tried) -> Value {
        let now = &self.now.point;
        let limiting = tried.limiting.as_ref();
        json!({
            "name": tried.point.name(now),
            "settings": job::set_json(&settings_of(&tried.point, now)),
            "policy": tried.point.policy,
            "needs_plugin": tried.point.needs_plugin(now),
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

/// Real keys and values.
fn settings_of(point: &Point, now: &Point) -> Vec<(String, String)> {
    point.changes(now).map(|(knob, _, new)| (knob.key().into(), new.to_string())).collect()
}

/// A point with what the lab has seen of it, by the seeds that chose.
pub fn tried(lab: &Lab<'_>, goals: &Goals, point: &Point) -> Tried {
    row(lab, goals, point, false)
}

/// A point with what the lab has seen of it, by the seeds that chose or (`afresh`) by those that
/// did not.
pub fn row(lab: &Lab<'_>, goals: &Goals, point: &Point, afresh: bool) -> Tried {
    let runs = if afresh { lab.runs_told(point) } else { lab.runs(point) };
    let variant = lab.variant_of(point, runs);
    let of = |name: &str| of_metric(&variant.runs, name);
    let attribution = shares::of_variant(&variant);
    let first = attribution.shares.first();
    let limiting = first.map(|held| (held.holder.clone(), held.share));
    Tried {
        in_time: goals.is_in_time(lab, point),
        gentle: goals.is_gentle(lab, point),
        p99: of("foreground_p99_ms"),
        slowdown: of("foreground_slowdown"),
        limiting_kind: first.map(|held| held.hue),
        recovery: of("recovery_s"),
        last_copy: of("last_copy_s"),
        loss: hdfs_reading::loss::loss(&variant).filter(|loss| loss.seeds > 0),
        busiest: lab.busiest(point),
        limiting,
        variant,
        point: point.clone(),
    }
}

/// From the declaration of the first loss to that of the last, over seeds \[s\]; `None` where that
/// is nothing to speak of.
fn unnoticed(lab: &Lab<'_>, now: &Tried) -> Option<f64> {
    let mean = lab.unnoticed_in(now.variant.runs.iter().collect());
    (mean >= hdfs_reading::stat::SAME * now.recovery?.mean && mean > 1.0).then_some(mean)
}

/// The fastest of all that were run from every seed.
fn fastest(lab: &Lab<'_>) -> Option<Point> {
    let ends = whole(lab).filter_map(|p| Some((p, lab.recovery(p)?.mean)));
    ends.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(point, _)| point.clone())
}

/// Points that were run from as many seeds as any.
fn whole<'a>(lab: &'a Lab<'_>) -> impl Iterator<Item = &'a Point> {
    let most = lab.points().map(|p| lab.runs(p).len()).max().unwrap_or(0);
    lab.points().filter(move |p| lab.runs(p).len() == most)
}

/// Settings only: beside clients the front of both; else the nearest to now first, each faster than
/// all before it.
fn front(lab: &Lab<'_>, goals: &Goals) -> Vec<Tried> {
    let tried = |point: &Point| tried(lab, goals, point);
    if lab.p99_before().is_some() {
        let all: Vec<&Point> = whole(lab).collect();
        let kind = |p: &Point, now: &Point| !p.needs_plugin(now) && all.contains(&p);
        return trade::front(lab, &kind).iter().map(tried).collect();
    }
    let mean = |p: &Point| lab.recovery(p).map(|s| s.mean);
    let mut all: Vec<(&Point, f64)> = lab
        .points()
        .filter(|p| !p.needs_plugin(&lab.now))
        .filter_map(|p| mean(p).map(|m| (p, m)))
        .collect();
    all.sort_by(|a, b| {
        let by_distance = a.0.distance(&lab.now).total_cmp(&b.0.distance(&lab.now));
        by_distance.then(a.1.total_cmp(&b.1))
    });
    let mut best = f64::INFINITY;
    all.retain(|(_, mean)| {
        let better = *mean < best;
        best = best.min(*mean);
        better
    });
    all.into_iter().map(|(point, _)| tried(point)).collect()
}
