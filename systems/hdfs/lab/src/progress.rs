//! What a run of HDFS says of itself while it goes on.
use engine::Nanos;
use hdfs_model::hdfs::Progress as Model;
pub use system::progress::*;

/// Where a run stands, on its line.
pub fn show(line: &Progress, p: &Model) {
    line.at(p.now, p.events, || format!(", {}", not_safe(p.at_risk)))
}

/// "1 block not safe"
fn not_safe(blocks: u64) -> String {
    format!("{blocks} block{} not safe", if blocks == 1 { "" } else { "s" })
}

/// Where a run stood that was broken off: "nothing was written; at 12.5 s simulated 3 blocks were
/// not safe". Copies that were given up again and again are told of: some repairs never end.
pub fn broken_off(last: Option<Model>, timeout: Nanos) -> String {
    let Some(p) = last else { return "nothing was written".into() };
    let were = if p.at_risk == 1 { "was" } else { "were" };
    let blocks = not_safe(p.at_risk).replace(" not safe", "");
    let at = p.now.as_secs();
    let stood = format!("nothing was written; at {at:.1} s simulated {blocks} {were} not safe");
    match p.given_up {
        0 => stood,
        copies => format!(
            "{stood}, and {copies} copies had not arrived within \
             dfs.namenode.reconstruction.pending.timeout-sec = {timeout}, after which HDFS has \
             them made again"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_broken_off_says_where_it_stood() {
        let stood = |at_risk, given_up| {
            let now = Nanos::millis(70_664_800);
            let last = Model { now, events: 9, records: 9, at_risk, given_up };
            broken_off(Some(last), Nanos::secs(5))
        };
        assert_eq!(broken_off(None, Nanos::ZERO), "nothing was written");
        let one = "nothing was written; at 70664.8 s simulated 1 block was not safe";
        assert_eq!(stood(1, 0), one);
        assert_eq!(
            stood(62, 900),
            "nothing was written; at 70664.8 s simulated 62 blocks were not safe, and 900 copies \
             had not arrived within dfs.namenode.reconstruction.pending.timeout-sec = 5s, after \
             which HDFS has them made again"
        )
    }
}
