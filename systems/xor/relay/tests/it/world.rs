//! A cluster in one thread; the seed determines every step.
use crate::faulty_disk::FaultyDisk;
use crate::net::{Endpoint, Faults, Net};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use xor_protocol::Layout;
use xor_protocol::commit::ReplicaState;
use xor_relay::client::{Client, Error, Patience, Receipt, Strategy};
use xor_relay::disk::Disk;
use xor_relay::store::Store;
use xor_relay::{Limits, Node};

pub type Hand = Client<Endpoint>;

struct Place {
    node: Option<Node<Endpoint>>,
    owner: usize,
    disk: FaultyDisk,
}

#[derive(Default)]
struct Inner {
    places: Vec<Place>,
    steps: u64,
    /// (step, node) of planned deaths.
    deaths: Vec<(u64, usize)>,
    /// (step, client) of planned deaths.
    ends: Vec<(u64, usize)>,
    last_client: usize,
}

pub struct World {
    pub net: Net,
    pub disks: Vec<FaultyDisk>,
    inner: Rc<RefCell<Inner>>,
}

impl World {
    pub fn new(nodes: usize, seed: u64) -> World {
        let net = Net::new(seed, Faults::default());
        let disks: Vec<FaultyDisk> = (0..nodes).map(|_| FaultyDisk::default()).collect();
        let world = World { net, disks, inner: Rc::default() };
        for node in 0..nodes {
            let disk = world.disks[node].clone();
            // Half of the worlds bypass the page cache, block by block in any order.
            disk.set_late(seed % 2 == 1);
            world.inner.borrow_mut().places.push(Place { node: None, owner: 0, disk });
            world.start(node);
        }
        world
    }

    pub fn nodes(&self) -> usize {
        self.disks.len()
    }

    pub fn addresses(&self) -> Vec<String> {
        (0..self.nodes()).map(|node| format!("n{node}")).collect()
    }

    pub fn start(&self, node: usize) {
        let store = Store::open(Arc::new(self.disks[node].clone())).expect("a readable disk");
        let endpoint = self.net.join(&format!("n{node}"), None);
        let owner = endpoint.number();
        let limits = Limits { is_threaded: false, ..Limits::default() };
        let node_now = Some(Node::new(endpoint, store, limits));
        let disk = self.disks[node].clone();
        self.inner.borrow_mut().places[node] = Place { node: node_now, owner, disk };
    }

    pub fn is_up(&self, node: usize) -> bool {
        self.inner.borrow().places[node].node.is_some()
    }

    /// The machine stops; its disk keeps synced data, and some others at random.
    pub fn kill(&self, node: usize) {
        kill(&self.net, &mut self.inner.borrow_mut().places[node]);
    }

    pub fn revive(&self, node: usize) {
        self.disks[node].restart(|| self.net.below(2) == 0);
        self.start(node)
    }

    pub fn kill_in(&self, steps: u64, node: usize) {
        let mut inner = self.inner.borrow_mut();
        let at = inner.steps + steps;
        inner.deaths.push((at, node))
    }

    /// Kills the latest client after `steps` steps, without a message.
    pub fn kill_client_in(&self, steps: u64) {
        let mut inner = self.inner.borrow_mut();
        let end = (inner.steps + steps, inner.last_client);
        inner.ends.push(end)
    }

    pub fn forget_deaths(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.deaths.clear();
        inner.ends.clear()
    }

    pub fn steps(&self) -> u64 {
        self.inner.borrow().steps
    }

    pub fn settle(&self) {
        while step(&self.net, &self.inner) {}
    }

    pub fn client(&self) -> Hand {
        self.client_of(&self.addresses())
    }

    pub fn client_of(&self, addresses: &[String]) -> Hand {
        let (net, inner) = (self.net.clone(), self.inner.clone());
        let endpoint = self.net.join("client", Some(Box::new(move || step(&net, &inner))));
        self.inner.borrow_mut().last_client = endpoint.number();
        let layout = Layout::best(addresses.len()).expect("a layout");
        Client::connect(endpoint, layout, addresses, Patience::default()).expect("a client")
    }

