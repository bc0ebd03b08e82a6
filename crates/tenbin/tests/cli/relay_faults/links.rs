//! A node's network: a proxy for all its connections, which can be cut or paused.
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mode {
    Up,
    /// Connections are cut, and new ones refused.
    Cut,
    /// Connections stay, and carry nothing until it is up again.
    Silent,
}

/// How often a pump looks what it is to do.
const LOOK: Duration = Duration::from_millis(20);

/// One node's link; it ends with the process.
pub struct Link {
    pub address: String,
    mode: Arc<AtomicU8>,
}

impl Link {
    /// In front of an address.
    pub fn to(node: &str) -> Link {
        let door = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = door.local_addr().expect("it listens").to_string();
        let (mode, node) = (Arc::new(AtomicU8::new(Mode::Up as u8)), node.to_string());
        let of_door = mode.clone();
        std::thread::spawn(move || {
            for near in door.incoming().flatten() {
                if is(&of_door, Mode::Cut) {
                    continue;
                }
                if let Ok(far) = TcpStream::connect(&node) {
                    join(near, far, &of_door)
                }
            }
        });
        Link { address, mode }
    }

    /// From now on.
    pub fn set(&self, mode: Mode) {
        self.mode.store(mode as u8, Ordering::SeqCst)
    }
}

fn is(mode: &AtomicU8, wanted: Mode) -> bool {
    mode.load(Ordering::SeqCst) == wanted as u8
}

fn join(near: TcpStream, far: TcpStream, mode: &Arc<AtomicU8>) {
    let twice = |one: &TcpStream| one.try_clone().expect("a socket");
    for (from, to) in [(twice(&near), twice(&far)), (far, near)] {
        let mode = mode.clone();
        std::thread::spawn(move || {
            pump(&from, &to, &mode);
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
        });
    }
}

/// One direction, until either end closes or the link is cut.
fn pump(mut from: &TcpStream, mut to: &TcpStream, mode: &AtomicU8) {
    from.set_read_timeout(Some(LOOK)).expect("a timeout");
    let mut bytes = vec![0; 1 << 16];
    loop {
        let read = from.read(&mut bytes);
        while is(mode, Mode::Silent) {
            std::thread::sleep(LOOK)
        }
        if is(mode, Mode::Cut) {
            return;
        }
        match read {
            Ok(0) => return,
            Ok(length) if to.write_all(&bytes[..length]).is_err() => return,
            Ok(_) => {}
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}
