//! `tenbin plan pipelines`: what it recommends, and that it holds.
use ozone::OZONE;
use serde_json::Value;
use std::path::{Path, PathBuf};
use system::Failure;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ozone-plan-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A cluster as the import of `sample` writes it, with a small workload.
fn cluster(folder: &Path, sample: &str, more: &str) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(sample);
    let to = folder.join("cluster.toml");
    let action = OZONE.imports[0];
    let (from, out) = (from.to_str().unwrap(), to.to_str().unwrap());
    let arguments = ["ozone", "--pipelines", from, "-o", out];
    action.run(&action.command().get_matches_from(arguments)).unwrap();
    let text = std::fs::read_to_string(&to).unwrap();
    std::fs::write(&to, format!("{text}\n[workload]\nobjects = 1000\n{more}")).unwrap();
    to
}

fn plan(cluster: &Path, out: &Path, more: &[&str]) -> Result<Value, Failure> {
    let action = OZONE.plans[0];
    let (cluster, place) = (cluster.to_str().unwrap(), out.to_str().unwrap());
    let arguments = [&["pipelines", cluster, "-o", place], more].concat();
    action.run(&action.command().get_matches_from(arguments))?;
    let text = std::fs::read_to_string(out.join("plan.json")).unwrap();
    Ok(serde_json::from_str(&text).unwrap())
}

#[test]
fn a_cluster_with_one_log_disk_is_told_to_use_more() {
    let folder = folder("one");
    let cluster = cluster(&folder, "m2.json", "");
    let out = folder.join("out");
    let plan = plan(&cluster, &out, &[]).unwrap();
    assert_eq!(plan["changes"], true);
    let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
    let (now, best, fastest) = (&plan["now"], &plan["best"], &plan["fastest"]);
    assert!(number(best, "log_disks") > number(now, "log_disks"));
    assert!(number(best, "gain") > number(best, "gain_ci95"), "surely more");
    assert!(number(best, "gain") >= 0.8 * number(fastest, "gain"), "the knee");
    // No smaller change reaches the same rate.
    let far = |row: &Value| {
        let by = |name: &str| (number(row, name) - number(now, name)).abs();
        let changed = u32::from(by("limit") > 0.0) + u32::from(by("log_disks") > 0.0);
        (changed, by("log_disks") as u32, by("limit") as u32)
    };
    for row in plan["curve"].as_array().unwrap().iter().filter(|row| far(row) < far(best)) {
        assert!(number(row, "gain") < 0.8 * number(fastest, "gain"), "{row}");
    }
    let price = plan["price"].to_string();
    assert!(price.contains("restart") && price.contains("writes through them stop"), "{price}");
    assert!(number(&plan["other_seeds"], "gain") > number(&plan["other_seeds"], "gain_ci95"));
    let fragment = std::fs::read_to_string(out.join("ozone-site.fragment.xml")).unwrap();
    assert!(fragment.contains("hdds.container.ratis.datanode.storage.dir"), "{fragment}");
    let says = fragment.contains("ozone.scm.datanode.pipeline.limit");
    assert_eq!(says, best["limit"] != now["limit"], "only what changes: {fragment}");
    let undo = std::fs::read_to_string(out.join("ozone-site.undo.xml")).unwrap();
    assert_eq!(undo.contains("<value>2</value>"), says, "what the cluster has: {undo}");
    assert_eq!(plan["fragment"], fragment);
    std::fs::remove_dir_all(folder).unwrap()
}

#[test]
fn the_fastest_is_asked_for_by_name() {
    let folder = folder("fastest");
    let cluster = cluster(&folder, "m2.json", "");
    let plan = plan(&cluster, &folder.join("out"), &["--fastest"]).unwrap();
    assert_eq!(plan["best"], plan["fastest"]);
    std::fs::remove_dir_all(folder).unwrap()
}

#[test]
fn where_the_manager_limits_nothing_is_to_be_done() {
    let folder = folder("leave");
    let cluster = cluster(&folder, "m3.json", "clients = 4\n[om]\ntime = \"50ms\"\n");
    let out = folder.join("out");
    let plan = plan(&cluster, &out, &[]).unwrap();
    assert_eq!((&plan["changes"], plan["margin"].as_f64()), (&Value::Bool(false), Some(0.0)));
    assert!(!out.join("ozone-site.fragment.xml").exists());
    std::fs::remove_dir_all(folder).unwrap()
}
