//! Kinds, nodes and resources of the trace.
use super::parts::{self, NAMES, PARTS};
use crate::model::{Settings, Switching};
use cluster::Sheet;
use ppmds_protocol::OperationKind;
use trace::{
    Cause, ChargeTarget, EntityKind, EntityRole, IntervalKind, IntervalRole, ResourceId,
    ResourceRole, SettingId, TraceBuilder,
};
use units::Nanos;

pub struct Names {
    pub operations: Vec<IntervalKind>,
    pub parts: [IntervalKind; PARTS],
    pub retry: IntervalKind,
    pub client: EntityKind,
    pub server_nics: Vec<ResourceId>,
    server_ports: Vec<ResourceId>,
    stores: Vec<ResourceId>,
    client_nics: ResourceId,
    client_ports: ResourceId,
    switch: Option<ResourceId>,
    /// `store.latency` and `store.read_latency`; `None` if threads are occupied.
    late: Option<[SettingId; 2]>,
    timeout: SettingId,
    /// What transactions wait for: other servers, and contention.
    others: ResourceId,
    contention: SettingId,
}

impl Names {
    /// Clients share their resources in the trace: there may be a hundred thousand.
    pub fn new(trace: &mut TraceBuilder, sheet: &Sheet, settings: &Settings) -> Names {
        let operation = |trace: &mut TraceBuilder, op: OperationKind| {
            trace.interval_kind(IntervalRole::Operation, op.name(), op.name()).id()
        };
        let operations = OperationKind::ALL.iter().map(|op| operation(trace, *op)).collect();
        let parts =
            NAMES.map(|(name, label)| trace.interval_kind(IntervalRole::Work, name, label).id());
        let retry = trace.interval_kind(IntervalRole::Wait, "retry", "waits in vain").id();
        let client = trace.entity_kind(EntityRole::Item, "client", "client {}").id();
        let mut kind = |role, name, label: &str| trace.resource_kind(role, name, label).id();
        let network = ResourceRole::Network;
        let client_nic = kind(network, "client-nic", "Client NIC");
        let client_port = kind(network, "client-port", "Client's switch port");
        let server_port = kind(network, "server-port", "Server's switch port");
        let server_nic = kind(network, "server-nic", "Server NIC");
        let switch = kind(network, "switch", "Switch");
        let store = kind(ResourceRole::Store, "store", "Store");
        let other = kind(network, "other-servers", "Other servers");
        let client_nics = trace.resource(client_nic, "clients' NICs").add();
        let client_ports = trace.resource(client_port, "clients' ports").add();
        let others = trace.resource(other, "other servers").add();
        let shared = settings.switching != Switching::Port;
        let switch = shared.then(|| trace.resource(switch, "switches").add());
        let (mut server_nics, mut server_ports, mut stores) = (vec![], vec![], vec![]);
        for server in 0..settings.servers {
            let node = trace.node(&format!("mds{server}")).role("server").add();
            let mut add = |kind, what: &str| {
                trace.resource(kind, &format!("mds{server} {what}")).node(node).add()
            };
            server_nics.push(add(server_nic, "NIC"));
            server_ports.push(add(server_port, "port"));
            stores.push(add(store, "store"));
        }
        let mut setting = |key: &str| trace.setting(key, sheet.text(key));
        // With a read latency of 0, a read that took time has written the end of a transaction.
        let reads =
            if settings.read > Nanos::ZERO { "store.read_latency" } else { "store.latency" };
        let late = settings.store.is_none().then(|| [setting("store.latency"), setting(reads)]);
        // Without loss, a timeout means that a server was down.
        let down = settings.loss == 0.0 && settings.server_mtbf > Nanos::ZERO;
        let timeout = setting(if down { "faults.server_mtbf" } else { "network.timeout" });
        let contention = setting("transactions.contention");
        trace.about("servers", sheet.text("cluster.servers"));
        trace.about("clients", sheet.text("cluster.clients"));
        Names {
            operations,
            parts,
            retry,
            client,
            server_nics,
            server_ports,
            stores,
            client_nics,
            client_ports,
            switch,
            late,
            timeout,
            others,
            contention,
        }
    }

    /// The resource or setting that limits a part of a request.
    pub fn cause(&self, part: usize, server: usize, op: OperationKind) -> Cause {
        let port = |at: ResourceId| Cause::Resource(self.switch.unwrap_or(at));
        match part {
            parts::SEND => Cause::Resource(self.client_nics),
            parts::CLIENT_UP | parts::CLIENT_DOWN => port(self.client_ports),
            parts::SERVER_DOWN | parts::SERVER_UP => port(self.server_ports[server]),
            parts::ROUNDS => Cause::Resource(self.others),
            parts::OTHERS => Cause::Setting(self.contention),
            parts::ANSWER => Cause::Resource(self.server_nics[server]),
            parts::STORE if self.late.is_some() => {
                let [write, read] = self.late.expect("just seen");
                Cause::Setting(if op.writes() { write } else { read })
            }
            _ => Cause::Resource(self.stores[server]),
        }
    }

    pub fn charged(&self, part: usize, server: usize, op: OperationKind) -> ChargeTarget {
        match self.cause(part, server, op) {
            Cause::Setting(setting) => ChargeTarget::Setting(setting),
            Cause::Resource(resource) => ChargeTarget::Resource(resource),
            _ => ChargeTarget::Unexplained,
        }
    }

    /// What the wait for a lost message is attributed to.
    pub fn timeout(&self) -> ChargeTarget {
        ChargeTarget::Setting(self.timeout)
    }
}
