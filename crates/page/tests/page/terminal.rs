//! The page as text, in full.
use crate::samples;
use std::path::Path;

#[test]
fn the_pages_as_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page/golden");
    for (name, page) in samples::all() {
        let (file, found) = (folder.join(format!("{name}.expected.txt")), page::text(&page));
        for line in found.lines() {
            assert!(line.is_ascii(), "{name}: not for every terminal: {line}");
        }
        if std::env::var_os("TENBIN_BLESS").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&file, &found).expect("a file");
            continue;
        }
        let wanted = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(found == wanted, "{name} reads differently; bless it after reading:\n{found}");
    }
}
