//! Tables of Watanabe 2014 next to simulated values.
use super::sites::{
    ALL, BY_DISK, BY_POTENTIAL, BY_RECEIVE, DISK, EC2, FAIR, LAB, POTENTIAL, RECEIVE, RULES, TWO,
    at, slots, sweep_values,
};
use page::{Body, Cell, Column, Row, Section, Table};
use system::claims::{BaseScenario, Run, Runs, Value};

/// Values of the paper \[s\]: Lab job, EC2 job, EC2 map, EC2 reduce.
const DOCUMENT: [(&str, [Option<f64>; 4]); 6] = [
    (FAIR, [Some(465.0), Some(538.0), Some(33.27), Some(318.49)]),
    (RECEIVE, [Some(461.0), Some(524.0), Some(32.06), Some(301.99)]),
    (POTENTIAL, [Some(464.0), Some(534.0), Some(32.55), Some(316.26)]),
    (DISK, [Some(443.0), Some(507.0), Some(29.54), Some(297.84)]),
    (TWO, [None, Some(506.0), Some(30.70), Some(299.61)]),
    (ALL, [Some(456.0), Some(511.0), Some(30.13), Some(294.26)]),
];

/// Threshold sweeps on Lab in the paper \[s\].
const RECEIVED: [f64; 4] = [455.0, 475.0, 469.0, 436.0];
const POTENTIALS: [f64; 4] = [454.0, 465.0, 486.0, 476.0];
const DISKS: [f64; 4] = [439.0, 443.0, 451.0, 477.0];

pub fn all(runs: &Runs<'_>) -> Vec<Section> {
    vec![rules(runs), sweeps(runs)]
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::None, Cell::number)
}

fn rules(runs: &Runs<'_>) -> Section {
    let row = |name: &str, of: &dyn Fn(BaseScenario) -> Run| {
        let known = DOCUMENT.iter().find(|(rule, _)| *rule == name);
        let document = known.map_or([None; 4], |(_, values)| *values);
        let ours =
            [(LAB, "job_s_mean"), (EC2, "job_s_mean"), (EC2, "map_s_mean"), (EC2, "reduce_s_mean")];
        let mut cells = vec![Cell::text(name)];
        for ((site, metric), document) in ours.into_iter().zip(document) {
            cells.extend([number(document), of(site).metric(metric).cell(runs)])
        }
        Row::new(cells)
    };
    let mut rows: Vec<Row> =
        RULES.iter().map(|rule| row(rule, &|site| at(site, rule, &[]))).collect();
    rows.push(row("two map slots, no rule", &slots));
    let mut columns = vec![Column::words("scheduling")];
    for head in ["Lab job", "EC2 job", "EC2 map", "EC2 reduce"] {
        columns.push(Column::numbers(&format!("{head}, document"), "s", 0));
        columns.push(Column::numbers("ours", "s", 0))
    }
    Section::new(
        "tables-6-to-11",
        "Rules: tables of Watanabe 2014 and of Tenbin",
        "means over seeds with 95 % intervals; fair+random is the null rule",
        Body::Table(Table { columns, rows }),
    )
}

fn sweeps(runs: &Runs<'_>) -> Section {
    let all = [(BY_RECEIVE, RECEIVED), (BY_POTENTIAL, POTENTIALS), (BY_DISK, DISKS)];
    let rows = all.into_iter().flat_map(|(sweep, document)| {
        let row = |((threshold, time), document): ((&str, Value), f64)| {
            Row::new(vec![Cell::text(threshold), Cell::number(document), time.cell(runs)])
        };
        sweep_values(sweep).into_iter().zip(document).map(row).collect::<Vec<Row>>()
    });
    let columns = vec![
        Column::words("threshold"),
        Column::numbers("document", "s", 0),
        Column::numbers("ours", "s", 0),
    ];
    Section::new(
        "sweeps",
        "Thresholds on Lab: mean job time",
        "each rule alone; means over seeds with 95 % intervals",
        Body::Table(Table { columns, rows: rows.collect() }),
    )
}
