//! The balancer's figures for the run table. Moves are no repair: they make no intervals and appear
//! only as use of resources.
use crate::hdfs::messages::{BalancerEnd, Record};
use engine::Nanos;

#[derive(Default)]
pub struct Tally {
    moves: u64,
    bytes: u64,
    broken: u64,
    began: Option<Nanos>,
    /// (least, most) utilisation at the start and at the end [percent].
    before: Option<(f64, f64)>,
    after: Option<(f64, f64)>,
    ended: Option<(Nanos, BalancerEnd, u32)>,
}

impl Tally {
    /// Counts a record; true if it is the balancer's only.
    pub fn takes(&mut self, at: Nanos, record: &Record) -> bool {
        match *record {
            Record::Moves(_) => {}
            Record::Utilisation { least, most } => {
                self.began.get_or_insert(at);
                self.before.get_or_insert((least, most));
                self.after = Some((least, most))
            }
            Record::BalancerEnds { why, iterations } => self.ended = Some((at, why, iterations)),
            Record::Done(leg) if leg.copy.is_move() => {
                self.moves += 1;
                self.bytes += leg.bytes.0
            }
            Record::Broken(leg) if leg.copy.is_move() => self.broken += 1,
            Record::Started(leg) => return leg.copy.is_move(),
            Record::Limited { copy, .. } | Record::Held { copy, .. } => return copy.is_move(),
            _ => return false,
        }
        true
    }

    /// Rows of the run table; none if no balancer ran.
    pub fn about(&self) -> Vec<(String, String)> {
        let (Some(before), Some(after)) = (self.before, self.after) else { return vec![] };
        let spread = |(least, most): (f64, f64)| (most - least).to_string();
        let mut rows = vec![
            ("balancer_moves", self.moves.to_string()),
            ("balancer_moved_bytes", self.bytes.to_string()),
            ("balancer_broken_moves", self.broken.to_string()),
            ("balancer_spread_before", spread(before)),
            ("balancer_spread_after", spread(after)),
        ];
        if let Some((at, why, iterations)) = self.ended {
            let lasted = at.saturating_sub(self.began.unwrap_or(at));
            rows.push(("balancer_ends_s", at.as_secs().to_string()));
            rows.push(("balancer_s", lasted.as_secs().to_string()));
            let balanced = u8::from(why == BalancerEnd::Balanced);
            rows.push(("balancer_balanced", balanced.to_string()));
            rows.push(("balancer_iterations", iterations.to_string()));
            rows.push(("balancer_ends_why", reason(why).to_string()))
        }
        rows.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
    }
}

/// The last line of the real balancer's output.
fn reason(why: BalancerEnd) -> &'static str {
    match why {
        BalancerEnd::Balanced => "The cluster is balanced",
        BalancerEnd::NothingToMove => "No block can be moved",
        BalancerEnd::NoProgress => "No block has been moved for 5 iterations",
    }
}
