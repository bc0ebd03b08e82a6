//! C4.1 to C4.3 and C4.6 of Kirii, Tatebe, Ross 2015 on real nodes: `tenbin reproduce s4 --real`.
//! C4.4 is missing: the start-up of a real message is no setting.
use crate::calibrate::{Calibration, Scratch, cores};
use crate::cells::Cell;
use crate::stage::Stage;
use crate::twin::{Measured, Pairing};
use analysis::{Stat, stat};
use page::words::num;
use ppmds::PPMDS;
use ppmds::claims::table::{FLAT, REAL};
use ppmds_service::durability::Durability;
use ppmds_service::load::Workload;
use std::collections::BTreeMap;
use std::path::Path;
use system::claims::{
    Band, MeasuredClaim, MeasuredClaims, RealExperiment, RealRunOptions, ReproduceRequest, Verdict,
};
use system::lab::Lab;
use system::progress::Progress;
use system::{Failure, interrupt};
use testbed::priority::raise;

/// Five runs of each cell take 3 min.
pub const S4: RealExperiment =
    RealExperiment { document: "s4", runs: 5, needs_jar: false, make: real };

const SCENARIO: &str = include_str!("../../scenarios/twin.toml");
const CLAIMS: [&str; 4] = ["C4.1", "C4.2", "C4.3", "C4.6"];
const MOST_SERVERS: u32 = 2;
const FEW: u32 = 11;
const HALF: u32 = 44;
const ALL: u32 = 88;
/// Time of a measurement, without its preparation \[s\].
const SECONDS: u64 = 2;
/// Above this fraction the CPUs, which servers and clients share, limit a rate. The measured
/// fraction includes the start of the clients.
const BUSY: f64 = 0.75;

/// Servers, clients, and whether an answer waits for the disk.
type Place = (u32, u32, bool);

fn real(asked: &ReproduceRequest<'_>, how: &RealRunOptions<'_>) -> Result<MeasuredClaims, Failure> {
    asked.unknown_claim(&CLAIMS).map_or(Ok(()), Err)?;
    raise();
    let lab = Lab::of(&PPMDS)?;
    let sheet = lab.read_text(SCENARIO, Path::new("twin.toml"), &[])?;
    let folder = Scratch::new(how.store)?;
    let progress = Progress::run();
    progress.note("calibrating");
    let calibration = Calibration::measure(&folder.0)?;
    let (stage, _) = Stage::make(MOST_SERVERS, sheet.rate("network.server_bandwidth"));
    let pairing = Pairing {
        lab: &lab,
        sheet: &sheet,
        stage: &stage,
        calibration: &calibration,
        folder: &folder.0,
        seconds: SECONDS,
        seeds: how.seeds,
    };
    let mut rates = Rates { runs: how.runs, ..Rates::default() };
    for run in 1..=how.runs {
        progress.note(&format!("run {run} of {}", how.runs));
        rates.measure(&pairing)?
    }
    progress.end();
    let claims = [rates.rises(), rates.flat(), rates.by_store(), rates.service()];
    let claims = claims.into_iter().filter(|claim| asked.includes(claim.id));
    Ok(claims.collect::<Vec<MeasuredClaim>>().into())
}

/// Creates per second by run, measured and predicted.
#[derive(Default)]
struct Rates {
    all: BTreeMap<Place, [Vec<f64>; 2]>,
    runs: u32,
    /// Maximum of the machine's CPUs in use (0–1).
    busy: f64,
}

impl Rates {
    fn measure(&mut self, pairing: &Pairing<'_>) -> Result<(), Failure> {
        let waits = [(1, true), (MOST_SERVERS, true), (MOST_SERVERS, false)];
        for (servers, waits) in waits {
            let enter = |server| pairing.stage.enter(server);
            let place = pairing.folder.join(format!("nodes-{servers}"));
            let durability = if waits { Durability::Group } else { Durability::Async };
            let nodes = pairing.stage.start(&place, servers, durability, &enter)?;
            for clients in if waits { &[FEW, HALF, ALL][..] } else { &[ALL] } {
                interrupt::check()?;
                let cell = Cell { kind: Workload::Create, servers, clients: *clients };
                self.add((servers, *clients, waits), &pairing.measure(&nodes, cell)?)
            }
        }
        Ok(())
    }

