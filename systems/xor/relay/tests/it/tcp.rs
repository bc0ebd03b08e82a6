//! Real sockets and folders, a node a thread.
use crate::world::bytes;
use std::cell::Cell;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;
use xor_relay::client::{Client, Error, Strategy, connect};
use xor_relay::disk::Folder;
use xor_relay::keys::Keys;
use xor_relay::transport::Kind;
use xor_relay::wire::{HEAD, Head, Message, VERSION, numbered, unnumbered};
use xor_relay::{Io, NodeNotice, ServeOptions, serve};

thread_local! {
    /// Disk access of nodes that this test starts.
    static IO: Cell<Io> = const { Cell::new(Io::Buffered) };
}

struct Running {
    address: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    data: PathBuf,
    keys: Option<Keys>,
    kind: Kind,
}

/// Nodes on this machine; their folders are removed with it.
pub struct Local {
    folder: PathBuf,
    nodes: Vec<Running>,
}

fn run(listen: &str, data: PathBuf, keys: Option<Keys>, kind: Kind) -> Running {
    let stop = Arc::new(AtomicBool::new(false));
    let (tell, told) = mpsc::channel();
    let (listen, is_insecure, io) = (listen.into(), false, IO.get());
    let (of, seen) = ((data.clone(), keys.clone()), stop.clone());
    let options = ServeOptions { listen, data: of.0, keys: of.1, is_insecure, io, kind };
    let thread = std::thread::spawn(move || {
        let mut on_notice = |notice: NodeNotice<'_>| {
            if let NodeNotice::Ready(ready) = notice {
                tell.send(ready.address).expect("the test waits")
            }
        };
        serve(&options, &mut on_notice, &|| seen.load(Ordering::SeqCst)).expect("a node that runs")
    });
    let address = told.recv().expect("it listens").to_string();
    Running { address, stop, thread: Some(thread), data, keys, kind }
}

impl Local {
    pub fn new(count: usize) -> Local {
        Local::with(count, &|_| None)
    }

    pub fn with(count: usize, keys: &dyn Fn(usize) -> Option<Keys>) -> Local {
        Local::over(Kind::Tcp, count, keys)
    }

    pub fn over(kind: Kind, count: usize, keys: &dyn Fn(usize) -> Option<Keys>) -> Local {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let folder = std::env::temp_dir().join(format!("xor-tcp-{}-{number}", std::process::id()));
        let start = |n: usize| run("127.0.0.1:0", folder.join(n.to_string()), keys(n), kind);
        let nodes = (0..count).map(start).collect();
        Local { folder, nodes }
    }

    pub fn addresses(&self) -> Vec<String> {
        self.nodes.iter().map(|n| n.address.clone()).collect()
    }

    fn client(&self) -> Client {
        connect(&self.addresses(), None, self.nodes[0].kind).expect("a client")
    }

    pub fn stop(&mut self, node: usize) {
        let running = &mut self.nodes[node];
        running.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = running.thread.take() {
            thread.join().expect("it ends well")
        }
    }

