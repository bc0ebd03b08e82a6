//! Causes of the repair time: the critical path of the last block, and the mean wait of all blocks.
use crate::chains::Chains;
use crate::moments::Moments;
use crate::plausible::Plausible;
use hdfs_trace::Trace;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use trace::reading::{self, HolderShare};
use trace::series::Series;
use trace::walk::{Holder, Piece};
use units::Nanos;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Attribution {
    /// HDFS id of the path's block; `None`: the mean of all blocks.
    pub block: Option<i64>,
    /// \[s\]
    pub total_s: f64,
    /// Largest first, unexplained last; empty: no block waited.
    pub shares: Vec<HolderShare>,
}

/// The critical path from the declaration until the last recoverable block is safe, or until the
/// last wait ends if it never is.
pub fn attribution(trace: &Trace) -> Attribution {
    let (chains, moments) = (Chains::of(trace), Moments::of(trace));
    let end = moments.declared.zip(end_of_path(&chains, &moments));
    let Some((declared, (block, top))) = end else { return Attribution::default() };
    let pieces = chains.path(block, top, declared);
    Attribution { block, ..charged(&chains, &Series::of(trace), &pieces, 1) }
}

/// Mean wait of all blocks with a wait; a block's own chain is charged, with dependencies one step
/// deep.
pub fn blocked_time(trace: &Trace) -> Attribution {
    mean_wait(&Chains::of(trace), &Series::of(trace))
}

pub(crate) fn mean_wait(chains: &Chains<'_>, uses: &Series<'_>) -> Attribution {
    let moments = Moments::of(chains.trace);
    let Some(declared) = moments.declared else { return Attribution::default() };
    let by = moments.mended.unwrap_or(Nanos::MAX);
    let mut pieces = Vec::new();
    let mut blocks = 0;
    for block in chains.blocks() {
        let safe = chains.ends(block, by).filter(|&(end, _)| end > declared);
        if let Some((safe, _)) = safe {
            let waits = chains.waits(block, safe, declared);
            // A block does not wait before its loss.
            pieces.extend(waits.into_iter().filter(|piece| piece.holder != Holder::Idle));
            blocks += 1;
        }
    }
    if blocks == 0 {
        return Attribution::default();
    }
    charged(chains, uses, &pieces, blocks)
}

/// (last block to become safe if any waited, end of the critical path). `None`: no declaration, or
/// all blocks were safe by then.
pub(crate) fn end_of_path(chains: &Chains<'_>, moments: &Moments) -> Option<(Option<i64>, Nanos)> {
    let declared = moments.declared?;
    let by = moments.mended.unwrap_or(Nanos::MAX);
    let ends = chains.blocks().filter_map(|block| Some((chains.ends(block, by)?, block)));
    // Ties: prefer a recoverable block, then the lowest id, for a unique result.
    let last = ends.max_by_key(|&(end, block)| (end, !chains.is_hopeless(block), Reverse(block)));
    let top = moments.mended.or(last.map(|((end, _), _)| end))?;
    // Even without waits, a loss can remain that no interval shows.
    (top > declared).then(|| (last.map(|(_, block)| block), top))
}

fn charged(chains: &Chains<'_>, uses: &Series<'_>, pieces: &[Piece], blocks: u64) -> Attribution {
    let plausible = Plausible::of(chains.trace, uses, pieces);
    let told = |piece: &Piece| match piece.holder {
        Holder::Resource(r) if !plausible.is_limit(r) => {
            Piece { holder: Holder::Unexplained, ..*piece }
        }
        _ => *piece,
    };
    let pieces: Vec<Piece> = pieces.iter().map(told).collect();
    let mut shares = reading::charged(chains.trace, &pieces);
    for held in &mut shares {
        held.waited_s /= blocks as f64;
        held.hottest = held.most.take().map(|(name, _)| name);
        if held.holder == Holder::Idle.name(chains.trace) {
            held.holder = "time before a later loss".into()
        }
    }
    let total: u64 = pieces.iter().map(|piece| piece.length().0).sum();
    Attribution { block: None, total_s: total as f64 / 1e9 / blocks as f64, shares }
}
