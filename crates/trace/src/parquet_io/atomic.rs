//! Files and folders that appear whole or not at all: written beside their place, then renamed.
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

fn beside(place: &Path, what: &str) -> io::Result<PathBuf> {
    let name = place.file_name().ok_or_else(|| io::Error::other("no file name"))?;
    let hidden = format!(".{}.{what}-{}", name.to_string_lossy(), std::process::id());
    Ok(place.with_file_name(hidden))
}

/// A file that is removed unless it is kept.
pub struct TempFile {
    temp: PathBuf,
    place: PathBuf,
}

impl TempFile {
    /// Opens it beside `place`.
    pub fn create(place: &Path) -> io::Result<(TempFile, File)> {
        let temp = beside(place, "tmp")?;
        let file = File::create(&temp)?;
        Ok((TempFile { temp, place: place.to_path_buf() }, file))
    }
    /// Puts it in its place, over what was there.
    pub fn keep(self) -> io::Result<()> {
        fs::rename(&self.temp, &self.place)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temp);
    }
}

/// A folder that is removed unless it is kept.
pub struct TempDir {
    /// Where it is now.
    pub temp: PathBuf,
    place: PathBuf,
}

impl TempDir {
    /// Makes it beside `place`, whose parents are made, too.
    pub fn create(place: &Path) -> io::Result<TempDir> {
        if let Some(parent) = place.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(parent)?
        }
        let temp = beside(place, "tmp")?;
        if temp.exists() {
            fs::remove_dir_all(&temp)?
        }
        fs::create_dir(&temp)?;
        Ok(TempDir { temp, place: place.to_path_buf() })
    }
    /// Puts it in its place. A folder that has `mark` in it, or nothing, is replaced; any other is
    /// not ours.
    pub fn keep(self, mark: &str) -> io::Result<()> {
        if !self.place.exists() {
            return fs::rename(&self.temp, &self.place);
        }
        let ours = self.place.join(mark).is_file();
        if !ours && fs::read_dir(&self.place)?.next().is_some() {
            let message = format!("a folder with other files in it (no {mark})");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        let old = beside(&self.place, "old")?;
        fs::rename(&self.place, &old)?;
        fs::rename(&self.temp, &self.place)?;
        fs::remove_dir_all(&old)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.temp);
    }
}