    pub fn restart(&mut self, node: usize) {
        self.stop(node);
        let (address, data) = (self.nodes[node].address.clone(), self.nodes[node].data.clone());
        let (keys, kind) = (self.nodes[node].keys.clone(), self.nodes[node].kind);
        self.nodes[node] = run(&address, data, keys, kind);
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        (0..self.nodes.len()).for_each(|node| self.stop(node));
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub fn put(
    client: &mut Client,
    content: &[u8],
    block: u32,
    strategy: Strategy,
) -> Result<(), Error> {
    let mut feed = |at: u64, to: &mut [u8]| {
        to.copy_from_slice(&content[at as usize..][..to.len()]);
        Ok(())
    };
    let length = content.len() as u64;
    client.put("x", length, block, strategy, &mut feed, &mut |_, _| true).map(drop)
}

pub fn get(client: &mut Client) -> Result<Vec<u8>, Error> {
    let mut content = Vec::new();
    let mut sink = |bytes: &[u8]| {
        content.extend_from_slice(bytes);
        Ok(())
    };
    client.get("x", &mut sink, &mut |_, _| true)?;
    Ok(content)
}

#[test]
fn all_schedules_and_block_sizes_go_over_sockets() {
    all_schedules_and_block_sizes(Kind::Tcp)
}

pub fn all_schedules_and_block_sizes(kind: Kind) {
    let mut local = Local::over(kind, 5, &|_| None);
    for (block, length) in [(64, 20_000), (4096, 700_000), (65_536, 3_000_001), (1 << 20, 9 << 20)]
    {
        for (_, strategy) in Strategy::ALL {
            let content = bytes(block.into(), length);
            put(&mut local.client(), &content, block, strategy).expect("all nodes are there");
            assert!(get(&mut local.client()).expect("just written") == content, "{strategy:?}");
        }
    }
    let content = bytes(1 << 20, 9 << 20);
    local.stop(0);
    local.stop(2);
    assert!(get(&mut local.client()).expect("two nodes are gone") == content);
    local.restart(0);
    local.restart(2);
    local.stop(1);
    local.stop(3);
    assert!(get(&mut local.client()).expect("what is on disk is back") == content);
}

/// Bypasses the page cache, if this machine's file system supports it.
#[test]
fn blocks_go_past_the_page_cache_and_come_back() {
    let place = std::env::temp_dir().join(format!("xor-direct-{}", std::process::id()));
    let may = Folder::may_bypass_cache(&place);
    let _ = std::fs::remove_dir_all(&place);
    if let Err(e) = may {
        return println!("not here: {e}");
    }
    IO.set(Io::Direct);
    let mut local = Local::new(5);
    // Blocks of a page and more; smaller ones, and short last blocks.
    for (block, length) in [(4096, 3_000_000), (65_536, 7_000_001), (512, 90_000), (12_288, 1)] {
        let content = bytes(u64::from(block), length);
        put(&mut local.client(), &content, block, Strategy::Auto).expect("all nodes are there");
        assert!(get(&mut local.client()).expect("it is there") == content, "blocks of {block}");
        [0, 3].into_iter().for_each(|node| local.stop(node));
        assert!(get(&mut local.client()).expect("without two") == content, "blocks of {block}");
        [0, 3].into_iter().for_each(|node| local.restart(node));
    }
    let found = local.client().scrub(&mut |_, _| true).expect("all are there");
    assert!(found.damage.is_empty() && found.inconsistent == 0, "{found:?}");
}

#[test]
fn several_clients_write_at_once() {
    several_clients_write(Kind::Tcp)
}

pub fn several_clients_write(kind: Kind) {
    let local = Local::over(kind, 5, &|_| None);
    let contents: Vec<Vec<u8>> = (0..4).map(|seed| bytes(seed, 2_000_000)).collect();
    std::thread::scope(|scope| {
        for content in &contents {
            scope.spawn(|| put(&mut local.client(), content, 16_384, Strategy::Auto));
        }
    });
    let got = get(&mut local.client()).expect("one of them");
    assert!(contents.contains(&got), "none of the four");
}

#[test]
fn a_second_node_in_one_folder_is_refused() {
    let local = Local::new(1);
    let data = local.nodes[0].data.clone();
    let (listen, kind) = ("127.0.0.1:0".into(), Kind::Tcp);
    let options =
        ServeOptions { listen, data, keys: None, is_insecure: false, io: Io::Buffered, kind };
    let error = serve(&options, &mut |_| {}, &|| true).expect_err("it is locked").to_string();
    assert!(error.contains("another node is using this folder"), "{error}");
}

#[test]
fn others_are_let_in_only_if_asked_for() {
    let data = std::env::temp_dir().join("xor-tcp-never-made");
    let (listen, kind) = ("0.0.0.0:0".into(), Kind::Tcp);
    let mut options =
        ServeOptions { listen, data, keys: None, is_insecure: false, io: Io::Buffered, kind };
    let error = serve(&options, &mut |_| {}, &|| true).expect_err("not a loopback").to_string();
    assert!(error.contains("--insecure"), "{error}");
    options.listen = "nonsense".into();
    let error = serve(&options, &mut |_| {}, &|| true).expect_err("no address").to_string();
    assert!(error.contains("expected HOST:PORT"), "{error}");
    assert!(!options.data.exists());
}

fn is_ended(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a socket");
    let waited = [std::io::ErrorKind::WouldBlock, std::io::ErrorKind::TimedOut];
    stream.read_to_end(&mut Vec::new()).err().is_none_or(|e| !waited.contains(&e.kind()))
}

#[test]
fn what_breaks_the_rules_ends_its_own_connection_only() {
    let local = Local::new(3);
    let content = bytes(1, 50_000);
    put(&mut local.client(), &content, 512, Strategy::Auto).expect("all nodes are there");
    let hello = Head::Hello { version: VERSION }.to_bytes();
    let framed = |message: &Message| {
        let bytes = numbered(1, message);
        let head = Head::of_message(&bytes).to_bytes();
        [&hello[..], &head, &bytes].concat()
    };
    let block = Head::Block { length: 64, ring: 0, slot: 0, imm: 0 }.to_bytes();
    let cases: [(&str, Vec<u8>); 8] = [
        ("another protocol", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec()),
        ("another version", Head::Hello { version: 99 }.to_bytes().to_vec()),
        ("no hello", Head::of_message(b"abc").to_bytes().to_vec()),
        ("two hellos", [hello, hello].concat()),
        ("a block into a ring that was not announced", [&hello[..], &block, &[1; 64]].concat()),
        ("an empty message", [hello, Head::of_message(b"").to_bytes()].concat()),
        ("bytes that are no message", {
            let bytes = [numbered(1, &Message::Commit {}), vec![200]].concat();
            [&hello[..], &Head::of_message(&bytes).to_bytes(), &bytes].concat()
        }),
        ("a message that was changed on the way", {
            let mut bytes = framed(&Message::Commit {});
            bytes.pop();
            [&bytes[..], &[200]].concat()
        }),
    ];
    for (what, sent) in cases {
        let mut stream = TcpStream::connect(&local.nodes[1].address).expect("it listens");
        stream.write_all(&sent).expect("a socket");
        assert!(is_ended(&mut stream), "{what}");
    }
    assert!(get(&mut local.client()).expect("no other client is affected") == content);
}

fn greeted(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(&Head::Hello { version: VERSION }.to_bytes()).expect("a socket");
    let mut hello = [0; HEAD];
    stream.read_exact(&mut hello).expect("a hello");
    stream
}

fn asked(stream: &mut TcpStream, message: &Message) -> Message {
    let bytes = numbered(1, message);
    let head = Head::of_message(&bytes).to_bytes();
    stream.write_all(&[&head[..], &bytes].concat()).expect("a socket");
    let mut head = [0; HEAD];
    stream.read_exact(&mut head).expect("an answer, and no end of the node");
    let Some(Head::Message { length, .. }) = Head::from_bytes(&head) else { panic!("{head:?}") };
    let mut bytes = vec![0; length as usize];
    stream.read_exact(&mut bytes).expect("all of it");
    unnumbered(&bytes).expect("a message").1
}

/// Well-formed messages with numbers that would overflow or exhaust memory.
#[test]
fn monstrous_requests_are_refused() {
    let local = Local::new(3);
    let content = bytes(1, 50_000);
    put(&mut local.client(), &content, 512, Strategy::Auto).expect("all nodes are there");
    let mut entry = local.client().find("x").expect("just written").entry;
    let id = entry.version.id;
    (entry.length, entry.block, entry.version.id) = (u64::MAX, 4 << 20, 7);
    let begin = |entry: &xor_relay::wire::Entry, window| Message::Begin {
        mode: xor_relay::wire::Mode::Put,
        entry: entry.clone(),
        schedules: 7,
        window,
        secret: 1,
        stripes: vec![u64::MAX; 3],
    };
    let long = begin(&entry, 4);
    (entry.length, entry.nodes, entry.rule) = (1 << 59, 64, 3);
    let wide = begin(&entry, 1024);
    let verify = |stripe, count| Message::Verify { id, stripe, count };
    let rows = vec![(u16::MAX, u32::MAX); 3];
    let read = Message::Read { id, stripe: u64::MAX, ring: 9, rows };
    for message in [long, wide, verify(u64::MAX, 2), verify(0, u32::MAX), read] {
        let mut stream = greeted(&local.nodes[0].address);
        let Message::Membership { member, .. } = asked(&mut stream, &Message::GetMembership {})
        else {
            panic!("no answer to GetMembership");
        };
        let entered = asked(&mut stream, &Message::Enter { member, force: false });
        assert_eq!(entered, Message::Okay {});
        let answer = asked(&mut stream, &message);
        let is_refused = matches!(answer, Message::Unreadable { .. } | Message::Failed { .. });
        assert!(is_refused, "{message:?}: {answer:?}");
    }
    assert!(get(&mut local.client()).expect("it is still there") == content);
}

/// Random bytes after a valid start; then valid messages in a random order.
#[test]
fn noise_does_not_stop_a_node() {
    let local = Local::new(3);
    let content = bytes(1, 50_000);
    put(&mut local.client(), &content, 512, Strategy::Auto).expect("all nodes are there");
    let hello = Head::Hello { version: VERSION }.to_bytes();
    for seed in 0..200 {
        let mut stream = TcpStream::connect(&local.nodes[seed as usize % 3].address).expect("up");
        let noise = bytes(seed, 1 + seed as usize * 7);
        // The tag of an existing message, so that the noise is parsed as its fields.
        let tag = [1, 0, 0, 0, 1 + seed as u8 % 32];
        let said = [&tag[..], &noise].concat();
        let head = Head::of_message(&said).to_bytes();
        let sent = stream.write_all(&[&hello[..], &head, &said].concat());
        let _ = sent.and_then(|()| stream.write_all(&noise));
    }
    assert!(get(&mut local.client()).expect("they are still there") == content);
    put(&mut local.client(), &content, 512, Strategy::Auto).expect("and write");
}
