//! A folder of histories, from the names of its files alone:
//! `job_ID-SUBMIT-USER-NAME-FINISH-MAPS-REDUCES-STATUS-QUEUE-START.jhist`.
use std::fs;
use std::path::{Path, PathBuf};

/// Folders within folders, and files, of which no history server has more.
const DEEPEST: usize = 12;
const MOST: usize = 2_000_000;

/// A history by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// `job_…`
    pub id: String,
    /// Unix time \[ms\].
    pub submit: Option<i64>,
    /// Who ran it.
    pub user: String,
    /// As its user called it; the history server cuts it.
    pub name: String,
    /// Unix time \[ms\].
    pub finish: Option<i64>,
    /// Maps and reduces that were done.
    pub maps: Option<i64>,
    /// Likewise.
    pub reduces: Option<i64>,
    /// SUCCEEDED, FAILED, KILLED.
    pub status: String,
    /// Where.
    pub queue: String,
    /// The file.
    pub path: PathBuf,
}

/// What lies in a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Folder {
    /// Histories, by time of submission and id.
    pub jobs: Vec<Listed>,
    /// Histories that are still being written.
    pub unfinished: Vec<PathBuf>,
    /// Files that are neither history nor configuration.
    pub others: u64,
}

/// Looks through folders, and takes files as they are.
///
/// # Errors
/// A path that cannot be read.
pub fn list(paths: &[PathBuf]) -> Result<Folder, (PathBuf, std::io::Error)> {
    let mut folder = Folder::default();
    for path in paths {
        let meta = fs::metadata(path).map_err(|e| (path.clone(), e))?;
        match meta.is_dir() {
            true => within(path, 0, &mut folder)?,
            false => folder.jobs.push(named(path).unwrap_or_else(|| nameless(path))),
        }
    }
    folder.jobs.sort_by(|a, b| (a.submit, &a.id, &a.path).cmp(&(b.submit, &b.id, &b.path)));
    folder.jobs.dedup_by(|a, b| a.path == b.path);
    Ok(folder)
}

fn within(path: &Path, depth: usize, folder: &mut Folder) -> Result<(), (PathBuf, std::io::Error)> {
    let failed = |e| (path.to_path_buf(), e);
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (file, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Links are not followed: they may lead out of the folder, or round in a circle.
        if kind.is_dir() && depth < DEEPEST {
            within(&file, depth + 1, folder)?
        } else if kind.is_file() && folder.jobs.len() < MOST {
            match name {
                name if name.ends_with(".jhist") => match named(&file) {
                    Some(job) => folder.jobs.push(job),
                    None => folder.unfinished.push(file),
                },
                name if name.ends_with("_conf.xml") || name.starts_with('.') => {}
                name if name.ends_with(".summary") || name.ends_with(".crc") => {}
                _ => folder.others += 1,
            }
        }
    }
    Ok(())
}

/// A file by its name alone; `None`: it has another.
pub fn named(path: &Path) -> Option<Listed> {
    let name = path.file_name()?.to_str()?.strip_suffix(".jhist")?;
    let parts: Vec<&str> = name.split('-').collect();
    let [id, submit, user, job, finish, maps, reduces, status, rest @ ..] = parts.as_slice() else {
        return None;
    };
    if !id.starts_with("job_") {
        return None;
    }
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| *n >= 0);
    Some(Listed {
        id: plain(id),
        submit: number(submit),
        user: plain(user),
        name: plain(job),
        finish: number(finish),
        maps: number(maps),
        reduces: number(reduces),
        status: plain(status),
        queue: rest.first().map(|queue| plain(queue)).unwrap_or_default(),
        path: path.to_path_buf(),
    })
}

/// A file that somebody named himself.
fn nameless(path: &Path) -> Listed {
    Listed {
        id: String::new(),
        submit: None,
        user: String::new(),
        name: String::new(),
        finish: None,
        maps: None,
        reduces: None,
        status: String::new(),
        queue: String::new(),
        path: path.to_path_buf(),
    }
}

/// `odd%2Dfail` → `odd-fail`.
fn plain(text: &str) -> String {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let code = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        match (first, after.get(..2).and_then(code)) {
            (b'%', Some(byte)) => {
                out.push(byte);
                rest = &after[2..]
            }
            _ => {
                out.push(*first);
                rest = after
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_the_job_was() {
        let name = "x/job_1795196704576_0003-1795196717366-root-odd%2Dfail-1795196779021-4-1-\
                    SUCCEEDED-root.default-1795196737596.jhist";
        let job = named(Path::new(name)).unwrap();
        assert_eq!((job.id.as_str(), job.name.as_str()), ("job_1795196704576_0003", "odd-fail"));
        assert_eq!((job.maps, job.reduces, job.status.as_str()), (Some(4), Some(1), "SUCCEEDED"));
        assert_eq!((job.queue.as_str(), job.finish), ("root.default", Some(1_795_196_779_021)));
        assert_eq!(named(Path::new("job_1795196704576_0003_1.jhist")), None, "still being written");
        assert_eq!(plain("%2"), "%2");
        assert_eq!(plain("100%zz"), "100%zz");
    }
}
