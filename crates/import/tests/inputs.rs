//! Input files of real systems, and errors for unreadable ones.
use import::{Input, InputSpec, Lines, bytes, check, json, open_quietly, site};
use std::io::{Read, Write};

const WANTED: InputSpec = InputSpec::new("a listing", "list");

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
    let begins = "some.txt: the compressed data end in the middle; expected a complete .gz or .zst";
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
    assert_eq!(read.notes.len(), 1);
    assert!(read.notes[0].starts_with(":3: x, an included file, is missing"), "{:?}", read.notes);
    for (wrong, line, said) in [
        ("<configuration>\n<property>", 2, "ends within `<property>`"),
        ("<configuration>\n<name></b>", 2, "not XML"),
        ("<configuration>\n<property name=a/>\n</configuration>", 2, "not XML"),
        ("hello", 1, "no `<configuration>`"),
        ("<html></html>", 1, "root is `<html>`"),
    ] {
        let found = site::parse(wrong.as_bytes(), &WANTED).unwrap_err();
        assert!(found.line == Some(line) && found.problem.contains(said), "{wrong}: {found}");
    }
}

/// (value, final) that `Configuration`'s parser reads; `None`: no such property.
#[test]
fn a_property_in_any_form_is_read_as_hadoop_reads_it() {
    let table: [(&str, Option<(&str, bool)>); 16] = [
        (r#"<property name="a" value="1"/>"#, Some(("1", false))),
        (r#"<property name="a" value="1"></property>"#, Some(("1", false))),
        (r#"<property value='1' name='a' final='true'/>"#, Some(("1", true))),
        (
            r#"<property name=" a " value=" x &amp; y " source="z" tag="t"/>"#,
            Some(("x & y", false)),
        ),
        (r#"<property name="a"><value>1</value></property>"#, Some(("1", false))),
        (r#"<property name="a" value="1"><value>2</value></property>"#, Some(("2", false))),
        (r#"<property name="a" value="1"><value></value></property>"#, Some(("1", false))),
        (r#"<property final="true"><name>a</name><value>1</value></property>"#, Some(("1", true))),
        (
            r#"<property name="a" value="1" final="true"><final>false</final></property>"#,
            Some(("1", false)),
        ),
        (r#"<property name="a" value="1" final="TRUE"/>"#, Some(("1", false))),
        (r#"<property name="a" value=""/>"#, Some(("", false))),
        (r#"<h:property h:name="a" h:value="1"/>"#, Some(("1", false))),
        (r#"<property><value>1</value><name>a</name></property>"#, Some(("1", false))),
        (
            r#"<property><name>a</name><value><![CDATA[<1>]]></value></property>"#,
            Some(("<1>", false)),
        ),
        (r#"<property name="a"/>"#, None),
        (r#"<property><name>a</name><value></value></property>"#, None),
    ];
    for (text, expected) in table {
        let file = format!("<configuration>\n{text}\n</configuration>");
        let read = site::parse(file.as_bytes(), &WANTED).unwrap();
        let found = read.get("a").map(|p| (&p.value[..], p.is_final));
        assert_eq!(found, expected, "{text}");
        assert_eq!(read.unset.len(), usize::from(expected.is_none()), "{text}");
    }
    let nameless = "<configuration><property value=\"1\"/></configuration>";
    let read = site::parse(nameless.as_bytes(), &WANTED).unwrap();
    assert!(read.properties.is_empty() && read.notes[0].contains("without a name"));
}

#[test]
fn nothing_after_a_final_one_holds() {
    let text = r#"<configuration><property name="a" value="1" final="true"/>
        <property name="a" value="2"/><property name="b" value="1"/>
        <property name="b" value="${a}"/></configuration>"#;
    let read = site::parse(text.as_bytes(), &WANTED).unwrap();
    let value = |name: &str| read.get(name).map(|p| (&p.value[..], p.line));
    assert_eq!((value("a"), value("b")), (Some(("1", 1)), Some(("1", 3))));
}

#[test]
fn included_files_are_read_in_place() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("included");
    let write = |name: &str, text: &str| {
        let text = format!("<configuration>\n{text}\n</configuration>");
        std::fs::write(folder.join(name), text).unwrap()
    };
    std::fs::create_dir_all(folder.join("more")).unwrap();
    let within = "<xi:fallback><property name='a' value='0'/></xi:fallback>";
    write("one.xml", &format!("<xi:include href='more/two.xml'>{within}</xi:include>"));
    write("more/two.xml", "<property name='a' value='${b}'/>\n<include href='three.xml'/>");
    write("more/three.xml", "<property name='b' value='3'/>");
    write("gone.xml", &format!("<include href='none.xml'>{within}</include>"));
    write("lost.xml", "<include href='none.xml'/>");
    write("round.xml", "<include href='round.xml'/>");
    let read = |name: &str| site::read(&Input::File(folder.join(name)), &WANTED, &mut |_| ());
    let one = read("one.xml").unwrap();
    let all: Vec<(&str, &str)> =
        one.properties.iter().map(|p| (&p.name[..], &p.value[..])).collect();
    assert_eq!(all, [("a", "3"), ("b", "3")]);
    assert!(one.properties[0].file.ends_with("more/two.xml") && one.notes.is_empty());
    let gone = read("gone.xml").unwrap();
    assert_eq!((gone.get("a").unwrap().value.as_str(), gone.notes.len()), ("0", 0));
    let lost = read("lost.xml").unwrap();
    assert!(lost.notes[0].contains("lost.xml:2: none.xml, an included file, is missing"));
    let round = read("round.xml").unwrap_err();
    assert!(round.problem.contains("is included by a file that it includes"), "{round}");
}
