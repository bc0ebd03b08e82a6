//! Runs the binary in a folder of its own.
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder that goes away, with what the tests need in it.
pub struct Place {
    pub dir: PathBuf,
}

#[derive(Debug)]
pub struct Done {
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("two levels up")
}

impl Place {
    /// Empty.
    pub fn new(name: &str) -> Place {
        let dir = std::env::temp_dir().join(format!("tenbin-cli-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a temporary folder");
        Place { dir }
    }

    /// With the scenario that needs no import.
    pub fn with_s0(name: &str) -> Place {
        let place = Place::new(name);
        std::fs::copy(root().join("scenarios/s0.toml"), place.dir.join("s0.toml")).expect("s0");
        place
    }

    /// With all scenarios, examples, and the cluster that they import.
    pub fn with_everything(name: &str) -> Place {
        let place = Place::new(name);
        for folder in ["scenarios", "examples"] {
            copy(&root().join(folder), &place.dir.join(folder));
        }
        place.ok(&[
            "import",
            "hdfs",
            "--fsck",
            "examples/shop/fsck-files-blocks-replicaDetails.txt.gz",
            "--report",
            "examples/shop/dfsadmin-report.txt",
            "--topology",
            "examples/shop/dfsadmin-printTopology.txt",
            "--conf",
            "examples/shop/hdfs-site.xml",
            "-o",
            "examples/shop/shop.toml",
        ]);
        place
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.dir.join(name), bytes).expect("a writable folder")
    }

    /// The binary, ready to run here.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(crate::PROGRAM);
        command.args(args).current_dir(&self.dir).stdin(Stdio::null());
        command
    }

    /// Runs `tenbin ARGS` here.
    pub fn tenbin(&self, args: &[&str]) -> Done {
        done(self.command(args).output().expect("the binary runs"))
    }

    /// As above, and it must succeed.
    pub fn ok(&self, args: &[&str]) -> Done {
        let done = self.tenbin(args);
        assert_eq!(done.code, Some(0), "tenbin {args:?}\n{}{}", done.out, done.err);
        done
    }

    /// As above, with `--json`: the one object.
    pub fn json(&self, args: &[&str]) -> serde_json::Value {
        let done = self.ok(&[args, &["--json"]].concat());
        assert_eq!(done.out.matches('\n').count(), 1, "one line: {}", done.out);
        serde_json::from_str(&done.out).expect("JSON")
    }

    /// Names of the folder's entries, including hidden ones.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.dir).expect("the folder");
        let name = |e: std::io::Result<std::fs::DirEntry>| {
            e.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a writable folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target)
        } else {
            std::fs::copy(entry.path(), target).expect("a readable file");
        }
    }
}

/// Converts a process's output to text.
pub fn done(output: Output) -> Done {
    Done {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
