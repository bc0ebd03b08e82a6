//! What is kept of a run for its page.
use cluster::Own;
use hdfs_reading::Run;
use system::lab::SeedRun;

pub(crate) struct Kept {
    pub(crate) run: Run,
    pub(crate) blocks: u64,
    pub(crate) records: u64,
    /// Beside clients, in a plan: what is busiest.
    pub(crate) busiest: Option<Busiest>,
}

impl Kept {
    /// Of a run of HDFS.
    pub(crate) fn of(run: &SeedRun) -> &Kept {
        Kept::in_own(&run.own)
    }

    /// The same of what any finished run keeps.
    pub(crate) fn in_own(own: &Own) -> &Kept {
        let kept = own.as_ref().and_then(|own| own.downcast_ref());
        kept.expect("a finished run of HDFS keeps what it has read")
    }
}

/// Parts of the repair in which the busiest ones are in use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Busiest {
    pub disk: f64,
    /// Of the NICs and uplinks.
    pub network: f64,
}
