//! The paper's figures: paper, model and measurement side by side.
use crate::cells::{
    self, AUTO, BLOCK, BLOCKS, CLIENTS, Cell, FIXED, NODES, Site, TransferPath, Write,
};
use crate::{Results, one};
use analysis::{Stat, stat};
use page::{Body, Cell as TableCell, Column, Row, Section, Table};
use system::claims::Band;

/// Tolerance of the mix below the best fixed schedule.
pub const BELOW: f64 = 0.03;

pub fn all(of: &Results) -> Vec<Section> {
    [figure_9(of), figure_10(of), mix(of), loopback(of)].into_iter().flatten().collect()
}

fn mean(stat: Option<&Stat>) -> TableCell {
    stat.map_or(TableCell::None, |stat| TableCell::mean(stat.mean, stat.ci95))
}

fn number(value: Option<f64>) -> TableCell {
    value.map_or(TableCell::None, TableCell::number)
}

fn count(of: u32) -> TableCell {
    TableCell::text(of.to_string().as_str())
}

fn kib(block: u32) -> TableCell {
    TableCell::text(format!("{} KiB", block >> 10).as_str())
}

/// `None` if the table has no rows.
fn section(
    (id, title): (&str, &str),
    qualifier: String,
    columns: Vec<Column>,
    rows: Vec<Row>,
) -> Option<Section> {
    let is_there = !rows.is_empty();
    is_there.then(|| Section::new(id, title, qualifier, Body::Table(Table { columns, rows })))
}

/// A cell over another in the paper, the model and the measurement; then its absolute values.
fn side_by_side(
    of: &Results,
    document: TableCell,
    cell: Cell,
    under: Cell,
) -> Option<Vec<TableCell>> {
    let measured = stat(of.rates(cell)?);
    let simulated = of.simulated.get(&cell).copied();
    Some(vec![
        document,
        number(of.simulated_ratio(cell, under)),
        mean(of.ratio(cell, under).as_ref()),
        number(simulated),
        mean(Some(&measured)),
        number(simulated.map(|rate| 100.0 * (rate / measured.mean - 1.0))),
    ])
}

/// `under`: the name of the denominator.
fn columns_of(under: &str, digits: u32) -> [Column; 6] {
    [
        Column::words(&format!("paper, of {under}")),
        Column::numbers(&format!("model, of {under}"), "", digits),
        Column::numbers(&format!("measured, of {under}"), "", digits),
        Column::numbers("model", "Mbit/s", 1),
        Column::numbers("measured", "Mbit/s", 1),
        Column::numbers("model off by", "%", 1),
    ]
}

fn figure_9(of: &Results) -> Option<Section> {
    let row = |block: u32, path: TransferPath| -> Option<Row> {
        let less = if block < BLOCK { "less" } else { "1" };
        let (name, under, document) = match path {
            TransferPath::Bare => ("bare socket", TransferPath::Bare, "1"),
            TransferPath::Two => ("two nodes", TransferPath::Bare, less),
            TransferPath::OverThird => ("over a third", TransferPath::Two, "slightly less"),
        };
        let cells = [path, under].map(|path| Cell::Moved(path, block));
        let mut shown = vec![kib(block), TableCell::text(name)];
        shown.extend(side_by_side(of, TableCell::text(document), cells[0], cells[1])?);
        Some(Row::new(shown))
    };
    let mut columns = vec![Column::words("block"), Column::words("way")];
    columns.extend(columns_of("the row above", 3));
    let paths = [TransferPath::Bare, TransferPath::Two, TransferPath::OverThird];
    let all = BLOCKS.into_iter().flat_map(|block| paths.map(|path| (block, path)));
    let rows = all.filter_map(|(block, path)| row(block, path)).collect();
    let what = ("real-figure-9", "Figure 9 on shaped links: from one node to another");
    section(what, of.said(), columns, rows)
}

/// Values of the paper, which has only three nodes.
fn document(nodes: u32, schedule: &str, block: u32) -> TableCell {
    match (nodes, schedule, block) {
        (3, "naive", _) => TableCell::text("1"),
        (3, "chain", BLOCK) => TableCell::text("1.32"),
        (3, "chain", _) => TableCell::text("1 to 1.32"),
        _ => TableCell::None,
    }
}

fn figure_10(of: &Results) -> Option<Section> {
    let row = |nodes: u32, block: u32, schedule: &'static str| -> Option<Row> {
        let (cell, naive) = (one(nodes, schedule, block), one(nodes, FIXED[0], block));
        let said = document(nodes, schedule, block);
        let mut shown = vec![count(nodes), kib(block), TableCell::text(schedule)];
        shown.extend(side_by_side(of, said, cell, naive)?);
        Some(Row::new(shown))
    };
    let mut columns = ["nodes", "block", "schedule"].map(Column::words).to_vec();
    columns.extend(columns_of(FIXED[0], 2));
    let mut rows = Vec::new();
    for nodes in NODES {
        for block in BLOCKS {
            rows.extend(cells::schedules().filter_map(|schedule| row(nodes, block, schedule)))
        }
    }
    let what = ("real-figure-10", "Figure 10 on shaped links: a client writes");
    section(what, of.said(), columns, rows)
}

/// With blocks of 16 KiB.
fn many(nodes: u32, clients: u32, schedule: &'static str) -> Cell {
    Cell::Written(Write { site: Site::Links, nodes, clients, schedule, block: BLOCK })
}

