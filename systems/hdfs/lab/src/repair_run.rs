//! Results of a run that the page needs.
use cluster::SystemData;
use hdfs_reading::Run;
use serde::{Deserialize, Serialize};
use system::lab::SeedRun;

#[derive(Serialize, Deserialize)]
pub(crate) struct RepairRun {
    pub(crate) run: Run,
    pub(crate) blocks: u64,
    pub(crate) records: u64,
    /// In a plan with clients.
    pub(crate) busiest: Option<PeakUse>,
}

impl RepairRun {
    pub(crate) fn of(run: &SeedRun) -> &RepairRun {
        RepairRun::in_own(&run.own)
    }

    pub(crate) fn in_own(own: &SystemData) -> &RepairRun {
        let kept = own.as_ref().and_then(|own| own.downcast_ref());
        kept.expect("a finished run of HDFS keeps what it has read")
    }
}

/// Utilisation (0–1) of the busiest resources during the repair.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PeakUse {
    pub disk: f64,
    /// Busiest NIC or uplink.
    pub network: f64,
}
