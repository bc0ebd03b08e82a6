use super::*;
use ppmds_protocol::message::{Ask, Peer};
use ppmds_protocol::{
    Attributes, Errno, Key, List, Listed, Name, Operation, Outcome, Page, Spread,
};
use ppmds_protocol::{Inode, Kind, Servers, mixed};
use std::sync::Arc;

fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).unwrap()
}

fn ask(operation: Operation) -> Body {
    Body::Message(Message::Ask(Ask { client: 7, number: 3, oldest: 2, step: 1, operation }))
}

fn samples() -> Vec<Body> {
    let key = Key::entry(9, &name("a file of more than twenty-two bytes"));
    let listed = Listed { name: name("a"), ino: 1 << 50, kind: Kind::Directory };
    let page = Page {
        parts: vec![Arc::new(vec![listed; 3])],
        count: 3,
        last: Name::NONE,
        more: false,
        mark: u64::MAX,
        at: 1,
        behind: Name::NONE,
    };
    let list = |servers: Vec<u32>| Arc::new(List::new(Spread::Hash, servers));
    let answer = |outcome| {
        let answer = ppmds_protocol::message::Answer { number: 1, step: 2, outcome, saw: vec![] };
        Body::Message(Message::Answer(answer))
    };
    vec![
        ask(Operation::Create(key.clone(), Attributes::default())),
        ask(Operation::Readdir(Key::itself(1), 0, 1_000)),
        answer(Outcome::Page(Box::new(page))),
        answer(Outcome::List(Some(list(vec![2, 0, 1])))),
        answer(Outcome::Failed(Errno::ENOENT)),
        Body::Goodbye(9),
        Body::Query(Query::Rows(b"r".to_vec())),
        Body::QueryReply(QueryReply::Status(Box::default())),
    ]
}

fn frame_of(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_frame(&mut bytes, value);
    bytes
}

fn read<T: for<'a> Deserialize<'a>>(bytes: &[u8], most: usize) -> Result<T, WireError> {
    let (header, rest) = bytes.split_first_chunk().ok_or(WireError::Form)?;
    let length = length(*header, most)?;
    body(*header, rest.get(..length).ok_or(WireError::Form)?)
}

#[test]
fn what_is_written_is_read() {
    let mut bytes = Vec::new();
    samples().iter().for_each(|body| put_frame(&mut bytes, body));
    let mut rest = &bytes[..];
    for sample in samples() {
        assert_eq!(read(rest, MOST_BODY), Ok(sample));
        let (header, _) = rest.split_first_chunk().unwrap();
        rest = &rest[HEADER + length(*header, MOST_BODY).unwrap()..];
    }
    assert!(rest.is_empty())
}

#[test]
fn a_longer_frame_or_another_checksum_is_an_error() {
    let mut bytes = frame_of(&samples()[0]);
    assert_eq!(read::<Body>(&bytes, 8), Err(WireError::TooLong(bytes.len() - HEADER, 8)));
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(read::<Body>(&bytes, MOST_BODY), Err(WireError::Checksum));
    // A valid checksum over too many bytes.
    let long = frame_of(&(&samples()[0], 0u8));
    assert_eq!(read::<Body>(&long, MOST_BODY), Err(WireError::Form))
}

/// Changed and cut bodies, each with a correct checksum: they decode or fail, without a panic or
/// large allocation. `FUZZ_CASES=100000000` runs for long.
#[test]
fn any_bytes_are_a_body_or_an_error() {
    let cases = std::env::var("FUZZ_CASES").ok().and_then(|n| n.parse().ok());
    let samples: Vec<Vec<u8>> =
        samples().iter().map(|body| frame_of(body)[HEADER..].to_vec()).collect();
    let (mut decoded, mut state) = (0u64, 1u64);
    let mut draw = |below: usize| {
        state = mixed(state);
        (state % below as u64) as usize
    };
    for _ in 0..cases.unwrap_or(50_000u64) {
        let mut bytes = samples[draw(samples.len())].clone();
        for _ in 0..1 + draw(4) {
            let at = draw(bytes.len());
            match draw(4) {
                0 => bytes[at] = [0, 0x7f, 0x80, 0xff][draw(4)],
                1 => bytes[at] ^= 1 << draw(8),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, draw(256) as u8),
            }
        }
        let mut frame = vec![0; HEADER];
        frame[..4].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
        frame[4..].copy_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
        frame.extend(&bytes);
        if let Ok(body) = read::<Body>(&frame, MOST_REQUEST) {
            decoded += 1;
            let caller = Caller::Client(Some(Session { id: 7, next: 0 }));
            let _ = check(&caller, &body);
            if let Body::Message(Message::Answer(answer)) = body
                && let Outcome::List(Some(list)) = answer.outcome
            {
                list.owner(1, &name("a"));
            }
        }
        let header = *frame.first_chunk().unwrap();
        let _ = decode_hello(header, &bytes);
    }
    assert!(decoded > 1_000, "{decoded}")
}

