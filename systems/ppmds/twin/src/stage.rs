//! Real nodes and clients: hosts behind shaped links, or this machine's loopback.
use crate::calibrate::{Load, load};
use ppmds::commands::meta::{Children, failure, on_loopback};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use ppmds_service::load::Workload;
use std::path::Path;
use system::Failure;
use testbed::links::Links;
use units::BytesPerSec;

/// The last host is the clients'.
pub struct Stage(Option<Links>);

impl Stage {
    /// `Err` of a machine without namespaces or root: the reason why loopback is used.
    pub fn make(servers: u32, rate: BytesPerSec) -> (Stage, Option<String>) {
        let names = (0..servers).map(|n| format!("server{n}")).chain([String::from("clients")]);
        match Links::make(&names.collect::<Vec<String>>(), rate) {
            Ok(links) => (Stage(Some(links)), None),
            Err(Failure::BadInput(why) | Failure::Failed(why) | Failure::Interrupted(why)) => {
                (Stage(None), Some(why))
            }
        }
    }

    pub fn enter(&self, host: usize) -> Result<(), Failure> {
        self.0.as_ref().map_or(Ok(()), |links| links.enter(host))
    }

    pub fn cluster(&self, servers: u32) -> Result<Cluster, Failure> {
        let count = units::usize_of(servers.into());
        match &self.0 {
            None => on_loopback(count, false),
            Some(links) => {
                let hosts = links.hosts.iter().take(count);
                let addresses = hosts.map(|host| format!("{}:7500", host.address));
                Cluster::new(addresses.collect()).map_err(failure)
            }
        }
    }

    pub fn start<'a>(
        &self,
        folder: &Path,
        servers: u32,
        durability: Durability,
        enter: &'a (dyn Fn(usize) -> Result<(), Failure> + Sync),
    ) -> Result<Children<'a>, Failure> {
        Children::start(folder, self.cluster(servers)?, (durability, false), enter)
    }

    /// A load from the clients' host.
    pub fn load(
        &self,
        nodes: &Children<'_>,
        kind: Workload,
        clients: u32,
        seconds: u64,
    ) -> Result<Load, Failure> {
        let host = self.0.as_ref().map_or(0, |links| links.hosts.len() - 1);
        let run = || self.enter(host).and_then(|()| load(nodes, kind, clients, seconds));
        let done = std::thread::scope(|scope| scope.spawn(run).join());
        done.map_err(|_| Failure::Failed("a client panicked".into()))?
    }
}
