//! Logs with arbitrary content.
use mapreduce::import::history::Job;
use mapreduce::import::{import, index, jhist};
use mapreduce::why::{Explanation, text};
use std::fs;
use std::path::{Path, PathBuf};

/// A sample's bytes.
fn sample(ending: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let jobs = index::list(&[folder]).unwrap().jobs;
    fs::read(&jobs.iter().find(|job| job.id.ends_with(ending)).unwrap().path).unwrap()
}

const BINARY: &str = "1795196704576_0003";
const JSON: &str = "1795197530166_0001";

/// Events that are read, and problems.
fn read(bytes: &[u8]) -> Result<(Job, u64, Vec<jhist::Problem>), import::Issue> {
    let (mut job, mut events) = (Job::default(), 0);
    let problems = jhist::read(bytes, |kind, event| {
        job.add(kind, event);
        events += 1
    })?;
    Ok((job, events, problems))
}

/// A folder of its own with one file in it.
fn folder(name: &str, file: &str, bytes: &[u8]) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("tenbin-hostile-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join(file), bytes).unwrap();
    dir
}

#[test]
fn a_cut_history_gives_what_is_there() {
    for of in [BINARY, JSON] {
        let whole = sample(of);
        let (_, all, none) = read(&whole).unwrap();
        assert_eq!(none, []);
        let (job, some, problems) = read(&whole[..whole.len() * 3 / 4]).unwrap();
        assert!(0 < some && some < all, "{of}: {some} of {all}");
        assert_eq!(problems.len(), 1, "{of}: {problems:?}");
        assert!(problems[0].what.contains("cut"), "{problems:?}");
        assert_eq!((job.finish, job.id.is_empty()), (None, false));
    }
}

#[test]
fn a_damaged_line_costs_that_line_alone() {
    let text = String::from_utf8(sample(JSON)).unwrap();
    let (_, all, _) = read(text.as_bytes()).unwrap();
    let broken = text.replacen("\"type\":\"TASK_STARTED\"", "\"type\":}", 1);
    let (_, some, problems) = read(broken.as_bytes()).unwrap();
    assert_eq!((some, problems.len()), (all - 1, 1), "{problems:?}");
    assert!(problems[0].line.is_some());
}

#[test]
fn unknown_events_are_counted_and_skipped() {
    let text = String::from_utf8(sample(JSON)).unwrap();
    let (job, ..) = read(text.replace("JOB_QUEUE_CHANGED", "JOB_TELEPORTED").as_bytes()).unwrap();
    assert_eq!(job.unknown.into_iter().collect::<Vec<_>>(), [("JOB_TELEPORTED".to_string(), 1)]);
}

/// With any byte changed, the reader ends without panic.
#[test]
fn changed_bytes_never_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for of in [BINARY, JSON] {
        let whole = sample(of);
        for _ in 0..150 {
            let mut bytes = whole.clone();
            for _ in 0..1 + next() % 8 {
                let at = next() as usize % bytes.len();
                bytes[at] = next() as u8
            }
            bytes.truncate(1 + next() as usize % bytes.len());
            let _ = read(&bytes);
        }
    }
}

#[test]
fn odd_names_times_and_texts_are_bounded_and_said() {
    let long = "x".repeat(10 << 20);
    let text = String::from_utf8(sample(JSON)).unwrap();
    let text = text
        .replacen(
            "\"jobName\":\"TeraGen\"",
            &format!("\"jobName\":\"<script>alert(1)</script>{long}\""),
            1,
        )
        .replacen("\"userName\":\"root\"", "\"userName\":\"../../etc/passwd\\u001b[2J\"", 1)
        .replacen("\"launchTime\":1795197548565", "\"launchTime\":253402300800000", 1);
    let dir = folder("odd", "job_1-x.jhist", text.as_bytes());
    let listed = index::list(&[dir.join("job_1-x.jhist")]).unwrap().jobs;
    let trace = import(&listed, &[]).unwrap_or_else(|e| panic!("{e:?}")).trace;
    let said: Vec<&str> = trace.problems.iter().map(|p| p.what.as_str()).collect();
    assert!(said.iter().any(|what| what.contains("512 bytes")), "{said:?}");
    assert!(said.iter().any(|what| what.contains("year 2200")), "{said:?}");
    let why = Explanation::of(&trace);
    assert!(text_is_plain(&mapreduce::why::text(&why, 5)));
    assert!(why.jobs[0].name.len() <= 512);
    let page = mapreduce::words::page(&trace, &why);
    let html = system::template::of(&page);
    assert!(!html.contains("<script>alert"), "it stands in the page as text only");
    assert!(html.len() < 10 << 20);
    fs::remove_dir_all(dir).unwrap();
}

fn text_is_plain(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || !c.is_control())
}

#[test]
fn what_is_no_history_is_said_in_words() {
    for (bytes, wanted) in [
        (&b""[..], "still being written"),
        (b"hello\nworld", "expected a .jhist"),
        (b"Avro-Binary\n{}\n", "schema"),
        (b"Avro-Binary\n", "schema"),
    ] {
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn folders_without_histories_are_bad_input() {
    use mapreduce::import::find_files;
    let said = |dir: &Path| format!("{:?}", find_files(&[dir.to_path_buf()]).unwrap_err());
    let dir = folder("others", "notes.txt", b"");
    assert!(said(&dir).contains("no history among 1 file (notes.txt: empty"), "{}", said(&dir));
    fs::write(dir.join("notes.txt"), "hello\nworld").unwrap();
    assert!(said(&dir).contains("begins with"), "{}", said(&dir));
    fs::remove_file(dir.join("notes.txt")).unwrap();
    assert!(said(&dir).contains("no history in this folder"));
    fs::write(dir.join("job_1_0001_1.jhist"), "").unwrap();
    assert!(said(&dir).contains("still being written"));
    fs::remove_dir_all(&dir).unwrap();
    assert!(said(&dir).contains("BadInput"));
}

#[test]
fn a_job_that_is_still_written_is_explained_so_far() {
    let whole = sample(JSON);
    let dir = folder("cut", "x.jhist", &whole[..whole.len() / 2]);
    let listed = index::list(&[dir.join("x.jhist")]).unwrap().jobs;
    let trace = import(&listed, &[]).unwrap_or_else(|e| panic!("{e:?}")).trace;
    assert!(trace.problems.iter().any(|p| p.what.contains("the job's end is missing")));
    let why = Explanation::of(&trace);
    assert_eq!(why.jobs[0].status, "UNKNOWN");
    assert!(text(&why, 1).contains("Critical path"));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn ten_thousand_names_are_listed_from_names_alone() {
    let dir = folder("many", "x.txt", b"");
    for at in 0..10_000 {
        let name = format!("job_1_{at:05}-1-u-n-2-3-4-SUCCEEDED-q-1.jhist");
        // Nothing is in them: only names are looked at.
        fs::File::create(dir.join(name)).unwrap();
    }
    let folder = index::list(std::slice::from_ref(&dir)).unwrap();
    assert_eq!((folder.jobs.len(), folder.skipped.len(), folder.more), (10_000, 1, 0));
    fs::remove_dir_all(dir).unwrap();
}
