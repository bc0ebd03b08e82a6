//! `/run/tenbin/NAME`: state of a running testbed, and cleanup after a killed one.
//!
//! Cleanup reads no record, which could be stale: it finds devices by the name of their file, and
//! mounts by device and folder.
use crate::host::{self, Loop};
use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Failure, clock, console};

const ROOT: &str = "/run/tenbin";

/// Timeout of a testbed's end; its devices have a third of it.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub name: String,
}

pub struct Claim {
    pub place: Place,
    _lock: Flock<File>,
}

pub fn failed(path: &Path, e: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!("{}: {e}", path.display()))
}

impl Place {
    /// # Errors
    /// The name is invalid.
    pub fn of(name: &str) -> Result<Place, Failure> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        match name.len() {
            1..=32 if name.chars().all(fits) => Ok(Place { name: name.into() }),
            _ => Err(Failure::BadInput(format!(
                "--name {name}: expected up to 32 letters, digits, - and _"
            ))),
        }
    }

    pub fn all() -> Vec<Place> {
        let entries = fs::read_dir(ROOT).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut all: Vec<Place> = names.filter_map(|name| Place::of(&name).ok()).collect();
        all.sort();
        all
    }

    /// The only testbed, if no name is given.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn only(name: Option<&str>) -> Result<Place, Failure> {
        if let Some(name) = name {
            let place = Place::of(name)?;
            return match place.folder().is_dir() {
                true => Ok(place),
                false => Err(Failure::BadInput(format!("no testbed is called {name}"))),
            };
        }
        let mut all = Place::all();
        match all.len() {
            1 => Ok(all.remove(0)),
            0 => Err(Failure::BadInput("no testbed exists".into())),
            _ => {
                let names: Vec<String> = all.into_iter().map(|place| place.name).collect();
                Err(Failure::BadInput(format!(
                    "several testbeds exist: expected one of {}",
                    names.join(", ")
                )))
            }
        }
    }

    pub fn folder(&self) -> PathBuf {
        Path::new(ROOT).join(&self.name)
    }

    pub fn file(&self, nth: usize) -> String {
        format!("{}{nth}", self.marker())
    }

    fn marker(&self) -> String {
        format!("tenbin.{}.", self.name)
    }

    pub fn loops(&self) -> Vec<Loop> {
        let marker = self.marker();
        host::loops().into_iter().filter(|l| l.file.starts_with(&marker)).collect()
    }

    /// Locks the place for this process; cleans up after a killed testbed first.
    ///
    /// # Errors
    /// The testbed is up, or the place cannot be created.
    pub fn claim(self) -> Result<Claim, Failure> {
        let folder = self.folder();
        let is_there = folder.is_dir();
        fs::create_dir_all(&folder).map_err(|e| failed(&folder, e))?;
        let Some(lock) = self.lock()? else {
            let name = &self.name;
            return Err(Failure::Failed(format!(
                "testbed {name} is up: `tenbin testbed down {name}`, or choose another --name"
            )));
        };
        if !is_there {
            return Ok(Claim { place: self, _lock: lock });
        }
        console::note(&format!("testbed {} was killed: removing its remains", self.name));
        self.sweep()?;
        drop(lock);
        self.claim()
    }

    /// `None`: another process has the lock.
    fn lock(&self) -> Result<Option<Flock<File>>, Failure> {
        let path = self.folder().join("lock");
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = open.map_err(|e| failed(&path, e))?;
        let Ok(mut lock) = Flock::lock(file, FlockArg::LockExclusiveNonblock) else {
            return Ok(None);
        };
        let written = lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id()));
        written.map_err(|e| failed(&path, e))?;
        Ok(Some(lock))
    }

    /// The serving process, if the testbed is up.
    pub fn server(&self) -> Option<Pid> {
        let path = self.folder().join("lock");
        let file = File::open(&path).ok()?;
        if Flock::lock(file, FlockArg::LockSharedNonblock).is_ok() {
            return None;
        }
        let pid: i32 = fs::read_to_string(&path).ok()?.trim().parse().ok()?;
        Some(Pid::from_raw(pid))
    }

    /// Hosts of the testbed; `None`: not up.
    pub fn state(&self) -> Option<String> {
        fs::read_to_string(self.folder().join("state")).ok()
    }

    /// Ends the serving process and cleans up.
    ///
    /// # Errors
    /// A device is still in use.
    pub fn down(&self) -> Result<(), Failure> {
        if let Some(pid) = self.server() {
            let _ = kill(pid, Signal::SIGTERM);
            if !wait(PATIENCE, || self.server().is_none()) {
                console::note(&format!("process {pid} does not end: killing it"));
                let _ = kill(pid, Signal::SIGKILL);
                wait(PATIENCE, || self.server().is_none());
            }
        }
        self.sweep()
    }

    /// Removes devices, mounts and files. Only for the serving process, or without one.
    ///
    /// # Errors
    /// A device is still in use, with its users.
    pub fn sweep(&self) -> Result<(), Failure> {
        for device in self.loops() {
            host::mounts_of(&device.number).iter().for_each(|at| unmount(at));
            // The device may already be gone.
            let _ = host::run("losetup", &["-d", &device.device]);
        }
        host::mounts_below(&self.folder()).iter().for_each(|at| unmount(at));
        if !wait(PATIENCE / 3, || self.loops().is_empty()) {
            let held = |l: Loop| {
                let by = host::holders_of(&l.number).join(", ");
                format!("{}{}", l.device, if by.is_empty() { by } else { format!(" by {by}") })
            };
            let held: Vec<String> = self.loops().into_iter().map(held).collect();
            return Err(Failure::Failed(format!(
                "still in use: {}; end that program, then `tenbin testbed down {}`",
                held.join(", "),
                self.name
            )));
        }
        let folder = self.folder();
        match fs::remove_dir_all(&folder) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(failed(&folder, e)),
            _ => {
                // Other testbeds may exist.
                let _ = fs::remove_dir(ROOT);
                Ok(())
            }
        }
    }
}

/// Output of `tenbin testbed status`, for one testbed or all.
///
/// # Errors
/// No testbed of this name.
pub fn status(name: Option<&str>) -> Result<String, Failure> {
    let places = match name {
        Some(_) => vec![Place::only(name)?],
        None => Place::all(),
    };
    let one = |place: &Place| match (place.server(), place.state()) {
        (Some(pid), Some(state)) => format!("{}, up, served by process {pid}\n{state}", place.name),
        (Some(_), None) => format!("{}, not up yet\n", place.name),
        (None, _) => format!("{0}, killed: `tenbin testbed down {0}`\n", place.name),
    };
    match places[..] {
        [] => Ok("no testbed\n".into()),
        _ => Ok(places.iter().map(one).collect::<Vec<_>>().join("\n")),
    }
}

/// A mount in use is detached lazily.
fn unmount(at: &str) {
    if host::run("umount", &[at]).is_err() {
        let _ = host::run("umount", &["--lazy", at]);
    }
}

/// Waits until `is_so`; returns false after the timeout.
fn wait(at_most: Duration, is_so: impl Fn() -> bool) -> bool {
    let start = clock::now();
    loop {
        if is_so() {
            return true;
        }
        if start.elapsed() > at_most {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20))
    }
}
