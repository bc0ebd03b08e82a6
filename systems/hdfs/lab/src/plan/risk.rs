//! Total time at risk and time at one replica; the repair is the smaller part.
use super::amounts::{duration, time};
use super::answer::{Answer, PointResult};
use hdfs_reading::Stat;
use hdfs_reading::stat::SAME;
use std::fmt::Write;

/// Detection time of a silent node with the cluster's settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Detection {
    /// Bounds \[s\].
    pub least: f64,
    pub most: f64,
    /// `dfs.namenode.heartbeat.recheck-interval` \[s\].
    pub recheck: f64,
    /// `dfs.heartbeat.interval` \[s\].
    pub heartbeat: f64,
}

impl Detection {
    /// \[s\]
    fn mean(&self) -> f64 {
        f64::midpoint(self.least, self.most)
    }
}

/// "dn-r2-05 is lost: about 13 min 41 s at risk: detection 10.5-15.5 min, repair 41.3 ± 0.6 s";
/// without detection, the repair alone.
pub fn headline(
    now: &PointResult,
    what: &str,
    leaves: bool,
    detection: Option<Detection>,
) -> String {
    if leaves {
        return format!("{} takes {} with the present settings", leaving(what), time(now));
    }
    let of = match (detection, now.recovery) {
        (Some(detection), Some(repair)) => format!(
            "about {} at risk: detection {:.1}-{:.1} min, repair {} with the present settings",
            hdfs_reading::words::duration(detection.mean() + repair.mean).replace('\u{a0}', " "),
            detection.least / 60.0,
            detection.most / 60.0,
            time(now)
        ),
        _ => format!("the repair takes {} with the present settings", time(now)),
    };
    format!("{what}: {of}")
}

/// "dn-r2-05 leaves" → "Emptying dn-r2-05".
fn leaving(what: &str) -> String {
    let who = what.trim_end_matches(" leaves").trim_end_matches(" leave");
    format!("Emptying {who}")
}

/// Blocks with one replica, for how long, and the effect of the recommendation.
pub fn last_copy(text: &mut String, answer: &Answer, leaves: bool) {
    let (now, best) = (&answer.now, answer.recommended());
    let blocks = now.metric("at_one_replica_max").map_or(0.0, |stat| stat.max);
    let (Some(before), Some(after)) = (now.last_copy, best.last_copy) else { return };
    // Leaving nodes still have their replicas.
    if blocks == 0.0 || leaves {
        return;
    }
    let then = match best.point == now.point {
        true => String::new(),
        false => format!(", {} as recommended", duration(after.mean, Some(after.ci95))),
    };
    let _ = writeln!(
        text,
        "{blocks:.0} blocks have one replica, until {} after detection of the first loss{then}.",
        duration(before.mean, Some(before.ci95)),
    );
    if is_longer(&before, &after) && !answer.last_copy {
        text.push_str(
            "Caution: the recommended settings leave blocks at one replica for longer; to avoid \
             this, use --objective last-copy.\n",
        )
    }
}

fn is_longer(before: &Stat, after: &Stat) -> bool {
    after.mean - before.mean > (SAME * before.mean).max(before.ci95 + after.ci95)
}

/// Settings for a shorter detection, and their cost.
pub fn detection(text: &mut String, answer: &Answer, detection: Option<Detection>) {
    let (Some(found), Some(repair)) = (detection, answer.recommended().recovery) else { return };
    if found.mean() < 2.0 * repair.mean {
        return;
    }
    let blocks = answer.now.runs().map(|run| run.blocks_affected()).max().unwrap_or(0);
    let _ = writeln!(
        text,
        "Detection is {:.0} % of the risk: 2 x dfs.namenode.heartbeat.recheck-interval ({:.0} s) + \
         10 x dfs.heartbeat.interval ({:.0} s), and up to one more recheck.",
        100.0 * found.mean() / (found.mean() + repair.mean),
        found.recheck,
        found.heartbeat
    );
    let shorter = found.recheck.min(60.0);
    if shorter < found.recheck {
        let least = 2.0 * shorter + 10.0 * found.heartbeat;
        let _ = writeln!(
            text,
            "  With a recheck of {shorter:.0} s: {:.1}-{:.1} min. A live node that is silent for \
             this time (a restart, a long pause) is then repaired in vain: {blocks} blocks.",
            least / 60.0,
            (least + shorter) / 60.0,
        );
    }
}
