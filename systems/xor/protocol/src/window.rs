//! Who may write into which part of a ring: credits of the client, tails of the consumers.
//!
//! A ring has places for W stripes; stripe s has place s mod W. On a node each consumer of the ring
//! (the store, the link to each other node) has a tail: all stripes before it are done with. The
//! node tells the client its lowest tail, and the client begins stripe s only when all nodes have
//! passed s − W. Blocks between nodes belong to stripes that the client has begun, so nobody ever
//! writes into a place that somebody still reads, and no node waits for another's ring: a graph of
//! forwards with cycles cannot deadlock.
use std::collections::VecDeque;
use std::fmt;

/// The client's credits.
#[derive(Clone, Debug)]
pub struct Window {
    size: u64,
    next: u64,
    done: Vec<u64>,
}

impl Window {
    /// A window of so many stripes over so many nodes.
    pub fn new(nodes: usize, size: u64) -> Window {
        Window { size, next: 0, done: vec![0; nodes] }
    }

    /// Stripes that all nodes are done with: all before this one.
    pub fn low(&self) -> u64 {
        self.done.iter().copied().min().unwrap_or(self.next)
    }

    /// The stripe that would be begun next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Begins the next stripe if all nodes have room for it.
    pub fn begin(&mut self) -> Option<u64> {
        let stripe = self.next;
        (stripe < self.low() + self.size).then(|| {
            self.next += 1;
            stripe
        })
    }

    /// A node says that it is done with all stripes before `upto`. What it said before and says
    /// again, or late, changes nothing.
    ///
    /// # Errors
    /// It says so of a stripe that was not begun.
    pub fn ack(&mut self, node: usize, upto: u64) -> Result<(), Overrun> {
        if upto > self.next {
            return Err(Overrun { stripe: upto, low: self.next, size: self.size });
        }
        self.done[node] = self.done[node].max(upto);
        Ok(())
    }
}

/// A stripe outside the places that are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overrun {
    pub stripe: u64,
    /// The first for which there is a place.
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

/// The tails of a ring's consumers.
#[derive(Clone, Debug)]
pub struct Tails {
    size: u64,
    /// By consumer: the first stripe that it still needs, and what it has left to do in each from
    /// there on; `None` of a stripe that has not begun here.
    tails: Vec<(u64, VecDeque<Option<usize>>)>,
}

impl Tails {
    /// A ring of so many stripes with so many consumers.
    pub fn new(consumers: usize, size: u64) -> Tails {
        Tails { size, tails: vec![(0, VecDeque::new()); consumers] }
    }

    /// The first stripe that any consumer still needs.
    pub fn low(&self) -> u64 {
        self.tails.iter().map(|(low, _)| *low).min().unwrap_or(0)
    }

    /// Whether there is a place for a stripe, which is then not another's.
    ///
    /// # Errors
    /// There is none: a writer would overtake a tail.
    pub fn admit(&self, stripe: u64) -> Result<(), Overrun> {
        let low = self.low();
        match stripe >= low && stripe - low < self.size {
            true => Ok(()),
            false => Err(Overrun { stripe, low, size: self.size }),
        }
    }

    /// A stripe begins here: what each consumer has to do in it. It was admitted.
    pub fn begin(&mut self, stripe: u64, work: impl Iterator<Item = usize>) {
        for ((low, left), work) in self.tails.iter_mut().zip(work) {
            let at = usize::try_from(stripe - *low).expect("within the window");
            while left.len() <= at {
                left.push_back(None)
            }
            left[at] = Some(work);
            settle(low, left);
        }
    }

    /// A consumer has done one thing of a stripe.
    ///
    /// # Panics
    /// If it had nothing to do there.
    pub fn did(&mut self, consumer: usize, stripe: u64) {
        let (low, left) = &mut self.tails[consumer];
        let entry = stripe.checked_sub(*low).and_then(|at| left.get_mut(usize::try_from(at).ok()?));
        match entry {
            Some(Some(work)) if *work > 0 => *work -= 1,
            _ => panic!("consumer {consumer} has nothing to do in stripe {stripe}"),
        }
        settle(low, left);
    }
}

/// Passes the stripes that are done.
fn settle(low: &mut u64, left: &mut VecDeque<Option<usize>>) {
    while left.front() == Some(&Some(0)) {
        left.pop_front();
        *low += 1;
    }
}
