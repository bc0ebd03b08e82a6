//! The document's tables with ours beside them.
use super::c1_1::{ALL, RULES, TWO, slots};
use super::c1_5::{DISK, by_disk};
use super::c1_10::{POTENTIAL, RECEIVE, by_potential, by_receive};
use super::runs::{Grid, Point, Site, at};
use page::{Body, Cell, Column, Row, Section, Table};

/// Rule; Lab's job; EC2's job, map, reduce \[s\], of the document.
const DOCUMENT: [(&str, [Option<f64>; 4]); 6] = [
    ("fair", [Some(465.0), Some(538.0), Some(33.27), Some(318.49)]),
    ("fair+receive-rate", [Some(461.0), Some(524.0), Some(32.06), Some(301.99)]),
    ("fair+potential-reception", [Some(464.0), Some(534.0), Some(32.55), Some(316.26)]),
    ("fair+disk-rate", [Some(443.0), Some(507.0), Some(29.54), Some(297.84)]),
    (TWO, [None, Some(506.0), Some(30.70), Some(299.61)]),
    (ALL, [Some(456.0), Some(511.0), Some(30.13), Some(294.26)]),
];

/// The sweeps on Lab \[s\], of the document.
const RECEIVED: [f64; 4] = [455.0, 475.0, 469.0, 436.0];
const POTENTIALS: [f64; 4] = [454.0, 465.0, 486.0, 476.0];
const DISKS: [f64; 4] = [439.0, 443.0, 451.0, 477.0];

pub fn all(grid: &Grid) -> Vec<Section> {
    vec![rules(grid), sweeps(grid)]
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::None, Cell::number)
}

fn rules(grid: &Grid) -> Section {
    let row = |name: &str, of: &dyn Fn(Site) -> Point| {
        let known = DOCUMENT.iter().find(|(rule, _)| *rule == name);
        let document = known.map_or([None; 4], |(_, values)| *values);
        let ours = [
            (Site::Lab, "job_s_mean"),
            (Site::Ec2, "job_s_mean"),
            (Site::Ec2, "map_s_mean"),
            (Site::Ec2, "reduce_s_mean"),
        ];
        let mut cells = vec![Cell::text(name)];
        for ((site, metric), document) in ours.into_iter().zip(document) {
            let stat = grid.mean(&of(site), metric);
            cells.push(number(document));
            cells.push(Cell::Number { value: stat.mean, ci95: Some(stat.ci95), signed: false })
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
        "Rules: the document's tables with ours",
        "means over seeds with 95 % intervals; fair+random is the null rule",
        Body::Table(Table { columns, rows }),
    )
}

fn sweeps(grid: &Grid) -> Section {
    let row = |(threshold, point, document): (&'static str, Point, f64)| {
        let stat = grid.mean(&point, "job_s_mean");
        Row::new(vec![
            Cell::text(threshold),
            Cell::number(document),
            Cell::Number { value: stat.mean, ci95: Some(stat.ci95), signed: false },
        ])
    };
    let receive = RECEIVE.iter().zip(RECEIVED).map(|(t, s)| (*t, by_receive(t), s));
    let potential = POTENTIAL.iter().zip(POTENTIALS).map(|(t, s)| (*t, by_potential(t), s));
    let disk = DISK.iter().zip(DISKS).map(|(t, s)| (*t, by_disk(t), s));
    let columns = vec![
        Column::words("threshold"),
        Column::numbers("document", "s", 0),
        Column::numbers("ours", "s", 0),
    ];
    Section::new(
        "sweeps",
        "Thresholds on Lab: mean job time",
        "each rule alone; means over seeds with 95 % intervals",
        Body::Table(Table {
            columns,
            rows: receive.chain(potential).chain(disk).map(row).collect(),
        }),
    )
}
