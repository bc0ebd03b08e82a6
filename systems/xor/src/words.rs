//! Words of a report on redundant writes.
use crate::policy;
use page::{Body, Cell, Column, Row, Section, Sentence, Table, say};
use system::advice::Price;
use system::reporter::figure;
use system::{Case, Reporter};
use xor_protocol::schedule::{Party, Schedule};

static PRICES: [Price; 1] =
    [Price::less("stripe_ms_p99", "99 of 100 stripes are safe after", "ms")];

pub struct Page;

impl Reporter for Page {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        let clients = case.sheet.count("cluster.clients");
        let nodes = case.sheet.count("cluster.nodes");
        let who = match clients {
            1 => "One client writes ".to_string(),
            _ => format!("{clients} clients write "),
        };
        say(who)
            .number(format!("{} Mbit/s", figure(case.metric("goodput_mbit"))))
            .say(format!(" of data to {nodes} nodes."))
    }

    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let of = figure(case.metric("ratio") * 100.0);
        vec![
            say(case.sheet.text("policy.schedule")),
            say(format!("n = {}", case.sheet.count("layout.nodes"))),
            say(format!("{of} % of what full links carry")),
        ]
    }

    fn prices(&self) -> &'static [Price] {
        &PRICES
    }

    fn sections(&self, case: &Case<'_>) -> Vec<Section> {
        vec![prices(case)]
    }
}

/// Traffic and storage of each policy, per block of data.
fn prices(case: &Case<'_>) -> Section {
    let nodes = units::usize_of(case.sheet.count("layout.nodes"));
    let row = |policy: &&dyn policy::SchedulePolicy| {
        let layout = policy::layout(nodes);
        let shape = crate::model::Shape::of(case.sheet);
        let ways = policy.sequence(&layout, shape.writers as usize, 0);
        let schedules: Vec<Schedule> = ways.iter().map(|way| way.schedule(&layout)).collect();
        let data: usize = ways.iter().map(|way| way.data(&layout)).sum();
        let each = |count: usize| count as f64 / data as f64;
        let steps = |is: &dyn Fn(Party, usize) -> bool| {
            let of = |s: &Schedule| s.steps.iter().filter(|step| is(step.from, step.to)).count();
            schedules.iter().map(of).sum::<usize>()
        };
        let most = |count: &dyn Fn(usize) -> usize| (0..nodes).map(count).max().unwrap_or(0);
        let kept: usize = schedules.iter().map(|schedule| schedule.keeps.len()).sum();
        let cells = [
            each(steps(&|from, _| from == Party::Client)),
            each(most(&|node| steps(&|_, to| to == node))),
            each(most(&|node| steps(&|from, _| from == Party::Node(node)))),
            each(kept),
            policy.ideal(&layout, shape.writers as usize),
        ];
        let mut all = vec![Cell::text(policy.name())];
        all.extend(cells.map(Cell::number));
        Row::new(all)
    };
    let columns = vec![
        Column::words("schedule"),
        Column::numbers("client sends", "", 2),
        Column::numbers("into the busiest node", "", 2),
        Column::numbers("out of the busiest node", "", 2),
        Column::numbers("stored", "", 2),
        Column::numbers("best rate", "links", 2),
    ];
    let rows = policy::ALL.iter().map(row).collect();
    Section::new(
        "prices",
        "Traffic of each schedule",
        "blocks for a block of data; best rate: of all clients of the same nodes, links full",
        Body::Table(Table { columns, rows }),
    )
}
