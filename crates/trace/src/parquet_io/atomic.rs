//! Files and folders that appear complete or not at all: written next to their place, then renamed.
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

fn beside(place: &Path, what: &str) -> io::Result<PathBuf> {
    let name = place.file_name().ok_or_else(|| io::Error::other("no file name"))?;
    let hidden = format!(".{}.{what}-{}", name.to_string_lossy(), std::process::id());
    Ok(place.with_file_name(hidden))
}

/// A temporary file that is removed unless [`TempFile::keep`] is called.
pub struct TempFile {
    temp: PathBuf,
    place: PathBuf,
}

impl TempFile {
    /// Creates it next to `place`.
    pub fn create(place: &Path) -> io::Result<(TempFile, File)> {
        let temp = beside(place, "tmp")?;
        let file = File::create(&temp)?;
        Ok((TempFile { temp, place: place.to_path_buf() }, file))
    }
    /// Renames it to its place; replaces an existing file.
    pub fn keep(self) -> io::Result<()> {
        fs::rename(&self.temp, &self.place)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temp);
    }
}

/// A temporary folder that is removed unless [`TempDir::keep`] is called.
pub struct TempDir {
    /// Its temporary path.
    pub temp: PathBuf,
    place: PathBuf,
}

impl TempDir {
    /// Creates it next to `place`, with missing parents.
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
    /// Renames it to its place. Replaces an existing folder only if it is empty or contains `mark`.
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
