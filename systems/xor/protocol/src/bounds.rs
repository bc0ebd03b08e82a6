//! Lower bounds on what any schedule moves.
//!
//! A stripe has D data blocks on n nodes and survives t losses; the client sends exactly D blocks.
//! For any set S of t nodes, the blocks that the client sent into S follow from the other nodes. So
//! at least as many blocks leave S. Averaged over all S:

/// Blocks a stripe, as a fraction.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    pub num: u64,
    /// Not zero.
    pub den: u64,
}

impl Ratio {
    pub fn value(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> std::cmp::Ordering {
        let wide = |n: u64, d: u64| u128::from(n) * u128::from(d);
        wide(self.num, other.den).cmp(&wide(other.num, self.den))
    }
}

/// For a client that sends only the data of a stripe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Blocks between nodes: D(n−1)/(n−t).
    pub between: Ratio,
    /// Blocks into the node that receives most: D(2n−1−t)/(n(n−t)).
    pub node_in: Ratio,
    /// Blocks out of the node that sends most: D(n−1)/(n(n−t)).
    pub node_out: Ratio,
}

/// # Panics
/// If t ≥ n.
pub fn bounds(data: usize, nodes: usize, losses: usize) -> Bounds {
    assert!(losses < nodes, "{losses} losses of {nodes} nodes");
    let [d, n, t] = [data, nodes, losses].map(|x| x as u64);
    Bounds {
        between: Ratio { num: d * (n - 1), den: n - t },
        node_in: Ratio { num: d * (2 * n - 1 - t), den: n * (n - t) },
        node_out: Ratio { num: d * (n - 1), den: n * (n - t) },
    }
}
