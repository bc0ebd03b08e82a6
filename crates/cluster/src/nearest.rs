//! Suggestions for misspelt names.

/// The first nearest candidate; at most a third of its letters (and at most 6) may differ.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 6);
    let all = candidates.into_iter().map(|c| (edit_distance(name, c), c));
    all.filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|x| x.1)
}

/// Optimal string alignment distance (insertion, deletion, substitution, swap of neighbours),
/// ignoring case.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1)
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, distance) in [
            ("", "", 0),
            ("", "abc", 3),
            ("disk", "disk", 0),
            ("Disk", "disk", 0),
            ("dsik", "disk", 1),
            ("kitten", "sitting", 3),
            ("nodes_per_rak", "nodes_per_rack", 1),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn only_what_is_near() {
        assert_eq!(nearest("rng", ["default", "ring"]), Some("ring"));
        assert_eq!(nearest("completely else", ["default", "ring"]), None);
        assert_eq!(nearest("", ["a"]), Some("a"));
    }
}
