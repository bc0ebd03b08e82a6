//! A result folder that is written completely or not at all.
mod others;

use crate::console;
use crate::failure::Failure;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use trace::parquet_io::TempFile;

/// Name of a file in every folder that this program wrote. It lists the files written; only these
/// are replaced, other files are the user's and stay.
pub const MARK: &str = ".tenbin-output";

/// Writes a file completely or not at all; pipes and devices are written directly.
pub fn file(place: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let is_special = fs::metadata(place).is_ok_and(|about| !about.is_file());
    let written = match is_special {
        true => fs::write(place, bytes),
        false => TempFile::create(place).and_then(|(draft, mut file)| {
            file.write_all(bytes)?;
            draft.keep()
        }),
    };
    written.map_err(|e| Failure::writing(place, &e))
}

/// Results are written to a draft folder next to their place, then renamed.
pub struct Output {
    place: PathBuf,
    draft: PathBuf,
}

impl Output {
    /// Checks the place and creates the draft. Fails if the place is a file, or a folder with
    /// anything except an earlier result.
    pub fn at(place: &Path) -> Result<Output, Failure> {
        check_place(place)?;
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        // Threads of one process can write to one place: the last result stays.
        static DRAFTS: AtomicU64 = AtomicU64::new(0);
        let (process, number) = (std::process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed));
        let draft = place.with_file_name(format!(".{name}.draft-{process}-{number}"));
        let made = fs::create_dir_all(&draft).and_then(|()| fs::write(draft.join(MARK), ""));
        made.map_err(|e| Failure::writing(&draft, &e))?;
        Ok(Output { place: place.to_path_buf(), draft })
    }

    /// Path of a file in the draft.
    pub fn path(&self, name: &str) -> PathBuf {
        self.draft.join(name)
    }

    pub fn place(&self) -> &Path {
        &self.place
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path(name);
        fs::File::create(&path)
            .and_then(|mut f| f.write_all(bytes))
            .map_err(|e| Failure::writing(&path, &e))
    }

    /// Renames the draft to its place and deletes the earlier result and partial results. The
    /// user's files stay. If it fails, the earlier result is unchanged.
    pub fn keep(self) -> Result<(), Failure> {
        // One thread at a time: a place is moved away before the draft takes it.
        static KEEPING: Mutex<()> = Mutex::new(());
        let _keeping = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
        check_place(&self.place)?;
        let listed = others::mark(&self.draft).and_then(|all| fs::write(self.path(MARK), all));
        listed.map_err(|e| Failure::writing(&self.draft, &e))?;
        let renamed = others::keep(&self.place, &self.draft);
        let renamed = renamed.map_err(|e| Failure::writing(&self.place, &e))?;
        let old = self.draft.with_extension("old");
        let replaced = self.place.exists();
        if replaced {
            fs::rename(&self.place, &old).map_err(|e| Failure::writing(&self.place, &e))?;
        }
        let moved = fs::rename(&self.draft, &self.place);
        if moved.is_err() && replaced {
            let _ = fs::rename(&old, &self.place);
        } else if replaced {
            let _ = fs::remove_dir_all(&old);
        }
        moved.map_err(|e| Failure::writing(&self.place, &e))?;
        for (from, to) in renamed {
            let (from, to) = (self.place.join(from), self.place.join(to));
            console::note(&format!("note: your {} is {} now", from.display(), to.display()))
        }
        forget(&self.place);
        Ok(())
    }
}

impl Drop for Output {
    /// Deletes the draft unless it was kept.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.draft);
    }
}

/// For use before a run. Fails like [`Output::at`].
pub fn check_place(place: &Path) -> Result<(), Failure> {
    if place.file_name().is_none() {
        return Err(unusable(place, "the path has no folder name"));
    }
    if !place.exists() {
        return Ok(());
    }
    if !place.is_dir() {
        return Err(unusable(place, "a file of this name exists"));
    }
    let empty = fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
    if empty || place.join(MARK).exists() {
        return Ok(());
    }
    Err(unusable(place, "the folder has other files, not only an older result"))
}

/// The path with `ending` appended to the file name.
pub fn beside(place: &Path, ending: &str) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    place.with_file_name(name)
}

fn unusable(place: &Path, why: &str) -> Failure {
    Failure::BadInput(format!(
        "--out {}: {why}. Expected a folder that does not exist yet, is empty, or was written by \
         tenbin",
        place.display()
    ))
}

/// Results of an interrupted campaign.
pub(crate) const PARTIAL: &str = "partial.json";

/// Folder of [`PARTIAL`], next to that of the result.
pub(crate) fn partial_place(result: &Path) -> PathBuf {
    beside(result, ".partial")
}

