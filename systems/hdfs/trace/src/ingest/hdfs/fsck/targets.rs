//! Replication factors of files, with the first files of each, to report factors above the number
//! of nodes.
use import::quote;
use std::collections::BTreeMap;

const NAMED: usize = 6;

/// Files with blocks, by replication factor.
#[derive(Default)]
pub(in super::super) struct Targets(BTreeMap<u16, Target>);

#[derive(Default)]
struct Target {
    files: u64,
    blocks: u64,
    first: Vec<(String, u64)>,
}

impl Targets {
    pub(super) fn note(&mut self, replicas: u16, blocks: u64, path: &[u8], line: u64) {
        let target = self.0.entry(replicas).or_default();
        target.files += 1;
        target.blocks += blocks;
        if target.first.len() < NAMED {
            target.first.push((quote(path), line))
        }
    }

    /// A note on files whose replication factor exceeds both `nodes` and `usual`; `name`: the
    /// listing.
    pub(in super::super) fn excess_target_note(
        &self,
        nodes: usize,
        usual: u16,
        name: &str,
    ) -> Option<String> {
        let most = nodes.max(usize::from(usual));
        let wide = || self.0.iter().filter(|(replicas, _)| usize::from(**replicas) > most);
        let files: u64 = wide().map(|(_, target)| target.files).sum();
        let blocks: u64 = wide().map(|(_, target)| target.blocks).sum();
        if files == 0 {
            return None;
        }
        let file = |(replicas, target): (&u16, &Target)| -> Vec<String> {
            let first = target.first.iter();
            first.map(|(path, line)| format!("{path} ({replicas}; {name}:{line})")).collect()
        };
        let mut named: Vec<String> = wide().flat_map(file).collect();
        named.truncate(NAMED);
        let more = files - named.len() as u64;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (files, want) = match files {
            1 => ("1 file".into(), "wants"),
            n => (format!("{n} files"), "want"),
        };
        Some(format!(
            "{files} ({blocks} blocks) {want} more replicas than the {nodes} live nodes can hold: \
             {}{more}; `hdfs dfs -setrep` lowers this. All other values are of the other files",
            named.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_no_number_of_days_helps_are_named() {
        let mut targets = Targets::default();
        targets.note(3, 1, b"/a", 4);
        assert_eq!(targets.excess_target_note(3, 3, "fsck.txt"), None);
        (0..8u64).for_each(|file| targets.note(10, 2, b"/b", 10 + file));
        let said = targets.excess_target_note(4, 3, "fsck.txt").expect("eight files");
        assert!(said.starts_with("8 files (16 blocks) want more replicas than the 4"), "{said}");
        assert!(said.contains("(10; fsck.txt:15) and 2 more"), "{said}");
    }
}
