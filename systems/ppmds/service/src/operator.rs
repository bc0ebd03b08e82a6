//! Questions of an operator's command to each node: status and rows.
use crate::channel::invalid;
use crate::cluster::Cluster;
use crate::frames::{Connection, connect_to, read_frame, write_frame};
use crate::rows::Role;
use crate::status::Status;
use crate::wire::{self, Body, Caller, MOST_BODY, Query, QueryReply};
use ppmds_protocol::{Key, Stored};
use std::io;
use std::time::Duration;
use tokio::time::timeout;

/// Longest wait for a reply.
const REPLY: Duration = Duration::from_secs(10);

pub struct Operator {
    connection: Connection,
    address: String,
}

impl Operator {
    /// # Errors
    /// Why the node does not answer or refuses.
    pub async fn connect(cluster: &Cluster, server: u32) -> Result<Operator, String> {
        let mut problems = Vec::new();
        for address in cluster.places(server) {
            match Operator::connect_to(cluster, server, address).await {
                Ok(mut operator) => match operator.status().await {
                    Ok(Status { role: Role::Standby, .. }) => {
                        problems.push(format!("{address}: a standby"))
                    }
                    Ok(_) => return Ok(operator),
                    Err(why) => problems.push(why),
                },
                Err(why) => problems.push(why),
            }
        }
        Err(problems.join("; "))
    }

    /// Connects to a server or to its standby.
    pub async fn connect_to(
        cluster: &Cluster,
        server: u32,
        address: &str,
    ) -> Result<Operator, String> {
        let connection = connect_to(cluster, (server, address), Caller::Operator).await?;
        Ok(Operator { connection, address: String::from(address) })
    }

    fn other<T>(&self, reply: QueryReply) -> Result<T, String> {
        match reply {
            QueryReply::Refused(why) => Err(format!("{}: {why}", self.address)),
            _ => Err(format!("{}: another reply than requested", self.address)),
        }
    }

    /// Makes a standby the server; returns the new generation.
    pub async fn promote(&mut self) -> Result<u32, String> {
        match self.query(Query::Promote).await? {
            QueryReply::Promoted(generation) => Ok(generation),
            other => self.other(other),
        }
    }

    async fn query(&mut self, query: Query) -> Result<QueryReply, String> {
        let Connection { from, to, .. } = &mut self.connection;
        let exchange = async {
            write_frame(to, &Body::Query(query)).await?;
            let frame = read_frame(from, MOST_BODY).await?;
            let (header, body) =
                frame.ok_or_else(|| io::Error::other("the node closed the connection"))?;
            match wire::body(header, &body).map_err(invalid)? {
                Body::QueryReply(reply) => io::Result::Ok(reply),
                _ => Err(invalid("another message in place of the reply")),
            }
        };
        match timeout(REPLY, exchange).await {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(e)) => Err(format!("{}: {e}", self.address)),
            Err(_) => Err(format!("{}: no reply in 10 s", self.address)),
        }
    }

    pub async fn status(&mut self) -> Result<Status, String> {
        match self.query(Query::Status).await? {
            QueryReply::Status(status) => Ok(*status),
            other => self.other(other),
        }
    }

    /// All entries, lists and inodes of the server's disk.
    pub async fn rows(&mut self) -> Result<Vec<(Key, Stored)>, String> {
        let mut all: Vec<(Key, Stored)> = Vec::new();
        loop {
            let behind = all.last().map(|(key, _)| key.clone());
            match self.query(Query::Rows(behind)).await? {
                QueryReply::Rows(rows, more) => {
                    let is_empty = rows.is_empty();
                    all.extend(rows);
                    if !more || is_empty {
                        return Ok(all);
                    }
                }
                other => return self.other(other),
            }
        }
    }
}
