//! Latin squares of odd order in which any two columns make one cycle.
//!
//! In the last column, row q − 1 holds the omitted class. So this column has no parity cell and can
//! be dropped.

/// A square and the class that it omits.
pub(super) struct Square {
    pub order: usize,
    /// `classes[row][column]`.
    pub classes: Vec<Vec<usize>>,
    /// The class of the row parities.
    pub miss: usize,
}

pub(super) fn is_prime(n: usize) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// `None`: no square of this order is known.
pub(super) fn of_order(q: usize) -> Option<Square> {
    match q {
        _ if q >= 3 && is_prime(q) => Some(sums(q)),
        15 => Some(starter15()),
        _ if q % 2 == 1 && is_prime(q.div_ceil(2)) => Some(factors(q)),
        _ => None,
    }
}

/// (row + column) mod q, for prime q.
fn sums(q: usize) -> Square {
    let classes = (0..q).map(|r| (0..q).map(|c| (r + c) % q).collect()).collect();
    Square { order: q, classes, miss: q - 2 }
}

/// From an orthomorphism found by search.
fn starter15() -> Square {
    const STARTER: [usize; 15] = [0, 3, 11, 1, 5, 4, 13, 10, 12, 14, 7, 2, 8, 6, 9];
    let class = |r: usize, c: usize| (c + STARTER[(r + 15 - c) % 15]) % 15;
    let classes = (0..15).map(|r| (0..15).map(|c| class(r, c)).collect()).collect();
    Square { order: 15, classes, miss: class(14, 14) }
}

/// For q = 2p − 1 with p prime: the perfect 1-factorisation GA(2p) of the complete graph (Anderson,
/// 1973). A column is a factor. Its class in row u is u's partner, or u itself if the partner is ∞
/// = q.
fn factors(q: usize) -> Square {
    let whole = q + 1;
    let half = whole / 2;
    let partner = |factor: usize, u: usize| match factor {
        // Sum = factor. The two nodes that would pair with themselves pair with each other.
        f if f % 2 == 0 => match (whole + f - u) % whole {
            same if same == u => (u + half) % whole,
            other => other,
        },
        // Odd minus even = factor.
        f if u % 2 == 1 => (whole + u - f) % whole,
        f => (u + f) % whole,
    };
    let mut order: Vec<usize> = (0..whole).filter(|&f| f != half).collect();
    let last = order.iter().position(|&f| partner(f, q - 1) == q).expect("every pair has a factor");
    let column = order.remove(last);
    order.push(column);
    let class = |u: usize, f: usize| match partner(f, u) {
        infinite if infinite == q => u,
        other => other,
    };
    let classes = (0..q).map(|u| order.iter().map(|&f| class(u, f)).collect()).collect();
    Square { order: q, classes, miss: q - 1 }
}
