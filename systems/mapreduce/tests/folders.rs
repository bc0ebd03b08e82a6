//! Folders of histories: what is read, and what is left out and why.
use crate::made::{Made, folder};
use mapreduce::import::{find_files, import};
use mapreduce::why::Explanation;
use std::fs;
use std::io::Write;

fn whole(number: u32) -> Made {
    Made::job(number, 1, 0)
        .task("m_000000", 3.0)
        .starts("m_000000_0", "n1", 5.0, "")
        .ends("m_000000_0", "FINISHED", 20.0, "")
        .over("m_000000", "SUCCEEDED", 20.0)
        .done("SUCCEEDED", 21.0)
}

#[test]
fn what_people_write_down_is_passed_over_and_a_packed_configuration_is_read() {
    let dir = folder("beside");
    fs::write(dir.join("job_1700000000000_0004.jhist"), whole(4).text()).unwrap();
    for name in ["README", "readme.txt", "notes.md", ".DS_Store"] {
        fs::write(dir.join(name), "hello").unwrap()
    }
    let key = "mapreduce.job.reduce.slowstart.completedmaps";
    let conf = format!(
        "<configuration><property><name>{key}</name><value>0.25</value></property>\
         </configuration>"
    );
    let packed = fs::File::create(dir.join("job_1700000000000_0004_conf.xml.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed.write_all(conf.as_bytes()).unwrap();
    packed.finish().unwrap();
    let found = find_files(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
    let imported = import(&found.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let settings = &imported.trace.settings;
    assert!(settings.iter().any(|one| one.key == key && one.value == "0.25"), "{settings:?}");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn renamed_and_packed_histories_are_known_by_what_is_in_them() {
    let dir = folder("renamed");
    fs::write(dir.join("kept.log"), whole(1).text()).unwrap();
    fs::write(dir.join("job_1700000000000_0002.jhist"), whole(2).text()).unwrap();
    let packed = fs::File::create(dir.join("three.jhist.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed.write_all(whole(3).text().as_bytes()).unwrap();
    packed.finish().unwrap();
    fs::write(dir.join("notes.txt"), "hello").unwrap();
    fs::write(dir.join("empty.jhist"), "").unwrap();
    fs::write(dir.join("copy.jhist"), whole(2).text()).unwrap();
    let folder = find_files(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    let ids: Vec<&str> = folder.jobs.iter().map(|job| &job.id[job.id.len() - 4..]).collect();
    assert_eq!(ids, ["0001", "0002", "0003"]);
    let mut left: Vec<(String, &str)> = folder
        .skipped
        .iter()
        .map(|left| (left.path.file_name().unwrap().to_string_lossy().into(), left.reason.as_str()))
        .collect();
    left.sort();
    let expected = [
        ("empty.jhist", "empty: "),
        ("job_1700000000000_0002.jhist", "the same job as"),
        ("notes.txt", "not a history: begins with \"hello\""),
    ];
    assert_eq!(left.len(), expected.len(), "{left:?}");
    for ((name, why), (wanted, piece)) in left.iter().zip(expected) {
        assert!(name == wanted && why.contains(piece), "{name}: {why}");
    }
    let mut imported = import(&folder.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    imported.note(&folder);
    assert_eq!(Explanation::of(&imported.trace).jobs.len(), 3);
    assert!(imported.trace.problems.iter().any(|p| p.what.contains("left out: not a history")));
    for other in 0..30 {
        fs::write(dir.join(format!("part-{other:05}")), "hello").unwrap()
    }
    let folder = find_files(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    let counted: Vec<_> = folder.messages().into_iter().filter(|said| said.2 > 1).collect();
    assert_eq!((folder.messages().len(), counted.len()), (3, 1), "{:?}", folder.messages());
    assert!(counted[0].0.starts_with("31 files (") && counted[0].1 == "no histories");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn addresses_and_archives_are_said_to_be_some() {
    let dir = folder("archive");
    let har = dir.join("done.har");
    fs::create_dir_all(&har).unwrap();
    for name in ["_masterindex", "_index", "part-0"] {
        fs::write(har.join(name), "3 \n0 1 0 2\n").unwrap()
    }
    let said = |path: &str| format!("{:?}", find_files(&[path.into()]).unwrap_err());
    for (path, what) in [
        (har.to_str().unwrap(), "a Hadoop archive"),
        (dir.to_str().unwrap(), "a Hadoop archive"),
        ("hdfs://nn:8020/mr-history/done", "hdfs dfs -get hdfs://nn:8020/mr-history/done"),
        ("http://jhs:19888/jobhistory/job/job_1_2", "pages of the JobHistoryServer"),
        ("/mr-history/done/2026", "If it is of HDFS"),
    ] {
        assert!(said(path).contains(what), "{}", said(path));
    }
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn line_ends_of_windows_change_nothing() {
    let dir = folder("windows");
    let text = whole(5).text().replace('\n', "\r\n");
    fs::write(dir.join("w.jhist"), text).unwrap();
    let old = include_str!("hadoop1/job_201311192236_0001_1386370578000_u_a");
    fs::write(dir.join("old"), old.replace('\n', "\r\n")).unwrap();
    let found = find_files(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    let imported = import(&found.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!((found.jobs.len(), imported.trace.problems.len()), (2, 0));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn files_of_other_programs_are_refused_with_what_to_do() {
    let dir = folder("foreign");
    let path = dir.join("given");
    for (text, advice) in [
        ("\nContainer: container_1_2_01_000001 on n1_45454\nLogType:syslog\n", "--syslog"),
        (
            "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5\"}\n",
            "reads only MapReduce",
        ),
        ("{\n  \"sysstat\": {\n    \"hosts\": []}}\n", "tenbin import node-curves"),
        ("<html><body>JobHistory</body></html>", "hdfs dfs -get"),
    ] {
        fs::write(&path, text).unwrap();
        let found = find_files(std::slice::from_ref(&path)).unwrap_or_else(|e| panic!("{e:?}"));
        let Err(refused) = import(&found.jobs, &[]) else { panic!("{text}") };
        assert!(format!("{refused:?}").contains(advice), "{refused:?}");
    }
    fs::remove_dir_all(dir).unwrap();
}
