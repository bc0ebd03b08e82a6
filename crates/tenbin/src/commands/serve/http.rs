//! A minimal HTTP server: `GET` and `HEAD`, one request per connection, no request bodies.
//!
//! Each connection has a thread, and [`HEAD_TIME`] to send its head. Above [`OPEN`] connections the
//! oldest is closed, so that idle clients cannot block others.
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const OPEN: usize = 64;

/// Timeout from the connection to the end of the head.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Maximum size of a head; browsers send some hundred bytes.
const HEAD_BYTES: usize = 8 << 10;

/// Timeout for a client that does not read.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// After an answer, further input is discarded for this time: an immediate close could lose the
/// answer.
const LINGER: Duration = Duration::from_millis(500);
const LINGER_BYTES: usize = 256 << 10;

const STACK: usize = 256 << 10;

/// Delay after a failed accept, when no descriptors are free.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    pub method: String,
    pub target: String,
    headers: Vec<(String, String)>,
}

/// Status 405 needs a header with the allowed methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, &'static str)>,
    pub text: String,
}

impl Answer {
    pub fn new(status: u16, text: impl Into<String>) -> Answer {
        Answer { status, headers: Vec::new(), text: text.into() }
    }
}

impl Request {
    /// `head`: without the empty line.
    ///
    /// # Errors
    /// Not an HTTP/1 head.
    pub fn parse(head: &[u8]) -> Result<Request, Answer> {
        let bad = |what: &str| Answer::new(400, format!("{what}.\n"));
        let text = std::str::from_utf8(head).map_err(|_| bad("The head is not UTF-8"))?;
        let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let first: Vec<&str> = lines.next().unwrap_or("").split(' ').collect();
        let [method, target, version] = first[..] else { return Err(bad("No request line")) };
        if !version.starts_with("HTTP/1.") || method.is_empty() || target.is_empty() {
            return Err(bad("Not HTTP/1"));
        }
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
            is_name.then(|| (name.to_ascii_lowercase(), value.trim().to_string()))
        };
        let headers: Option<Vec<_>> = lines.map(header).collect();
        let headers = headers.ok_or_else(|| bad("Not a header"))?;
        Ok(Request { method: method.into(), target: target.into(), headers })
    }

    /// `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Rejects other methods, and requests with a body.
    ///
    /// # Errors
    /// 405, 413, or 400 for an invalid length.
    pub fn check(&self) -> Result<(), Answer> {
        if !["GET", "HEAD"].contains(&self.method.as_str()) {
            let headers = vec![("Allow", "GET, HEAD")];
            return Err(Answer { headers, ..Answer::new(405, "Only GET and HEAD.\n") });
        }
        let none = || Err(Answer::new(413, "The server accepts no body.\n"));
        for (name, value) in &self.headers {
            match name.as_str() {
                "transfer-encoding" => return none(),
                "content-length" if value.is_empty() || !value.bytes().all(is_digit) => {
                    return Err(Answer::new(400, "Content-Length is not a number.\n"));
                }
                "content-length" if value.bytes().any(|digit| digit != b'0') => return none(),
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

pub type Respond = Arc<dyn Fn(&Request) -> Answer + Send + Sync>;

/// Never returns.
pub fn serve(listener: &TcpListener, respond: &Respond) {
    let open = Arc::new(Mutex::new(VecDeque::new()));
    loop {
        let accepted = listener.accept().map(|(stream, _)| Arc::new(stream));
        let started = accepted.and_then(|stream| start(stream, &open, respond));
        if started.is_err() {
            thread::sleep(PAUSE)
        }
    }
}

type Open = Arc<Mutex<VecDeque<Arc<TcpStream>>>>;

fn start(stream: Arc<TcpStream>, open: &Open, respond: &Respond) -> io::Result<()> {
    let (open, respond) = (open.clone(), respond.clone());
    {
        let mut all = open.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= OPEN
            && let Some(oldest) = all.pop_front()
        {
            // Its thread then ends.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        all.push_back(stream.clone())
    }
    let work = move || {
        // A closed browser is not an error.
        let _ = connection(&stream, &respond);
        let mut all = open.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| !Arc::ptr_eq(other, &stream))
    };
    thread::Builder::new().stack_size(STACK).spawn(work).map(|_| ())
}

fn connection(stream: &TcpStream, respond: &Respond) -> io::Result<()> {
    let request = match head(stream)? {
        Some(head) => Request::parse(&head),
        None => Err(Answer::new(431, format!("A head has at most {HEAD_BYTES} bytes.\n"))),
    };
    let (answer, bodiless) = match request {
        Ok(request) => (respond(&request), request.method == "HEAD"),
        Err(answer) => (answer, false),
    };
    let mut stream = stream;
    stream.set_write_timeout(Some(WRITE_TIME))?;
    stream.write_all(answer.head().as_bytes())?;
    if !bodiless {
        stream.write_all(answer.text.as_bytes())?
    }
    linger(stream)
}

/// Reads the head of a request; `None`: too long.
fn head(mut stream: &TcpStream) -> io::Result<Option<Vec<u8>>> {
    let begun = now();
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    loop {
        let left = HEAD_TIME.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let read = stream.read(&mut part)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&part[..read]);
        if let Some(end) = end_of(&head) {
            head.truncate(end);
            return Ok(Some(head));
        }
        if head.len() > HEAD_BYTES {
            return Ok(None);
        }
    }
}

/// Position of the empty line, without the preceding line end.
fn end_of(head: &[u8]) -> Option<usize> {
    head.windows(4).position(|four| four == b"\r\n\r\n")
}

/// Closes the write side and discards input for a moment.
fn linger(mut stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let (begun, mut thrown, mut part) = (now(), 0, [0; 4096]);
    while thrown < LINGER_BYTES {
        let left = LINGER.saturating_sub(begun.elapsed());
        if left.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part)? {
            0 => break,
            read => thrown += read,
        }
    }
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "how long a client may take is real time")]
fn now() -> Instant {
    Instant::now()
}

