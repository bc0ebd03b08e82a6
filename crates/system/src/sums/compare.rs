//! The first difference between two runs.
use super::{LAST, Line, Sums, Window};
use std::cmp::Ordering;

/// The difference between two runs with the same input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// No difference in the windows compared.
    None,
    /// All earlier events are equal; within this window some differ.
    Within {
        window: Window,
        /// First and last LP of each block that differs.
        lps: Vec<(u32, u32)>,
    },
    /// All earlier events are equal; `None` if a run lacks this event.
    Event(Option<Box<Line>>, Option<Box<Line>>),
}

/// Both runs must have the same window.
pub fn compare(a: &Sums, b: &Sums) -> Difference {
    let ((in_a, slice, block), (in_b, ..)) = (a.like(b), b.like(a));
    let differs = |key: &(u64, u32)| in_a.get(key) != in_b.get(key);
    let keys = in_a.keys().chain(in_b.keys()).copied().filter(|key| differs(key));
    let Some((first, _)) = keys.clone().min() else { return Difference::None };
    if let (Some(a), Some(b)) = (&a.list, &b.list)
        && let Some(event) = first_event(a, b)
    {
        return event;
    }
    let mut blocks: Vec<u32> = keys.filter(|key| key.0 == first).map(|key| key.1).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let lps = blocks.iter().map(|b| (b << block, (b << block) + ((1 << block) - 1))).collect();
    Difference::Within { window: slice_of(a.window, first, slice), lps }
}

fn slice_of(window: Window, number: u64, width: u32) -> Window {
    if number == LAST {
        return Window::END;
    }
    let from = window.from + (number << width);
    Window { from, to: window.to.min(from.saturating_add(1 << width)) }
}

/// Both lists are sorted by key.
fn first_event(a: &[Line], b: &[Line]) -> Option<Difference> {
    let boxed = |line: Option<&Line>| line.cloned().map(Box::new);
    let (mut in_a, mut in_b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let (x, y) = match (in_a.peek(), in_b.peek()) {
            (None, None) => return None,
            (x, None) => return Some(Difference::Event(boxed(x.copied()), None)),
            (None, y) => return Some(Difference::Event(None, boxed(y.copied()))),
            (Some(x), Some(y)) => (*x, *y),
        };
        match x.key().cmp(&y.key()) {
            Ordering::Less => return Some(Difference::Event(boxed(Some(x)), None)),
            Ordering::Greater => return Some(Difference::Event(None, boxed(Some(y)))),
            Ordering::Equal if x.hash != y.hash => {
                return Some(Difference::Event(boxed(Some(x)), boxed(Some(y))));
            }
            Ordering::Equal => (in_a.next(), in_b.next()),
        };
    }
}