/// The best fixed schedule, and the mix over it, measured and in the model.
fn over_best(of: &Results, nodes: u32, clients: u32) -> Option<(&'static str, Stat, f64)> {
    let mut best: Option<(&'static str, f64)> = None;
    for schedule in FIXED {
        let rate = stat(of.rates(many(nodes, clients, schedule))?).mean;
        if best.is_none_or(|(_, most)| rate > most) {
            best = Some((schedule, rate))
        }
    }
    let (best, _) = best?;
    let auto = many(nodes, clients, AUTO);
    let simulated = FIXED.map(|fixed| of.simulated.get(&many(nodes, clients, fixed)));
    let most = simulated.into_iter().flatten().fold(0.0f64, |most, rate| most.max(*rate));
    let ratio = of.ratio(auto, many(nodes, clients, best))?;
    Some((best, ratio, of.simulated.get(&auto)? / most))
}

fn holds(ratio: &Stat) -> Option<bool> {
    Band::above(1.0 - BELOW).holds(ratio)
}

/// Number of cells in which the mix holds, fails, or is undecided.
pub fn mix_holds(of: &Results) -> Option<[usize; 3]> {
    let cells = NODES.into_iter().flat_map(|nodes| CLIENTS.map(move |clients| (nodes, clients)));
    let all: Vec<Option<bool>> = cells
        .filter_map(|(nodes, clients)| over_best(of, nodes, clients))
        .map(|(_, ratio, _)| holds(&ratio))
        .collect();
    let count = |fate| all.iter().filter(|holds| **holds == fate).count();
    (!all.is_empty()).then(|| [Some(true), Some(false), None].map(count))
}

fn mix(of: &Results) -> Option<Section> {
    let [yes, no, open] = mix_holds(of)?;
    let row = |nodes: u32, clients: u32| -> Option<Row> {
        let (best, ratio, simulated) = over_best(of, nodes, clients)?;
        let mut shown = vec![count(nodes), count(clients)];
        for schedule in cells::schedules() {
            let rates = of.rates(many(nodes, clients, schedule))?;
            shown.push(mean(Some(&stat(rates))))
        }
        let words = match holds(&ratio) {
            Some(true) => "yes",
            Some(false) => "no",
            None => "open",
        };
        shown.extend([
            TableCell::text(best),
            number(Some(simulated)),
            mean(Some(&ratio)),
            TableCell::text(words),
        ]);
        Some(Row::new(shown))
    };
    let mut columns = vec![Column::words("nodes"), Column::words("clients")];
    columns.extend(cells::schedules().map(|name| Column::numbers(name, "Mbit/s", 1)));
    columns.extend([
        Column::words("best fixed"),
        Column::numbers("auto / best, model", "", 3),
        Column::numbers("auto / best, measured", "", 3),
        Column::words("no more than 3 % below"),
    ]);
    let cells = NODES.into_iter().flat_map(|nodes| CLIENTS.map(move |clients| (nodes, clients)));
    let rows = cells.filter_map(|(nodes, clients)| row(nodes, clients)).collect();
    let what = ("real-mix", "The mix and the best fixed schedule, on shaped links, 16 KiB");
    let all = yes + no + open;
    let said = format!(
        "auto is never more than {} % below: this holds in {yes} of {all} cells, fails in {no}, \
         and {open} are open. {}",
        100.0 * BELOW,
        of.said()
    );
    section(what, said, columns, rows)
}

fn loopback(of: &Results) -> Option<Section> {
    let cell = |nodes, schedule, block| {
        Cell::Written(Write { site: Site::Loopback, nodes, clients: 1, schedule, block })
    };
    let mut wins = 0;
    let mut row = |nodes: u32, block: u32| -> Option<Row> {
        let rates = FIXED.map(|schedule| of.rates(cell(nodes, schedule, block)).map(stat));
        let [naive, chain, pivot] = rates;
        if naive?.mean >= chain?.mean.max(pivot?.mean) {
            wins += 1
        }
        let mut shown = vec![count(nodes), kib(block)];
        for schedule in cells::schedules() {
            let rates = of.rates(cell(nodes, schedule, block))?;
            let gbit: Vec<f64> = rates.iter().map(|mbit| mbit / 1e3).collect();
            shown.push(mean(Some(&stat(&gbit))))
        }
        let naive = cell(nodes, FIXED[0], block);
        shown.push(mean(of.ratio(cell(nodes, "chain", block), naive).as_ref()));
        Some(Row::new(shown))
    };
    let mut rows = Vec::new();
    for nodes in NODES {
        rows.extend(BLOCKS.iter().filter_map(|block| row(nodes, *block)))
    }
    let mut columns = vec![Column::words("nodes"), Column::words("block")];
    columns.extend(cells::schedules().map(|name| Column::numbers(name, "Gbit/s", 2)));
    columns.push(Column::numbers("chain / naive", "", 2));
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let said = format!(
        "no link is narrow: client and nodes share {cores} cores, so this measures the CPU's work. \
         naive, which moves the fewest blocks, is the fastest fixed schedule in {wins} of {} rows; \
         this is no evidence for relays, nor against them",
        rows.len()
    );
    let what = ("real-loopback", "Figure 10 over loopback, unshaped: the CPU's work");
    section(what, said, columns, rows)
}
