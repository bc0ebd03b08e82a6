//! Medians, quartiles, and ratios round by round.

/// Events per second of each runner in each round.
pub(crate) type Rates = Vec<(&'static str, Vec<f64>)>;

fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|q| {
        let place = (sorted.len() - 1) as f64 * q as f64 / 4.0;
        let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        low + (high - low) * place.fract()
    })
}

/// Quartiles of the ratios within each round, in which both had the same load; `None` if one was
/// not run.
pub(crate) fn ratio(rates: &Rates, who: &str, base: &str) -> Option<[f64; 3]> {
    let find = |name| rates.iter().find(|r| r.0 == name).map(|r| &r.1);
    let ratios: Vec<f64> = find(who)?.iter().zip(find(base)?).map(|(a, b)| a / b).collect();
    Some(quartiles(&ratios))
}

fn with_quartiles([low, median, high]: [f64; 3]) -> String {
    format!("{median:.2} ({low:.2}-{high:.2})")
}

pub(crate) fn print(size: &str, rates: &Rates) {
    println!(
        "{size:10} million events/s        to the ladder       to the heap     median (quartiles)"
    );
    for (name, own) in rates {
        let to = |base| ratio(rates, name, base).map_or("-".into(), with_quartiles);
        let (rate, ladder, heap) =
            (with_quartiles(quartiles(own).map(|rate| rate / 1e6)), to("ladder"), to("heap"));
        println!("  {name:8} {rate:>19} {ladder:>18} {heap:>18}")
    }
}