impl Answer {
    fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        let _ = write!(head, "Content-Length: {}\r\nConnection: close\r\n", self.text.len());
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head + "\r\n"
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &str) -> u16 {
        let head = head.replace('\n', "\r\n");
        let checked = Request::parse(head.as_bytes()).and_then(|request| request.check());
        checked.map_or_else(|answer| answer.status, |()| 200)
    }

    #[test]
    fn heads_are_refused_for_what_they_declare() {
        let table = [
            ("GET / HTTP/1.1", 200),
            ("HEAD /run/1 HTTP/1.0\nHost: a", 200),
            ("GET / HTTP/1.1\nContent-Length: 0", 200),
            ("GET / HTTP/1.1\nContent-Length: 1", 413),
            ("GET / HTTP/1.1\ncontent-length: 6442450944", 413),
            ("GET / HTTP/1.1\nContent-Length: 0\nContent-Length: 9", 413),
            ("GET / HTTP/1.1\nContent-Length: 99999999999999999999999999", 413),
            ("GET / HTTP/1.1\nTransfer-Encoding: chunked", 413),
            ("GET / HTTP/1.1\nContent-Length: -1", 400),
            ("GET / HTTP/1.1\nContent-Length:", 400),
            ("POST / HTTP/1.1\nContent-Length: 6442450944", 405),
            ("PUT / HTTP/1.1\nTransfer-Encoding: chunked", 405),
            ("get / HTTP/1.1", 405),
            ("GET /", 400),
            ("GET / HTTP/2.0", 400),
            ("GET / HTTP/1.1\nno header", 400),
            ("GET / HTTP/1.1\nHost : a", 400),
            ("", 400),
        ];
        for (head, expected) in table {
            assert_eq!(status(head), expected, "{head}")
        }
        assert_eq!(Request::parse(b"GET /\xff HTTP/1.1").unwrap_err().status, 400);
    }

    #[test]
    fn an_answer_says_its_length_and_what_is_allowed() {
        let post = Request { method: "POST".into(), ..Request::default() };
        let head = post.check().unwrap_err().head();
        assert!(head.starts_with("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 19\r\n"));
        assert!(head.contains("Connection: close\r\nAllow: GET, HEAD\r\n\r\n"), "{head}");
    }
}
