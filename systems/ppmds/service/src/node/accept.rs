//! Connections that a node accepts: handshake, then one task that reads and one that writes.
use super::inputs::{Input, Inputs};
use super::notices::Notices;
use crate::channel::{Channel, Reader, Writer, invalid};
use crate::cluster::Cluster;
use crate::frames::{self, Frame, read_frame, write_frame};
use crate::wire::{
    self, Body, Caller, Hello, MOST_BODY, MOST_HELLO, MOST_REQUEST, QueryReply, Reply, Session,
};
use keys::is_of;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::time::timeout;

/// Connections at once; further ones wait.
const MOST_CONNECTIONS: usize = 1_024;
/// Messages of one connection that wait for the state machine; then the node stops reading from it.
/// A message of more than 16 KiB counts as several.
const MOST_WAITING: usize = 64;
/// The same for another server, which speaks for many clients.
const MOST_WAITING_OF_SERVER: usize = 512;
/// Answers of one connection that wait for its socket; more are dropped, and clients ask again.
const MOST_ANSWERS: usize = 256;

/// Longest wait for the answer to an operator: longer than a promotion takes.
const ANSWER: Duration = Duration::from_secs(4);

pub struct Door {
    pub cluster: Cluster,
    pub me: u32,
    pub inputs: Inputs,
    pub notices: Notices,
    /// Why clients and servers are refused for now.
    pub closed: watch::Receiver<Option<String>>,
}

pub async fn accept(listener: TcpListener, door: Arc<Door>) {
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let permit = connections.clone().acquire_owned().await.expect("it is never closed");
        match listener.accept().await {
            Ok((stream, _)) => {
                let door = Arc::clone(&door);
                tokio::spawn(async move {
                    serve(stream, &door).await;
                    drop(permit)
                });
            }
            Err(e) => {
                door.notices.warn(&format!("cannot accept a connection: {e}"));
                tokio::time::sleep(std::time::Duration::from_millis(100)).await
            }
        }
    }
}

async fn serve(stream: TcpStream, door: &Door) {
    let peer = stream.peer_addr().map_or_else(|_| String::from("?"), |peer| peer.to_string());
    let opened = match timeout(frames::CONNECT, greet(stream, door)).await {
        Ok(opened) => opened,
        Err(_) => Err(String::from("no handshake in 3 s")),
    };
    let end = match opened {
        Ok(opened) => converse(opened, door).await.map_err(|e| e.to_string()),
        Err(why) => Err(why),
    };
    // A server that starts, or waits for its standby, says so itself.
    if let Err(why) = end
        && door.closed.borrow().is_none()
    {
        door.notices.warn_of(&why, &format!("closed the connection from {peer}: {why}"))
    }
}

struct Opened {
    from: Reader,
    to: Writer,
    caller: Caller,
}

/// The handshake, or why the caller is refused.
async fn greet(stream: TcpStream, door: &Door) -> Result<Opened, String> {
    let broken = |e: io::Error| e.to_string();
    let mut channel = Channel::accept(stream, door.cluster.keys.as_ref()).await.map_err(broken)?;
    let admitted = match read_frame(&mut channel.from, MOST_HELLO).await {
        Ok(Some((header, body))) => {
            wire::decode_hello(header, &body).and_then(|hello| admit(&hello, &channel, door))
        }
        Ok(None) => return Err(String::from("closed before the handshake")),
        Err(e) => Err(e.to_string()),
    };
    let closed = door.closed.borrow().clone();
    if let (Ok(Caller::Client(_) | Caller::Server(_)), Some(why)) = (&admitted, closed) {
        write_frame(&mut channel.to, &Reply::Waiting(why.clone())).await.map_err(broken)?;
        channel.refuse().await;
        return Err(why);
    }
    let opened = match admitted {
        Ok(Caller::Client(None)) => {
            let (reply, session) = oneshot::channel();
            door.inputs.send(Input::OpenSession(reply));
            let session: Option<Session> = session.await.map_err(|_| "the node is stopping")?;
            session.ok_or_else(|| String::from("this server has no client ids left"))
        }
        .map(|session| Caller::Client(Some(session))),
        other => other,
    };
    let members = || door.cluster.members().map(Box::new);
    let reply = match &opened {
        Ok(Caller::Client(session)) => Reply::Welcome(*session, members()),
        Ok(_) => Reply::Welcome(None, members()),
        Err(why) => Reply::Refused(why.clone()),
    };
    write_frame(&mut channel.to, &reply).await.map_err(broken)?;
    match opened {
        Ok(caller) => Ok(Opened { from: channel.from, to: channel.to, caller }),
        Err(why) => {
            channel.refuse().await;
            Err(why)
        }
    }
}

