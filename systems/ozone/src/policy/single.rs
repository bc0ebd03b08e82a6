//! Single-Raft: each node is in at most one pipeline, as in Ozone before HDDS-1564.
use super::{Dice, Placement, Site, Trio};

pub(super) struct Single;

impl Placement for Single {
    fn name(&self) -> &'static str {
        "single-raft"
    }
    fn doc(&self) -> &'static str {
        "A node is in one pipeline only, as before multi-Raft (HDDS-1564).\n\n# What it \
         decides\n⌊N/3⌋ pipelines in the order of registration; N mod 3 nodes stay spare. The \
         limit has no meaning.\n\n# When it helps\nOne disk a node, or a comparison with earlier \
         versions.\n\n# What it costs\nA node writes three open containers at a time: further \
         disks are idle, and so are N mod 3 nodes.\n\n# Reference\nOzone before 0.5; HDDS-1564."
    }
    fn limited(&self, site: &Site) -> Site {
        Site { limit: 1, ..site.clone() }
    }
    fn place(&self, site: &Site, _: &mut Dice) -> Vec<Trio> {
        (0..(site.nodes() / 3).min(site.cap)).map(|p| [3 * p, 3 * p + 1, 3 * p + 2]).collect()
    }
}

pub(super) struct One;

impl Placement for One {
    fn name(&self) -> &'static str {
        "one"
    }
    fn doc(&self) -> &'static str {
        "One pipeline on the first three nodes of any cluster.\n\n# What it decides\nThree nodes \
         that do all the work.\n\n# When it helps\nNever: this is \"1 pipeline\" of Li Cheng 2020, \
         less than single-Raft opens.\n\n# What it costs\nAll other nodes are idle.\n\n# \
         Reference\nLi Cheng 2020, 8-node cluster."
    }
    fn limited(&self, site: &Site) -> Site {
        Site { limit: 1, ..site.clone() }
    }
    fn max_pipelines(&self, site: &Site) -> u32 {
        site.cap.min(1)
    }
    fn place(&self, site: &Site, _: &mut Dice) -> Vec<Trio> {
        if site.nodes() < 3 { Vec::new() } else { vec![[0, 1, 2]] }
    }
}
