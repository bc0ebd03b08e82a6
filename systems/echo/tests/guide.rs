//! `docs/add-a-system.md` quotes these files exactly.
use std::fs;
use std::path::Path;

#[test]
fn the_guide_shows_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("docs/add-a-system.md")).unwrap();
    let blocks = guide.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut seen = 0;
    for block in blocks {
        let (first, code) = block.split_once('\n').expect("a file's name, then its lines");
        let file = first.strip_prefix("// ").expect("which file it is of");
        let text = fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(text.contains(code), "{file} has no longer:\n{code}");
        seen += 1
    }
    assert_eq!(seen, 5, "blocks of code in the guide");
}