fn admit(hello: &Hello, channel: &Channel, door: &Door) -> Result<Caller, String> {
    let certificate = channel.certificate.as_ref();
    if let (Some(own), Some(keys)) = (certificate, &door.cluster.keys)
        && keys.is_revoked(own)
    {
        return Err(String::from("the caller's certificate is revoked"));
    }
    let (theirs, mine) = (hello.layout, door.cluster.layout());
    if theirs.cluster != mine.cluster {
        return Err(format!(
            "the caller means cluster {:016x}, this is {:016x}: use this cluster's file",
            theirs.cluster, mine.cluster
        ));
    }
    if theirs != mine {
        return Err(format!(
            "the caller's cluster file has {} servers and servers_per_directory {}: expected {} \
             and {}, as in this node's file",
            theirs.homes, theirs.spread, mine.homes, mine.spread
        ));
    }
    if hello.server != door.me {
        return Err(format!(
            "the caller means server {}, this is server {}: correct the addresses in its cluster \
             file",
            hello.server, door.me
        ));
    }
    match hello.caller {
        Caller::Server(server)
            if server == door.me || !door.cluster.numbers().contains(&server) =>
        {
            Err(format!("the caller is server {server}: expected another server of the cluster"))
        }
        Caller::Server(server) if certificate.is_some_and(|own| !is_of(own, server as usize)) => {
            Err(format!("the caller is server {server}, but its certificate is of another party"))
        }
        Caller::Main if certificate.is_some_and(|own| !is_of(own, door.me as usize)) => Err(
            format!("the caller is not server {}: its certificate is of another party", door.me),
        ),
        caller => Ok(caller),
    }
}

async fn converse(opened: Opened, door: &Door) -> io::Result<()> {
    let Opened { mut from, to, caller } = opened;
    let (queue, mut answers) = mpsc::channel(MOST_ANSWERS);
    let connection = match caller {
        Caller::Client(Some(session)) => Some(door.inputs.connect(session.id, queue.clone())),
        _ => None,
    };
    let write = frames::write_frames(&mut answers, to);
    let number = door.inputs.number();
    let read = receive(&mut from, (&caller, number), queue, door);
    // Either end closes both directions.
    let end = tokio::select! {
        end = read => end,
        end = write => end,
        () = closing(&caller, door) => Ok(()),
    };
    match (connection, caller) {
        (Some(connection), Caller::Client(Some(session))) => {
            door.inputs.send(Input::Disconnected(session.id, connection))
        }
        (_, Caller::Main) => door.inputs.send(Input::Detached(number)),
        _ => {}
    }
    end
}

/// Ends when clients and servers must leave; for other callers never.
async fn closing(caller: &Caller, door: &Door) {
    if let Caller::Client(_) | Caller::Server(_) = caller
        && door.closed.clone().wait_for(Option::is_some).await.is_ok()
    {
        return;
    }
    std::future::pending().await
}

async fn receive(
    from: &mut Reader,
    (caller, connection): (&Caller, u64),
    queue: mpsc::Sender<Body>,
    door: &Door,
) -> io::Result<()> {
    let (most, waiting) = match caller {
        Caller::Server(_) | Caller::Main => (MOST_BODY, MOST_WAITING_OF_SERVER),
        _ => (MOST_REQUEST, MOST_WAITING),
    };
    let most_of_one = waiting / 2;
    let waiting = Arc::new(Semaphore::new(waiting));
    loop {
        let mut permit = waiting.clone().acquire_owned().await.expect("it is never closed");
        let Some((header, body)): Option<Frame> = read_frame(from, most).await? else {
            return Ok(());
        };
        let further = u32::try_from((body.len() >> 14).min(most_of_one)).expect("below 2^32");
        let further = waiting.clone().acquire_many_owned(further).await;
        permit.merge(further.expect("it is never closed"));
        let body: Body = wire::body(header, &body).map_err(invalid)?;
        wire::check(caller, &body).map_err(|why| invalid(format!("received {why}")))?;
        match (body, caller) {
            (Body::Message(message), _) => {
                let arrived = crate::clock::now();
                door.inputs.send(Input::Message { message, arrived, permit })
            }
            (Body::Goodbye(next), Caller::Client(Some(session))) => {
                door.inputs.send(Input::Goodbye(Session { id: session.id, next }))
            }
            (Body::Query(query), _) => {
                let (reply, answer) = oneshot::channel();
                door.inputs.send(Input::Query(query, reply));
                let answer = match timeout(ANSWER, answer).await {
                    Ok(Ok(answer)) => answer,
                    Ok(Err(_)) => return Ok(()),
                    Err(_) => QueryReply::Refused(
                        door.closed
                            .borrow()
                            .clone()
                            .unwrap_or_else(|| format!("server {} is busy with its disk", door.me)),
                    ),
                };
                if queue.send(Body::QueryReply(answer)).await.is_err() {
                    return Ok(());
                }
            }
            (Body::Replica(replica), _) => {
                door.inputs.send(Input::Replica(connection, replica, queue.clone()))
            }
            _ => unreachable!("checked"),
        }
    }
}
