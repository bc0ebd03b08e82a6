//! Names of nodes, and counts with nouns.
use cluster::Sheet;

/// The cluster's names, else dn-01, dn-02, ….
pub fn hosts(sheet: &Sheet) -> Vec<String> {
    let nodes = sheet.count32("cluster.nodes");
    let named = sheet.find("cluster.hosts").map(|_| sheet.text("cluster.hosts")).unwrap_or("");
    let named: Vec<&str> = named.split_whitespace().collect();
    let name = |i: u32| match named.get(i as usize) {
        Some(name) => (*name).to_string(),
        None => format!("dn-{:02}", i + 1),
    };
    (0..nodes).map(name).collect()
}

/// "1 node", "1200 nodes".
pub fn many(n: u64, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// At most eight names, and the number of others.
pub fn list_names(names: &[String]) -> String {
    const SHOWN: usize = 8;
    match names.len() > SHOWN {
        true => format!("{} and {} more", names[..SHOWN].join(", "), names.len() - SHOWN),
        false => names.join(", "),
    }
}
