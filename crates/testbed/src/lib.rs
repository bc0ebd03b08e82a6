//! Real kernels on modelled hardware: catalogue disks as block devices, nodes as namespaces with
//! shaped links, and the measurement of real disks.
//!
//! ```text
//!  cluster.toml ─► up ─► server ─► files (FUSE) ─► loop devices ─► ext4 in a node's namespaces
//!                          │
//!                        drive (one thread a disk, real time) ─► model (pure, given times)
//! ```
//! Without disks no FUSE is needed: `links`. The kernel removes everything when the serving process
//! ends.
#![cfg(target_os = "linux")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod bed;
pub mod calibrate;
pub mod detach;
pub mod disk;
mod drive;
pub mod exec;
mod files;
mod holder;
pub mod host;
pub mod links;
pub mod log;
pub mod model;
pub mod place;
pub mod plan;
pub mod priority;
pub mod server;
mod shaped;
pub mod twin;
pub mod up;
