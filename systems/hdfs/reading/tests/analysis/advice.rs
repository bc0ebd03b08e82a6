//! Means over seeds, and how a setting takes effect.
use hdfs_reading::advice::{ApplyMode, apply_key};
use hdfs_reading::stat;

#[test]
fn intervals_are_students() {
    // Quantiles of t as every table has them: 12.706, 4.303, 2.262 for 1, 2, 9 degrees of freedom.
    let cases: [(&[f64], f64, f64); 4] = [
        (&[5.0], 5.0, 0.0),
        (&[4.0, 6.0], 5.0, 12.706),
        (&[1.0, 2.0, 3.0], 2.0, 4.3027 / 1.732_050_8),
        (&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 4.5, 2.2622 * 0.957_427_1),
    ];
    for (values, mean, ci95) in cases {
        let found = stat(values);
        assert!((found.mean - mean).abs() < 1e-12);
        assert!((found.ci95 - ci95).abs() < 5e-4, "{values:?}: {} not {ci95}", found.ci95);
    }
}

#[test]
fn how_a_setting_takes_effect() {
    let of = |key: &str| apply_key(key, None);
    assert_eq!(of("dfs.namenode.replication.max-streams"), ApplyMode::Live);
    assert_eq!(of("dfs.namenode.redundancy.interval.seconds"), ApplyMode::NameNode);
    assert_eq!(of("dfs.heartbeat.interval"), ApplyMode::DataNodes);
    assert_eq!(of("dfs.datanode.data.transfer.bandwidthPerSec"), ApplyMode::LiveDataNodes);
}
