//! Mixes naive stripes and stripes of rotating pivots, by the number of writers.
use super::Kind;
use crate::layout::Layout;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    pub num: u64,
    /// Not zero.
    pub den: u64,
}

impl Share {
    pub const NONE: Share = Share { num: 0, den: 1 };
    pub const ALL: Share = Share { num: 1, den: 1 };

    /// Share of naive stripes at which the links of C clients and n nodes are full together: f =
    /// (C·in − D) / ((n·m − D) + C·(in − m)). A node receives in = D(2n−1−t)/(n(n−t)) blocks of a
    /// pivot stripe and m of a naive one.
    pub fn best(layout: &Layout, clients: usize) -> Share {
        let [n, t, d, m] =
            [layout.nodes(), layout.losses(), layout.data(), layout.rows()].map(|x| x as i128);
        let c = clients.max(1) as i128;
        // Scaled by n(n − t) to stay integer.
        let scale = n * (n - t);
        let pivot_in = d * (2 * n - 1 - t);
        let num = c * pivot_in - d * scale;
        let den = (n * m - d) * scale + c * (pivot_in - m * scale);
        match () {
            () if num <= 0 => Share::NONE,
            () if den <= 0 || num >= den => Share::ALL,
            () => {
                let divisor = greatest_common_divisor(num, den);
                let whole =
                    |part: i128| u64::try_from(part / divisor).expect("positive, and small");
                Share { num: whole(num), den: whole(den) }
            }
        }
    }
}

fn greatest_common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b)
    }
    a
}

/// Assigns schedules to stripes. Naive stripes are evenly spaced, also after the share changes.
#[derive(Clone, Debug)]
pub struct Mix {
    nodes: usize,
    share: Share,
    /// Part of a naive stripe that is due [1/den].
    due: u64,
    /// Next pivot.
    turn: usize,
}

impl Mix {
    /// `first`: the first pivot. Clients that start at different nodes load them evenly.
    pub fn new(nodes: usize, share: Share, first: usize) -> Mix {
        Mix { nodes, share, due: 0, turn: first % nodes }
    }

    /// Applies from the next stripe.
    pub fn set_share(&mut self, share: Share) {
        if share != self.share {
            (self.share, self.due) = (share, 0)
        }
    }

    pub fn deal(&mut self) -> Kind {
        self.due += self.share.num;
        if self.due >= self.share.den {
            self.due -= self.share.den;
            return Kind::Naive;
        }
        let pivot = self.turn;
        self.turn = (self.turn + 1) % self.nodes;
        Kind::Pivot(pivot)
    }
}
