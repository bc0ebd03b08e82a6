//! What a real system's file may be, and what is said of one that cannot be read.
use import::{Input, Lines, Wanted, bytes, check, json, open_quietly, site};
use std::io::{Read, Write};

const WANTED: Wanted = Wanted::new("a listing", "list");

fn memory(bytes: impl Into<Vec<u8>>) -> Input {
    Input::Memory { name: "some.txt".into(), bytes: bytes.into() }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn read(input: &Input) -> Result<Vec<u8>, String> {
    bytes(input, &WANTED, 1 << 20, &mut |_| ()).map_err(|wrong| wrong.to_string())
}

#[test]
fn plain_gzip_and_zstd_are_known_by_their_first_bytes() {
    let text = "a line\nanother\n".repeat(1000);
    let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
    for bytes in [text.clone().into_bytes(), gzip(&text), zstd] {
        assert_eq!(read(&memory(bytes)).unwrap(), text.as_bytes())
    }
    let two = [gzip("one\n"), gzip("two\n")].concat();
    assert_eq!(read(&memory(two)).unwrap(), b"one\ntwo\n", "members one after the other");
}

#[test]
fn progress_is_of_the_bytes_as_they_lie() {
    let packed = gzip(&"a line\n".repeat(10_000));
    let (input, length) = (memory(packed.clone()), packed.len() as u64);
    let mut last = None;
    bytes(&input, &WANTED, 1 << 20, &mut |p| last = Some((p.read, p.total))).unwrap();
    assert_eq!(last, Some((length, Some(length))));
}

#[test]
fn what_is_wrong_has_its_place_and_advice() {
    let packed = gzip(&"a line that is cut\n".repeat(1000));
    let cut = read(&memory(&packed[..packed.len() / 2])).unwrap_err();
    let begins = "some.txt: the compressed data end in the middle; expected a whole .gz or .zst";
    assert!(cut.starts_with(begins) && cut.ends_with("copy or make it again."), "{cut}");
    let other = read(&memory(*b"PAR1....")).unwrap_err();
    assert_eq!(other, "some.txt: this is a Parquet file; expected a listing. Run `list`.");
    assert_eq!(
        read(&memory("")).unwrap_err(),
        "some.txt: 0 bytes; expected a listing. Run `list`."
    );
    assert!(read(&memory(*b"a\0b\0c\0d\0")).unwrap_err().contains("UTF-16"));
    assert!(read(&memory("x".repeat(2 << 20))).unwrap_err().contains("more than 1 MiB"));
    let none = Input::File("no/such/file".into());
    assert!(read(&none).unwrap_err().starts_with("no/such/file: no such file"));
}

#[test]
fn a_system_refuses_what_it_knows_to_be_another_file() {
    let wanted = WANTED.look(|head| match head.starts_with(b"DISK") {
        true => Err(WANTED.refuses("an image", "It has no lines.")),
        false => Ok(()),
    });
    let said = check(&wanted, b"DISKIMG1\0").unwrap_err().to_string();
    assert_eq!(said, "this is an image; expected a listing. It has no lines. Run `list`.");
}

#[test]
fn lines_are_counted_and_a_mark_of_utf_8_is_none_of_them() {
    let input = memory("\u{feff}one\r\n\ntwo");
    let mut lines = Lines::new(open_quietly(&input).unwrap()).unwrap();
    let mut all = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        all.push(line.to_vec())
    }
    assert_eq!(all, [&b"one"[..], b"", b"two"]);
    assert_eq!((lines.number, lines.bytes), (3, input_length(&input)));
}

fn input_length(input: &Input) -> u64 {
    let mut all = Vec::new();
    open_quietly(input).unwrap().read_to_end(&mut all).unwrap() as u64
}

#[test]
fn half_a_json_is_told_with_its_line() {
    let wrong = json(&memory("[1,\n2"), &WANTED, &mut |_| ()).unwrap_err();
    assert_eq!((wrong.line, wrong.problem.as_str()), (Some(2), "the JSON ends in the middle"));
    let wrong = json(&memory("[1,\n\n}"), &WANTED, &mut |_| ()).unwrap_err();
    assert!(wrong.line == Some(3) && wrong.problem.starts_with("not JSON"), "{wrong}");
}

#[test]
fn properties_have_their_lines_and_their_variables_values() {
    let text = "<?xml version=\"1.0\"?>\n<configuration>\n<xi:include href=\"x\"/>\n\
                <property><name>a.dir</name><value>${base}/a &amp; b</value></property>\n\
                <property><name>base</name><value> /1 </value><final>true</final></property>\n\
                <property><name>open</name><value>${user.home}</value></property>\n\
                </configuration>\n";
    let read = site::parse(text.as_bytes(), &WANTED).unwrap();
    let all: Vec<(&str, &str, bool, u64)> =
        read.properties.iter().map(|p| (&p.name[..], &p.value[..], p.is_final, p.line)).collect();
    let expected = [
        ("a.dir", "/1/a & b", false, 4),
        ("base", "/1", true, 5),
        ("open", "${user.home}", false, 6),
    ];
    assert_eq!(all, expected);
    assert_eq!(read.includes, [3]);
    for (wrong, line, said) in [
        ("<configuration>\n<property>", 2, "ends within `<property>`"),
        ("<configuration>\n<name></b>", 2, "not XML"),
        ("<configuration>\n<property><name>a</name></property>", 2, "without both"),
        ("hello", 1, "no `<configuration>`"),
        ("<html></html>", 1, "root is `<html>`"),
    ] {
        let found = site::parse(wrong.as_bytes(), &WANTED).unwrap_err();
        assert!(found.line == Some(line) && found.problem.contains(said), "{wrong}: {found}");
    }
}
