//! Bytes that attempts read from and write to file systems. Hadoop counts them by scheme
//! (`FileSystemCounter`: `HDFS_BYTES_READ`, `S3A_BYTES_READ`, …). It counts input and output again
//! in `FileInputFormatCounter` and `FileOutputFormatCounter`.
use std::collections::BTreeMap;

const INPUT: &str = "FileInputFormatCounter.BYTES_READ";
const OUTPUT: &str = "FileOutputFormatCounter.BYTES_WRITTEN";

const READ: &str = "_BYTES_READ";
const WRITTEN: &str = "_BYTES_WRITTEN";

/// Scheme of the node's own disks, which hold spills.
const LOCAL: &str = "FILE";

/// File systems that delegate to another one, which counts the same bytes again.
const WRAPPING: [&str; 3] = ["VIEWFS", "HAR", "FILTER"];

/// Schemes with static counter names, for evidence.
const NAMED: [(&str, &str, &str); 16] = [
    ("S3A", "S3A_BYTES_READ", "S3A_BYTES_WRITTEN"),
    ("S3N", "S3N_BYTES_READ", "S3N_BYTES_WRITTEN"),
    ("S3", "S3_BYTES_READ", "S3_BYTES_WRITTEN"),
    ("OFS", "OFS_BYTES_READ", "OFS_BYTES_WRITTEN"),
    ("O3FS", "O3FS_BYTES_READ", "O3FS_BYTES_WRITTEN"),
    ("ABFS", "ABFS_BYTES_READ", "ABFS_BYTES_WRITTEN"),
    ("ABFSS", "ABFSS_BYTES_READ", "ABFSS_BYTES_WRITTEN"),
    ("WASB", "WASB_BYTES_READ", "WASB_BYTES_WRITTEN"),
    ("WASBS", "WASBS_BYTES_READ", "WASBS_BYTES_WRITTEN"),
    ("ADL", "ADL_BYTES_READ", "ADL_BYTES_WRITTEN"),
    ("GS", "GS_BYTES_READ", "GS_BYTES_WRITTEN"),
    ("OSS", "OSS_BYTES_READ", "OSS_BYTES_WRITTEN"),
    ("COSN", "COSN_BYTES_READ", "COSN_BYTES_WRITTEN"),
    ("OBS", "OBS_BYTES_READ", "OBS_BYTES_WRITTEN"),
    ("VIEWFS", "VIEWFS_BYTES_READ", "VIEWFS_BYTES_WRITTEN"),
    ("MAPRFS", "MAPRFS_BYTES_READ", "MAPRFS_BYTES_WRITTEN"),
];

type CounterValues = BTreeMap<String, f64>;

/// Name under which a counter of bytes is kept; `None`: not one of a file system.
pub fn stored_name(group: &str, name: &str) -> Option<String> {
    match (group.rsplit('.').next().unwrap_or(group), name) {
        ("FileSystemCounter" | "FileSystemCounters", _) => {
            let scheme = name.strip_suffix(READ).or(name.strip_suffix(WRITTEN))?;
            (!scheme.is_empty() && name.len() <= 64).then(|| name.to_string())
        }
        ("FileInputFormatCounter" | "FileInputFormat$Counter", "BYTES_READ") => Some(INPUT.into()),
        ("FileOutputFormatCounter" | "FileOutputFormat$Counter", "BYTES_WRITTEN") => {
            Some(OUTPUT.into())
        }
        _ => None,
    }
}

/// Bytes read from all file systems except local disks, or the input's bytes if they are more: some
/// file systems have no counters.
pub fn read(numbers: &CounterValues) -> f64 {
    stored(numbers, READ).max(number(numbers, INPUT))
}

/// As [`read`], for bytes written.
pub fn bytes_written(numbers: &CounterValues) -> f64 {
    stored(numbers, WRITTEN).max(number(numbers, OUTPUT))
}

/// Bytes read from and written to all file systems, local disks included, or those of input and
/// output if they are more.
pub fn all(numbers: &CounterValues) -> f64 {
    let side = |end: &str, format: &str| {
        let local = number(numbers, &format!("{LOCAL}{end}"));
        (stored(numbers, end) + local).max(number(numbers, format))
    };
    side(READ, INPUT) + side(WRITTEN, OUTPUT)
}