#[test]
fn lists_and_names_are_checked() {
    for (first, count, of) in [(0u32, 0u32, 3u32), (3, 1, 3), (0, 4, 3), (0, 1, 0), (0, 1, 1 << 17)]
    {
        let bytes = frame_of(&Servers::Run { first, count, of });
        assert_eq!(read::<Servers>(&bytes, 64), Err(WireError::Form), "{first} {count} {of}")
    }
    assert!(read::<Servers>(&frame_of(&Servers::Named(vec![])), 64).is_err());
    for wrong in [&b"a/b"[..], b"..", &[b'a'; 256], b"\0"] {
        assert!(read::<Name>(&frame_of(&wrong), 1_000).is_err(), "{wrong:?}")
    }
}

#[test]
fn a_client_sends_only_its_own_requests() {
    let client = Caller::Client(Some(Session { id: 7, next: 0 }));
    let server = Caller::Server(2);
    let create = |key: Key| ask(Operation::Create(key, Attributes::default()));
    let good = create(Key::entry(1, &name("a")));
    assert_eq!(check(&client, &good), Ok(()));
    let spread = Operation::Spread(1, Arc::new(List::new(Spread::Hash, vec![0])), 0);
    let settled = |server| {
        let id = ppmds_protocol::message::TxId { client: 7, number: 3, attempt: 0 };
        Body::Message(Message::Settled(id, server))
    };
    assert_eq!(check(&server, &settled(2)), Ok(()));
    for (caller, body) in [
        (Caller::Client(Some(Session { id: 8, next: 0 })), good.clone()),
        (client, create(Key::itself(1))),
        (client, ask(spread)),
        (client, ask(Operation::Readdir(Key::itself(1), 0, 1 << 20))),
        (client, settled(2)),
        (client, Body::Query(Query::Status)),
        (server, good),
        (server, settled(1)),
        (Caller::Operator, Body::Goodbye(1)),
    ] {
        assert!(check(&caller, &body).is_err(), "{caller:?} {body:?}")
    }
}

#[test]
fn another_version_is_named() {
    let hello = Hello {
        layout: crate::cluster::Layout { cluster: 1, homes: 3, spread: 3 },
        server: 1,
        caller: Caller::Operator,
    };
    let mut bytes = frame_of(&encode_hello(&hello));
    let split = |bytes: &[u8]| (*bytes.first_chunk().unwrap(), bytes[HEADER..].to_vec());
    let (header, body) = split(&bytes);
    assert_eq!(decode_hello(header, &body), Ok(hello));
    bytes[HEADER + 8] = 9;
    let sum = crc32c::crc32c(&bytes[HEADER..]).to_le_bytes();
    bytes[4..HEADER].copy_from_slice(&sum);
    let (header, body) = split(&bytes);
    let why = decode_hello(header, &body).unwrap_err();
    assert!(why.contains("version 9: expected 3"), "{why}");
    let _ = (Peer::Client(1), Inode::clone);
}

#[test]
fn a_list_of_servers_is_checked() {
    let growth = |homes| crate::cluster::Growth {
        version: 1,
        homes,
        spread: 1,
        leaving: Vec::new(),
        removed: Vec::new(),
    };
    let addresses = vec![String::from("a:1"), String::from("b:1")];
    let of = |homes, standbys: usize| {
        let (growth, addresses, standbys) =
            (growth(homes), addresses.clone(), vec![None; standbys]);
        let members = crate::cluster::Members { growth, addresses, standbys };
        check(&Caller::Operator, &Body::Query(Query::Members(Box::new(members))))
    };
    assert_eq!(of(1, 2), Ok(()));
    for (homes, standbys) in [(0, 2), (3, 2), (1, 1)] {
        assert!(of(homes, standbys).is_err(), "{homes} homes, {standbys} standbys")
    }
}
