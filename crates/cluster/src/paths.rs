use crate::document::Place;
use std::path::{Component, Path, PathBuf};

/// Relative to the file that names the path; on the command line, to the current folder.
pub fn relative_to(place: &Place, path: &str) -> PathBuf {
    match place {
        Place::File(file, _) => beside(file, path),
        Place::CommandLine => PathBuf::from(path),
    }
}

/// `path` relative to `file`'s folder, without `x/..`.
pub fn beside(file: &Path, path: &str) -> PathBuf {
    let mut out = file.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(path).components() {
        let last_is_name = matches!(out.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::ParentDir if last_is_name => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// Name without extension.
pub fn stem(file: &Path) -> String {
    file.file_stem().map_or("scenario".into(), |s| s.to_string_lossy().into_owned())
}
