//! A switch whose NICs all nodes share.
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
    /// Up to the servers, and with one NIC down, too.
    up: Nic,
    down: Nic,
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
        let single = self.settings.switching == Switching::Single;
        let nic = if is_up || single { &mut self.up } else { &mut self.down };
        // Up: in from the clients' side, out to the servers'.
        let (from, to) = if is_up == self.of_servers { (inner, outer) } else { (outer, inner) };
        let taken = nic.taken.pass(cx.now(), from);
        let head = nic.out.pass(taken.end, times.startup + to).start + times.startup;
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
        Switch { settings, of_servers, up: Nic::default(), down: Nic::default() }
    }
}
