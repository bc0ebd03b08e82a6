//! `reproduce --real`: inputs rejected before any run.
use crate::tenbin::Place;

#[test]
fn what_cannot_be_run_for_real_is_refused() {
    let place = Place::new("real-refused");
    let jar = ["--jar", "x.jar"];
    let cases: [(&[&str], &[&str], &[&str]); 6] = [
        (&["s1"], &[], &["s1 needs --jar"]),
        (&["otsuji13", "--measured"], &jar, &["s2 needs no --jar"]),
        (&["s2", "--claim", "C2.3"], &[], &["C2.1, C2.2"]),
        (&["s4"], &jar, &["s4 needs no --jar"]),
        (&["s3", "--claim", "C3.2a"], &[], &["--claim C3.2a", "C3.1"]),
        (&["s1", "--claim", "C1.9"], &jar, &["--claim C1.9", "C1.1", "C1.5"]),
    ];
    for (what, jar, says) in cases {
        let real: &[&str] = if what.contains(&"--measured") { &[] } else { &["--real"] };
        let done = place.tenbin(&[&["reproduce"], what, real, jar].concat());
        assert_eq!(done.code, Some(2), "{what:?}: {}{}", done.out, done.err);
        for part in says {
            assert!(done.err.contains(part), "{what:?}: no {part:?} in\n{}", done.err)
        }
    }
    let done = place.tenbin(&["twin", "mapreduce", "mapreduce-lob"]);
    assert!(done.err.contains("did you mean mapreduce-lab?"), "{}", done.err);
    assert!(place.names().is_empty(), "nothing is written");
}
