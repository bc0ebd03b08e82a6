//! Natural order of names: `dn-9` before `dn-10`.

/// Sort key: pieces of (text, number after it).
pub(in crate::ingest) fn key(name: &str) -> Vec<(String, u128)> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, tail) = rest.split_at(digits);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (number, next) = tail.split_at(end);
        pieces.push((text.to_string(), number.parse().unwrap_or(u128::MAX)));
        rest = next
    }
    pieces
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_count() {
        let mut names =
            ["dn-r1-10", "dn-r1-9", "10.0.10.1:9866", "10.0.2.1:9866", "dn", "dn-r1-09a"];
        names.sort_by_key(|n| super::key(n));
        let expected =
            ["10.0.2.1:9866", "10.0.10.1:9866", "dn", "dn-r1-9", "dn-r1-09a", "dn-r1-10"];
        assert_eq!(names, expected)
    }
}
