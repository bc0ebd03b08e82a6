//! Tenbin's records against `rustls` at the other end, and with damage.
use super::tls::Tls;
use keys::{CLIENT, Keys, authority, name_of, server_name};
use rustls::{ClientConnection, ConnectionCommon, ServerConnection, SideData};
use std::io::{ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::DerefMut;
use std::path::PathBuf;
use std::thread::JoinHandle;

/// Sent in fifths, so that socket buffers can hold an unread part.
const BYTES: usize = 1_000_000;

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Keys of node 0 and of a client.
fn parties(name: &str) -> (Folder, Keys, Keys) {
    let name = format!("xor-records-{name}-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(name));
    authority(&folder.0, 1).expect("a new folder");
    let read = |name: &str| Keys::read(&folder.0.join(name)).expect("a party's folder");
    let (node, client) = (read(&name_of(0)), read(CLIENT));
    (folder, node, client)
}

fn sockets() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let near = TcpStream::connect(listener.local_addr().expect("bound")).expect("it listens");
    (near, listener.accept().expect("somebody comes").0)
}

fn content() -> Vec<u8> {
    (0..BYTES).map(|at| ((at * at) >> 5) as u8).collect()
}

/// An end by `rustls`: sends and receives the content, and renews keys in between.
fn rustls_end<C, S>(mut session: C, mut stream: TcpStream) -> JoinHandle<()>
where
    C: DerefMut<Target = ConnectionCommon<S>> + Send + 'static,
    S: SideData,
{
    std::thread::spawn(move || {
        let (content, mut got) = (content(), vec![0; BYTES]);
        for (nth, (part, place)) in
            content.chunks(BYTES / 5).zip(got.chunks_mut(BYTES / 5)).enumerate()
        {
            let mut both = rustls::Stream::new(&mut session, &mut stream);
            both.write_all(part).expect("it is taken");
            both.flush().expect("it is sent");
            both.read_exact(place).expect("it comes");
            if nth % 2 == 0 {
                session.refresh_traffic_keys().expect("the session stands")
            }
        }
        assert!(got == content, "it is what was sent");
    })
}

/// An end by Tenbin: the same, with pieces of odd sizes.
fn own_end(mut tls: Tls) {
    let (content, mut got) = (content(), vec![0; BYTES]);
    tls.shake_hands().expect("the other end knows us");
    for (part, place) in content.chunks(BYTES / 5).zip(got.chunks_mut(BYTES / 5)) {
        let mut sent = 0;
        while sent < part.len() || tls.wants_to_write() {
            let (one, two) = part[sent..].split_at((part.len() - sent).min(20_001));
            match tls.write_vectored(&[IoSlice::new(one), IoSlice::new(two)]) {
                Ok(taken) => sent += taken,
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                Err(e) => panic!("{e}"),
            }
        }
        let mut filled = 0;
        while filled < place.len() {
            let (one, two) = place[filled..].split_at_mut((BYTES / 5 - filled).min(30_011));
            let read = tls.read_vectored(&mut [IoSliceMut::new(one), IoSliceMut::new(two)]);
            let read = read.expect("it comes");
            assert!(read > 0, "it does not end");
            filled += read
        }
    }
    assert!(got == content, "it is what was sent");
}

#[test]
fn our_records_are_read_by_rustls_and_the_other_way_round() {
    let (_folder, node, client) = parties("both");
    let (near, far) = sockets();
    let session = ServerConnection::new(node.server.clone()).expect("keys");
    let other = rustls_end(session, far);
    own_end(Tls::new(near, &client, Some(0)));
    other.join().expect("it is right, too");
    let (near, far) = sockets();
    let session = ClientConnection::new(client.client.clone(), server_name(0)).expect("keys");
    let other = rustls_end(session, far);
    own_end(Tls::new(near, &node, None));
    other.join().expect("it is right, too");
}

#[test]
fn keys_are_renewed_long_before_they_are_used_up() {
    let (_folder, node, client) = parties("renewed");
    let (near, far) = sockets();
    let session = ServerConnection::new(node.server.clone()).expect("keys");
    let other = rustls_end(session, far);
    let mut tls = Tls::new(near, &client, Some(0));
    tls.renew_after(3);
    own_end(tls);
    other.join().expect("rustls follows each new key");
}

/// A proxy changes one byte of a record.
#[test]
fn a_record_that_was_changed_is_refused() {
    let (_folder, node, client) = parties("changed");
    let (near, between) = sockets();
    let (forward, far) = sockets();
    let proxy = std::thread::spawn(move || {
        let back = (forward.try_clone().expect("one"), between.try_clone().expect("one"));
        let other = std::thread::spawn(move || std::io::copy(&mut { back.0 }, &mut { back.1 }));
        let (mut between, mut forward) = (between, forward);
        let (mut bytes, mut passed) = (vec![0; 1 << 16], 0);
        while let Ok(read) = between.read(&mut bytes)
            && read > 0
        {
            // After the handshake, which is shorter.
            if (passed..passed + read).contains(&40_000) {
                bytes[40_000 - passed] ^= 1
            }
            passed += read;
            let _ = forward.write_all(&bytes[..read]);
        }
        let _ = forward.shutdown(std::net::Shutdown::Both);
        drop(other);
    });
    let sender = std::thread::spawn(move || {
        let mut tls = Tls::new(near, &client, Some(0));
        tls.shake_hands().expect("the other end knows us");
        let _ = tls.write_vectored(&[IoSlice::new(&[7; 100_000])]);
        tls.end()
    });
    let mut tls = Tls::new(far, &node, None);
    let mut place = vec![0; 1 << 16];
    let why = loop {
        match tls.read_vectored(&mut [IoSliceMut::new(&mut place)]) {
            Ok(0) => panic!("the end, and no word of it"),
            Ok(_) => {}
            Err(e) => break e.to_string(),
        }
    };
    assert!(why.contains("a record was changed"), "{why}");
    drop(tls);
    sender.join().expect("it ends");
    proxy.join().expect("it ends");
}
