//! Medians, quartiles, and ratios round by round.

fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|q| {
        let place = (sorted.len() - 1) as f64 * q as f64 / 4.0;
        let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        low + (high - low) * place.fract()
    })
}

/// Ratios are taken within a round, where both saw the same noise, and their quartiles over the rounds.
pub(crate) fn print(size: &str, names: &[&str], rates: &[Vec<f64>]) {
    println!(
        "{size} LPs    million events/s: median (quartiles)    ratio to the ladder    to the heap"
    );
    let find = |name| names.iter().position(|n| *n == name);
    for (name, own) in names.iter().zip(rates) {
        let [low, mid, high] = quartiles(own).map(|rate| rate / 1e6);
        let ratio = |base: Option<usize>| match base {
            None => String::from("-"),
            Some(base) => {
                let ratios: Vec<f64> = own.iter().zip(&rates[base]).map(|(a, b)| a / b).collect();
                let [low, mid, high] = quartiles(&ratios);
                format!("{mid:.2} ({low:.2}-{high:.2})")
            }
        };
        let (ladder, heap) = (ratio(find("ladder")), ratio(find("heap")));
        println!("  {name:8} {mid:7.2} ({low:.2}-{high:.2})   {ladder:>20}   {heap:>20}")
    }
}
