//! A client: begins a stripe when all nodes have finished the one a window before.
use super::message::{Block, Done, Event, Part, Path, Record, Stripe, Written};
use super::settings::Settings;
use engine::*;
use hardware::station::{Servers, Station, Work};

#[derive(Rewind)]
pub struct Client {
    settings: Shared<Settings>,
    me: u32,
    core: Station,
    link: Station,
    /// The next stripe to begin, and the first unfinished one.
    next: u64,
    low: u64,
    /// By unfinished stripe: nodes that have not finished their part.
    open: Table<u64, u32>,
}

impl Client {
    pub fn new(settings: Shared<Settings>, me: u32) -> Client {
        let core = Station::new(Servers::timed(1));
        let link = Station::new(Servers::moving(settings.client_rate));
        Client { settings, me, core, link, next: 0, low: 0, open: Table::new() }
    }

    /// Begins the stripes that have credit.
    fn begin(&mut self, cx: &impl Context<Event, Record>) {
        let last = self.settings.stripes.min(self.low + self.settings.window);
        while self.next < last {
            let (number, client) = (self.next, self.me);
            let recipe = self.settings.recipe_of(client, number);
            self.open.insert(number, self.settings.width);
            self.next += 1;
            self.send(Stripe { client, recipe, number }, cx)
        }
    }

    fn send(&mut self, stripe: Stripe, cx: &impl Context<Event, Record>) {
        let settings = Shared::clone(&self.settings);
        for send in &settings.recipes[stripe.recipe as usize].client {
            let made = self.core.submit(cx.now(), Work::time(core(&settings, send.sources))).end;
            let ticket = self.link.submit(made, Work::bytes(settings.wire));
            let path = Path::new(cx.now()).to(made, Part::ClientCore);
            let path = path.to(ticket.start, Part::ClientLink);
            let to = settings.nodes.at(settings.host(stripe.client, send.to));
            let link = cx.link(to);
            let tail = ticket.end + link.bound();
            let block = Block { stripe, block: send.block, tail, path };
            let delay = Delay::link(link).plus(ticket.start - cx.now());
            cx.send(to, delay, Event::Head(Box::new(block)))
        }
    }

    fn done(&mut self, done: &Done, cx: &impl Context<Event, Record>) {
        let number = done.stripe.number;
        let left = self.open.update(&number, |left| {
            *left -= 1;
            *left
        });
        if left != Some(0) {
            return;
        }
        self.open.discard(&number);
        let path = done.path.to(cx.now(), Part::Latency);
        cx.record(Record::Written(Box::new(Written { client: self.me, number, path })));
        self.low = self.open.keys().next().copied().unwrap_or(self.next);
        self.begin(cx)
    }
}

fn core(settings: &Settings, sources: u32) -> Nanos {
    settings.core_time(sources.into())
}

impl Model for Client {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match event {
            Event::Begin => self.begin(cx),
            Event::Done(done) => self.done(done, cx),
            Event::Head(_) | Event::Here(_) => unreachable!("for nodes"),
        }
    }

    fn finish(&self, cx: &impl Recorder<Record>) {
        cx.record(Record::Client { out: self.link.busy(cx.now()) })
    }
}
