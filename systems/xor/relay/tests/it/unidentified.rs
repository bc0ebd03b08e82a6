//! Connections that send nothing or too little.
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};
use xor_relay::transport::{Event, Tcp, TcpOptions, Transport};
use xor_relay::wire::{Head, VERSION};

const HELLO: Duration = Duration::from_millis(400);

fn node() -> (Tcp, SocketAddr) {
    let options = TcpOptions { hello: HELLO, ..TcpOptions::default() };
    let node = Tcp::listen("127.0.0.1:0".parse().expect("an address"), options).expect("a node");
    let address = node.address().expect("it listens");
    (node, address)
}

#[expect(clippy::disallowed_methods, reason = "sockets time out by the clock")]
fn now() -> Instant {
    Instant::now()
}

fn serve(node: &mut Tcp, time: Duration) {
    let until = now() + time;
    while now() < until {
        node.poll(Duration::from_millis(5));
    }
}

/// Whether a client can send a message to the node.
fn is_heard(node: &mut Tcp, address: SocketAddr) -> bool {
    let mut client = Tcp::client(TcpOptions::default()).expect("a client");
    let link = client.connect(&address.to_string(), 0);
    client.send(link, b"hello".to_vec());
    (0..500).any(|_| {
        client.poll(Duration::from_millis(1));
        let event = node.poll(Duration::from_millis(1));
        matches!(event, Some(Event::Message { bytes, .. }) if bytes == b"hello")
    })
}

fn is_ended(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_millis(50))).expect("a socket");
    let waited = [std::io::ErrorKind::WouldBlock, std::io::ErrorKind::TimedOut];
    stream.read_to_end(&mut Vec::new()).err().is_none_or(|e| !waited.contains(&e.kind()))
}

#[test]
fn silent_strangers_are_bounded_and_their_time_is_up() {
    let (mut node, address) = node();
    let (mut unidentified, mut refused) = (Vec::new(), 0);
    for _ in 0..6 {
        unidentified.extend((0..100).map(|_| TcpStream::connect(address).expect("it listens")));
        while node.traffic().connections + refused < unidentified.len() {
            node.poll(Duration::from_millis(5));
            refused += node.take_refused().count() as usize
        }
        assert!(node.traffic().waiting <= 256, "{:?}", node.traffic());
    }
    assert!(refused >= 600 - 256, "all others are counted: {refused}");
    assert!(is_heard(&mut node, address), "amid all of them");
    serve(&mut node, HELLO + Duration::from_millis(200));
    assert_eq!(node.traffic().waiting, 0, "{:?}", node.traffic());
    let told = format!("{:?}", node.take_refused());
    assert!(told.contains("did not say hello within 0 s"), "{told}");
    assert!(unidentified.iter_mut().all(is_ended));
    assert!(is_heard(&mut node, address), "and afterwards");
}

#[test]
fn slow_hellos_and_first_messages_that_do_not_end_are_ended() {
    let (mut node, address) = node();
    let hello = Head::Hello { version: VERSION }.to_bytes();
    let half = [&hello[..], &Head::Message { length: 1000, sum: 0 }.to_bytes(), &[1; 400]].concat();
    let mut begun = TcpStream::connect(address).expect("it listens");
    begun.write_all(&half).expect("a socket");
    let mut silent = TcpStream::connect(address).expect("it listens");
    silent.write_all(&hello).expect("a socket");
    let mut slow = TcpStream::connect(address).expect("it listens");
    let mut sent = 0;
    for byte in &hello[..12] {
        sent += usize::from(slow.write_all(&[*byte]).is_ok());
        serve(&mut node, HELLO / 8)
    }
    assert!((6..12).contains(&sent), "{sent} bytes of a hello");
    assert!(is_ended(&mut slow) && is_ended(&mut begun));
    assert!(!is_ended(&mut silent), "who is greeted may take his time");
    let told = format!("{:?}", node.take_refused());
    assert!(told.contains("did not end its first message"), "{told}");
}
