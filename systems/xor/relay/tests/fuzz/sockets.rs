//! Random bytes over sockets, to a plain node and to one with certificates.
use crate::draw::Dice;
use crate::{alone, fuzz, memory};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use xor_relay::keys::{Keys, authority};
use xor_relay::transport::Kind;
use xor_relay::wire::{Head, VERSION, numbered};
use xor_relay::{Io, NodeNotice, ServeOptions, serve};

/// Runs a node while `work` runs; `work` receives its address.
fn with_node(folder: &Path, keys: Option<Keys>, work: impl FnOnce(&str)) {
    let stop = AtomicBool::new(false);
    let (tell, told) = mpsc::channel();
    let data = folder.join(format!("data-{}", keys.is_some()));
    let listen = "127.0.0.1:0".into();
    let options =
        ServeOptions { listen, data, keys, is_insecure: false, io: Io::Buffered, kind: Kind::Tcp };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut on_notice = |notice: NodeNotice<'_>| {
                if let NodeNotice::Ready(ready) = notice {
                    tell.send(ready.address).expect("the test waits")
                }
            };
            serve(&options, &mut on_notice, &|| stop.load(Ordering::SeqCst))
                .expect("a node that runs")
        });
        let ended = std::panic::AssertUnwindSafe(|| {
            work(&told.recv_timeout(Duration::from_secs(9)).expect("it listens").to_string())
        });
        let ended = std::panic::catch_unwind(ended);
        stop.store(true, Ordering::SeqCst);
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A greeting, then messages and blocks, some damaged.
fn said(dice: &mut Dice) -> Vec<u8> {
    let mut all = Head::Hello { version: VERSION }.to_bytes().to_vec();
    for _ in 0..dice.below(6) {
        let body = match dice.below(3) {
            0 => dice.bytes(200),
            _ => numbered(1, &dice.message(0)),
        };
        let block = |slot| Head::Block { length: body.len() as u32, ring: 0, slot, imm: 1 };
        let heads = match dice.below(5) {
            0 => vec![block(0)],
            1 => vec![Head::Blocks { count: 2 }, block(0), block(dice.below(2) as u32)],
            _ => vec![Head::of_message(&body)],
        };
        heads.iter().for_each(|head| all.extend(head.to_bytes()));
        all.extend(body)
    }
    match dice.below(3) {
        0 => all,
        _ => dice.damaged(all),
    }
}

/// The node still answers with a greeting or a handshake.
fn is_well(address: &str, first: &[u8]) -> bool {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(9))).expect("a socket");
    stream.write_all(first).expect("a socket");
    stream.read(&mut [0; 1]).is_ok()
}

#[test]
fn sockets() {
    let _alone = alone();
    let folder = std::env::temp_dir().join(format!("xor-fuzz-{}", std::process::id()));
    authority(&folder, 1).expect("a new folder");
    let keys = Keys::read(&folder.join("node-0")).expect("a node's folder");
    with_node(&folder, None, |clear| {
        with_node(&folder, Some(keys), |closed| {
            fuzz("sockets", |seed| {
                let mut dice = Dice::new(seed);
                let address = if dice.below(4) == 0 { closed } else { clear };
                let peak = memory::peak(|| {
                    let mut stream = TcpStream::connect(address).expect("it listens");
                    // The node may close before all is sent.
                    let _ = stream.write_all(&said(&mut dice));
                });
                assert!(peak < 256 << 20, "{peak} bytes");
                if seed % 256 == 0 {
                    let hello = Head::Hello { version: VERSION }.to_bytes();
                    assert!(is_well(clear, &hello) && is_well(closed, &[22; 9]))
                }
            })
        })
    });
    let _ = std::fs::remove_dir_all(&folder);
}
