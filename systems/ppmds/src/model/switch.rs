//! A switch as an LP: with NICs that all nodes share, or with one for each node and direction.
use super::client::deliver;
use super::message::{Event, Pass, Record};
use super::network::Line;
use super::settings::{Settings, Switching};
use engine::*;

/// One direction's receiving and sending side.
#[derive(Rewind, Default)]
struct Nic {
    taken: Line,
    out: Line,
}

#[derive(Rewind)]
pub struct Switch {
    settings: Shared<Settings>,
    /// The servers' switch, not the clients'.
    of_servers: bool,
    /// Up to the servers, and with one NIC down, too: one, or one for each node.
    up: Table<u32, Nic>,
    down: Table<u32, Nic>,
}

impl Model for Switch {
    type Event = Event;
    type Record = Record;
    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        let Event::Pass(pass) = event else { unreachable!("{event:?} to a switch") };
        let times = self.settings.times;
        let (inner, outer) = match self.of_servers {
            true => (times.switch, times.server),
            false => (times.switch, times.client),
        };
        let is_up = matches!(**pass, Pass::Up { .. });
        let place = self.place(pass);
        let single = self.settings.switching == Switching::Single;
        let nics = if is_up || single { &mut self.up } else { &mut self.down };
        // Up: in from the clients' side, out to the servers'.
        let (from, to) = if is_up == self.of_servers { (inner, outer) } else { (outer, inner) };
        let pass_nic = |nic: &mut Nic| {
            let taken = nic.taken.pass(cx.now(), from);
            nic.out.pass(taken.end, times.startup + to).start + times.startup
        };
        let head = nics.update(&place, pass_nic).expect("each node has one");
        let settings = &self.settings;
        match (&**pass, self.of_servers) {
            (Pass::Up { ask, server }, true) => {
                deliver(cx, settings.server_lps.at(*server), head, Event::Ask(*ask))
            }
            (Pass::Down { reply, client }, false) => {
                deliver(cx, settings.client_lps.at(*client), head, Event::Answer(*reply))
            }
            (_, of_servers) => {
                let other = settings.switch_lps.at(u32::from(!of_servers));
                deliver(cx, other, head, event.clone())
            }
        }
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

    /// Whose NIC a message passes.
    fn place(&self, pass: &Pass) -> u32 {
        if self.settings.switching != Switching::Lp {
            return 0;
        }
        let (client, server) = match pass {
            Pass::Up { ask, server } => (ask.client, *server),
            // An answer keeps its server in the client's stead.
            Pass::Down { reply, client } => (*client, reply.other),
        };
        if self.of_servers { server } else { client }
    }
}
