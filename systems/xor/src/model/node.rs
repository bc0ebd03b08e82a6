//! A node: receives, xors, forwards and stores blocks.
use super::message::{Block, Done, Event, Part, Path, Record, Stripe};
use super::settings::Settings;
use engine::*;
use hardware::station::{Servers, Station, Work};
use xor_protocol::node_plan::StepKind;

#[derive(Rewind)]
struct Open {
    /// By step: blocks that have not arrived.
    missing: Array<u16>,
    left: u32,
    /// Path of the step that ended last.
    last: Path,
}

#[derive(Rewind)]
pub struct Node {
    settings: Shared<Settings>,
    me: u32,
    into: Station,
    core: Station,
    out: Station,
    /// Unused if blocks stay in memory.
    disk: Station,
    open: Table<Stripe, Open>,
}

impl Node {
    pub fn new(settings: Shared<Settings>, me: u32) -> Node {
        let moving = |rate| Station::new(Servers::moving(rate));
        Node {
            me,
            into: moving(settings.rate),
            core: Station::new(Servers::timed(1)),
            out: moving(settings.rate),
            disk: moving(settings.disk.unwrap_or(settings.rate)),
            open: Table::new(),
            settings,
        }
    }

    fn head(&mut self, block: &Block, cx: &impl Context<Event, Record>) {
        let now = cx.now();
        let path = block.path.to(now, Part::Latency);
        let end = self.into.submit(now, Work::bytes(self.settings.wire)).end.max(block.tail);
        let here = Block { stripe: block.stripe, block: block.block, tail: block.tail, path };
        cx.after(end - now, Event::Here(Box::new(here)))
    }

    /// The whole block has arrived: performs the steps that it enables.
    fn here(&mut self, block: &Block, cx: &impl Context<Event, Record>) {
        let stripe = block.stripe;
        let path = block.path.to(cx.now(), Part::NodeIn);
        let settings = Shared::clone(&self.settings);
        let place = settings.place(stripe.client, self.me);
        let part = &settings.recipes[stripe.recipe as usize].nodes[place as usize];
        if !self.open.contains(&stripe) {
            let mut missing = Array::new();
            missing.replace(part.steps.iter().map(|step| step.sources).collect::<Vec<_>>());
            let left = units::u32_of(part.steps.len());
            self.open.insert(stripe, Open { missing, left, last: path });
        }
        for &step in &part.takers[block.block as usize] {
            let missing = self.open.update(&stripe, |open| {
                open.missing.update(step, |missing| *missing -= 1);
                open.missing[step]
            });
            if missing == Some(0) {
                self.perform(stripe, part.steps[step], path, cx)
            }
        }
    }

    /// Xors, then forwards or stores. After a stripe's last step, reports to the client.
    fn perform(
        &mut self,
        stripe: Stripe,
        step: super::recipe::NodeStep,
        path: Path,
        cx: &impl Context<Event, Record>,
    ) {
        let time = self.settings.core_time(step.sources.into());
        let made = self.core.submit(cx.now(), Work::time(time)).end;
        let path = path.to(made, Part::NodeCore);
        let path = match step.kind {
            StepKind::Forward { to, block } => self.forward(stripe, (to, block), path, cx),
            StepKind::Keep { .. } => self.keep(path),
        };
        let done = self.open.update(&stripe, |open| {
            open.left -= 1;
            if path.until >= open.last.until {
                open.last = path
            }
            (open.left, open.last)
        });
        if let Some((0, path)) = done {
            self.open.discard(&stripe);
            let to = self.settings.clients.at(stripe.client);
            let delay = Delay::link(cx.link(to)).plus(path.until - cx.now());
            cx.send(to, delay, Event::Done(Box::new(Done { stripe, path })))
        }
    }

    /// Forwards a block; the path ends when it is sent.
    fn forward(
        &mut self,
        stripe: Stripe,
        (to, block): (usize, usize),
        path: Path,
        cx: &impl Context<Event, Record>,
    ) -> Path {
        let ticket = self.out.submit(path.until, Work::bytes(self.settings.wire));
        let host = self.settings.host(stripe.client, units::u32_of(to));
        let to = self.settings.nodes.at(host);
        let link = cx.link(to);
        let on = path.to(ticket.start, Part::NodeOut);
        let tail = ticket.end + link.bound();
        let block = Block { stripe, block: units::u32_of(block), tail, path: on };
        let delay = Delay::link(link).plus(ticket.start - cx.now());
        cx.send(to, delay, Event::Head(Box::new(block)));
        path.to(ticket.end, Part::NodeOut)
    }

    fn keep(&mut self, path: Path) -> Path {
        let bytes = Work::bytes(self.settings.block);
        match self.settings.disk {
            None => path,
            Some(_) => path.to(self.disk.submit(path.until, bytes).end, Part::Disk),
        }
    }
}

impl Model for Node {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::Head(block) => self.head(block, cx),
            Event::Here(block) => self.here(block, cx),
            Event::Begin | Event::Done(_) => unreachable!("for clients"),
        }
    }

    fn finish(&self, cx: &impl Recorder<Record>) {
        let busy = |station: &Station| station.busy(cx.now());
        cx.record(Record::Node {
            node: self.me,
            into: busy(&self.into),
            out: busy(&self.out),
            core: busy(&self.core),
            disk: busy(&self.disk),
        })
    }
}
