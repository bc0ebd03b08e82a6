//! Which pipeline a block is written through.

/// A choice among the open pipelines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Any, each as likely.
    Random,
    /// One after the other.
    RoundRobin,
    /// The one with the fewest blocks under way.
    LeastQueued,
}

/// Names of `policy.choice`, with the page of each.
pub static CHOICES: [(&str, Choice, &str); 3] = [
    (
        "random",
        Choice::Random,
        "Any open pipeline, each as likely.\n\n# What it decides\nThe pipeline of each new block, \
         by chance.\n\n# When it helps\nAlways good enough: it needs no state, and spreads blocks \
         evenly in the long run.\n\n# What it costs\nA burst may meet one pipeline several \
         times.\n\n# Reference\nOzone's `RandomPipelineChoosePolicy`, \
         `hdds.scm.pipeline.choose.policy.impl`.",
    ),
    (
        "round-robin",
        Choice::RoundRobin,
        "The open pipelines one after the other.\n\n# What it decides\nThe pipeline of each new \
         block: the one after that of the block before.\n\n# When it helps\nBursts of blocks of \
         one size: no pipeline gets two before each has one.\n\n# What it costs\nA slow pipeline \
         gets as many blocks as the others.\n\n# Reference\nOzone's \
         `RoundRobinPipelineChoosePolicy` (HDDS-9345).",
    ),
    (
        "least-queued",
        Choice::LeastQueued,
        "The pipeline with the fewest blocks under way.\n\n# What it decides\nThe pipeline of each \
         new block: the one that writes the fewest now, ties by chance.\n\n# When it helps\nOne \
         pipeline is slower than the others: it gets less.\n\n# What it costs\nSCM must be told \
         when a block is done; Ozone's is told by no one, so that no setting turns this on.\n\n# \
         Reference\nJoin the shortest queue; not in Ozone.",
    ),
];

impl Choice {
    /// The choice of this name.
    pub fn named(name: &str) -> Option<Choice> {
        CHOICES.iter().find(|(known, ..)| *known == name).map(|(_, choice, _)| *choice)
    }

    /// The place of the next of `open` pipelines, of which each has so many under way; `turn`
    /// counts the choices before, `bits` are random. `open` is not empty.
    pub fn next(self, open: &[(u32, u32)], turn: u64, bits: u64) -> usize {
        let any = super::scaled(bits, open.len());
        match self {
            Choice::Random => any,
            Choice::RoundRobin => units::usize_of(turn % open.len() as u64),
            Choice::LeastQueued => {
                let from = |i: &usize| (open[*i].1, (i + open.len() - any) % open.len());
                (0..open.len()).min_by_key(from).expect("one is open")
            }
        }
    }
}
