//! LV08, SimGrid's default network model: Velho and Legrand, "Accuracy study and improvement of
//! network simulation in the SimGrid framework", SIMUTools 2009.
//!
//! A disk is a link. A flow gets 0.97 of each link's rate and begins after 13.01 times the latency.
//! Its weight is the inverse of latency + Σ 20 537 B / rate over its links. Acknowledgements take
//! 0.05 of its rate on the way back ([`CROSS_TRAFFIC`](crate::fluid::CROSS_TRAFFIC)).
use crate::{Path, Resource, ResourceId, Resources};
use cluster::Hardware;
use units::{BytesPerSec, Nanos, rounded_u64};

const LATENCY_FACTOR: f64 = 13.01;
const BANDWIDTH_FACTOR: f64 = 0.97;
/// Bytes of SimGrid's weight per link.
const WEIGHT_S: f64 = 20_537.0;

/// Rates and latencies as the model scales them.
pub fn effective(hardware: &Hardware) -> Hardware {
    let slower = |rate: BytesPerSec| BytesPerSec(rounded_u64(rate.0 as f64 * BANDWIDTH_FACTOR));
    let later = |time: Nanos| Nanos(rounded_u64(time.0 as f64 * LATENCY_FACTOR));
    let mut then = hardware.clone();
    for rate in [&mut then.disk.rate, &mut then.nic, &mut then.inter_rack] {
        *rate = slower(*rate)
    }
    for time in [&mut then.nic_latency, &mut then.inter_rack_latency] {
        *time = later(*time)
    }
    then
}

impl Resources {
    /// Weight of a flow \[1/s\], if these resources are of [`effective`] hardware.
    pub fn lv08_weight(&self, path: &Path) -> f64 {
        let links = path.iter().filter(|id| id.0 < self.hardware());
        let rates = links.map(|&id| self.capacity(id).rate.0 as f64 / BANDWIDTH_FACTOR);
        let penalty = path.latency.as_secs() / LATENCY_FACTOR;
        1.0 / (penalty + rates.map(|rate| WEIGHT_S / rate).sum::<f64>())
    }

    /// The way of acknowledgements, without limits of settings.
    pub fn reverse(&self, path: &Path) -> Path {
        let back = path.iter().rev().filter_map(|&id| self.opposite(id));
        back.fold(Path::new(path.latency), Path::via)
    }

    /// `None` for a limit of a setting.
    fn opposite(&self, id: ResourceId) -> Option<ResourceId> {
        match self.get(id) {
            Resource::NicOut(_) | Resource::UplinkOut(_) | Resource::DiskRead(..) => {
                Some(ResourceId(id.0 + 1))
            }
            Resource::NicIn(_) | Resource::UplinkIn(_) | Resource::DiskWrite(..) => {
                Some(ResourceId(id.0 - 1))
            }
            Resource::Disk(..) | Resource::InterRackLink => Some(id),
            Resource::CopyLimit(_) | Resource::BalanceLimit(_) => None,
        }
    }
}
