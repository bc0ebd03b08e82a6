//! Folders of histories: what is read, and what is left out and why.
use crate::made::{Made, folder};
use mapreduce::import::{found, import};
use mapreduce::why::Why;
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
    let found = found(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(found.left.is_empty(), "{:?}", found.left);
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
    let folder = found(std::slice::from_ref(&dir)).unwrap_or_else(|e| panic!("{e:?}"));
    let ids: Vec<&str> = folder.jobs.iter().map(|job| &job.id[job.id.len() - 4..]).collect();
    assert_eq!(ids, ["0001", "0002", "0003"]);
    let mut left: Vec<(String, &str)> = folder
        .left
        .iter()
        .map(|left| (left.path.file_name().unwrap().to_string_lossy().into(), left.why.as_str()))
        .collect();
    left.sort();
    let expected = [
        ("empty.jhist", "it is empty"),
        ("job_1700000000000_0002.jhist", "the same job as"),
        ("notes.txt", "no history: it begins with \"hello\""),
    ];
    assert_eq!(left.len(), expected.len(), "{left:?}");
    for ((name, why), (wanted, piece)) in left.iter().zip(expected) {
        assert!(name == wanted && why.contains(piece), "{name}: {why}");
    }
    let mut imported = import(&folder.jobs, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    imported.note(&folder);
    assert_eq!(Why::of(&imported.trace).jobs.len(), 3);
    assert!(imported.trace.problems.iter().any(|p| p.what.contains("left out: no history")));
    fs::remove_dir_all(dir).unwrap();
}
