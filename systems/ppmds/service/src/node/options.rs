//! What a node is started with.
use crate::cluster::Cluster;
use crate::durability::Durability;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct NodeOptions {
    pub cluster: Cluster,
    pub server: u32,
    /// Starts as this server's standby, unless it was promoted before.
    pub is_standby: bool,
    /// Starts without the standby that the server has had. That must never be promoted.
    pub without_standby: bool,
    /// HOST:PORT; the other servers and clients use the address of the cluster file.
    pub listen: String,
    pub data: PathBuf,
    pub durability: Durability,
    /// Address of the metrics page; a loopback address.
    pub metrics: Option<String>,
    /// Allows an address that other machines reach, without keys: no encryption, no
    /// authentication.
    pub is_insecure: bool,
}
