#![doc = include_str!("../README.md")]
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod curves;
pub mod import;
mod keys;
pub mod log;
pub mod why;
pub mod words;

use cluster::keys::Vocabulary;
use system::{About, Action, Explains, System, Words};

/// MapReduce.
pub struct MapReduce;

impl System for MapReduce {
    fn about(&self) -> About {
        let what = "MapReduce jobs on YARN: real logs, and why a job was slow";
        About { name: "mapreduce", what, readme: include_str!("../README.md") }
    }

    fn vocabulary(&self) -> &'static Vocabulary {
        &keys::MAPREDUCE
    }

    fn words(&self) -> &dyn Words {
        &words::Plain
    }

    fn imports(&self) -> Vec<&'static dyn Action> {
        vec![&import::Histories, &curves::NodeCurves]
    }

    fn explains(&self) -> Option<&dyn Explains> {
        Some(&words::Jobs)
    }
}
