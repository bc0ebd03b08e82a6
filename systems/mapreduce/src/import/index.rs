//! Indexes a folder of histories by file name:
//! `job_ID-SUBMIT-USER-NAME-FINISH-MAPS-REDUCES-STATUS-QUEUE-START.jhist`, or
//! `job_ID_SUBMIT_USER_NAME` of Hadoop 1. Files with other names are opened.
use super::{foreign, jhist};
use import::{ImportError, Input, unreadable};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Limits on folder depth and number of histories, beyond any history server.
const DEEPEST: usize = 12;
const MOST: usize = 2_000_000;

/// Maximum number of left-out files listed by name.
const MOST_LEFT: usize = 1000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobIndexInfo {
    pub id: String,
    /// Unix time \[ms\].
    pub submit: Option<i64>,
    /// When the AM had initialised the job, by the AM's clock: Unix time \[ms\].
    pub start: Option<i64>,
    pub user: String,
    /// The history server may cut it.
    pub name: String,
    /// Unix time \[ms\].
    pub finish: Option<i64>,
    /// Successful tasks.
    pub maps: Option<i64>,
    pub reduces: Option<i64>,
    pub status: String,
    pub queue: String,
    /// `-`: standard input.
    pub path: PathBuf,
    pub input: Input,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Folder {
    /// By time of submission, then ID.
    pub jobs: Vec<JobIndexInfo>,
    /// The first `MOST_LEFT` files left out; `more` counts the rest.
    pub skipped: Vec<SkippedFile>,
    pub more: u64,
    /// Left-out files that are not histories, including those in `more`.
    pub foreign: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkippedFile {
    pub path: PathBuf,
    pub reason: String,
    /// Neither content nor name is that of a history.
    pub is_foreign: bool,
}

impl Folder {
    fn leave(&mut self, path: &Path, why: impl Into<String>) {
        self.leave_one(SkippedFile {
            path: path.to_path_buf(),
            reason: why.into(),
            is_foreign: false,
        })
    }

    fn leave_one(&mut self, left: SkippedFile) {
        self.foreign += u64::from(left.is_foreign);
        match self.skipped.len() < MOST_LEFT {
            true => self.skipped.push(left),
            false => self.more += 1,
        }
    }

    /// Messages on left-out files: name, reason, count. Foreign files are summed up.
    pub fn messages(&self) -> Vec<(String, String, u64)> {
        let name =
            |left: &SkippedFile| left.path.file_name().unwrap_or_default().to_string_lossy().into();
        let (foreign, own): (Vec<&SkippedFile>, Vec<&SkippedFile>) =
            self.skipped.iter().partition(|left| left.is_foreign);
        let mut all: Vec<(String, String, u64)> =
            own.iter().map(|left| (name(left), left.reason.clone(), 1)).collect();
        match (foreign.first(), self.foreign) {
            (Some(only), 1) => all.push((name(only), only.reason.clone(), 1)),
            (Some(first), n) => {
                let of: String = name(first);
                all.push((format!("{n} files ({of}, …)"), "no histories".into(), n))
            }
            _ => {}
        }
        let more = self.more - (self.foreign - foreign.len() as u64).min(self.more);
        if more > 0 {
            all.push((format!("{more} further files"), "as those before".into(), more))
        }
        all
    }

    /// Keeps one history per job: a finished one if there is one, else the first.
    fn once(&mut self) {
        fn rank(job: &JobIndexInfo) -> (bool, &Path) {
            (job.finish.is_none(), &job.path)
        }
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        for (at, job) in self.jobs.iter().enumerate().filter(|(_, job)| !job.id.is_empty()) {
            let best = first.entry(job.id.clone()).or_insert(at);
            if rank(job) < rank(&self.jobs[*best]) {
                *best = at
            }
        }
        let all = std::mem::take(&mut self.jobs);
        let paths: Vec<PathBuf> = all.iter().map(|job| job.path.clone()).collect();
        for (at, job) in all.into_iter().enumerate() {
            match first.get(&job.id).copied().filter(|best| *best != at) {
                Some(best) => {
                    let other = paths[best].display();
                    self.leave(&job.path, format!("the same job as {other}, which is read"))
                }
                None => self.jobs.push(job),
            }
        }
    }
}

/// Searches folders, and takes files as they are; `-` is standard input.
///
/// # Errors
/// An unreadable path, or an address instead of a path.
pub fn list(paths: &[PathBuf]) -> Result<Folder, ImportError> {
    let named: Vec<Input> = paths.iter().map(|path| Input::named(path)).collect();
    Input::at_most_one_stdin(&named)?;
    let mut folder = Folder::default();
    for (path, input) in paths.iter().zip(named) {
        if let Some(refused) = path.to_str().and_then(foreign::address) {
            return Err(refused.at(&path.display().to_string(), None));
        }
        let is_folder = match input {
            Input::File(_) => fs::metadata(path).map_err(|e| missing(path, &e))?.is_dir(),
            _ => false,
        };
        match is_folder {
            true => within(path, 0, &mut folder)?,
            // If the file is not a history, reading it will report that.
            false => {
                let input = input.held()?;
                folder.jobs.push(look(path, &input).unwrap_or_else(|_| nameless(path, input)))
            }
        }
    }
    folder.jobs.sort_by(|a, b| (a.submit, &a.id, &a.path).cmp(&(b.submit, &b.id, &b.path)));
    folder.jobs.dedup_by(|a, b| a.path == b.path);
    folder.once();
    Ok(folder)
}

fn failed(path: &Path, e: &std::io::Error) -> ImportError {
    unreadable(e).at(&path.display().to_string(), None)
}

/// Users may pass the path of a folder in HDFS.
fn missing(path: &Path, e: &std::io::Error) -> ImportError {
    let issue = match e.kind() {
        std::io::ErrorKind::NotFound => unreadable(e).advice(format!(
            "Check the path. If it is of HDFS, copy it here: `hdfs dfs -get {} .`",
            path.display()
        )),
        _ => unreadable(e),
    };
    issue.at(&path.display().to_string(), None)
}

/// A Hadoop archive, which concatenates histories in one file.
fn is_archive(path: &Path) -> bool {
    path.join("_masterindex").is_file() && path.join("_index").is_file()
}

fn within(path: &Path, depth: usize, folder: &mut Folder) -> Result<(), ImportError> {
    let failed = |e| failed(path, &e);
    if is_archive(path) {
        folder.leave(path, "a Hadoop archive: `hdfs dfs -cp 'har://…/*' DIR` unpacks it in HDFS");
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (file, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Files that Hadoop writes next to each history.
        let beside = [".summary", ".crc", "_conf.xml"];
        let is_beside = beside.iter().any(|end| unpacked(&name).ends_with(end));
        if is_beside || name.starts_with('.') || kind.is_file() && is_of_people(&name) {
            continue;
        }
        if kind.is_dir() && depth < DEEPEST {
            within(&file, depth + 1, folder)?
        } else if kind.is_dir() {
            folder.leave(&file, format!("folders within more than {DEEPEST} folders"))
        } else if !kind.is_file() {
            // A link may lead out of the folder, or form a cycle.
            folder.leave(&file, "a link or a special file, which is not followed")
        } else if folder.jobs.len() >= MOST {
            folder.leave(&file, format!("more than {MOST} histories"))
        } else {
            match look(&file, &Input::File(file.clone())) {
                Ok(job) => folder.jobs.push(job),
                Err((why, is_foreign)) => {
                    folder.leave_one(SkippedFile { path: file, reason: why, is_foreign })
                }
            }
        }
    }
    Ok(())
}

/// Notes of users, which Hadoop never writes. Leaving them out needs no message.
fn is_of_people(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("readme") || name.ends_with(".md")
}

/// Recognises a history by its name, else by its content. The error is the reason and whether the
/// file is foreign.
fn look(path: &Path, input: &Input) -> Result<JobIndexInfo, (String, bool)> {
    if let Some(named) = parse_name(path) {
        return Ok(named);
    }
    let failed = |wrong: &dyn std::fmt::Display| (wrong.to_string(), false);
    let mut head = Vec::new();
    let opened = import::open_quietly(input).map_err(|wrong| failed(&wrong))?;
    opened.take(64).read_to_end(&mut head).map_err(|e| failed(&unreadable(&e)))?;
    if head.is_empty() {
        return Err(("empty: still being written, or never flushed".into(), false));
    }
    if !jhist::is_history(&head) {
        let why = match import::check(&jhist::WANTED, &head) {
            Err(packed) => packed.to_string(),
            Ok(()) => format!("not a history: begins with \"{}\"", jhist::shown(&head)),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Err((why, !name.contains(".jhist") && !name.starts_with("job_")));
    }
    let (job, _) = super::job::read(input, &mut |_| ()).map_err(|wrong| failed(&wrong))?;
    Ok(JobIndexInfo {
        id: job.id,
        submit: job.submit,
        start: job.am_start,
        user: job.user,
        name: job.name,
        finish: job.finish,
        maps: job.maps,
        reduces: job.reduces,
        status: job.status,
        queue: job.queue,
        path: path.to_path_buf(),
        input: input.clone(),
    })
}

/// Strips the compression suffix.
fn unpacked(name: &str) -> &str {
    let packed = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending));
    packed.unwrap_or(name)
}

/// Parses a file name; `None`: not that of a history.
pub fn parse_name(path: &Path) -> Option<JobIndexInfo> {
    let name = path.file_name()?.to_str()?;
    let name = unpacked(name);
    let Some(name) = name.strip_suffix(".jhist") else { return of_hadoop1(name, path) };
    let parts: Vec<&str> = name.split('-').collect();
    let [id, submit, user, job, finish, maps, reduces, status, rest @ ..] = parts.as_slice() else {
        return None;
    };
    if !id.starts_with("job_") {
        return None;
    }
    let number = |text: &str| text.parse::<i64>().ok().filter(|n| *n >= 0);
    Some(JobIndexInfo {
        id: plain(id),
        submit: number(submit),
        user: plain(user),
        name: plain(job),
        finish: number(finish),
        maps: number(maps),
        reduces: number(reduces),
        status: plain(status),
        queue: rest.first().map(|queue| plain(queue)).unwrap_or_default(),
        start: rest.get(1).and_then(|start| number(start)),
        path: path.to_path_buf(),
        input: Input::File(path.to_path_buf()),
    })
}

/// Parses `job_201311192236_3583_1386370578196_user1_Sleep+job`.
fn of_hadoop1(name: &str, path: &Path) -> Option<JobIndexInfo> {
    let parts: Vec<&str> = name.splitn(6, '_').collect();
    let ["job", tracker, number, submit, user, job] = parts.as_slice() else { return None };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let is_one = digits(tracker) && digits(number) && digits(submit) && submit.len() >= 12;
    is_one.then(|| JobIndexInfo {
        id: format!("job_{tracker}_{number}"),
        submit: submit.parse().ok(),
        user: plain(user),
        name: plain(&job.replace('+', " ")),
        ..nameless(path, Input::File(path.to_path_buf()))
    })
}

/// An entry for a file whose name has no fields.
fn nameless(path: &Path, input: Input) -> JobIndexInfo {
    JobIndexInfo {
        id: String::new(),
        submit: None,
        start: None,
        user: String::new(),
        name: String::new(),
        finish: None,
        maps: None,
        reduces: None,
        status: String::new(),
        queue: String::new(),
        path: path.to_path_buf(),
        input,
    }
}

/// Percent-decodes: `odd%2Dfail` → `odd-fail`.
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
        let job = parse_name(Path::new(name)).unwrap();
        assert_eq!((job.id.as_str(), job.name.as_str()), ("job_1795196704576_0003", "odd-fail"));
        assert_eq!((job.maps, job.reduces, job.status.as_str()), (Some(4), Some(1), "SUCCEEDED"));
        assert_eq!((job.queue.as_str(), job.finish), ("root.default", Some(1_795_196_779_021)));
        assert_eq!(
            parse_name(Path::new("job_1795196704576_0003_1.jhist")),
            None,
            "still being written"
        );
        for packed in ["gz", "zst"] {
            assert_eq!(parse_name(Path::new(&format!("{name}.{packed}"))).unwrap().id, job.id);
        }
        let old = "job_201311192236_3583_1386370578196_user1_Sleep+job";
        let job = parse_name(Path::new(old)).unwrap();
        assert_eq!((job.id.as_str(), job.name.as_str()), ("job_201311192236_3583", "Sleep job"));
        assert_eq!(plain("%2"), "%2");
        assert_eq!(plain("100%zz"), "100%zz");
    }
}
