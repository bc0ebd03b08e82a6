//! `--conf`: each configuration is assigned to its job, or rejected.
use crate::made::{Made, folder};
use mapreduce::import::{find_files, import};
use std::fs;
use std::path::{Path, PathBuf};

const KEY: &str = "mapreduce.job.reduce.slowstart.completedmaps";

fn property(name: &str, value: &str) -> String {
    format!("<property><name>{name}</name><value>{value}</value></property>")
}

fn write(dir: &Path, name: &str, properties: &[(&str, &str)]) -> PathBuf {
    let all: String = properties.iter().map(|(name, value)| property(name, value)).collect();
    fs::write(dir.join(name), format!("<configuration>{all}</configuration>")).unwrap();
    dir.join(name)
}

fn job(dir: &Path, number: u32) -> PathBuf {
    let made = Made::job(number, 1, 0).ran("m_000000", "n1", (5.0, 20.0), 0.0, &[]);
    let path = dir.join(format!("job_1700000000000_{number:04}.jhist"));
    fs::write(&path, made.done("SUCCEEDED", 21.0).text()).unwrap();
    path
}

/// The value that holds, and what is noted; else the error.
fn read(histories: &[PathBuf], confs: &[PathBuf]) -> Result<(String, Vec<String>), String> {
    let folder = find_files(histories).map_err(|e| format!("{e:?}"))?;
    let trace = import(&folder.jobs, confs).map_err(|e| format!("{e:?}"))?.trace;
    let value = trace.settings.iter().find(|one| one.key == KEY).expect("it holds or is assumed");
    Ok((value.value.clone(), trace.problems.iter().map(|p| p.what.clone()).collect()))
}

#[test]
fn a_configuration_serves_the_job_that_it_is_of() {
    let dir = folder("confs");
    let histories = [job(&dir, 113), job(&dir, 114)];
    let value = [(KEY, "0.95")];
    let own = write(&dir, "my_job_1700000000000_0113_conf.xml", &value);
    let other = write(&dir, "job_1700000000000_0999_conf.xml", &value);
    let staged = ("mapreduce.job.dir", "hdfs://nn/tmp/u/.staging/job_1700000000000_0999");
    let inside = write(&dir, "mine.xml", &[value[0], staged]);
    let unnamed = write(&dir, "unnamed.xml", &value);
    let scheduler = [("yarn.scheduler.capacity.root.queues", "default")];
    let scheduler = write(&dir, "capacity-scheduler.xml", &scheduler);
    let one = &histories[..1];
    assert_eq!(read(one, std::slice::from_ref(&own)), Ok(("0.95".into(), vec![])));
    let (value, notes) = read(one, &[own.clone(), other.clone()]).unwrap();
    assert_eq!((value.as_str(), notes.len()), ("0.95", 1));
    assert!(notes[0].starts_with("left out: the configuration of job_1700000000000_0999"));
    let (value, notes) = read(one, std::slice::from_ref(&unnamed)).unwrap();
    assert_eq!((value.as_str(), notes.len()), ("0.95", 1));
    assert!(notes[0].contains("does not name its job: taken for"), "{notes:?}");
    for (confs, said) in [
        (&other, "the configuration of job_1700000000000_0999"),
        (&inside, "the configuration of job_1700000000000_0999"),
        (&scheduler, "no property of a job in the file; the first is yarn.scheduler.capacity"),
    ] {
        let error = read(one, std::slice::from_ref(confs)).unwrap_err();
        assert!(error.contains(said) && error.contains("_conf.xml"), "{error}");
    }
    let error = read(&histories, &[unnamed]).unwrap_err();
    assert!(error.contains("and there are several"), "{error}");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn hadoop_0_20_names_the_jobtracker_before_the_job() {
    let dir = folder("confs-old");
    let text = include_str!("hadoop1/job_201311192236_0001_1386370578000_u_a");
    let history = dir.join("n1_1386370000000_job_201311192236_0001_u_a");
    fs::write(&history, text).unwrap();
    let key = [("mapred.reduce.slowstart.completed.maps", "0.5")];
    write(&dir, "n1_1386370000000_job_201311192236_0001_conf.xml", &key);
    assert_eq!(read(&[history], &[]).map(|read| read.0), Ok("0.5".into()));
    fs::remove_dir_all(dir).unwrap();
}
