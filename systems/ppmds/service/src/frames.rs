//! Frames on sockets, for nodes and clients.
use crate::channel::{Channel, Reader, Writer, explained, invalid};
use crate::cluster::{Cluster, Members};
use crate::wire::{self, Body, Caller, HEADER, Hello, Reply, Session};
use serde::Serialize;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// Longest time for a connection and its handshake.
pub const CONNECT: Duration = Duration::from_secs(3);

/// Frames that one write to a socket takes.
const AT_ONCE: usize = 256;

pub type Frame = ([u8; HEADER], Vec<u8>);

/// The next frame; `None`: the peer has closed the connection.
///
/// # Errors
/// The connection is broken, or the frame exceeds `most` bytes.
pub async fn read_frame(from: &mut Reader, most: usize) -> io::Result<Option<Frame>> {
    let mut header = [0; HEADER];
    match from.read_exact(&mut header).await {
        // A TLS alert, which is shorter than a header.
        Err(_) if header.starts_with(&[21, 3]) => {
            return Err(invalid("requires a client certificate: pass --keys DIR"));
        }
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    };
    let length = wire::length(header, most).map_err(invalid)?;
    // The buffer grows with the bytes that arrive, not with the announced length.
    let mut body = Vec::with_capacity(length.min(4_096));
    from.take(length as u64).read_to_end(&mut body).await?;
    match body.len() == length {
        true => Ok(Some((header, body))),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

pub async fn write_frame(to: &mut Writer, body: &impl Serialize) -> io::Result<()> {
    let mut bytes = Vec::new();
    wire::put_frame(&mut bytes, body);
    to.write_all(&bytes).await?;
    to.flush().await
}

/// Writes all that comes through a queue, until it closes or the connection breaks.
pub async fn write_frames(queue: &mut mpsc::Receiver<Body>, mut to: Writer) -> io::Result<()> {
    let mut bodies = Vec::with_capacity(AT_ONCE);
    let mut bytes = Vec::new();
    while queue.recv_many(&mut bodies, AT_ONCE).await > 0 {
        bytes.clear();
        bodies.drain(..).for_each(|body| wire::put_frame(&mut bytes, &body));
        to.write_all(&bytes).await?;
        to.flush().await?
    }
    Ok(())
}

pub struct Connection {
    pub from: Reader,
    pub to: Writer,
    pub session: Option<Session>,
    /// The servers if the cluster has grown.
    pub members: Option<Box<Members>>,
}

pub enum ConnectError {
    /// The node does not answer; it may be restarting.
    Away(String),
    /// The node answers, but rejects this caller.
    Refused(String),
}

/// Connects to a server, or to its standby once that is promoted, and introduces the caller.
pub async fn connect(
    cluster: &Cluster,
    server: u32,
    caller: Caller,
) -> Result<Connection, ConnectError> {
    let (mut is_away, mut problems) = (false, Vec::new());
    for address in cluster.places(server) {
        match connect_to(cluster, (server, address), caller).await {
            Ok(connection) => return Ok(connection),
            Err(ConnectError::Away(why)) => {
                is_away = true;
                problems.push(why)
            }
            Err(ConnectError::Refused(why)) => problems.push(why),
        }
    }
    let why = problems.join("; ");
    Err(if is_away { ConnectError::Away(why) } else { ConnectError::Refused(why) })
}

impl From<ConnectError> for String {
    fn from(e: ConnectError) -> String {
        match e {
            ConnectError::Away(why) | ConnectError::Refused(why) => why,
        }
    }
}

pub async fn connect_to(
    cluster: &Cluster,
    (server, address): (u32, &str),
    caller: Caller,
) -> Result<Connection, ConnectError> {
    let hello = Hello { layout: cluster.layout(), server, caller };
    let open = async {
        let channel = Channel::connect(address, server, cluster.keys.as_ref()).await?;
        let Channel { mut from, mut to, .. } = channel;
        write_frame(&mut to, &wire::encode_hello(&hello)).await?;
        let (header, body) = read_frame(&mut from, wire::MOST_WELCOME)
            .await?
            .ok_or_else(|| io::Error::other("the node closed the connection"))?;
        let reply: Reply = wire::body(header, &body).map_err(invalid)?;
        io::Result::Ok((from, to, reply))
    };
    let opened =
        timeout(CONNECT, open).await.unwrap_or_else(|_| Err(io::Error::other("no answer in 3 s")));
    match opened.map_err(explained) {
        Err(e) if e.kind() == io::ErrorKind::InvalidData => {
            Err(ConnectError::Refused(format!("{address}: {e}")))
        }
        Err(e) => Err(ConnectError::Away(format!("{address}: {e}"))),
        Ok((_, _, Reply::Refused(why))) => {
            Err(ConnectError::Refused(format!("{address} refused the connection: {why}")))
        }
        Ok((_, _, Reply::Waiting(why))) => Err(ConnectError::Away(format!("{address}: {why}"))),
        Ok((from, to, Reply::Welcome(session, members))) => {
            Ok(Connection { from, to, session, members })
        }
    }
}
