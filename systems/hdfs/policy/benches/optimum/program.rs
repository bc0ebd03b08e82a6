//! The 0–1 program: which holder sends each block, so that the counts of nodes spread least.
use cluster::NodeId;
use hdfs_policy::View;
use hdfs_policy::rereplication::LostBlock;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::time::Duration;

/// The least spread, proved; `None` if the time was too short.
///
/// A variable is 1 if a holder sends a block to its successor, which must not hold it. Each block
/// is sent once. Every node's count is between `low` and `high`; `high` − `low` is minimised.
pub fn least_spread(lost: &[LostBlock<'_>], view: View<'_>, limit: Duration) -> Option<u32> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    problem.set_time_limit(limit);
    let most = i32::try_from(lost.len()).expect("few blocks");
    let [high, low] = [1.0, -1.0].map(|cost| problem.add_integer_var(cost, (0, most)));
    let mut sent: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); view.nodes.len()];
    for lost in lost {
        let holders = lost.sources.iter().map(|source| source.node);
        let mut once = Vec::new();
        for id in holders.filter(|&id| !lost.taken.contains(&successor(id, view))) {
            let sends = (problem.add_binary_var(0.0), 1.0);
            once.push(sends);
            sent[id.at()].push(sends)
        }
        problem.add_constraint(once, ComparisonOp::Eq, 1.0)
    }
    for (sent, _) in sent.iter().zip(view.nodes).filter(|(_, node)| node.alive) {
        for (bound, side) in [(high, ComparisonOp::Le), (low, ComparisonOp::Ge)] {
            let count = sent.iter().copied().chain([(bound, -1.0)]);
            problem.add_constraint(count.collect::<Vec<_>>(), side, 0.0)
        }
    }
    let outcome = problem.solve().expect("a program with a solution");
    let spread = outcome.solution().map_or(0.0, |solution| solution.objective());
    outcome.is_optimal().then(|| units::narrow(units::rounded_u64(spread)))
}

/// The next live node of the one rack.
fn successor(id: NodeId, view: View<'_>) -> NodeId {
    let ring = &view.racks[0];
    let after = (1..ring.len()).map(|step| ring[(id.at() + step) % ring.len()]);
    after.into_iter().find(|id| view.node(*id).alive).expect("two live nodes")
}
