//! A switch as an LP, with shared NICs or with one per node and direction.
use super::message::{Envelope, Event, Record};
use super::network::{Line, deliver};
use super::settings::{Settings, Switching};
use engine::*;
use ppmds_protocol::message::Peer;

#[derive(Rewind, Default)]
struct Nic {
    taken: Line,
    out: Line,
}

#[derive(Rewind)]
pub struct Switch {
    settings: Shared<Settings>,
    /// Whether it is the servers' switch.
    of_servers: bool,
    /// NICs towards servers and towards clients: one, or one per node. A single NIC is in `up`.
    up: Table<u32, Nic>,
    down: Table<u32, Nic>,
}

impl Model for Switch {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        let Event::Head(envelope) = event else { unreachable!("{event:?} to a switch") };
        let times = self.settings.times;
        let (inner, outer) = match self.of_servers {
            true => (times.switch, times.server),
            false => (times.switch, times.client),
        };
        let is_up = matches!(envelope.to, Peer::Server(_));
        let place = self.place(envelope);
        let single = self.settings.switching == Switching::Single;
        let nics = if is_up || single { &mut self.up } else { &mut self.down };
        // Up: from the clients' side to the servers'. Between servers both sides are the servers'.
        let among = is_up && matches!(envelope.from, Peer::Server(_));
        let (from, to) = match is_up == self.of_servers {
            _ if among => (outer, outer),
            true => (inner, outer),
            false => (outer, inner),
        };
        let bulk = Nanos(envelope.bulk);
        let pass_nic = |nic: &mut Nic| {
            let taken = nic.taken.pass(cx.now(), from + bulk);
            nic.out.pass(taken.end, times.startup + to + bulk).start + times.startup
        };
        let head = nics.update(&place, pass_nic).expect("each node has one");
        let settings = &self.settings;
        let to = match (envelope.to, self.of_servers) {
            (Peer::Server(server), true) => settings.server_lps.at(server),
            (Peer::Client(client), false) => settings.client_lps.at(client),
            (_, of_servers) => settings.switch_lps.at(u32::from(!of_servers)),
        };
        deliver(cx, to, head, event.clone())
    }
}

impl Switch {
    pub fn new(settings: Shared<Settings>, of_servers: bool) -> Switch {
        let nics = match settings.switching {
            Switching::Lp if of_servers => settings.servers,
            Switching::Lp => settings.clients,
            _ => 1,
        };
        let (mut up, mut down) = (Table::new(), Table::new());
        for node in 0..nics {
            up.insert(node, Nic::default());
            down.insert(node, Nic::default());
        }
        Switch { settings, of_servers, up, down }
    }

    fn place(&self, envelope: &Envelope) -> u32 {
        if self.settings.switching != Switching::Lp {
            return 0;
        }
        match (envelope.from, envelope.to, self.of_servers) {
            (_, Peer::Server(server), true) | (Peer::Server(server), _, true) => server,
            (Peer::Client(client), ..) | (_, Peer::Client(client), _) => client,
            _ => unreachable!("servers talk to one another at their own switch"),
        }
    }
}
