//! The cluster file: the servers of one service, and how directories are placed on them.
mod file;
mod places;
pub use places::Places;

use crate::Error;
use keys::Keys;
use ppmds_protocol::{Options, Reads, contention};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Servers of a cluster; a client's id contains its server's number.
pub const MOST_SERVERS: u32 = 64;

/// What nodes and clients must agree on. It is fixed for the life of a cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Layout {
    pub cluster: u64,
    /// Servers of the new cluster: each inode has its home on one of them for ever.
    pub homes: u32,
    /// Servers of the root, and of a new directory of the new cluster.
    pub spread: u32,
}

impl Layout {
    pub fn placement(&self) -> Places {
        Places { homes: self.homes, active: (0..self.homes).collect(), spread: self.spread }
    }
}

/// What `meta add` and `meta remove` have changed since the cluster was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    pub version: u64,
    pub homes: u32,
    /// Servers of a new directory.
    pub spread: u32,
    /// Servers that get no new directories, and those that are gone.
    #[serde(default)]
    pub leaving: Vec<u32>,
    #[serde(default)]
    pub removed: Vec<u32>,
}

/// The servers of a cluster that has grown, as nodes keep it and clients learn it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Members {
    pub growth: Growth,
    pub addresses: Vec<String>,
    pub standbys: Vec<Option<String>>,
}

impl Members {
    pub fn is_valid(&self) -> bool {
        let Members { growth, addresses, standbys } = self;
        let count = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
        let is_count = (1..=MOST_SERVERS).contains(&count) && addresses.len() == standbys.len();
        is_count && file::check_growth(growth, count).is_ok()
    }
}

#[derive(Clone, Debug)]
pub struct Cluster {
    pub id: u64,
    pub spread: u32,
    /// Answers state the rows seen, for `tenbin check-history`.
    pub evidence: bool,
    /// HOST:PORT of each server, by number.
    pub addresses: Vec<String>,
    /// HOST:PORT of each server's standby, by number.
    pub standbys: Vec<Option<String>>,
    /// `None`: the servers are those of the new cluster.
    pub growth: Option<Growth>,
    /// Fingerprints of certificates that nodes and clients reject.
    pub revoked: Vec<String>,
    /// This party's, which the file does not have. `None`: no encryption, no authentication.
    pub keys: Option<Keys>,
}

impl Cluster {
    /// A new cluster with a random id. Each directory is on all servers.
    ///
    /// # Errors
    /// No or too many servers, an invalid address, or one that occurs twice.
    pub fn new(addresses: Vec<String>) -> Result<Cluster, Error> {
        let none = vec![None; addresses.len()];
        Cluster::with_standbys(addresses, none)
    }

    /// The same, with a standby for some servers.
    pub fn with_standbys(
        addresses: Vec<String>,
        standbys: Vec<Option<String>>,
    ) -> Result<Cluster, Error> {
        let bad = |text: String| Err(Error::BadInput(text));
        let count = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
        if !(1..=MOST_SERVERS).contains(&count) {
            return bad(format!("{count} servers: expected 1 to {MOST_SERVERS}"));
        }
        if standbys.len() != addresses.len() {
            return bad(format!(
                "{} standbys: expected one for each of {count} servers",
                standbys.len()
            ));
        }
        let all: Vec<&String> = addresses.iter().chain(standbys.iter().flatten()).collect();
        for (at, address) in all.iter().enumerate() {
            if !is_address(address) {
                return bad(format!("{address:?}: {EXPECTED_ADDRESS}"));
            }
            if all[..at].contains(address) {
                return bad(format!("{address}: two servers have this address"));
            }
        }
        let id = getrandom::u64().map_err(|e| Error::Failed(format!("no random id: {e}")))?;
        let (evidence, revoked, growth, keys) = (false, Vec::new(), None, None);
        Ok(Cluster { id, spread: count, evidence, addresses, standbys, growth, revoked, keys })
    }

    /// With the keys of a party's folder, as of `tenbin relay keys add`.
    ///
    /// # Errors
    /// A file is missing or invalid.
    pub fn with_keys(self, folder: &Path) -> Result<Cluster, Error> {
        let keys = Some(Keys::read(folder)?.without(self.revoked.iter().cloned()));
        Ok(Cluster { keys, ..self })
    }

    pub fn layout(&self) -> Layout {
        let homes = self.growth.as_ref().map_or(self.servers(), |growth| growth.homes);
        Layout { cluster: self.id, homes, spread: self.spread }
    }

    /// Where servers put new directories.
    pub fn placement(&self) -> Places {
        let Some(growth) = &self.growth else { return self.layout().placement() };
        let is_active = |n: &u32| !growth.leaving.contains(n) && !growth.removed.contains(n);
        let active = (0..self.servers()).filter(is_active).collect();
        Places { homes: growth.homes, active, spread: growth.spread }
    }

    /// Numbers of the servers that are not removed.
    pub fn numbers(&self) -> Vec<u32> {
        let removed = self.growth.as_ref().map(|growth| &growth.removed);
        (0..self.servers()).filter(|n| removed.is_none_or(|gone| !gone.contains(n))).collect()
    }

    /// 0: the cluster has not grown.
    pub fn version(&self) -> u64 {
        self.growth.as_ref().map_or(0, |growth| growth.version)
    }

    /// `None`: the cluster has not grown.
    pub fn members(&self) -> Option<Members> {
        let Cluster { growth, addresses, standbys, .. } = self;
        let (addresses, standbys) = (addresses.clone(), standbys.clone());
        growth.clone().map(|growth| Members { growth, addresses, standbys })
    }

    /// With these servers if they are later than this cluster's.
    pub fn with_members(self, members: Option<Members>) -> Cluster {
        match members {
            Some(Members { growth, addresses, standbys }) if growth.version > self.version() => {
                Cluster { growth: Some(growth), addresses, standbys, ..self }
            }
            _ => self,
        }
    }

    pub fn servers(&self) -> u32 {
        u32::try_from(self.addresses.len()).expect("at most 64")
    }

    /// The addresses at which a server may be: its standby's once that is promoted.
    pub fn places(&self, server: u32) -> impl Iterator<Item = &String> {
        let at = server as usize;
        std::iter::once(&self.addresses[at]).chain(&self.standbys[at])
    }

    /// The protocol's options, the same on all nodes and clients.
    pub fn options(&self) -> Options {
        options(self.evidence)
    }
}

/// Transactions wait and resend as in `scenarios/ppmds.toml`, but resend earlier: a round trip
/// takes less than its 200 ms.
pub fn options(evidence: bool) -> Options {
    Options {
        by_server: true,
        reads: Reads::Shared,
        contention: contention::ALL[0],
        wait: 1_000_000,
        resend_base_ns: Some(50_000_000),
        evidence,
        contents: true,
    }
}

const EXPECTED_ADDRESS: &str = "expected HOST:PORT, as in 127.0.0.1:7500";

fn is_address(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit())
        && port.parse::<u16>().is_ok_and(|port| port > 0);
    let is_v6 = host.starts_with('[') && host.ends_with(']');
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    is_port && !host.is_empty() && (is_v6 || host.bytes().all(is_host))
}
