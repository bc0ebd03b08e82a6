//! The machine's programs, loop devices and mounts.
use nix::unistd::Uid;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use system::Failure;

/// (program, Debian package) that a testbed needs.
const PROGRAMS: [(&str, &str); 9] = [
    ("sh", "dash"),
    ("losetup", "mount"),
    ("mount", "mount"),
    ("umount", "mount"),
    ("mkfs.ext4", "e2fsprogs"),
    ("unshare", "util-linux"),
    ("nsenter", "util-linux"),
    ("ip", "iproute2"),
    ("tc", "iproute2"),
];

/// Checks the requirements of a testbed.
///
/// # Errors
/// Everything that is missing.
pub fn check() -> Result<(), Failure> {
    let mut missing = root("devices and namespaces");
    for (device, module) in [("/dev/fuse", "fuse"), ("/dev/loop-control", "loop")] {
        if !Path::new(device).exists() {
            missing.push(format!("{device} is missing: `modprobe {module}`"))
        }
    }
    missing.extend(programs(&PROGRAMS));
    match missing[..] {
        [] => Ok(()),
        _ => Err(Failure::Failed(format!("no testbed here: {}", missing.join("; ")))),
    }
}

/// Checks the programs for hosts with links and without disks.
///
/// # Errors
/// Everything that is missing.
pub fn check_links() -> Result<(), Failure> {
    let mut missing = root("namespaces");
    let of_links = ["sh", "unshare", "nsenter", "ip", "tc"];
    let all: Vec<_> = PROGRAMS.into_iter().filter(|(name, _)| of_links.contains(name)).collect();
    missing.extend(programs(&all));
    match missing[..] {
        [] => Ok(()),
        _ => Err(Failure::Failed(missing.join("; "))),
    }
}

fn root(what: &str) -> Vec<String> {
    match Uid::effective().is_root() {
        true => Vec::new(),
        false => vec![format!("{what}: root is required")],
    }
}

fn programs(all: &[(&str, &str)]) -> Vec<String> {
    let missing = all.iter().filter(|(program, _)| !has(program));
    let say = |(program, package): &(&str, &str)| {
        format!("`{program}` is missing: `apt-get install {package}`")
    };
    missing.map(say).collect()
}

fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    folders.chain(["/usr/sbin".into(), "/sbin".into()]).any(|dir| dir.join(program).is_file())
}

/// Also finds programs in root's folders.
pub fn command(program: &str) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(program);
    command.env("PATH", format!("{path}:/usr/sbin:/sbin")).stdin(Stdio::null());
    command
}

/// Runs a program; returns its output.
///
/// # Errors
/// The program fails, with its messages.
pub fn run(program: &str, args: &[&str]) -> Result<String, Failure> {
    let line = || format!("{program} {}", args.join(" "));
    let done = command(program).args(args).output();
    let done = done.map_err(|e| Failure::Failed(format!("{}: {e}", line())))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&done.stderr).trim().replace('\n', "; ");
    Err(Failure::Failed(format!("{}: {said}", line())))
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub device: String,
    pub number: String,
    pub file: String,
}

pub fn loops() -> Vec<Loop> {
    let read = |path: &Path| fs::read_to_string(path).map(|text| text.trim().to_string()).ok();
    let of = |entry: fs::DirEntry| {
        let path = read(&entry.path().join("loop/backing_file"))?;
        Some(Loop {
            device: format!("/dev/{}", entry.file_name().to_str()?),
            number: read(&entry.path().join("dev"))?,
            file: path.rsplit('/').next()?.to_string(),
        })
    };
    fs::read_dir("/sys/block").into_iter().flatten().flatten().filter_map(of).collect()
}

/// Mount points of a device in this process's namespace, the last first.
pub fn mounts_of(number: &str) -> Vec<String> {
    mounts(|fields| fields[2] == number)
}

/// Mounts in a folder, the last first.
pub fn mounts_below(folder: &Path) -> Vec<String> {
    mounts(|fields| Path::new(fields[4]).starts_with(folder))
}

fn mounts(is_meant: impl Fn(&[&str]) -> bool) -> Vec<String> {
    let text = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let fields = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let meant = fields.filter(|fields| fields.len() > 4 && is_meant(fields));
    let mut found: Vec<String> = meant.map(|fields| unescaped(fields[4])).collect();
    found.reverse();
    found
}

fn unescaped(path: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\134", "\\")]
        .iter()
        .fold(path.to_string(), |path, (code, meant)| path.replace(code, meant))
}

/// Processes with the device mounted, one per namespace.
pub fn holders_of(number: &str) -> Vec<String> {
    let mut spaces = BTreeSet::new();
    let of = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse::<u32>().ok()?;
        let text = fs::read_to_string(entry.path().join("mountinfo")).ok()?;
        let is_there = text.lines().any(|line| line.split(' ').nth(2) == Some(number));
        let space = fs::read_link(entry.path().join("ns/mnt")).ok()?;
        if !is_there || !spaces.insert(space) {
            return None;
        }
        let name = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        Some(format!("{} ({pid})", name.trim()))
    };
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(of).collect()
}
