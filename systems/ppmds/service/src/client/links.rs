//! A client's connections, one to each server.
use crate::cluster::{Cluster, MOST_SERVERS, Members};
use crate::frames::{ConnectError, Connection, connect, read_frame, write_frames};
use crate::wire::{self, Body, Caller, MOST_BODY, Session};
use ppmds_protocol::message::Message;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Requests that wait for a server; more are dropped and sent again later.
const MOST_WAITING: usize = 256;

const FIRST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_WAIT: Duration = Duration::from_millis(500);

pub enum Event {
    Message(Message),
    Connected,
    /// The cluster has other servers.
    Members(Box<Members>),
}

/// By server: why there is no connection.
type Problems = Arc<Mutex<Vec<Option<String>>>>;

pub struct Links {
    session: Session,
    /// By server; `None`: it is removed.
    queues: Vec<Option<mpsc::Sender<Body>>>,
    events: mpsc::Receiver<Event>,
    to: mpsc::Sender<Event>,
    problems: Problems,
    tasks: JoinSet<()>,
}

struct Link {
    cluster: Arc<Cluster>,
    server: u32,
    session: Session,
    queue: mpsc::Receiver<Body>,
    events: mpsc::Sender<Event>,
    problems: Problems,
}

impl Links {
    pub fn start(cluster: &Cluster, session: Session) -> Links {
        let (to, events) = mpsc::channel(MOST_WAITING);
        let (queues, problems, tasks) = (Vec::new(), Problems::default(), JoinSet::new());
        let mut links = Links { session, queues, events, to, problems, tasks };
        links.set(cluster);
        links
    }

    /// Connects to further servers, and leaves removed ones.
    pub fn set(&mut self, cluster: &Cluster) {
        let (cluster, numbers) = (Arc::new(cluster.clone()), cluster.numbers());
        for server in 0..cluster.servers() {
            let at = server as usize;
            if !numbers.contains(&server) {
                self.queues.resize(self.queues.len().max(at + 1), None);
                self.queues[at] = None;
                note(&self.problems, server, None);
            } else if self.queues.len() <= at {
                let (queue, requests) = mpsc::channel(MOST_WAITING);
                self.queues.push(Some(queue));
                note(&self.problems, server, Some(String::from("not connected yet")));
                let link = Link {
                    cluster: Arc::clone(&cluster),
                    server,
                    session: self.session,
                    queue: requests,
                    events: self.to.clone(),
                    problems: Arc::clone(&self.problems),
                };
                self.tasks.spawn(link.run());
            }
        }
    }

    pub fn send(&self, server: u32, body: Body) {
        if let Some(Some(queue)) = self.queues.get(server as usize) {
            let _ = queue.try_send(body);
        }
    }

    pub async fn next(&mut self) -> Event {
        match self.events.recv().await {
            Some(event) => event,
            // All links have ended.
            None => std::future::pending().await,
        }
    }

    /// The servers without a connection.
    pub fn problems(&self) -> String {
        let all = self.problems.lock().map(|all| all.clone()).unwrap_or_default();
        let all: Vec<String> = all.into_iter().flatten().collect();
        match all.is_empty() {
            true => String::from("all servers are connected"),
            false => all.join("; "),
        }
    }

    /// Returns the session to the server that assigned it, then closes all connections.
    pub async fn end(mut self, session: Session, most: Duration) {
        self.send(session.id % MOST_SERVERS, Body::Goodbye(session.next));
        self.queues.clear();
        let _ = timeout(most, async { while self.tasks.join_next().await.is_some() {} }).await;
    }
}

impl Link {
    async fn run(mut self) {
        let (mut wait, caller) = (FIRST_WAIT, Caller::Client(Some(self.session)));
        loop {
            match connect(&self.cluster, self.server, caller).await {
                Ok(Connection { mut from, to, members, .. }) => {
                    wait = FIRST_WAIT;
                    note(&self.problems, self.server, None);
                    if let Some(members) = members
                        && self.events.send(Event::Members(members)).await.is_err()
                    {
                        return;
                    }
                    if self.events.send(Event::Connected).await.is_err() {
                        return;
                    }
                    let read = async {
                        while let Ok(Some((header, body))) = read_frame(&mut from, MOST_BODY).await
                            && let Ok(Body::Message(message)) = wire::body(header, &body)
                            && self.events.send(Event::Message(message)).await.is_ok()
                        {
                        }
                    };
                    tokio::select! {
                        () = read => {}
                        _ = write_frames(&mut self.queue, to) => {}
                    }
                    let address = &self.cluster.addresses[self.server as usize];
                    let why = format!("{address}: the connection broke");
                    note(&self.problems, self.server, Some(why))
                }
                Err(ConnectError::Away(why) | ConnectError::Refused(why)) => {
                    note(&self.problems, self.server, Some(why))
                }
            }
            if self.queue.is_closed() {
                return;
            }
            sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT)
        }
    }
}

fn note(problems: &Problems, server: u32, problem: Option<String>) {
    let at = server as usize;
    if let Ok(mut all) = problems.lock() {
        if all.len() <= at {
            all.resize(at + 1, None)
        }
        all[at] = problem
    }
}
