//! `tenbin meta …` with real processes.
use crate::tenbin::Place;

#[test]
fn the_demo_loses_nothing_when_a_server_is_killed() {
    let place = Place::new("meta-demo");
    let shown = place.json(&["meta", "demo"]);
    assert_eq!(shown["lost"], 0, "{shown}");
    assert_eq!(shown["strictly_serializable"], true, "{shown}");
    assert!(shown["acknowledged"].as_u64().is_some_and(|n| n > 50), "{shown}");
}

#[test]
fn a_cluster_file_that_is_wrong_is_named_with_its_line() {
    let place = Place::new("meta-cluster");
    place.ok(&["meta", "init", "meta.toml", "--servers", "127.0.0.1:7500,127.0.0.1:7501"]);
    let text = std::fs::read_to_string(place.dir.join("meta.toml")).expect("it was written");
    place.write("meta.toml", text.replace("number = 1", "number = 7"));
    for command in [&["meta", "ls", "/"][..], &["meta", "status"], &["meta", "fsck"]] {
        let done = place.tenbin(&[command, &["--cluster", "meta.toml"]].concat());
        assert_eq!(done.code, Some(2), "{}", done.err);
        assert!(done.err.contains("meta.toml:10: number: 7: expected 0 to 1"), "{}", done.err);
    }
}

/// Nodes as processes; they end when this is dropped.
struct Nodes(Vec<std::process::Child>);

impl Drop for Nodes {
    fn drop(&mut self) {
        for node in &mut self.0 {
            let _ = node.kill();
            let _ = node.wait();
        }
    }
}

#[test]
#[cfg(unix)]
fn clients_that_are_killed_and_servers_that_are_paused_leave_no_locks() {
    use nix::sys::signal::{Signal, kill};
    let place = Place::new("meta-clients");
    let listeners = [(); 3].map(|()| std::net::TcpListener::bind("127.0.0.1:0").expect("a port"));
    let addresses =
        listeners.each_ref().map(|one| one.local_addr().expect("an address").to_string());
    drop(listeners);
    place.ok(&["meta", "init", "meta.toml", "--servers", &addresses.join(",")]);
    let start = |address: &String| {
        let data = format!("data-{address}").replace(':', "-");
        let node = ["meta", "node", "--cluster", "meta.toml", "--listen", address, "--data", &data];
        place.command(&node).stdout(std::process::Stdio::null()).spawn().expect("it starts")
    };
    let nodes = Nodes(addresses.iter().map(start).collect());
    for _ in 0..2 {
        place.ok(&["meta", "mkdir", "-p", "/x/y/z", "/x/w", "--cluster", "meta.toml"]);
    }
    let bench = ["meta", "bench", "--cluster", "meta.toml", "--workload", "mix", "--clients", "4"];
    let wait = |ms: u64| std::thread::sleep(std::time::Duration::from_millis(ms));
    for round in 0..9 {
        let mut client = place.command(&bench).spawn().expect("it starts");
        wait(300);
        let paused = nix::unistd::Pid::from_raw(nodes.0[round % 3].id() as i32);
        kill(paused, Signal::SIGSTOP).expect("it runs");
        wait(100);
        client.kill().expect("it runs");
        client.wait().expect("it ends");
        kill(paused, Signal::SIGCONT).expect("it runs");
    }
    let checked = place.json(&["meta", "fsck", "--cluster", "meta.toml"]);
    assert!(checked["rows"].as_u64().is_some_and(|rows| rows > 3), "{checked}");
    let status = place.json(&["meta", "status", "--cluster", "meta.toml"]);
    for server in status["servers"].as_array().expect("a list") {
        assert_eq!(server["status"]["locks"], 0, "{server}");
    }
    place.ok(&["meta", "backup", "copy", "--cluster", "meta.toml"]);
}

#[test]
fn a_lost_server_is_replaced_by_its_standby() {
    let place = Place::new("meta-standbys");
    let shown = place.json(&["meta", "demo", "--standbys"]);
    assert_eq!((&shown["lost"], &shown["strictly_serializable"]), (&0.into(), &true.into()));
    let shown = place.json(&["meta", "demo", "--grow", "--kills", "2"]);
    assert_eq!((&shown["lost"], &shown["strictly_serializable"]), (&0.into(), &true.into()));
}
