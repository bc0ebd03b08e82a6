//! The pipeline of a new block.
use system::policy::{Policies, Policy};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Random,
    RoundRobin,
    /// The one with the fewest blocks in progress.
    LeastQueued,
}

pub static CHOICES: Policies<Choice> = Policies {
    key: "policy.choice",
    all: &[
        Policy::new("random", "Any open pipeline, with equal probability.", Choice::Random)
            .decides("The pipeline of each new block, by chance.")
            .helps("Usually good enough: no state, and blocks spread evenly in the long run.")
            .costs("A burst may use one pipeline several times.")
            .reference(
                "Ozone's `RandomPipelineChoosePolicy`, `hdds.scm.pipeline.choose.policy.impl`.",
            ),
        Policy::new("round-robin", "The open pipelines round-robin.", Choice::RoundRobin)
            .decides("The pipeline of each new block: the one after that of the previous block.")
            .helps("Bursts of blocks of one size: no pipeline gets two before each has one.")
            .costs("A slow pipeline gets as many blocks as the others.")
            .reference("Ozone's `RoundRobinPipelineChoosePolicy` (HDDS-9345)."),
        Policy::new(
            "least-queued",
            "The pipeline with the fewest blocks in progress.",
            Choice::LeastQueued,
        )
        .decides(
            "The pipeline of each new block: the one with the fewest blocks now, ties by chance.",
        )
        .helps("One pipeline is slower than the others: it gets less.")
        .costs(
            "SCM must receive the end of each block; Ozone has no such message, so no setting \
             enables this.",
        )
        .reference("Join the shortest queue; not in Ozone."),
    ],
};

impl Choice {
    /// Index in `open` of the next pipeline. `open`: pipelines and their blocks in progress, not
    /// empty. `turn`: number of choices before; `bits`: random.
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
