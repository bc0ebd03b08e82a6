//! Adds and removes servers while the service runs. Each step can be repeated.
//!
//! ```text
//!  add:     file ──► the new node answers ──► all nodes know it ──► directories move
//!  remove:  all nodes know that it leaves ──► directories move ──► nothing runs ──► it is gone
//! ```
use crate::cluster::{Cluster, Growth, Members};
use crate::operator::{Operator, moment};
use crate::wire::Misplaced;
use std::time::Duration;
use tokio::time::sleep;

/// Longest time until a node has started again with other servers, in steps of [`PAUSE`].
const ATTEMPTS: u32 = 500;
const PAUSE: Duration = Duration::from_millis(20);
/// Rounds without progress after which a directory that cannot move ends the command.
const IDLE_ROUNDS: u32 = 250;

/// The cluster with one more server.
///
/// # Errors
/// The address is invalid or used, or there are 64 servers.
pub fn with_server(
    cluster: &Cluster,
    address: &str,
    standby: Option<String>,
) -> Result<Cluster, String> {
    let mut next = grown(cluster);
    let is_on_all = cluster.placement().active.len() == next.spread() as usize;
    next.addresses.push(String::from(address));
    next.standbys.push(standby);
    // It checks the addresses.
    let checked = Cluster::with_standbys(next.addresses.clone(), next.standbys.clone());
    checked.map_err(|e| e.to_string())?;
    if let Some(growth) = next.growth.as_mut().filter(|_| is_on_all) {
        growth.spread += 1
    }
    Ok(next)
}

/// The cluster in which a server gets no new directories.
///
/// # Errors
/// It is one of the first, which keep the homes of inodes.
pub fn with_leaving(cluster: &Cluster, server: u32) -> Result<Cluster, String> {
    let mut next = grown(cluster);
    let Some(growth) = &mut next.growth else { return Ok(next) };
    if server < growth.homes {
        return Err(format!(
            "server {server} is one of the first {}, which keep the lists of all directories: \
             expected a server that `meta add` has added. To replace its machine, give it a \
             standby there and promote that",
            growth.homes
        ));
    }
    growth.leaving.push(server);
    let active = cluster.placement().active.len() - 1;
    growth.spread = growth.spread.min(u32::try_from(active).unwrap_or(u32::MAX));
    Ok(next)
}

fn without(cluster: &Cluster, server: u32) -> Cluster {
    let mut next = grown(cluster);
    if let Some(growth) = &mut next.growth {
        growth.leaving.retain(|one| *one != server);
        growth.removed.push(server)
    }
    next
}

/// The same servers with the next version.
fn grown(cluster: &Cluster) -> Cluster {
    let (homes, spread) = (cluster.servers(), cluster.spread);
    let first = Growth { version: 0, homes, spread, leaving: Vec::new(), removed: Vec::new() };
    let mut growth = cluster.growth.clone().unwrap_or(first);
    growth.version += 1;
    Cluster { growth: Some(growth), ..cluster.clone() }
}

impl Cluster {
    /// Servers of a new directory.
    fn spread(&self) -> u32 {
        self.growth.as_ref().map_or(self.spread, |growth| growth.spread)
    }
}

/// Gives all nodes the cluster's servers, and waits until they serve with them.
///
/// # Errors
/// A server does not answer.
pub async fn spread_word(cluster: &Cluster) -> Result<(), String> {
    let Some(members) = cluster.members() else { return Ok(()) };
    for server in cluster.numbers() {
        if !is_gone(cluster, server).await {
            set(cluster, server, &members).await?
        }
    }
    Ok(())
}

/// Whether a leaving server does not answer, as one whose address was wrong.
async fn is_gone(cluster: &Cluster, server: u32) -> bool {
    let leaves = cluster.growth.as_ref().is_some_and(|growth| growth.leaving.contains(&server));
    leaves && Operator::connect(cluster, server).await.is_err()
}

async fn set(cluster: &Cluster, server: u32, members: &Members) -> Result<(), String> {
    let mut last = String::new();
    for attempt in 0..ATTEMPTS {
        match Operator::connect(cluster, server).await {
            Ok(mut operator) => match operator.status().await {
                Ok(status) if status.members >= members.growth.version => return Ok(()),
                Ok(_) if attempt % 50 == 0 => operator.set_members(members).await,
                Ok(_) => {}
                Err(why) => last = why,
            },
            Err(why) => last = why,
        }
        sleep(PAUSE).await
    }
    Err(format!("server {server} does not know the new servers: {last}: repeat the command"))
}

/// Moves directories until all are where new ones would be, or too large for it. `progress` gets
/// the number of those that are left; an error of it ends the command.
///
/// # Errors
/// A server does not answer, or directories cannot move.
pub async fn rebalance(
    cluster: &Cluster,
    progress: &mut dyn FnMut(u64) -> Result<(), String>,
) -> Result<Misplaced, String> {
    let (mut least, mut idle) = (u64::MAX, 0);
    loop {
        let mut left = Misplaced::default();
        for server in cluster.numbers() {
            if is_gone(cluster, server).await {
                continue;
            }
            let mut operator = Operator::connect(cluster, server).await?;
            let Misplaced { all, too_large } = operator.rebalance().await?;
            left.all += all;
            left.too_large += too_large
        }
        progress(left.all)?;
        if left.all == left.too_large {
            return Ok(left);
        }
        idle = if left.all < least { 0 } else { idle + 1 };
        least = least.min(left.all);
        if idle == IDLE_ROUNDS {
            return Err(format!("{} directories do not move: repeat the command", left.all));
        }
        sleep(PAUSE).await
    }
}

/// Ends the membership of a server without directories; returns the cluster without it.
///
/// # Errors
/// It has directories, or a server does not answer.
pub async fn finish_removal(cluster: &Cluster, server: u32) -> Result<Cluster, String> {
    let mut numbers = cluster.numbers();
    if is_gone(cluster, server).await {
        // No directory is on it, and no lock of the others waits for it.
        numbers.retain(|one| *one != server)
    }
    let mut operators = moment(cluster, &numbers).await?;
    if let Some(operator) = operators.get_mut(&server) {
        let rows = operator.status().await?.rows;
        if rows > 0 {
            return Err(format!("server {server} still has {rows} rows: repeat the command"));
        }
    }
    let next = without(cluster, server);
    spread_word(&next).await?;
    Ok(next)
}
