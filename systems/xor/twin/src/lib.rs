//! Figures 9 and 10 with real bytes: hosts behind shaped links, in namespaces, and what the model
//! says of the same links; and figure 10 without links, over loopback.
mod cells;
mod figures;
mod judge;
mod stage;

use analysis::{Stat, stat};
use cells::{Cell, LINK, Site, Way, Write};
use page::words::num;
use serde_json::{Value, json};
use stage::{ON_LINKS, Stage};
use std::collections::BTreeMap;
use system::claims::{Asked, ForReal, Made, Real, Run};
use system::lab::Lab;
use system::progress::Progress;
use system::{Failure, interrupt};
use testbed::twin::Pair;
use testbed::twin::kept::{self, Kept};
use testbed::twin::machine::Machine;
use xor::XOR;
use xor::model::{bare, wire};

/// Packets of plain Ethernet \[bytes\].
const MTU: u64 = 1500;
/// The name of what a cell's run came to.
const RATE: &str = "mbit";

/// Otsuji and Tatebe's C2.1 and C2.2: `tenbin reproduce s2 --real`. Three runs of each cell take a
/// quarter of an hour.
pub const S2: ForReal = ForReal { document: "s2", runs: 3, needs_jar: false, make: real };

/// Measures what the wanted claims need, and judges them.
fn real(asked: &Asked<'_>, how: &Real<'_>) -> Result<Made, Failure> {
    asked.unknown(&["C2.1", "C2.2"]).map_or(Ok(()), Err)?;
    let cells = cells::all(asked);
    // First, so that where it cannot be made nothing is left.
    let stage = Stage::make(&cells).map_err(rather)?;
    let simulated = simulated(&cells)?;
    let of = json!({
        "document": "s2", "link_mbit": LINK, "seconds": ON_LINKS.as_secs(),
        "tenbin": env!("CARGO_PKG_VERSION"),
    });
    let mut kept = Kept::beside(how.place, &of)?;
    if let Err(why) = all(how.runs, &cells, &stage, &mut kept) {
        return Err(kept.stopped(rather(why)));
    }
    drop(stage);
    let results = Results::of(&cells, how.runs, &kept, simulated);
    let claims = judge::claims(&results).into_iter().filter(|claim| asked.wants(claim.id));
    Ok(Made {
        claims: claims.collect(),
        figures: figures::all(&results),
        numbers: results.numbers(),
    })
}

/// What goes wrong because the end was asked for is no error.
fn rather(why: Failure) -> Failure {
    interrupt::check().err().unwrap_or(why)
}

/// Each cell once, then each once more; who is first changes from round to round.
fn all(runs: u32, cells: &[Cell], stage: &Stage, kept: &mut Kept) -> Result<(), Failure> {
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
            kept.add(&name, nth, kept::Made { pair, work })?
        }
    }
    progress.end();
    Ok(())
}

/// By the model of the same links \[Mbit/s\]; of loopback there is none. A bare socket and the
/// transport are as fast as the link, but for heads of packets and, in the transport, of blocks.
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
        if let Cell::Moved(way, block) = cell {
            let block = u64::from(*block);
            let bytes = if *way == Way::Bare { bare(block, MTU) } else { wire(block, MTU) as f64 };
            all.insert(*cell, LINK as f64 * block as f64 / bytes);
        }
    }
    Ok(all)
}

/// What was measured, and what is simulated.
struct Results {
    cells: Vec<Cell>,
    /// Of each cell, run by run \[Mbit/s\].
    measured: BTreeMap<Cell, Vec<f64>>,
    simulated: BTreeMap<Cell, f64>,
    runs: u32,
    /// The largest part of their time in which processors worked.
    busy: f64,
}

impl Results {
    fn of(cells: &[Cell], runs: u32, kept: &Kept, simulated: BTreeMap<Cell, f64>) -> Results {
        let mut measured = BTreeMap::new();
        let mut busy = 0.0f64;
        for cell in cells {
            let made = (1..=runs).filter_map(|nth| kept.find(&cell.name(), nth));
            let rates = made.filter_map(|made| {
                // On loopback processors are all there is.
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

    /// Run by run, if it was measured.
    fn rates(&self, cell: Cell) -> Option<&[f64]> {
        self.measured.get(&cell).map(Vec::as_slice).filter(|rates| !rates.is_empty())
    }

    /// One cell over another, in runs that were made one after the other.
    fn ratio(&self, over: Cell, under: Cell) -> Option<Stat> {
        let pairs = self.rates(over)?.iter().zip(self.rates(under)?);
        Some(stat(&pairs.map(|(over, under)| over / under).collect::<Vec<f64>>()))
    }

    /// The same by the model.
    fn simulated_ratio(&self, over: Cell, under: Cell) -> Option<f64> {
        Some(self.simulated.get(&over)? / self.simulated.get(&under)?)
    }

    /// How the figures were made, in a line.
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

/// One client behind a link writes to so many nodes.
fn one(nodes: u32, schedule: &'static str, block: u32) -> Cell {
    Cell::Written(Write { site: Site::Links, nodes, clients: 1, schedule, block })
}
