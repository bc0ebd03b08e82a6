//! HTTP of `tenbin serve`: a client's body is refused unread, and a silent client blocks no other.
use crate::tenbin::Place;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A server of one run, which ends with the test.
struct Server {
    child: Child,
    port: u16,
    _place: Place,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// A server of this folder.
    fn new(place: Place, folder: &str) -> Server {
        let mut command = place.command(&["serve", folder, "--port", "0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("its address");
        let port = line.trim().trim_end_matches('/').rsplit(':').next().expect("a port");
        Server { port: port.parse().expect(&line), child, _place: place }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
        stream
    }

    /// What is answered to a head; the connection is closed behind it.
    fn ask(&self, first: &str, headers: &[&str]) -> String {
        let mut stream = self.connect();
        let mut head = format!("{first} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port);
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer, and its end");
        answer
    }

    /// The most memory that it ever reserved, in KiB.
    #[cfg(target_os = "linux")]
    fn peak(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmPeak:")).expect("a peak");
        line.split_whitespace().nth(1).expect("a number").parse().expect("KiB")
    }
}

fn of_a_run(name: &str) -> Server {
    let place = Place::new(name);
    place.ok(&["run", "mapreduce-lab", "--seeds", "1", "-o", "run"]);
    Server::new(place, "run")
}

/// A run of every command that writes a page is read again, whatever system it is of.
#[test]
fn every_finished_run_is_told_shown_and_served() {
    let place = Place::new("serve-all");
    let run = place.ok(&["run", "echo", "--seeds", "2", "-o", "all/one"]);
    place.ok(&["compare", "echo", "--seeds", "2", "-o", "all/two"]);
    place.ok(&["diff", "all/one", "all/two", "-o", "all/between"]);
    let page = fs::read_to_string(place.dir.join("all/one/report.html")).expect("a page");
    fs::remove_file(place.dir.join("all/one/report.html")).expect("it is there");
    let headline = run.out.lines().next().expect("a headline");
    for (folder, said) in [("all/one", headline), ("all/two", "lifo"), ("all/between", "")] {
        let why = place.ok(&["why", folder]);
        assert!(why.out.contains("Held up by") && why.out.contains(said), "{folder}: {}", why.out);
        place.ok(&["report", folder]);
    }
    assert_eq!(fs::read_to_string(place.dir.join("all/one/report.html")).expect("a page"), page);
    assert_eq!(place.json(&["why", "all/one"])["system"], "echo");
    let bad = place.tenbin(&["why", "all/one", "--job", "job_1"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.contains("all/one: --job and --task: the run has no jobs"), "{}", bad.err);
    let server = Server::new(place, "all");
    let list = server.ask("GET /", &[]);
    for name in ["between", "one", "two"] {
        assert!(list.contains(&format!("\">{name}</a>")), "{list}")
    }
    assert!(server.ask("GET /run/2", &[]).contains("200 OK"));
}

#[test]
fn bodies_are_refused_before_they_are_read() {
    let server = of_a_run("serve-bodies");
    let page = server.ask("GET /", &[]);
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<html"), "{:.300}", page);
    let head = server.ask("HEAD /", &["Content-Length: 0"]);
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    let huge = "Content-Length: 6442450944";
    for (first, headers, status) in [
        ("POST /", &[huge][..], 405),
        ("POST /", &["Content-Length: 0"], 405),
        ("POST /", &["Transfer-Encoding: chunked"], 405),
        ("PUT /x", &[huge, "Expect: 100-continue"], 405),
        ("GET /", &[huge], 413),
        ("GET /", &["Content-Length: 999999999999999999999999999999"], 413),
        ("GET /", &["Transfer-Encoding: chunked"], 413),
        ("GET /", &["Content-Length: many"], 400),
        ("GET /", &["Origin: http://evil.example", huge], 403),
        ("GET /nothing", &[], 404),
    ] {
        let answer = server.ask(first, headers);
        let expected = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&expected), "{first} {headers:?}: {answer}");
        assert_eq!(answer.contains("\r\nAllow: GET, HEAD\r\n"), status == 405, "{answer}");
        assert!(answer.contains("\r\nConnection: close\r\n"), "{answer}");
    }
    #[cfg(target_os = "linux")]
    assert!(server.peak() < 4 << 20, "{} KiB", server.peak());
    assert!(server.ask("GET /", &[]).contains("200 OK"), "it still serves");
}

#[test]
fn a_head_has_an_end() {
    let server = of_a_run("serve-heads");
    let long = format!("X: {}", "x".repeat(20_000));
    assert!(server.ask("GET /", &[&long]).starts_with("HTTP/1.1 431 "));
}

#[test]
fn silent_and_slow_connections_keep_nobody_out() {
    let server = of_a_run("serve-silent");
    let silent: Vec<TcpStream> = (0..200).map(|_| server.connect()).collect();
    let mut slow = server.connect();
    slow.write_all(b"GET / HT").expect("it reads");
    assert!(server.ask("GET /", &[]).contains("200 OK"));
    slow.write_all(b"TP/1.1\r\nHost: ").expect("it reads");
    slow.write_all(format!("localhost:{}\r\n\r\n", server.port).as_bytes()).expect("it reads");
    let mut answer = String::new();
    slow.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains("200 OK"), "half a head is waited for");
    drop(silent)
}
