//! What a plan may change: pipelines per node, and disks with a Raft log.
use cluster::Sheet;
use serde_json::Value;
use std::path::Path;
use system::Failure;
use system::advice::Price;
use system::lab::Lab;
use system::plan::{Effort, Space};

pub const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";
pub const LOG_DISKS: &str = "hardware.log_disks";

/// Effort of a further disk per node: more than that of any number of pipelines.
const DISK: u64 = 100;

pub type Sets = Vec<(String, String)>;

/// Cap on the cluster's pipelines; `None`: no cap.
pub fn cap(sheet: &Sheet) -> Option<u64> {
    Some(sheet.count("ozone-site.ozone.scm.ratis.pipeline.limit")).filter(|cap| *cap > 0)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Setting {
    /// All pipelines are closed and SCM opens others, since present ones may have identical node
    /// sets.
    pub reopened: bool,
    pub limit: u64,
    /// Number of disks with a Raft log directory.
    pub logs: u64,
}

/// The search space around the cluster's present setting.
pub struct Settings<'a> {
    pub lab: Lab,
    path: &'a Path,
    besides: &'a Sets,
    pub now: Setting,
    /// Candidate limits, and candidate numbers of log disks.
    values: [Vec<u64>; 2],
}

impl<'a> Settings<'a> {
    /// `besides`: settings in addition to the file.
    pub fn of(lab: Lab, path: &'a Path, besides: &'a Sets, sheet: &Sheet) -> Settings<'a> {
        let limit = u64::from(crate::model::limit(sheet));
        let now = Setting { reopened: false, limit, logs: sheet.count(LOG_DISKS) };
        let mut values = [(LIMIT, now.limit), (LOG_DISKS, now.logs)].map(|(key, now)| {
            let tries = sheet.tries(key).into_iter().filter_map(|value| value.parse().ok());
            let mut all: Vec<u64> = tries.chain([now]).collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        below_cap(&mut values[0], now.limit, sheet);
        Settings { lab, path, besides, now, values }
    }

    /// Settings of a point, including `besides`.
    pub fn sets(&self, point: &Setting) -> Sets {
        let mut sets = self.besides.clone();
        sets.push((LIMIT.into(), point.limit.to_string()));
        sets.push((LOG_DISKS.into(), point.logs.to_string()));
        if point.reopened {
            sets.push(("policy.pipeline".into(), "scm-reopened".into()))
        }
        sets
    }
}

impl Settings<'_> {
    /// The advice of `tenbin run`; `None` if it changes settings outside of the plan.
    pub fn advised(&self, advice: &Value) -> Option<Setting> {
        let mut point = self.now;
        for (key, value) in advice["do"]["set"].as_object()? {
            let value = value.as_str()?;
            match key.as_str() {
                LIMIT => point.limit = value.parse().ok()?,
                LOG_DISKS => point.logs = value.parse().ok()?,
                "policy.pipeline" if value == "scm-reopened" => point.reopened = true,
                _ => return None,
            }
        }
        Some(point)
    }
}

/// Drops limits above the first one that reaches the cluster's cap.
fn below_cap(limits: &mut Vec<u64>, now: u64, sheet: &Sheet) {
    let (nodes, cap) = (sheet.count("cluster.nodes"), cap(sheet).unwrap_or(u64::MAX));
    let first = limits.iter().copied().find(|limit| limit * nodes / 3 >= cap).unwrap_or(u64::MAX);
    limits.retain(|&limit| limit <= first || limit == now);
}

impl Space for Settings<'_> {
    type Point = Setting;

    fn now(&self) -> Setting {
        self.now
    }

    fn sheet(&self, point: &Setting) -> Result<Sheet, Failure> {
        self.lab.read(self.path, &self.sets(point))
    }

    /// All pairs, except those with more log disks than a node's pipelines can use.
    fn coarse(&self) -> Vec<Setting> {
        let [limits, logs] = &self.values;
        let of = |logs: u64| {
            let used = limits.iter().filter(move |&&n| logs <= 3 * n || logs == self.now.logs);
            used.map(move |&limit| Setting { reopened: true, limit, logs }).collect::<Vec<_>>()
        };
        logs.iter().flat_map(|logs| of(*logs)).collect()
    }

    fn near(&self, _point: &Setting, _holder: Option<&str>) -> Vec<Setting> {
        Vec::new()
    }

    fn without(&self, point: &Setting) -> Vec<Setting> {
        let mut fewer: Vec<Setting> = Vec::new();
        if point.limit != self.now.limit {
            fewer.push(Setting { limit: self.now.limit, ..*point })
        }
        if point.logs != self.now.logs {
            fewer.push(Setting { logs: self.now.logs, ..*point })
        }
        if fewer.is_empty() && point.reopened {
            fewer.push(self.now)
        }
        fewer
    }

    fn prices(&self) -> &'static [Price] {
        self.lab.reporter().prices()
    }

    fn effort(&self, point: &Setting) -> Effort {
        let limit = point.limit.abs_diff(self.now.limit);
        let logs = point.logs.abs_diff(self.now.logs);
        // One restart of the DataNodes for log disks, one of SCM for the limit.
        let changes = usize::from(limit > 0) + usize::from(logs > 0);
        Effort { restarts: changes, changes, distance: (DISK * logs + limit) as f64 }
    }
}
