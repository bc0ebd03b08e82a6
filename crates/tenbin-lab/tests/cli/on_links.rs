//! A paper's figures measured on shaped links. As root, on an idle machine: make test-real
use crate::tenbin::Place;
use crate::testbed::{processes_with, run};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

const ARGS: [&str; 8] = ["reproduce", "s2", "--real", "--claim", "C2.1", "--runs", "2", "-o"];

/// A campaign, and the folder of its nodes.
struct Campaign {
    child: Child,
    folder: PathBuf,
}

impl Campaign {
    fn start(place: &Place) -> Campaign {
        let mut command = place.command(&[&ARGS[..], &["out"]].concat());
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let folder = format!("tenbin-relay-real-{}", child.id());
        Campaign { child, folder: std::env::temp_dir().join(folder) }
    }

    /// Waits until no process uses the folder; only a failed removal leaves it.
    fn is_gone(&self) {
        let name = self.folder.to_string_lossy().into_owned();
        let is_over = || processes_with(&name).is_empty();
        let over = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            is_over()
        });
        assert!(over, "{:?}", processes_with(&name));
    }
}

/// Waits for this number of lines in the file of finished runs.
fn kept(place: &Place, least: usize) -> usize {
    let file = place.dir.join("out-real.runs.jsonl");
    let lines = || std::fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    for _ in 0..1200 {
        if lines() >= least {
            return lines();
        }
        std::thread::sleep(Duration::from_millis(50))
    }
    panic!("{}: {} lines", file.display(), lines())
}

#[test]
#[ignore = "needs root, and a minute: make test-real"]
fn testbed_links_go_with_what_made_them_and_a_campaign_goes_on() {
    let place = Place::new("on-links");
    let mut stopped = Campaign::start(&place);
    // One line identifies the campaign; two lines are runs.
    let first = kept(&place, 3);
    run("kill", &["-INT", &stopped.child.id().to_string()]);
    assert_eq!(stopped.child.wait().expect("it ends").code(), Some(130));
    stopped.is_gone();
    assert!(!stopped.folder.exists());
    let mut killed = Campaign::start(&place);
    kept(&place, first + 1);
    killed.child.kill().expect("it runs");
    killed.child.wait().expect("it ends");
    killed.is_gone();
    std::fs::remove_dir_all(&killed.folder).expect("it is left");
    let done = place.ok(&[&ARGS[..], &["out"]].concat());
    assert!(done.out.contains("Measured on a small cluster"), "{}", done.out);
    assert!(!place.dir.join("out-real.runs.jsonl").exists(), "its runs are in the result");
}
