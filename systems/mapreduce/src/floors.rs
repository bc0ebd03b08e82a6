//! What a run needs at least where one holder is gone: of each phase, and of the whole cluster.
use crate::model::{Ended, Settings};
use crate::tale::Holder;
use crate::without::Machine;
use cluster::Sheet;
use std::collections::BTreeMap;
use units::{Bytes, BytesPerSec, Nanos};

/// What a phase takes at least where one holder is gone.
pub(crate) struct Floors {
    input: u64,
    output: [u64; 2],
    /// On a core of its own.
    cpu: [Nanos; 2],
    disk: BytesPerSec,
    nic: BytesPerSec,
    copies: u32,
}

impl Floors {
    pub(crate) fn of(sheet: &Sheet, settings: &Settings) -> Floors {
        let got = settings.partition() * u64::from(settings.maps);
        let reduced = units::rounded_u64(got as f64 * settings.profile.reduce_out);
        Floors {
            input: settings.input,
            output: [settings.map_output(), reduced],
            cpu: [
                Nanos(units::rounded_u64(settings.input as f64 * settings.profile.map_cpu)),
                Nanos(units::rounded_u64(got as f64 * settings.profile.reduce_cpu)),
            ],
            disk: sheet.rate("hardware.disk"),
            nic: sheet.rate("hardware.nic"),
            copies: settings.output_replication,
        }
    }

    /// A remote read goes on over the NIC, or from the disk; a pipeline as well; all else is gone.
    pub(crate) fn without(&self, place: usize, gone: Holder, ended: &Ended) -> Nanos {
        let bytes = match (place, ended.map) {
            (2, true) if !ended.local => self.input,
            (6, map) if self.copies > 1 => self.output[usize::from(!map)],
            _ => 0,
        };
        match gone {
            Holder::Disk => self.nic.time_for(Bytes(bytes)),
            Holder::Network | Holder::Uplink => self.disk.time_for(Bytes(bytes)),
            // The work itself is left: only the wait for a core is gone.
            Holder::Core => {
                let own = ended.limited[place - 1][0];
                self.cpu[usize::from(!ended.map)].saturating_sub(own)
            }
            _ => Nanos::ZERO,
        }
    }
}

/// What a run goes through once more.
pub(crate) fn machine(settings: &Settings) -> Machine {
    let maps = f64::from(settings.maps) * f64::from(settings.jobs);
    let profile = settings.profile;
    let nanos =
        maps * settings.input as f64 * (profile.map_cpu + profile.map_out * profile.reduce_cpu);
    let cores: u64 = settings.resources.cores_in_all();
    let least = BTreeMap::from([(Holder::Core, Nanos(units::rounded_u64(nanos / cores as f64)))]);
    let (nic, uplink) = settings.resources.links();
    let got = settings.partition() as f64 * f64::from(settings.maps);
    let (nodes, racks) = (f64::from(settings.nodes), f64::from(settings.racks));
    let slots: u32 = settings.reduce_slots.iter().sum();
    let at_once = f64::from(settings.reduces.min(slots)) * got;
    let over = |part: f64, links: f64, rate: BytesPerSec| {
        Nanos::from_secs(at_once * part / links / rate.0 as f64)
    };
    let copies = BTreeMap::from([
        (Holder::Network, over(1.0 - 1.0 / nodes, nodes, nic)),
        (Holder::Uplink, over(1.0 - 1.0 / racks, racks, uplink)),
    ]);
    Machine {
        slots: [settings.map_slots.clone(), settings.reduce_slots.clone()],
        heartbeat: settings.heartbeat,
        arrival: settings.arrival,
        maps: settings.maps,
        slow_start: settings.slow_start,
        least,
        copies,
    }
}