/// For use before a run. Fails if the folder for partial results has anything except those of an
/// earlier interruption.
pub fn check_partial(result: &Path) -> Result<(), Failure> {
    let place = partial_place(result);
    check_place(&place)?;
    let names = std::fs::read_dir(&place).into_iter().flatten().flatten();
    let other = names.map(|entry| entry.file_name()).find(|name| name != PARTIAL && name != MARK);
    match other {
        None => Ok(()),
        Some(name) => Err(Failure::BadInput(format!(
            "--out {}: a stopped run keeps its results in {}, but {} exists: move that away, or \
             give another --out",
            result.display(),
            place.display(),
            name.display()
        ))),
    }
}

/// Deletes partial results after a complete one is written. A folder with other files stays.
pub fn forget(result: &Path) {
    if check_partial(result).is_ok() {
        let _ = std::fs::remove_dir_all(partial_place(result));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("tenbin-output-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    #[test]
    fn a_result_appears_whole_and_replaces_an_older_one_whole() {
        let dir = fresh("whole");
        let place = dir.join("a/b");
        for text in ["one", "two"] {
            let out = Output::at(&place).unwrap();
            out.write("x", text.as_bytes()).unwrap();
            if text == "one" {
                assert!(!place.exists(), "nothing before keep");
                out.write("only-in-one", b"").unwrap();
            }
            out.keep().unwrap();
            assert_eq!(fs::read_to_string(place.join("x")).unwrap(), text);
        }
        assert!(!place.join("only-in-one").exists());
        assert_eq!(fs::read_dir(dir.join("a")).unwrap().count(), 1, "no draft, no old folder");
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_user_s_own_files_stay() {
        let dir = fresh("own");
        let place = dir.join("a");
        let result = |names: &[&str]| {
            let out = Output::at(&place).unwrap();
            fs::create_dir_all(out.path("trace")).unwrap();
            names.iter().for_each(|name| out.write(name, b"ours").unwrap());
            out.keep().unwrap();
        };
        result(&["report.html", "trace/run.parquet", "band.json"]);
        for own in ["notes.txt", "trace/mine", "talk/slides/1.svg", "plan.json"] {
            fs::create_dir_all(place.join(own).parent().unwrap()).unwrap();
            fs::write(place.join(own), own).unwrap();
        }
        fs::create_dir(place.join("empty")).unwrap();
        for _ in 0..2 {
            result(&["report.html", "trace/run.parquet", "plan.json"]);
            let read = |name: &str| fs::read_to_string(place.join(name)).ok();
            for own in ["notes.txt", "trace/mine", "talk/slides/1.svg"] {
                assert_eq!(read(own).as_deref(), Some(own));
            }
            assert!(place.join("empty").is_dir());
            assert_eq!(read("plan.json").as_deref(), Some("ours"));
            assert_eq!(read("plan.json.1").as_deref(), Some("plan.json"), "it has another name");
            assert!(!place.join("band.json").exists(), "an older result's goes away");
            assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "no draft, no old folder");
        }
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn what_is_written_over_a_mark_without_a_list_goes_by_its_name() {
        let dir = fresh("unlisted");
        let place = dir.join("a");
        for name in [MARK, "band.json", "notes.txt", "trace/run.parquet"] {
            fs::create_dir_all(place.join(name).parent().unwrap()).unwrap();
            fs::write(place.join(name), "").unwrap();
        }
        let out = Output::at(&place).unwrap();
        out.write("report.html", b"").unwrap();
        out.keep().unwrap();
        let names = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names, [MARK, "notes.txt", "report.html"]);
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn what_a_stopped_run_left_goes_and_what_is_another_s_stays() {
        let dir = fresh("partial");
        for (name, stays) in [("partial.json", false), ("thesis.txt", true)] {
            let (place, partial) = (dir.join("a"), dir.join("a.partial"));
            fs::create_dir_all(&partial).unwrap();
            fs::write(partial.join(MARK), "").unwrap();
            fs::write(partial.join(name), "").unwrap();
            Output::at(&place).unwrap().keep().unwrap();
            assert_eq!(partial.exists(), stays, "{name}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn what_is_not_kept_leaves_nothing() {
        let dir = fresh("drop");
        drop(Output::at(&dir.join("x")).unwrap());
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn somebody_elses_folder_is_never_replaced() {
        let dir = fresh("foreign");
        fs::write(dir.join("thesis.txt"), "").unwrap();
        assert!(matches!(Output::at(&dir), Err(Failure::BadInput(_))));
        assert!(matches!(Output::at(&dir.join("thesis.txt")), Err(Failure::BadInput(_))));
        assert!(matches!(check_place(Path::new("..")), Err(Failure::BadInput(_))));
        assert!(dir.join("thesis.txt").exists());
        fs::remove_dir_all(&dir).unwrap();
    }
}
