//! A result's folder that is written again.
use crate::tenbin::Place;
use std::fs;

#[test]
fn a_user_s_own_files_survive() {
    let place = Place::new("rewritten");
    place.ok(&["run", "echo", "-o", "out"]);
    place.write("out/notes.txt", "what the vendor said");
    fs::create_dir(place.dir.join("out/talk")).expect("a folder");
    place.write("out/talk/slides.svg", "<svg/>");
    let old = fs::read(place.dir.join("out/run.json")).expect("numbers");
    for args in
        [&["run", "echo", "--seed", "7", "-o", "out"][..], &["compare", "echo", "-o", "out"]]
    {
        place.ok(args);
        let read = |name: &str| fs::read_to_string(place.dir.join("out").join(name));
        assert_eq!(read("notes.txt").expect("notes"), "what the vendor said");
        assert_eq!(read("talk/slides.svg").expect("slides"), "<svg/>");
        assert_ne!(fs::read(place.dir.join("out/run.json")).ok(), Some(old.clone()));
    }
    assert!(!place.dir.join("out/run.json").exists(), "a comparison has none: tenbin's own goes");
    assert_eq!(place.names(), ["out"], "nothing is left beside it");
}

#[test]
fn a_user_s_file_of_a_result_s_name_gets_another() {
    let place = Place::new("rewritten-name");
    place.ok(&["run", "echo", "-o", "out"]);
    place.write("out/compare.json", "mine");
    let said = place.ok(&["compare", "echo", "-o", "out"]).err;
    assert!(said.contains("note: your out/compare.json is out/compare.json.1 now"), "{said}");
    let mine = fs::read_to_string(place.dir.join("out/compare.json.1")).expect("it is there");
    assert_eq!(mine, "mine");
}
