//! Flow control of a ring: credits of the client, tails of the consumers.
//!
//! A ring has places for W stripes; stripe s has place s mod W. On a node each consumer of the ring
//! has a tail: it needs no stripe before it. Consumers are the store and the link to each other
//! node. The node reports its lowest tail, and the client begins stripe s only when all nodes have
//! passed s − W. Blocks between nodes belong to begun stripes, so no write hits a place in use. No
//! node waits for another's ring, so cyclic forwards cannot deadlock.
use std::collections::VecDeque;
use std::fmt;

#[derive(Clone, Debug)]
pub struct Window {
    size: u64,
    next: u64,
    done: Vec<u64>,
}

impl Window {
    pub fn new(nodes: usize, size: u64) -> Window {
        Window { size, next: 0, done: vec![0; nodes] }
    }

    /// All nodes have finished all stripes before this one.
    pub fn all_done_before(&self) -> u64 {
        self.done.iter().copied().min().unwrap_or(self.next)
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    /// `None` if the next stripe has no place on some node.
    pub fn begin(&mut self) -> Option<u64> {
        let stripe = self.next;
        (stripe < self.all_done_before() + self.size).then(|| {
            self.next += 1;
            stripe
        })
    }

    /// A node has finished all stripes before `upto`. Repeated and late reports change nothing.
    ///
    /// # Errors
    /// If `upto` is beyond the begun stripes.
    pub fn ack(&mut self, node: usize, upto: u64) -> Result<(), Overrun> {
        if upto > self.next {
            return Err(Overrun { stripe: upto, low: self.next, size: self.size });
        }
        self.done[node] = self.done[node].max(upto);
        Ok(())
    }
}

/// A stripe without a free place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overrun {
    pub stripe: u64,
    /// The first stripe with a place.
    pub low: u64,
    pub size: u64,
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Overrun { stripe, low, size } = self;
        write!(f, "stripe {stripe} is outside the {size} places from {low} on")
    }
}

impl std::error::Error for Overrun {}

#[derive(Clone, Debug)]
pub struct Tails {
    size: u64,
    /// By consumer: the first stripe that it still needs, and its open work in each from there.
    /// `None`: the stripe has not begun here.
    tails: Vec<(u64, VecDeque<Option<usize>>)>,
}

impl Tails {
    pub fn new(consumers: usize, size: u64) -> Tails {
        Tails { size, tails: vec![(0, VecDeque::new()); consumers] }
    }

    /// The first stripe that a consumer still needs.
    pub fn low(&self) -> u64 {
        self.tails.iter().map(|(low, _)| *low).min().unwrap_or(0)
    }

    /// Whether a stripe has a place of its own.
    ///
    /// # Errors
    /// If not: a write would overtake a tail.
    pub fn admit(&self, stripe: u64) -> Result<(), Overrun> {
        let low = self.low();
        match stripe >= low && stripe - low < self.size {
            true => Ok(()),
            false => Err(Overrun { stripe, low, size: self.size }),
        }
    }

    /// Begins an admitted stripe. `work`: steps by consumer.
    pub fn begin(&mut self, stripe: u64, work: impl Iterator<Item = usize>) {
        for ((low, left), work) in self.tails.iter_mut().zip(work) {
            let at = usize::try_from(stripe - *low).expect("within the window");
            while left.len() <= at {
                left.push_back(None)
            }
            left[at] = Some(work);
            advance(low, left);
        }
    }

    /// A consumer has done one step of a stripe.
    ///
    /// # Panics
    /// If it had none left.
    pub fn complete_step(&mut self, consumer: usize, stripe: u64) {
        let (low, left) = &mut self.tails[consumer];
        let entry = stripe.checked_sub(*low).and_then(|at| left.get_mut(usize::try_from(at).ok()?));
        match entry {
            Some(Some(work)) if *work > 0 => *work -= 1,
            _ => panic!("consumer {consumer} has nothing to do in stripe {stripe}"),
        }
        advance(low, left);
    }
}

/// Advances over finished stripes.
fn advance(low: &mut u64, left: &mut VecDeque<Option<usize>>) {
    while left.front() == Some(&Some(0)) {
        left.pop_front();
        *low += 1;
    }
}