    fn add(&mut self, place: Place, done: &Measured) {
        let [measured, predicted] = self.all.entry(place).or_default();
        measured.push(done.rate);
        predicted.push(done.predicted.rate);
        self.busy = self.busy.max(done.used[1] / cores() as f64)
    }

    fn of(&self, place: Place) -> [Stat; 2] {
        self.all[&place].each_ref().map(|rates| stat(rates))
    }

    /// One place over another by run, measured and predicted.
    fn ratio(&self, over: Place, under: Place) -> [Stat; 2] {
        let (over, under) = (&self.all[&over], &self.all[&under]);
        std::array::from_fn(|side| {
            let pairs = over[side].iter().zip(&under[side]).map(|(over, under)| over / under);
            stat(&pairs.collect::<Vec<f64>>())
        })
    }

    fn rises(&self) -> MeasuredClaim {
        let gain = |servers, few| self.ratio((servers, ALL, true), (servers, few, true));
        let mut places = Vec::new();
        for servers in [1, MOST_SERVERS] {
            places.push(Band::above(1.0).holds(&gain(servers, FEW)[0]));
            places.push(Band::below(FLAT).holds(&gain(servers, HALF)[0]))
        }
        self.claim("C4.1", "with 88 clients / with 11, 2 servers", gain(MOST_SERVERS, FEW), places)
    }

    fn flat(&self) -> MeasuredClaim {
        let gain = |servers| self.ratio((servers, ALL, true), (servers, HALF, true));
        let holds = |servers| Band::near(1.0, 0.03).holds(&gain(servers)[0]);
        let places = [1, MOST_SERVERS].map(holds);
        self.claim("C4.2", "with 88 clients / with 44, 2 servers", gain(MOST_SERVERS), places)
    }

    /// C4.3: the store's latency is that of the disk, or none.
    fn by_store(&self) -> MeasuredClaim {
        let gain = self.ratio((MOST_SERVERS, ALL, false), (MOST_SERVERS, ALL, true));
        let places = [Band::near(1.0, 0.05).holds(&gain[0])];
        self.claim("C4.3", "without waiting for the disk / waiting, 88 clients", gain, places)
    }

    fn service(&self) -> MeasuredClaim {
        let rate = self.of((1, ALL, true));
        let places = [Band::near(REAL[0].1, 0.15).holds(&rate[0])];
        self.claim("C4.6", "creates/s with 1 server, 88 clients", rate, places)
    }

    fn claim(
        &self,
        id: &'static str,
        unit: &'static str,
        both: [Stat; 2],
        places: impl IntoIterator<Item = Option<bool>>,
    ) -> MeasuredClaim {
        let is_busy = self.busy > BUSY;
        let places = places.into_iter().map(|place| place.filter(|_| !is_busy));
        let busy = num(100.0 * self.busy, 0);
        let limit = if is_busy {
            ": the CPUs, which servers and clients share, limit the rates, so nothing is decided"
        } else {
            ""
        };
        let rates = self.all.iter().map(|((servers, clients, waits), _)| {
            let [measured, predicted] = self.of((*servers, *clients, *waits));
            let disk = if *waits { "" } else { ", no wait for the disk" };
            let [measured, predicted] = [measured, predicted].map(|rate| num(rate.mean, 0));
            format!("{servers} × {clients}{disk}: {measured} ({predicted})")
        });
        let rates = rates.collect::<Vec<String>>().join("; ");
        let reason = format!(
            "{} runs; CPUs were up to {busy} % busy{limit}. Creates/s by servers × clients, \
             measured (predicted): {rates}",
            self.runs
        );
        let verdict = Verdict::of(places);
        MeasuredClaim::of((id, unit), (&both[0], &both[1]), verdict, (self.runs, reason))
    }
}