    /// Numbers of visible and undecided versions on a node.
    pub fn versions(&self, node: usize) -> (usize, usize) {
        let inner = self.inner.borrow();
        let store = inner.places[node].node.as_ref().expect("a live node").store();
        let names: Vec<String> = store.names_after("").cloned().collect();
        let all = names.iter().flat_map(|name| store.versions(name));
        let held: Vec<ReplicaState> = all.map(|e| e.held).collect();
        let visible = held.iter().filter(|h| **h == ReplicaState::Committed).count();
        (visible, held.len() - visible)
    }

    fn names(&self, node: usize) -> usize {
        let inner = self.inner.borrow();
        inner.places[node].node.as_ref().expect("a live node").store().names_after("").count()
    }

    pub fn some(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<String> {
        nodes.into_iter().map(|node| format!("n{node}")).collect()
    }

    pub fn restart(&self, node: usize) {
        self.kill(node);
        self.start(node)
    }

    /// Nothing invisible is left: three files a version.
    pub fn assert_tidy(&self, what: &str) {
        for node in 0..self.nodes() {
            let (visible, doubtful) = self.versions(node);
            assert_eq!(doubtful, 0, "{what}: node {node} has doubts");
            let names = self.names(node);
            assert_eq!(visible, names, "{what}: node {node} has superseded versions");
            let files = self.disks[node].list().expect("a readable disk");
            let files: Vec<&String> = files.iter().filter(|name| *name != "cluster").collect();
            assert_eq!(files.len(), 3 * visible, "{what}: node {node}: {files:?}");
        }
    }
}

fn kill(net: &Net, place: &mut Place) {
    if place.node.take().is_some() {
        net.kill(place.owner)
    }
    place.disk.forget_late()
}

/// One random step: a delivery, or a node's event.
fn step(net: &Net, inner: &Rc<RefCell<Inner>>) -> bool {
    let inner = &mut *inner.borrow_mut();
    inner.steps += 1;
    let due: Vec<usize> =
        inner.deaths.iter().filter(|(at, _)| *at <= inner.steps).map(|(_, n)| *n).collect();
    inner.deaths.retain(|(at, _)| *at > inner.steps);
    due.into_iter().for_each(|node| kill(net, &mut inner.places[node]));
    inner.ends.iter().filter(|(at, _)| *at == inner.steps).for_each(|(_, owner)| net.kill(*owner));
    let late: Vec<&FaultyDisk> =
        inner.places.iter().map(|place| &place.disk).filter(|disk| disk.late() > 0).collect();
    if !late.is_empty() && net.below(3) == 0 {
        let disk = late[net.below(late.len())];
        disk.write_late(net.below(disk.late()));
        return true;
    }
    let is_late = !late.is_empty();
    let awake = |place: &&mut Place| place.node.is_some() && net.has_events(place.owner);
    let mut awake: Vec<&mut Place> = inner.places.iter_mut().filter(awake).collect();
    let choice = net.below(awake.len() + usize::from(net.is_busy()).max(1));
    match awake.get_mut(choice).and_then(|place| place.node.as_mut()) {
        Some(node) => node.step(Duration::ZERO),
        None => net.deliver() || !awake.is_empty() || is_late,
    }
}

pub fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

pub fn put(
    hand: &mut Hand,
    name: &str,
    content: &[u8],
    block: u32,
    strategy: Strategy,
) -> Result<Receipt, Error> {
    let mut feed = |at: u64, to: &mut [u8]| {
        to.copy_from_slice(&content[at as usize..][..to.len()]);
        Ok(())
    };
    hand.put(name, content.len() as u64, block, strategy, &mut feed, &mut |_, _| true)
}

pub fn get(hand: &mut Hand, name: &str) -> Result<Vec<u8>, Error> {
    let mut content = Vec::new();
    let mut sink = |bytes: &[u8]| {
        content.extend_from_slice(bytes);
        Ok(())
    };
    hand.get(name, &mut sink, &mut |_, _| true)?;
    Ok(content)
}
