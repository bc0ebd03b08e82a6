//! Questions of an operator's command to each node: status and rows.
use crate::channel::invalid;
use crate::clock::now;
use crate::cluster::{Cluster, Members};
use crate::disk::Row;
use crate::frames::{Connection, connect_to, read_frame, write_frame};
use crate::rows::{self, Role};
use crate::status::Status;
use crate::wire::{self, Body, Caller, MOST_BODY, Misplaced, Query, QueryReply};
use ppmds_protocol::{Key, Stored};
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;
use tokio::time::{sleep, timeout};

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

    /// Gives the node later servers. It starts again, so a broken connection is no error.
    pub async fn set_members(&mut self, members: &Members) {
        let _ = self.query(Query::Members(Box::new(members.clone()))).await;
    }

    /// Starts moves of directories that are not where new ones would be.
    pub async fn rebalance(&mut self) -> Result<Misplaced, String> {
        match self.query(Query::Rebalance).await? {
            QueryReply::Rebalanced(misplaced) => Ok(misplaced),
            other => self.other(other),
        }
    }

    async fn done(&mut self, query: Query) -> Result<(), String> {
        match self.query(query).await? {
            QueryReply::Done => Ok(()),
            other => self.other(other),
        }
    }

    /// Transactions that run, and locked rows.
    async fn freeze(&mut self) -> Result<(u64, u64), String> {
        match self.query(Query::Freeze).await? {
            QueryReply::Frozen(running, locks) => Ok((running, locks)),
            other => self.other(other),
        }
    }

    /// Reads the snapshot behind a key, in pages.
    ///
    /// # Errors
    /// Those of `each`, and why the server does not answer.
    pub async fn read(
        &mut self,
        mut behind: Vec<u8>,
        each: &mut dyn FnMut(Vec<Row>) -> Result<(), String>,
    ) -> Result<(), String> {
        loop {
            match self.query(Query::Rows(behind.clone())).await? {
                QueryReply::Rows(rows, more) => {
                    behind = rows.last().map(|(key, _)| key.clone()).unwrap_or(behind);
                    each(rows)?;
                    if !more {
                        return Ok(());
                    }
                }
                other => return self.other(other),
            }
        }
    }

    /// All entries, lists and inodes of the snapshot.
    pub async fn rows(&mut self) -> Result<Vec<(Key, Stored)>, String> {
        let mut all = Vec::new();
        let mut each = |page: Vec<Row>| {
            all.extend(page.iter().map_while(|(key, value)| rows::stored_row(key, value)));
            Ok(())
        };
        self.read(b"r".to_vec(), &mut each).await?;
        Ok(all)
    }
}

/// The cluster with the servers that its nodes know: its file may be older.
pub async fn learn(mut cluster: Cluster) -> Cluster {
    for server in cluster.numbers() {
        for address in cluster.clone().places(server) {
            if let Ok(operator) = Operator::connect_to(&cluster, server, address).await {
                let members = operator.connection.members.map(|members| *members);
                cluster = cluster.with_members(members)
            }
        }
    }
    cluster
}

/// Connects to servers, and makes each keep the rows of one moment without transactions. Meanwhile,
/// for some milliseconds, clients wait. By number.
///
/// # Errors
/// A server does not answer, or transactions do not end.
pub async fn moment(cluster: &Cluster, servers: &[u32]) -> Result<BTreeMap<u32, Operator>, String> {
    let mut all = BTreeMap::new();
    for server in servers {
        all.insert(*server, Operator::connect(cluster, *server).await?);
    }
    let taken = take(&mut all.values_mut().collect::<Vec<_>>()).await;
    for operator in all.values_mut() {
        let _ = operator.done(Query::Thaw).await;
    }
    taken.map(|()| all)
}

async fn take(all: &mut [&mut Operator]) -> Result<(), String> {
    let began = now();
    loop {
        // A server starts no transaction after it was frozen, so one round without any is enough.
        let mut left = Vec::new();
        for operator in all.iter_mut() {
            left.push(operator.freeze().await?)
        }
        if left.iter().all(|left| *left == (0, 0)) {
            break;
        }
        // Locks that no transaction needs are of those that a crash has ended.
        if left.iter().all(|(running, _)| *running == 0) {
            for operator in all.iter_mut() {
                operator.done(Query::FreeLocks).await?
            }
        }
        if began.elapsed() > REPLY {
            return Err(String::from(
                "transactions did not end in 10 s: see `tenbin meta status` for locked rows",
            ));
        }
        sleep(Duration::from_millis(2)).await
    }
    for operator in all.iter_mut() {
        operator.done(Query::Snapshot).await?
    }
    Ok(())
}
