//! Rejections in a node's log.
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use xor_relay::keys::{Keys, authority, name_of};
use xor_relay::transport::Kind;
use xor_relay::wire::{HEAD, Head, Member, Message, VERSION, numbered};
use xor_relay::{Io, NodeNotice, ServeOptions, serve};

struct Watched {
    address: SocketAddr,
    lines: mpsc::Receiver<String>,
    stop: Arc<AtomicBool>,
    folder: PathBuf,
}

fn node(name: &str, with_keys: bool) -> Watched {
    let folder = std::env::temp_dir().join(format!("xor-refusals-{name}-{}", std::process::id()));
    let keys = with_keys.then(|| {
        let place = authority(&folder.join("keys"), 1).expect("a new folder");
        Keys::read(&place.join(name_of(0))).expect("a party's folder")
    });
    let (data, listen) = (folder.join("data"), "127.0.0.1:0".into());
    let options =
        ServeOptions { listen, data, keys, is_insecure: false, io: Io::Buffered, kind: Kind::Tcp };
    let (tell, told) = mpsc::channel();
    let (say, lines) = mpsc::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let until = stop.clone();
    std::thread::spawn(move || {
        let mut on_notice = |notice: NodeNotice<'_>| match notice {
            NodeNotice::Ready(ready) => tell.send(ready.address).expect("the test waits"),
            NodeNotice::Refused(line) => drop(say.send(line.to_string())),
        };
        serve(&options, &mut on_notice, &|| until.load(Ordering::SeqCst)).expect("a node that runs")
    });
    Watched { address: told.recv().expect("it listens"), lines, stop, folder }
}

impl Watched {
    fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(9)).expect("a line")
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn who_is_refused_and_why_is_told_once() {
    let node = node("open", false);
    for _ in 0..3 {
        let mut stream = TcpStream::connect(node.address).expect("it listens");
        let hello = Head::Hello { version: VERSION - 1 }.to_bytes();
        stream.write_all(&hello).expect("a socket");
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let (former, now) = (VERSION - 1, VERSION);
    assert_eq!(
        node.line(),
        format!("refused 127.0.0.1: uses protocol version {former}, expected {now}")
    );
    // Connections without a message are not logged.
    drop(TcpStream::connect(node.address));
    let mut stream = TcpStream::connect(node.address).expect("it listens");
    let addresses = vec!["a:1".into(), "b:1".into(), "c:1".into()];
    let mut member = Member {
        cluster: 7,
        epoch: 0,
        nodes: 3,
        least: 3,
        index: 1,
        addresses,
        former: Vec::new(),
    };
    let mut all = Head::Hello { version: VERSION }.to_bytes().to_vec();
    for cluster in [7, 8] {
        member.cluster = cluster;
        let bytes = numbered(1, &Message::Enter { member: member.clone(), force: false });
        all.extend(Head::of_message(&bytes).to_bytes());
        all.extend(bytes)
    }
    stream.write_all(&all).expect("a socket");
    stream.read_exact(&mut [0; HEAD]).expect("a hello");
    assert_eq!(
        node.line(),
        "refused 127.0.0.1: node 1 of the 3 of cluster 00000000",
        "the first Enter is taken, and the second is of another cluster"
    );
    assert!(node.lines.try_recv().is_err(), "nothing is said twice");
}

#[test]
fn who_shows_no_certificate_is_told() {
    let node = node("keys", true);
    let mut stream = TcpStream::connect(node.address).expect("it listens");
    stream.write_all(&Head::Hello { version: VERSION }.to_bytes()).expect("a socket");
    let _ = stream.read_to_end(&mut Vec::new());
    let line = node.line();
    assert!(line.starts_with("refused 127.0.0.1: does not speak TLS"), "{line}");
}
