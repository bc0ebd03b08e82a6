//! Checks what a caller may send before the protocol sees it.
use super::{Body, Caller, Query};
use ppmds_protocol::message::{Ask, Message, Peer};
use ppmds_protocol::{Key, MOST_CONTENTS, Operation};
use std::sync::Arc;

/// Most entries of a requested page.
const MOST_ENTRIES: u32 = 4_096;

/// # Errors
/// Why this caller must not send it; the node closes the connection.
pub fn check(caller: &Caller, body: &Body) -> Result<(), &'static str> {
    match (caller, body) {
        (Caller::Client(Some(session)), Body::Message(Message::Ask(ask))) => {
            check_ask(session.id, ask)
        }
        (Caller::Client(Some(_)), Body::Goodbye(_)) => Ok(()),
        (Caller::Server(server), Body::Message(message)) => check_message(*server, message),
        (Caller::Operator, Body::Query(Query::Members(members))) if !members.is_valid() => {
            Err("a list of servers that no cluster has")
        }
        (Caller::Operator, Body::Query(_)) => Ok(()),
        (Caller::Main, Body::Replica(_)) => Ok(()),
        _ => Err("a message that this kind of caller does not send"),
    }
}

fn check_ask(client: u32, ask: &Ask) -> Result<(), &'static str> {
    if ask.client != client {
        return Err("a request of another client");
    }
    if ask.oldest > ask.number {
        return Err("a request that its client has already acknowledged");
    }
    let has_name = |key: &Key| !key.name.is_none();
    let is_valid = match &ask.operation {
        Operation::Spread(..) => return Err("an operation of servers"),
        Operation::Readdir(_, _, most) => *most <= MOST_ENTRIES,
        Operation::Setattr(key, change) => {
            let fits = |contents: &Arc<Vec<u8>>| contents.len() <= MOST_CONTENTS;
            has_name(key) && change.contents.as_ref().is_none_or(fits)
        }
        Operation::Rename(two) | Operation::Link(two) => has_name(&two.from) && has_name(&two.to),
        other => other.entry().is_none_or(has_name),
    };
    if is_valid {
        Ok(())
    } else {
        Err("an operation without a name, a page of over 4096, or a file of over 256 KiB")
    }
}

/// Servers coordinate all transactions, so none sends a client's `Commit`.
fn check_message(server: u32, message: &Message) -> Result<(), &'static str> {
    let is_valid = match message {
        Message::Open(open) => open.from == Peer::Server(server),
        Message::OutcomeQuery(query) => query.from == Peer::Server(server),
        Message::Opened(opened) => opened.server == server,
        Message::Settled(_, from) => *from == server,
        Message::Settle(_, _, home) => home.is_none_or(|home| home == server),
        Message::OutcomeReply(_) => true,
        Message::Ask(_) | Message::Answer(_) | Message::Commit(_) | Message::Decided(..) => false,
    };
    if is_valid { Ok(()) } else { Err("a message that this server does not send") }
}
