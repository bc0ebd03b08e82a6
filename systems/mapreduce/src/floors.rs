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

    /// Bytes of a phase that go over a NIC, but for the copies of reduces: a remote read, and a
    /// pipeline of replicas.
    fn remote(&self, place: usize, ended: &Ended) -> Bytes {
        Bytes(match (place, ended.map) {
            (2, true) if !ended.local => self.input,
            (6, map) if self.copies > 1 => self.output[usize::from(!map)],
            _ => 0,
        })
    }

    /// How long they take over a NIC that is the task's own.
    pub(crate) fn over_nic(&self, place: usize, ended: &Ended) -> Nanos {
        self.nic.time_for(self.remote(place, ended))
    }

    /// They go on over the NIC, or from the disk; all else is gone.
    pub(crate) fn without(&self, place: usize, gone: Holder, ended: &Ended) -> Nanos {
        match gone {
            Holder::Disk => self.over_nic(place, ended),
            Holder::Network | Holder::Uplink => self.disk.time_for(self.remote(place, ended)),
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
    let copies = BTreeMap::from([(Holder::Uplink, over(1.0 - 1.0 / racks, racks, uplink))]);
    let copies_alone = Nanos::from_secs(got * (1.0 - 1.0 / nodes) / nic.0 as f64);
    Machine {
        copies_alone,
        slots: [settings.map_slots.clone(), settings.reduce_slots.clone()],
        cores: settings.resources.cores_each(),
        heartbeat: settings.heartbeat,
        arrival: settings.arrival,
        maps: settings.maps,
        slow_start: settings.slow_start,
        least,
        copies,
    }
}
