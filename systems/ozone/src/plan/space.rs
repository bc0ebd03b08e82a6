//! What of Ozone a plan may change: pipelines a node, and disks with a RaftLog.
use cluster::Sheet;
use std::path::Path;
use system::Failure;
use system::lab::Lab;
use system::plan::{Effort, Space};

pub const LIMIT: &str = "ozone-site.ozone.scm.datanode.pipeline.limit";
pub const LOG_DISKS: &str = "hardware.log_disks";

/// Limits that are tried; more than ten never paid in any run.
const LIMITS: [u64; 7] = [1, 2, 3, 4, 5, 7, 10];

/// A disk more at every node is more than any number of pipelines.
const DISK: u64 = 100;

pub type Sets = Vec<(String, String)>;

/// A choice of both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Setting {
    /// Pipelines are closed, and SCM opens others: what stands now may be on identical sets of
    /// nodes.
    pub reopened: bool,
    /// Pipelines a node.
    pub limit: u64,
    /// Disks with a RaftLog directory.
    pub logs: u64,
}

/// Both, from how the cluster is set now.
pub struct Settings<'a> {
    pub lab: Lab,
    path: &'a Path,
    besides: &'a Sets,
    pub now: Setting,
    /// Disks that may have a RaftLog.
    disks: u64,
}

impl<'a> Settings<'a> {
    /// Of a scenario with `besides` over it.
    pub fn of(lab: Lab, path: &'a Path, besides: &'a Sets, sheet: &Sheet) -> Settings<'a> {
        let disks = sheet.count("hardware.disks_per_node");
        let limit = u64::from(crate::model::limit(sheet));
        Settings {
            lab,
            path,
            besides,
            now: Setting { reopened: false, limit, logs: sheet.count(LOG_DISKS) },
            disks: if sheet.flag("hardware.log_apart") { disks - 1 } else { disks },
        }
    }

    /// What a point sets, `besides` included.
    pub fn sets(&self, point: &Setting) -> Sets {
        let mut sets = self.besides.clone();
        sets.push((LIMIT.into(), point.limit.to_string()));
        sets.push((LOG_DISKS.into(), point.logs.to_string()));
        if point.reopened {
            sets.push(("policy.pipeline".into(), "scm-reopened".into()))
        }
        sets
    }

    /// Numbers of log disks that are tried.
    fn logs(&self) -> Vec<u64> {
        let mut logs = vec![1, 2, 4, self.disks / 2, self.disks, self.now.logs];
        logs.retain(|&n| n > 0 && n <= self.disks);
        logs.sort_unstable();
        logs.dedup();
        logs
    }
}

impl Space for Settings<'_> {
    type Point = Setting;

    fn now(&self) -> Setting {
        self.now
    }

    fn sheet(&self, point: &Setting) -> Result<Sheet, Failure> {
        self.lab.read(self.path, &self.sets(point))
    }

    /// Every pair, as far as a node's pipelines can use so many log disks.
    fn coarse(&self) -> Vec<Setting> {
        let mut limits: Vec<u64> = LIMITS.into_iter().chain([self.now.limit]).collect();
        limits.sort_unstable();
        limits.dedup();
        let of = |logs: u64| {
            let used = limits.iter().filter(move |&&n| logs <= 3 * n || logs == self.now.logs);
            used.map(move |&limit| Setting { reopened: true, limit, logs }).collect::<Vec<_>>()
        };
        self.logs().into_iter().flat_map(of).collect()
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

    fn effort(&self, point: &Setting) -> Effort {
        let limit = point.limit.abs_diff(self.now.limit);
        let logs = point.logs.abs_diff(self.now.logs);
        // The DataNodes for the one, SCM for the other.
        let changes = usize::from(limit > 0) + usize::from(logs > 0);
        Effort { restarts: changes, changes, distance: (DISK * logs + limit) as f64 }
    }
}
