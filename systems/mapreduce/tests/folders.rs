//! Folders of histories: what is read, and what is left out and why.
mod made;
use made::{Made, folder};
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
