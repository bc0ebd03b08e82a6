//! Paths as the file that names them means them.
use crate::document::Place;
use std::path::{Component, Path, PathBuf};

/// A path as the file that names it means it; the command line means the current folder.
pub fn relative_to(place: &Place, path: &str) -> PathBuf {
    match place {
        Place::File(file, _) => beside(file, path),
        Place::CommandLine => PathBuf::from(path),
    }
}

/// `path` as seen from `file`'s folder, without `x/..`.
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

/// A file's name without its ending.
pub fn stem(file: &Path) -> String {
    file.file_stem().map_or("scenario".into(), |s| s.to_string_lossy().into_owned())
}
