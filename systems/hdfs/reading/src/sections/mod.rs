//! The page's pictures and tables, each built from what it shows.
pub mod balance;
pub mod clients;
pub mod compare;
pub mod heat;
pub mod risk;
pub mod shares;
mod time;
use crate::compare::Variant;
use page::{Role, Section, Width};

/// How wide a section stands: three small pictures make a row of a wide page; four, with the
/// clients', two rows of two, unless a plan's picture takes the place of two more.
pub fn laid_out(section: Section, clients: bool, trade: bool) -> Section {
    let small = if clients && !trade { Width::Half } else { Width::Third };
    let (width, wide) = match section.id.as_str() {
        "risk" | "clients" => (Width::Larger, small),
        "shares" => (Width::Smaller, small),
        "balance" if clients => (Width::Smaller, small),
        "balance" => (Width::Third, Width::Third),
        "heat" if !clients => (Width::Most, Width::Full),
        "trade" if clients => (Width::Full, Width::Most),
        "without" => return section,
        _ => (Width::Full, Width::Full),
    };
    section.width(width).wide(wide)
}

/// The places of the variants to draw, at most so many: now, the recommended, then the fastest
/// others.
fn drawable(variants: &[Variant], most: usize) -> Vec<usize> {
    let rank = |row: &Variant| match row.role {
        Role::Now => 0,
        Role::Recommended => 1,
        Role::Other => 2,
    };
    let time = |row: &Variant| row.recovery_s.map_or(f64::INFINITY, |stat| stat.mean);
    let mut order: Vec<usize> = (0..variants.len()).collect();
    let key = |i: usize| (rank(&variants[i]), time(&variants[i]));
    order.sort_by(|&a, &b| {
        let ((rank, time), (other, later)) = (key(a), key(b));
        rank.cmp(&other).then(time.total_cmp(&later))
    });
    order.truncate(most);
    order.sort_unstable();
    order
}

/// "6 of 9 variants": where not all are drawn.
fn cut(drawn: usize, all: usize, what: &str) -> Option<String> {
    (drawn < all).then(|| format!("{drawn} of {all} variants{what}"))
}
