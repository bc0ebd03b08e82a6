//! Nodes and clients, whole: on a simulated network with simulated disks, and over TCP.
mod clusters;
mod crashes;
mod faults;
mod lists;
mod objects;
mod tcp;
mod tls;
mod wire;
mod world;
