//! Connections to the other servers. A node sends through its own, and receives through theirs.
use super::notices::Notices;
use crate::cluster::Cluster;
use crate::frames::{ConnectError, Connection, connect, read_frame, write_frames};
use crate::wire::{Body, Caller, HEADER};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

/// Messages that wait for a server; more are dropped, and the protocol sends them again.
const MOST_WAITING: usize = 4_096;

const FIRST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_WAIT: Duration = Duration::from_millis(500);

/// A queue to each other server, and what a task needs to empty it.
pub struct Link {
    cluster: Arc<Cluster>,
    me: u32,
    server: u32,
    queue: mpsc::Receiver<Body>,
}

/// By server; `None`: this one.
pub fn links(cluster: &Cluster, me: u32) -> (Vec<Option<mpsc::Sender<Body>>>, Vec<Link>) {
    let (mut links, cluster) = (Vec::new(), Arc::new(cluster.clone()));
    let senders = (0..cluster.servers()).map(|server| {
        if server == me || !cluster.numbers().contains(&server) {
            return None;
        }
        let (to, queue) = mpsc::channel(MOST_WAITING);
        links.push(Link { cluster: Arc::clone(&cluster), me, server, queue });
        Some(to)
    });
    (senders.collect(), links)
}

impl Link {
    /// Connects again and again until the node stops, once this node is a server.
    pub async fn run(mut self, notices: Notices, mut closed: watch::Receiver<Option<String>>) {
        let _ = closed.wait_for(Option::is_none).await;
        let (server, caller) = (self.server, Caller::Server(self.me));
        let (mut wait, mut last) = (FIRST_WAIT, String::new());
        loop {
            match connect(&self.cluster, server, caller).await {
                Ok(Connection { mut from, to, .. }) => {
                    notices.warn(&format!("connected to server {server}"));
                    (wait, last) = (FIRST_WAIT, String::new());
                    tokio::select! {
                        _ = write_frames(&mut self.queue, to) => {}
                        // It sends nothing here: any end of this means that it is gone.
                        _ = read_frame(&mut from, HEADER) => {}
                    }
                    if self.queue.is_closed() {
                        return;
                    }
                    notices.warn(&format!("lost server {server}"))
                }
                Err(ConnectError::Away(why) | ConnectError::Refused(why)) => {
                    if why != last {
                        notices.warn(&format!("no connection to server {server}: {why}"));
                        last = why
                    }
                    sleep(wait).await;
                    wait = (wait * 2).min(LONGEST_WAIT)
                }
            }
        }
    }
}
