//! Figures 9 and 10 with real bytes: hosts in network namespaces behind shaped links, and the model
//! of these links. Figure 10 also over loopback.
mod cells;
mod figures;
mod judge;
mod stage;

use analysis::{Stat, stat};
use cells::{Cell, LINK, Site, TransferPath, Write};
use page::words::num;
use serde_json::{Value, json};
use stage::{ON_LINKS, Stage};
use std::collections::BTreeMap;
use system::claims::{MeasuredClaims, RealExperiment, RealRunOptions, ReproduceRequest, Run};
use system::lab::Lab;
use system::progress::Progress;
use system::{Failure, interrupt};
use testbed::twin::Pair;
use testbed::twin::checkpoint::{self, Checkpoint};
use testbed::twin::machine::Machine;
use xor::XOR;
use xor::model::{bare, wire};

/// Plain Ethernet \[bytes\].
const MTU: u64 = 1500;
/// Metric name of a cell's run.
const RATE: &str = "mbit";

/// C2.1 and C2.2 of Otsuji, Tatebe 2013: `tenbin reproduce s2 --real`. Three runs of each cell take
/// 15 min.
pub const S2: RealExperiment =
    RealExperiment { document: "s2", runs: 3, needs_jar: false, make: real };

fn real(asked: &ReproduceRequest<'_>, how: &RealRunOptions<'_>) -> Result<MeasuredClaims, Failure> {
    asked.unknown_claim(&["C2.1", "C2.2"]).map_or(Ok(()), Err)?;
    let cells = cells::all(asked);
    // First: if this fails, nothing is left behind.
    let stage = Stage::make(&cells).map_err(rather)?;
    let simulated = simulated(&cells)?;
    let of = json!({
        "document": "s2", "link_mbit": LINK, "seconds": ON_LINKS.as_secs(),
        "tenbin": env!("CARGO_PKG_VERSION"),
    });
    let mut kept = Checkpoint::beside(how.place, &of)?;
    if let Err(why) = all(how.runs, &cells, &stage, &mut kept) {
        return Err(kept.stopped(rather(why)));
    }
    drop(stage);
    let results = Results::of(&cells, how.runs, &kept, simulated);
    let claims = judge::claims(&results).into_iter().filter(|claim| asked.includes(claim.id));
    Ok(MeasuredClaims {
        claims: claims.collect(),
        figures: figures::all(&results),
        numbers: results.numbers(),
    })
}

/// An error after an interrupt is the interrupt.
fn rather(why: Failure) -> Failure {
    interrupt::check().err().unwrap_or(why)
}

/// Runs each cell once a round. The first cell changes from round to round.
fn all(runs: u32, cells: &[Cell], stage: &Stage, kept: &mut Checkpoint) -> Result<(), Failure> {
    let progress = Progress::run();
    let count = cells.len();
    for nth in 1..=runs {
        for turn in 0..count {
            let cell = &cells[(turn + units::usize_of(nth.into()) - 1) % count];
            let name = cell.name();
            if kept.find(&name, nth).is_some() {
                continue;
            }
            interrupt::check()?;
            progress.note(&format!("run {nth} of {runs}, cell {} of {count}: {name}", turn + 1));
            let before = Machine::now(&[]);
            let rate = stage.measure(cell)?;
            let work = Machine::now(&[]).since(&before);
            let pair = Pair { measured: [(RATE.to_string(), rate)].into(), ..Pair::default() };
            kept.add(&name, nth, checkpoint::MeasuredRun { pair, work })?
        }
    }
    progress.end();
    Ok(())
}

