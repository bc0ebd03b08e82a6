//! Real disks and clusters. As root, on an idle machine: make test-real
use crate::tenbin::{Done, Place};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Returns both outputs.
pub(crate) fn run(program: &str, args: &[&str]) -> String {
    let done =
        Command::new(program).args(args).output().unwrap_or_else(|e| panic!("{program}: {e}"));
    let said = [done.stdout, done.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(done.status.success(), "{program} {args:?}: {said}");
    said
}

fn now() -> Instant {
    #[allow(clippy::disallowed_methods, reason = "real time is what is tested")]
    Instant::now()
}

/// Milliseconds in which a device had something to do.
fn busy_ms(device: &str) -> f64 {
    let name = device.trim_start_matches("/dev/");
    let text = std::fs::read_to_string(format!("/sys/block/{name}/stat")).expect("its figures");
    text.split_whitespace().nth(9).expect("the tenth").parse().expect("a number")
}

/// Ended with this process.
struct Testbed {
    place: Place,
    name: String,
    up: Option<Child>,
}

impl Testbed {
    fn new(name: &str) -> Testbed {
        Testbed {
            place: Place::new(name),
            name: format!("{name}-{}", std::process::id()),
            up: None,
        }
    }

    /// Starts the testbed in the foreground; returns its state once it is up.
    fn start(&mut self, args: &[&str]) -> String {
        let args = [&["testbed"], args, &["--name", &self.name]].concat();
        let mut command = self.place.command(&args);
        self.up = Some(command.stdout(Stdio::null()).spawn().expect("it starts"));
        let state = Path::new("/run/tenbin").join(&self.name).join("state");
        for _ in 0..600 {
            if let Ok(text) = std::fs::read_to_string(&state) {
                return text;
            }
            std::thread::sleep(Duration::from_millis(50));
            let ended = self.up.as_mut().expect("it runs").try_wait().expect("it can be asked");
            assert!(ended.is_none(), "{ended:?}");
        }
        panic!("it is not up after 30 s");
    }

    fn disk(&mut self, args: &[&str]) -> String {
        let state = self.start(&[&["disk"], args].concat());
        state.split(' ').next().expect("a device").to_string()
    }

    fn kill(&mut self) {
        let mut up = self.up.take().expect("it runs");
        up.kill().expect("it can be killed");
        up.wait().expect("it ends");
    }

    fn exec(&self, node: &str, line: &[&str]) -> Done {
        let args = [&["testbed", "exec", "--name", &self.name, node, "--"], line].concat();
        self.place.tenbin(&args)
    }

    /// Checks that nothing of the testbed is left.
    fn is_gone(&self) {
        let backing = run("losetup", &["--all"]);
        assert!(!backing.contains(&self.name), "{backing}");
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("mounts");
        assert!(!mounts.contains(&self.name), "{mounts}");
        assert!(!Path::new("/run/tenbin").join(&self.name).exists());
        assert_eq!(processes_with(&self.name), Vec::<String>::new());
    }
}

impl Drop for Testbed {
    fn drop(&mut self) {
        if let Some(mut up) = self.up.take() {
            let _ = up.kill();
            let _ = up.wait();
            let _ = self.place.tenbin(&["testbed", "down", &self.name]);
        }
    }
}

/// Command lines that contain a word.
pub(crate) fn processes_with(word: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("processes").flatten();
    let lines = entries.filter_map(|e| std::fs::read(e.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(word)).collect()
}

#[test]
#[ignore = "needs root and a quiet machine: make test-real"]
fn testbed_disk_is_as_its_data_sheet() {
    let mut testbed = Testbed::new("sheet");
    let device = testbed.disk(&["--model", "hdd-7200", "--size", "8GiB"]);
    let started = now();
    let from = format!("if={device}");
    run("dd", &[&from, "of=/dev/null", "bs=4M", "count=400"]);
    let rate = 400.0 * f64::from(4 << 20) / started.elapsed().as_secs_f64();
    assert!((rate / 150e6 - 1.0).abs() < 0.02, "in sequence: {:.1} MB/s", rate / 1e6);
    // Time of one read; the kernel must count the drive as busy during reads, and idle between.
    let each = 12.36e-3 + 4096.0 / 150e6;
    let (before, reads) = (busy_ms(&device), 500);
    let mut read = Duration::ZERO;
    for nth in 0..reads {
        let place = format!("skip={}", (nth * 7_919_u64 * 1009) % (8 << 18));
        let started = now();
        run("chrt", &["-r", "1", "dd", &from, "bs=4k", "count=1", "iflag=direct", &place]);
        read += started.elapsed();
        std::thread::sleep(Duration::from_millis(8));
    }
    let busy = (busy_ms(&device) - before) / 1e3 / reads as f64;
    assert!((busy / each - 1.0).abs() < 0.05, "busy {:.2} ms a read", busy * 1e3);
    assert!(read.as_secs_f64() / reads as f64 > 0.95 * each);
    // A program that waits for a CPU sends its requests late.
    let line = ["-r", "1", crate::PROGRAM, "calibrate", "disk", &device];
    let calibrated = run("chrt", &[&line[..], &["--seconds", "10"]].concat());
    let random = calibrated.split("random read ").nth(1).and_then(|rest| rest.split(' ').next());
    let random: f64 = random.expect("it says it").parse().expect("a number");
    assert!((random / each / 1e3 - 1.0).abs() < 0.05, "a random read: {random} ms");
    let rate = calibrated.split("rate ").nth(1).and_then(|rest| rest.split(' ').next());
    let rate: f64 = rate.expect("it says it").parse().expect("a number");
    assert!((rate / 150.0 - 1.0).abs() < 0.02, "one reader: {rate} MB/s");
    testbed.place.ok(&["testbed", "down", &testbed.name]);
    testbed.is_gone();
}

#[test]
#[ignore = "needs root: make test-real"]
fn testbed_killed_under_a_file_system_leaves_nothing() {
    let mut testbed = Testbed::new("killed");
    let device = testbed.disk(&["--size", "1GiB"]);
    run("mkfs.ext4", &["-q", "-F", &device]);
    let at = testbed.place.dir.join("at");
    std::fs::create_dir(&at).expect("a folder");
    run("mount", &[&device, at.to_str().expect("a name")]);
    let written = vec![1; 32 << 20];
    std::fs::write(at.join("file"), &written).expect("it is written");
    testbed.kill();
    testbed.place.ok(&["testbed", "down", &testbed.name]);
    testbed.is_gone();
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("mounts");
    assert!(!mounts.contains(at.to_str().expect("a name")), "{mounts}");
}

/// Two racks of two nodes with a disk each, and slow links.
const CLUSTER: &str = "[cluster]\nracks = 2\nnodes_per_rack = 2\n[hardware]\n\
                       disks_per_node = 1\nnic = \"200Mbit/s\"\ninter_rack = \"100Mbit/s\"\n";

#[test]
#[ignore = "needs root: make test-real"]
fn testbed_cluster_has_nodes_links_and_disks_and_goes() {
    let mut testbed = Testbed::new("cluster");
    testbed.place.write("cluster.toml", CLUSTER);
    testbed.start(&["up", "cluster.toml", "--size", "1GiB", "--also", "master"]);
    let on = |node: &str, script: &str| {
        let done = testbed.exec(node, &["sh", "-c", script]);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        done.out.trim().to_string()
    };
    assert_eq!(on("dn-r2-01", "hostname"), "dn-r2-01");
    assert_eq!(on("master", "echo $TENBIN_NODE $TENBIN_DISKS"), "master");
    // Each has its own disk, at the same path.
    let path = on("dn-r1-01", "echo $TENBIN_DISKS");
    let device = on("dn-r1-01", "echo $TENBIN_DEVICES");
    assert!(device.starts_with("loop") && device != on("dn-r2-02", "echo $TENBIN_DEVICES"));
    assert_eq!(on("dn-r2-02", "echo $TENBIN_DISKS"), path);
    on("dn-r1-01", "echo here >$TENBIN_DISKS/file");
    assert_eq!(on("dn-r1-01", "cat $TENBIN_DISKS/file"), "here");
    assert_eq!(testbed.exec("dn-r1-02", &["test", "-e", &format!("{path}/file")]).code, Some(1));
    // Traffic over the links: 20 MB within a rack, and between two.
    for (to, rate) in [("dn-r1-02", 200e6 / 8.0), ("dn-r2-02", 100e6 / 8.0)] {
        on(to, "python3 -c \"$SINK\" >/dev/null 2>&1 &".replace("$SINK", SINK).as_str());
        let took: f64 = on("dn-r1-01", &format!("python3 -c '{SOURCE}' {to}")).parse().expect("s");
        let got = 20e6 / took;
        assert!((got / rate - 1.0).abs() < 0.08, "to {to}: {:.1} MB/s", got / 1e6);
    }
    testbed.kill();
    assert_ne!(testbed.exec("master", &["true"]).code, Some(0));
    testbed.place.ok(&["testbed", "down", &testbed.name]);
    testbed.is_gone();
}

const SINK: &str = "import socket\ns=socket.create_server(('',7000))\nc,_=s.accept()\n\
                    while c.recv(65536): pass\nc.send(b'x')";
const SOURCE: &str = "import socket,sys,time\nfor i in range(50):\n try:\n  \
                      s=socket.create_connection((sys.argv[1],7000)); break\n except OSError: \
                      time.sleep(.1)\nt=time.time()\ns.sendall(bytes(20000000))\n\
                      s.shutdown(1)\ns.recv(1)\nprint(time.time()-t)";

#[test]
#[ignore = "needs root: make test-real"]
fn testbed_that_cannot_be_made_leaves_nothing() {
    let testbed = Testbed::new("refused");
    let refused = |args: &[&str], code: i32, says: &str| {
        let done = testbed.place.tenbin(&[&["testbed"], args, &["--name", &testbed.name]].concat());
        assert_eq!(done.code, Some(code), "{}{}", done.out, done.err);
        assert!(done.err.contains(says), "{}", done.err);
        testbed.is_gone();
    };
    refused(&["disk", "/dev/loop-control"], 1, "/dev/loop-control");
    refused(&["disk", "/dev/loop99999"], 2, "expected an existing loop device");
    refused(&["disk", "/dev/vda"], 2, "expected an existing loop device");
    refused(&["disk", "--model", "ssd-nvme-gen4"], 2, "expected a disk of at most 1000 MB/s");
    refused(&["disk", "--store", "/proc"], 1, "/proc");
    testbed.place.write("cluster.toml", CLUSTER);
    let set = "hardware.disks_per_node=900";
    refused(&["up", "cluster.toml", "--set", set], 2, "expected at most 256");
}

/// Three nodes of the relay on one disk that logs its writes; the power is cut at any of them.
#[test]
#[ignore = "needs root: make test-real"]
fn testbed_power_cut_costs_the_relay_nothing_that_was_acknowledged() {
    let mut testbed = Testbed::new("cut");
    let log = testbed.place.dir.join("writes.log");
    let log_name = log.to_str().expect("a name").to_string();
    let device = testbed.disk(&["--model", "ssd-sata", "--size", "512MiB", "--log", &log_name]);
    run("mkfs.ext4", &["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", &device]);
    let at = testbed.place.dir.join("at");
    std::fs::create_dir(&at).expect("a folder");
    let at_name = at.to_str().expect("a name").to_string();
    run("mount", &[&device, &at_name]);
    let content = |write: usize| vec![write as u8; 400_000 + 100_000 * write];
    let length = || std::fs::metadata(&log).expect("it is there").len();
    let mut acknowledged = vec![length()];
    {
        let nodes = relay_nodes(&at);
        for write in 1..=5 {
            testbed.place.write("in", content(write));
            let put = ["relay", "put", "in", "x", "--force", "--block", "16k", "--nodes", &nodes.1];
            testbed.place.ok(&put);
            acknowledged.push(length());
        }
    }
    run("umount", &[&at_name]);
    testbed.place.ok(&["testbed", "down", &testbed.name]);
    let (first, last) = (acknowledged[0], acknowledged[5]);
    let cuts = (0..40).map(|nth| first + (last - first) * nth / 39);
    let mut seen = std::collections::BTreeSet::new();
    for cut in cuts.chain(acknowledged.iter().copied()) {
        let image = testbed.place.dir.join("cut.img");
        let image_name = image.to_str().expect("a name");
        let upto = cut.to_string();
        testbed.place.ok(&["testbed", "image", &log_name, image_name, "--upto", &upto]);
        run("mount", &["-o", "loop", image_name, &at_name]);
        // The last block may be stored without an acknowledgement.
        let least = acknowledged.iter().filter(|end| **end <= cut).count() - 1;
        let nodes = relay_nodes(&at);
        let get = ["relay", "get", "x", "out", "--force", "--nodes", &nodes.1];
        let got = testbed.place.tenbin(&get);
        let found = match got.code {
            Some(0) => std::fs::read(testbed.place.dir.join("out")).expect("it is there"),
            _ => Vec::new(),
        };
        let is_old = found == if least > 0 { content(least) } else { Vec::new() };
        let is_new = least < 5 && found == content(least + 1);
        assert!(
            is_old || is_new,
            "cut at {cut}: {} bytes of write {least}: {}",
            found.len(),
            got.err
        );
        seen.insert(found.len());
        drop(nodes);
        run("umount", &[&at_name]);
        std::fs::remove_file(&image).expect("our own");
    }
    assert_eq!(seen.len(), 6, "each write was the newest at some cut: {seen:?}");
}

/// Three nodes with their data in a folder, and their list.
fn relay_nodes(at: &Path) -> (Vec<Leashed>, String) {
    let start = |node: usize| {
        let data = at.join(format!("node-{node}"));
        let mut command = Command::new(crate::PROGRAM);
        command.args(["relay", "node", "--leash", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("up");
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        std::io::BufRead::read_line(&mut out, &mut line).expect("it says where it listens");
        (Leashed(child), line.split_whitespace().nth(2).expect("an address").to_string())
    };
    let (nodes, list): (Vec<Leashed>, Vec<String>) = (0..3).map(start).unzip();
    (nodes, list.join(","))
}

/// A process that is killed on drop.
struct Leashed(Child);

impl Drop for Leashed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
