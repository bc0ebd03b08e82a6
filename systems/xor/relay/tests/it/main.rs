//! Nodes and clients on a simulated network with simulated disks, over TCP, and with an RDMA device
//! by verbs.
mod admission;
mod clusters;
mod crashes;
mod faults;
mod faulty_disk;
mod frames;
mod kept;
mod lists;
mod net;
mod objects;
mod refusals;
mod tcp;
mod tls;
mod transports;
mod unidentified;
mod verbs;
mod wire;
mod world;
mod wrong_blocks;
