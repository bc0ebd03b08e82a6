//! `tenbin` starts `tenbin-lab` for commands on real kernels, or asks the user to install it.
#![cfg(unix)]
use crate::tenbin::{Done, Place, done};
use std::os::unix::fs::PermissionsExt;

/// Runs the program from a folder without `tenbin-lab`.
fn alone(place: &Place, args: &[&str], path: &str) -> Done {
    let program = place.dir.join("alone/tenbin");
    if !program.exists() {
        std::fs::create_dir(place.dir.join("alone")).expect("a folder");
        std::fs::copy(crate::PROGRAM, &program).expect("the program");
    }
    let mut command = std::process::Command::new(program);
    done(command.args(args).env("PATH", path).output().expect("it runs"))
}

#[test]
fn without_tenbin_lab_the_message_says_how_to_get_it() {
    let place = Place::new("no-lab");
    for (args, what) in [
        (
            &["twin", "hdfs", "x.toml", "--runs", "3"][..],
            "tenbin twin hdfs: the program tenbin-lab",
        ),
        (&["testbed", "--help"], "tenbin testbed --help: the program tenbin-lab"),
        (&["reproduce", "s2", "--real"], "tenbin reproduce s2: the program tenbin-lab"),
    ] {
        let done = alone(&place, args, "/nowhere");
        assert_eq!(done.code, Some(2), "{args:?}: {}", done.err);
        assert!(done.err.contains(what) && done.err.contains("make lab"), "{}", done.err)
    }
    let help = alone(&place, &["--help"], "/nowhere");
    assert!(help.out.contains("twin") && help.out.contains("testbed"), "{}", help.out)
}

#[test]
fn tenbin_lab_gets_the_whole_line_and_gives_its_code() {
    let place = Place::new("a-lab");
    place.write("tenbin-lab", "#!/bin/sh\necho \"$@\"\nexit 7\n");
    let lab = place.dir.join("tenbin-lab");
    std::fs::set_permissions(lab, PermissionsExt::from_mode(0o755)).expect("it is ours");
    let path = format!("{}:/usr/bin:/bin", place.dir.display());
    for line in ["calibrate disk /mnt --seconds 2", "twin hdfs -- x", "reproduce s1 --real"] {
        let done = alone(&place, &line.split(' ').collect::<Vec<_>>(), &path);
        assert_eq!((done.code, done.out.trim()), (Some(7), line), "{}", done.err)
    }
}
