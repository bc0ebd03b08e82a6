//! The link to a server, which can be cut: messages wait, or are lost with their connections.
use ppmds_service::runtime::block_on;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Link {
    Up,
    Slow,
    /// Nothing passes; connections stay.
    Cut,
    /// Nothing passes, and connections break.
    Broken,
}

/// Added to each message of a slow link.
const DELAY: Duration = Duration::from_millis(20);
const POLL: Duration = Duration::from_millis(5);

pub struct Proxy(Arc<AtomicU8>);

impl Proxy {
    /// Listens at an address, for a server at another, until the process ends.
    pub fn start(address: &str, server: String) -> Proxy {
        let listener = std::net::TcpListener::bind(address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let state = Arc::new(AtomicU8::new(Link::Up as u8));
        let proxy = Proxy(Arc::clone(&state));
        std::thread::spawn(move || block_on(accept(listener, server, state)));
        proxy
    }

    pub fn set(&self, link: Link) {
        self.0.store(link as u8, Ordering::SeqCst)
    }
}

async fn accept(
    listener: std::net::TcpListener,
    server: String,
    state: Arc<AtomicU8>,
) -> std::io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        let (client, _) = listener.accept().await?;
        let (server, state) = (server.clone(), Arc::clone(&state));
        tokio::spawn(async move { join(client, &server, &state).await });
    }
}

async fn join(client: TcpStream, server: &str, state: &AtomicU8) -> std::io::Result<()> {
    pass(state).await?;
    let server = TcpStream::connect(server).await?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?
    }
    let ((mut a, mut b), (mut c, mut d)) = (client.into_split(), server.into_split());
    tokio::select! {
        end = copy(&mut a, &mut d, state) => end,
        end = copy(&mut c, &mut b, state) => end,
    }
}

async fn copy(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    state: &AtomicU8,
) -> std::io::Result<()> {
    let mut bytes = vec![0; 64 << 10];
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read?,
            broken = until_broken(state) => return Err(broken),
        };
        if read == 0 {
            return Ok(());
        }
        pass(state).await?;
        to.write_all(&bytes[..read]).await?
    }
}

/// Waits as the link demands.
async fn pass(state: &AtomicU8) -> std::io::Result<()> {
    let is = |link: Link| state.load(Ordering::SeqCst) == link as u8;
    if is(Link::Slow) {
        sleep(DELAY).await
    }
    while is(Link::Cut) {
        sleep(POLL).await
    }
    if is(Link::Broken) { Err(broken()) } else { Ok(()) }
}

async fn until_broken(state: &AtomicU8) -> std::io::Error {
    while state.load(Ordering::SeqCst) != Link::Broken as u8 {
        sleep(POLL).await
    }
    broken()
}

fn broken() -> std::io::Error {
    std::io::ErrorKind::ConnectionReset.into()
}