/// Counter of the scheme with the most bytes; `counter` (of HDFS) if that scheme is not in `NAMED`.
pub fn main_counter(counter: &'static str, all: &[&CounterValues]) -> &'static str {
    let end = if counter == "HDFS_BYTES_WRITTEN" { WRITTEN } else { READ };
    let sum = |scheme: &str| {
        let name = format!("{scheme}{end}");
        all.iter().map(|numbers| number(numbers, &name)).sum::<f64>()
    };
    let most = NAMED.iter().max_by(|a, b| sum(a.0).total_cmp(&sum(b.0)).then(b.0.cmp(a.0)));
    match most.filter(|most| sum(most.0) > sum("HDFS")) {
        Some((_, read, _)) if end == READ => read,
        Some((.., written)) => written,
        None => counter,
    }
}

fn number(numbers: &CounterValues, name: &str) -> f64 {
    numbers.get(name).copied().unwrap_or(0.0)
}

/// Bytes of all schemes except local disks; those of wrapping schemes are not counted twice.
fn stored(numbers: &CounterValues, end: &str) -> f64 {
    let sum = |wraps: bool| {
        let of = |name: &str| {
            let scheme = name.strip_suffix(end)?;
            (scheme != LOCAL && WRAPPING.contains(&scheme) == wraps).then_some(())
        };
        let of_kind = numbers.iter().filter(|(name, _)| of(name).is_some());
        of_kind.map(|(_, value)| value).sum::<f64>()
    };
    sum(false).max(sum(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_every_scheme_but_the_nodes_own_are_the_jobs() {
        const FS: &str = "org.apache.hadoop.mapreduce.FileSystemCounter";
        const IN: &str = "org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter";
        const OLD: &str = "org.apache.hadoop.mapred.FileInputFormat$Counter";
        // Counters of an attempt, bytes in stores, bytes on all disks.
        type Counters<'c> = &'c [(&'c str, &'c str, u32)];
        let cases: [(Counters<'_>, f64, f64); 9] = [
            (&[(FS, "HDFS_BYTES_READ", 100), (FS, "FILE_BYTES_READ", 7)], 100.0, 107.0),
            (&[(FS, "HDFS_BYTES_READ", 112), (FS, "S3A_BYTES_READ", 9000)], 9112.0, 9112.0),
            (&[("FileSystemCounters", "OFS_BYTES_READ", 50)], 50.0, 50.0),
            (&[(FS, "NEWFS_BYTES_READ", 50)], 50.0, 50.0),
            (&[(FS, "VIEWFS_BYTES_READ", 50), (FS, "HDFS_BYTES_READ", 50)], 50.0, 50.0),
            (&[(FS, "VIEWFS_BYTES_READ", 50), (FS, "HDFS_BYTES_READ", 2)], 50.0, 50.0),
            // A file system without counters of its own.
            (&[(FS, "HDFS_BYTES_READ", 112), (IN, "BYTES_READ", 800)], 800.0, 800.0),
            // Input on the node's own disks.
            (&[(FS, "FILE_BYTES_READ", 900), (OLD, "BYTES_READ", 800)], 800.0, 900.0),
            (&[("user.Group", "S3A_BYTES_READ", 50), (FS, "_BYTES_READ", 5)], 0.0, 0.0),
        ];
        for (counters, in_stores, on_disks) in cases {
            let kept = counters
                .iter()
                .filter_map(|(group, name, n)| Some((stored_name(group, name)?, f64::from(*n))));
            let numbers: CounterValues = kept.collect();
            assert_eq!((read(&numbers), all(&numbers)), (in_stores, on_disks), "{counters:?}");
        }
    }

    #[test]
    fn evidence_names_the_scheme_with_most_bytes() {
        let of = |all: &[(&str, f64)]| -> CounterValues {
            all.iter().map(|(name, n)| (name.to_string(), *n)).collect()
        };
        let s3 = of(&[("HDFS_BYTES_READ", 112.0), ("S3A_BYTES_READ", 9e6)]);
        assert_eq!(main_counter("HDFS_BYTES_READ", &[&s3]), "S3A_BYTES_READ");
        assert_eq!(main_counter("HDFS_BYTES_WRITTEN", &[&s3]), "HDFS_BYTES_WRITTEN");
        assert_eq!(main_counter("HDFS_BYTES_READ", &[&of(&[])]), "HDFS_BYTES_READ");
    }
}
