//! C4.5: what more processes bring, and why not less with us.
use super::grid::{at, read};
use engine::Scheduler;
use page::words::num;
use page::{Body, Cell, Column, Row, Section, Table};
use std::ops::ControlFlow;
use system::claims::{Claim, Verdict};
use system::{Failure, How};

/// The document's configurations: 128 servers.
const CLIENTS: [u32; 3] = [1_024, 2_048, 4_096];
/// Creates of each client in them: enough for a second or so of wall time.
const CREATES: &str = "100";
/// Each is run so often; the fastest counts, since others use this machine as well.
const TIMES: usize = 2;

fn wall(over: &[(String, String)], clients: u32, scheduler: Scheduler) -> Result<f64, Failure> {
    let sets = at(128, clients, &[("workload.creates_per_client", CREATES)]);
    let (lab, row) = read(over, &sets)?;
    let mut best = f64::INFINITY;
    for _ in 0..TIMES {
        let started = system::clock::now();
        let how =
            How { execution: scheduler.into(), keep_trace: false, check: false, witness: None };
        let done = lab.one(&row.sheet, 1, how, &mut |_| ControlFlow::Continue(()))?;
        done.ok_or_else(system::interrupt::nothing_written)?;
        best = best.min(started.elapsed().as_secs_f64())
    }
    Ok(best)
}

/// The verdict, and figures 9 and 10 as a table.
pub fn judge(over: &[(String, String)]) -> Result<(Claim, Section), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let threads: Vec<usize> =
        [2, 4, 8, 16, 32, 64].into_iter().filter(|n| *n <= cores.max(2)).collect();
    let (mut rows, mut optimistic, mut conservative) = (Vec::new(), Vec::new(), Vec::new());
    for clients in CLIENTS {
        let one = wall(over, clients, Scheduler::Sequential)?;
        for n in &threads {
            let ahead = one / wall(over, clients, Scheduler::Optimistic { threads: *n })?;
            let safe = one / wall(over, clients, Scheduler::Conservative { threads: *n })?;
            optimistic.push((*n, ahead));
            conservative.push((*n, safe));
            let cells = [f64::from(clients), *n as f64, one, ahead, safe];
            rows.push(Row::new(cells.map(Cell::number).to_vec()))
        }
    }
    let columns = vec![
        Column::numbers("clients", "", 0),
        Column::numbers("threads", "", 0),
        Column::numbers("sequential", "s", 2),
        Column::numbers("optimistic", "x", 2),
        Column::numbers("conservative", "x", 2),
    ];
    let section = Section::new(
        "figures-9-10",
        "Figures 9 and 10: speed-up by threads",
        format!("128 servers; this machine has {cores} cores; wall times, the faster of {TIMES}"),
        Body::Table(Table { columns, rows }),
    );
    let at_two = |all: &[(usize, f64)]| -> Vec<f64> {
        all.iter().filter(|(n, _)| *n == 2).map(|(_, speed)| *speed).collect()
    };
    let (ahead, safe) = (at_two(&optimistic), at_two(&conservative));
    // Wall times have no interval that counts: within 5 % nothing is said.
    let slower = |speed: f64| {
        if speed < 0.95 {
            Some(true)
        } else if speed > 1.05 {
            Some(false)
        } else {
            None
        }
    };
    let places = ahead.iter().chain(&safe).map(|speed| slower(*speed));
    let verdict = Verdict::of(places);
    let list = |all: &[f64]| all.iter().map(|s| num(*s, 2)).collect::<Vec<_>>().join(", ");
    let mean = safe.iter().sum::<f64>() / safe.len().max(1) as f64;
    let claim = Claim {
        id: "C4.5",
        claim: "128 servers: from 1 to 2 processes both protocols get slower; conservative with \
                every further one",
        document: "slower with 2; optimistic up to 2.3 times as fast with 64".into(),
        ours: Some(mean),
        spread: None,
        unit: "times as fast, conservative with 2 threads",
        verdict,
        reason: format!(
            "2 threads on {cores} cores, optimistic {}, conservative {} times as fast. The \
             document's model sends a reception event after 0.39 us, which is all its \
             lookahead; here the start-up is part of the way, so nothing arrives within 64 \
             us of what causes it",
            list(&ahead),
            list(&safe)
        ),
        sensitivity: Vec::new(),
    };
    Ok((claim, section))
}
