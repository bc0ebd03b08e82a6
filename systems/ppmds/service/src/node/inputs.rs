//! What the node's sockets hand to its state machine.
use crate::wire::{Body, Query, QueryReply, Replica, Session};
use ppmds_protocol::message::Message;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, mpsc as queue, oneshot};

pub enum Input {
    Message {
        message: Message,
        arrived: Instant,
        /// Bounds the messages of a connection that wait.
        permit: OwnedSemaphorePermit,
    },
    OpenSession(oneshot::Sender<Option<Session>>),
    /// A client, the number of its connection, and the queue of its answers.
    Connected(u32, u64, queue::Sender<Body>),
    Disconnected(u32, u64),
    Goodbye(Session),
    Query(Query, oneshot::Sender<QueryReply>),
    /// From the server of a standby: the number of its connection, and the queue of replies.
    Replica(u64, Replica, queue::Sender<Body>),
    /// The connection of a standby's server has ended.
    Detached(u64),
}

/// The senders' end; its queue is bounded by the permits of each connection.
#[derive(Clone)]
pub struct Inputs {
    to: mpsc::Sender<Input>,
    connections: Arc<AtomicU64>,
}

impl Inputs {
    pub fn channel() -> (Inputs, mpsc::Receiver<Input>) {
        let (to, from) = mpsc::channel();
        (Inputs { to, connections: Arc::default() }, from)
    }

    /// Does nothing if the node is stopping.
    pub fn send(&self, input: Input) {
        let _ = self.to.send(input);
    }

    /// A number for a connection.
    pub fn number(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Registers a client's connection; returns its number.
    pub fn connect(&self, client: u32, answers: queue::Sender<Body>) -> u64 {
        let number = self.number();
        self.send(Input::Connected(client, number, answers));
        number
    }
}
