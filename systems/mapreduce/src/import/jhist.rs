//! Reads a history file event by event: Avro-Binary (default of 3.x), JSON lines (0.23 to 3.x), or
//! records of Hadoop 1. Memory holds one event at a time.
use super::avro::{AvroError, Schema};
pub use super::foreign::WANTED;
pub use super::value::Problem;
use super::value::{LARGEST, Value};
use super::{foreign, hadoop1};
use import::{Issue, issue, unreadable};
use std::io::{BufRead, Read};

/// Bytes that are checked for other file types.
const HEAD: u64 = 4096;

const CHUNK: usize = 1 << 20;

/// Reads a history; `each` gets an event's type and fields. Returns what was unreadable.
///
/// # Errors
/// A read error, or the file is not a history. A cut or damaged history is a problem, not an error.
pub fn read(
    mut input: impl BufRead,
    mut each: impl FnMut(&str, &Value<'_>),
) -> Result<Vec<Problem>, Issue> {
    let mut head = Vec::new();
    input.by_ref().take(HEAD).read_to_end(&mut head).map_err(|e| unreadable(&e))?;
    if !is_history(&head) {
        foreign::refuse(&head)?
    }
    let mut input = head.as_slice().chain(input);
    let first = line(&mut input, 64)?;
    import::check(&WANTED, &first)?;
    match first.trim_ascii_end() {
        b"Avro-Binary" => {
            let header = String::from_utf8_lossy(&line(&mut input, LARGEST)?).into_owned();
            let schema = Schema::read(&header).map_err(|why| {
                issue(format!("its schema cannot be read: {why}"), "a schema of Avro").on(2)
            })?;
            binary(&schema, input, &mut each)
        }
        b"Avro-Json" => lines(input, &mut each),
        head if head.starts_with(hadoop1::META) => hadoop1::lines(input, 2, &mut each),
        head if head.starts_with(hadoop1::JOB) => {
            hadoop1::lines(first.as_slice().chain(input), 1, &mut each)
        }
        other => {
            let found = format!("begins with \"{}\"", shown(other));
            Err(issue(found, WANTED.content).advice(WANTED.advice()).on(1))
        }
    }
}

pub fn is_history(head: &[u8]) -> bool {
    [&b"Avro-Binary"[..], b"Avro-Json", hadoop1::META, hadoop1::JOB]
        .iter()
        .any(|of| head.starts_with(of))
}

/// The first 24 characters, printable.
pub(super) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().take(24).map(|c| if c.is_control() { '·' } else { c }).collect()
}

fn line(input: &mut impl BufRead, most: usize) -> Result<Vec<u8>, Issue> {
    let mut line = Vec::new();
    let read = input.take(most as u64).read_until(b'\n', &mut line);
    read.map_err(|e| unreadable(&e))?;
    Ok(line)
}

fn problem(line: Option<u64>, what: impl Into<String>) -> Problem {
    Problem { line, what: what.into() }
}

/// Reports a datum's type and fields; false if it is not an event.
fn event(datum: &Value<'_>, each: &mut impl FnMut(&str, &Value<'_>)) -> bool {
    match (datum.text("type"), datum.get("event")) {
        (Some(kind), Some(fields)) => {
            each(kind, fields);
            true
        }
        _ => false,
    }
}

/// Reads JSON: an event a line, with empty lines between events in 2.x. Skips the schema.
fn lines(
    mut input: impl BufRead,
    each: &mut impl FnMut(&str, &Value<'_>),
) -> Result<Vec<Problem>, Issue> {
    let (mut problems, mut buffer, mut at) = (Vec::new(), Vec::new(), 1);
    loop {
        buffer.clear();
        at += 1;
        let read = (&mut input).take(LARGEST as u64).read_until(b'\n', &mut buffer);
        if read.map_err(|e| unreadable(&e).on(at))? == 0 {
            return Ok(problems);
        }
        let ended = buffer.last() == Some(&b'\n');
        let text = buffer.trim_ascii();
        if text.is_empty() || text.starts_with(b"{\"type\":\"record\"") {
            continue;
        }
        if !ended && buffer.len() == LARGEST {
            problems.push(problem(Some(at), "a line of more than 64 MiB is skipped"));
            skip_line(&mut input).map_err(|e| unreadable(&e).on(at))?;
            continue;
        }
        match serde_json::from_slice::<Value<'_>>(text) {
            Ok(datum) if event(&datum, each) => {}
            Ok(_) => problems.push(problem(Some(at), "not an event: no type and event")),
            Err(e) if e.is_eof() && !ended => problems.push(problem(
                Some(at),
                "the file ends within an event: cut, or still being written",
            )),
            Err(e) => problems.push(problem(Some(at), format!("not JSON (column {})", e.column()))),
        }
    }
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let seen = input.fill_buf()?;
        let (used, found) = match seen.iter().position(|b| *b == b'\n') {
            Some(at) => (at + 1, true),
            None => (seen.len(), seen.is_empty()),
        };
        input.consume(used);
        if found {
            return Ok(());
        }
    }
}

/// Reads binary datums. After a damaged one, the start of the next is unknown: the rest is skipped.
fn binary(
    schema: &Schema,
    mut input: impl Read,
    each: &mut impl FnMut(&str, &Value<'_>),
) -> Result<Vec<Problem>, Issue> {
    let (mut buffer, mut start, mut whole) = (Vec::new(), 0, false);
    let mut read_so_far = 0_u64;
    loop {
        match schema.datum(&buffer[start..]) {
            _ if start == buffer.len() && whole => return Ok(Vec::new()),
            Ok((datum, used)) if used > 0 => {
                if !event(&datum, each) {
                    return Ok(vec![problem(None, "a datum that is not an event")]);
                }
                start += used;
                read_so_far += used as u64
            }
            Ok(_) => return Ok(vec![problem(None, "a schema of events without length")]),
            Err(AvroError::Short) if !whole && buffer.len() - start < LARGEST => {
                buffer.drain(..start);
                start = 0;
                let more = CHUNK.max(buffer.len()) as u64;
                let read = (&mut input).take(more).read_to_end(&mut buffer);
                whole = read.map_err(|e| unreadable(&e))? == 0
            }
            Err(AvroError::Short) if whole => {
                let rest = buffer.len() - start;
                let what = format!(
                    "the file ends within an event ({rest} bytes of it): cut, or still being \
                     written"
                );
                return Ok(vec![problem(None, what)]);
            }
            Err(AvroError::Short) => {
                return Ok(vec![problem(None, "an event of more than 64 MiB")]);
            }
            Err(AvroError::Damaged(why)) => {
                let at = format!("at byte {read_so_far} of the events: the rest is not read");
                return Ok(vec![problem(None, format!("{why}, {at}"))]);
            }
        }
    }
}
