//! Real nodes behind links that are cut, slow or broken, one after the other and several at once.
use crate::calls;
use crate::dice::Dice;
use crate::disk::Scratch;
use crate::nodes::{Node, OF, cluster, options, rows};
use crate::proxy::{Link, Proxy};
use ppmds_check::{Event, check};
use ppmds_protocol::{Key, Name, Operation, Outcome, ROOT, TwoPaths};
use ppmds_service::client::{Client, ClientOptions};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::fsck::fsck;
use ppmds_service::node::NodeOptions;
use ppmds_service::runtime::block_on;
use std::net::TcpListener;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CLIENTS: u64 = 4;
const NAMES: usize = 6;

struct Play {
    cluster: Cluster,
    began: Instant,
    is_over: AtomicBool,
    events: Mutex<Vec<Event>>,
}

impl Play {
    fn time(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap()
    }

    /// Runs an operation and records it.
    async fn perform(&self, client: &Client, operation: Operation) -> Outcome {
        let (call, invoked_ns) = (calls::call(&operation).unwrap(), self.time());
        let done = client.run(operation).await.unwrap();
        let (result, saw) = (calls::outcome(&done.outcome), done.saw.iter().map(calls::saw));
        let (completed_ns, saw) = (Some(self.time()), saw.collect());
        let (client, number) = (client.id(), done.number);
        let event = Event { client, number, call, invoked_ns, completed_ns, result, saw };
        self.events.lock().unwrap().push(event);
        done.outcome
    }

    /// Returns the files that only this client makes, and that must exist.
    fn client(&self, number: u64) -> Vec<Key> {
        block_on(async {
            let options = ClientOptions { deadline: Duration::from_secs(60) };
            let client = Client::connect(&self.cluster, options).await.unwrap();
            let (mut dice, mut kept) = (Dice(number), Vec::new());
            while !self.is_over.load(Ordering::SeqCst) {
                let mut key = || name(&format!("n{}", dice.below(NAMES)));
                let (a, b) = (key(), key());
                let operation = match dice.below(6) {
                    0 => Operation::Create(name(&format!("kept.{number}.{}", kept.len())), OF),
                    1 => Operation::Create(a, OF),
                    2 => Operation::Unlink(a),
                    3 => Operation::Rename(Box::new(TwoPaths { from: a, to: b })),
                    4 => Operation::Link(Box::new(TwoPaths { from: a, to: b })),
                    _ => Operation::Stat(a),
                };
                let outcome = self.perform(&client, operation.clone()).await;
                if let (Operation::Create(key, _), Outcome::Of(_)) = (operation, outcome)
                    && key.name.bytes().starts_with(b"kept")
                {
                    kept.push(key)
                }
            }
            client.close().await;
            kept
        })
        .unwrap()
    }
}

fn name(text: &str) -> Key {
    Key::entry(ROOT, &Name::new(text.as_bytes()).unwrap())
}

#[test]
fn cut_slow_and_broken_links_lose_and_reorder_nothing() {
    let scratch = Scratch::new("links");
    let cluster = Cluster { evidence: true, ..cluster(3) };
    let start = |n: u32, address: &String| {
        let hidden = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let options = options(&cluster, n, &scratch.0, Durability::Group);
        let node = Node::start(NodeOptions { listen: hidden.clone(), ..options });
        (node, Proxy::start(address, hidden))
    };
    let nodes: Vec<(Node, Proxy)> =
        (0..).zip(&cluster.addresses).map(|(n, a)| start(n, a)).collect();
    let (is_over, events) = (AtomicBool::new(false), Mutex::default());
    let play =
        Play { cluster: cluster.clone(), began: ppmds_service::clock::now(), is_over, events };
    let kept: Vec<Key> = std::thread::scope(|scope| {
        let play = &play;
        let clients: Vec<_> =
            (1..=CLIENTS).map(|number| scope.spawn(move || play.client(number))).collect();
        let mut dice = Dice(7);
        for _ in 0..20 {
            for _ in 0..1 + dice.below(2) {
                let link = [Link::Slow, Link::Cut, Link::Broken][dice.below(3)];
                nodes[dice.below(3)].1.set(link)
            }
            std::thread::sleep(Duration::from_millis(20 + dice.below(150) as u64));
            nodes.iter().for_each(|(_, proxy)| proxy.set(Link::Up));
            std::thread::sleep(Duration::from_millis(100))
        }
        play.is_over.store(true, Ordering::SeqCst);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    block_on(async {
        let client = Client::connect(&cluster, ClientOptions::default()).await.unwrap();
        for key in &kept {
            let found = play.perform(&client, Operation::Lookup(key.clone())).await;
            assert!(matches!(found, Outcome::Of(_)), "{key:?} is lost")
        }
        client.close().await;
        let wrong = fsck(&rows(&cluster).await, &cluster.placement());
        assert!(wrong.is_empty(), "{wrong:?}")
    })
    .unwrap();
    let events = play.events.into_inner().unwrap();
    let verdict = check(&events, &[(ROOT, ROOT)]);
    assert!(verdict.decided && verdict.faults.is_empty(), "{:?}", verdict.faults);
    println!("{} operations, {} files kept", events.len(), kept.len());
    assert!(events.len() > 200 && !kept.is_empty())
}