/// By the model of the same links \[Mbit/s\]; loopback has none. A bare socket and the transport
/// reach the link's rate minus the headers of packets and, in the transport, of blocks.
fn simulated(cells: &[Cell]) -> Result<BTreeMap<Cell, f64>, Failure> {
    let lab = Lab::of(&XOR)?;
    let on_links = |cell: &Cell| match cell {
        Cell::Written(write) if write.site == Site::Links => Some((*cell, write.simulated())),
        _ => None,
    };
    let (written, runs): (Vec<Cell>, Vec<Run>) = cells.iter().filter_map(on_links).unzip();
    let rows = runs.iter().map(|run| run.row(&lab, &[])).collect::<Result<Vec<_>, Failure>>()?;
    let done = lab.run(&rows, &[1], false, "reproduce s2")?;
    interrupt::check()?;
    let rates = done.rows.iter().map(|row| row.values().expect("each run has its rate")[0]);
    let mut all: BTreeMap<Cell, f64> = written.into_iter().zip(rates).collect();
    for cell in cells {
        if let Cell::Moved(path, block) = cell {
            let block = u64::from(*block);
            let bytes = if *path == TransferPath::Bare {
                bare(block, MTU)
            } else {
                wire(block, MTU) as f64
            };
            all.insert(*cell, LINK as f64 * block as f64 / bytes);
        }
    }
    Ok(all)
}

struct Results {
    cells: Vec<Cell>,
    /// By cell and run \[Mbit/s\].
    measured: BTreeMap<Cell, Vec<f64>>,
    simulated: BTreeMap<Cell, f64>,
    runs: u32,
    /// Maximum CPU utilisation (0–1) of runs on links.
    busy: f64,
}

impl Results {
    fn of(cells: &[Cell], runs: u32, kept: &Checkpoint, simulated: BTreeMap<Cell, f64>) -> Results {
        let mut measured = BTreeMap::new();
        let mut busy = 0.0f64;
        for cell in cells {
            let made = (1..=runs).filter_map(|nth| kept.find(&cell.name(), nth));
            let rates = made.filter_map(|made| {
                // On loopback the CPUs are always busy.
                if !matches!(cell, Cell::Written(w) if w.site == Site::Loopback) {
                    busy = busy.max(made.work.processors)
                }
                made.pair.measured.get(RATE).copied()
            });
            let rates = rates.collect();
            measured.insert(*cell, rates);
        }
        Results { cells: cells.to_vec(), measured, simulated, runs, busy }
    }

    /// By run; `None` if the cell was not measured.
    fn rates(&self, cell: Cell) -> Option<&[f64]> {
        self.measured.get(&cell).map(Vec::as_slice).filter(|rates| !rates.is_empty())
    }

    /// One cell over another, paired by round.
    fn ratio(&self, over: Cell, under: Cell) -> Option<Stat> {
        let pairs = self.rates(over)?.iter().zip(self.rates(under)?);
        Some(stat(&pairs.map(|(over, under)| over / under).collect::<Vec<f64>>()))
    }

    fn simulated_ratio(&self, over: Cell, under: Cell) -> Option<f64> {
        Some(self.simulated.get(&over)? / self.simulated.get(&under)?)
    }

    fn said(&self) -> String {
        format!(
            "{} runs of each, {LINK} Mbit/s each way, TCP; processors were at most {} % busy",
            self.runs,
            num(100.0 * self.busy, 0)
        )
    }

    fn numbers(&self) -> Value {
        let cell = |cell: &Cell| {
            json!({
                "cell": cell.name(),
                "measured_mbit": self.measured.get(cell),
                "simulated_mbit": self.simulated.get(cell),
            })
        };
        let mix = figures::mix_holds(self).map(|[holds, fails, open]| {
            json!({ "at_most_below": figures::BELOW, "holds": holds, "fails": fails, "open": open })
        });
        json!({
            "link_mbit": LINK,
            "runs": self.runs,
            "processors_busy": self.busy,
            "cells": self.cells.iter().map(cell).collect::<Vec<Value>>(),
            "mix": mix,
        })
    }
}

/// "1.49 ± 0.01"
fn said(stat: &Stat) -> String {
    format!("{} ± {}", num(stat.mean, 2), num(stat.ci95, 2))
}

fn one(nodes: u32, schedule: &'static str, block: u32) -> Cell {
    Cell::Written(Write { site: Site::Links, nodes, clients: 1, schedule, block })
}
