//! Whatever is imported may be packed, or come by standard input; what cannot be read is refused
//! with its place, and nothing is written.
use crate::tenbin::{Done, Place, done, root};
use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

/// An import of one file.
struct Form {
    system: &'static str,
    /// Option for the file; empty: a positional argument.
    option: &'static str,
    plain: Vec<u8>,
    /// The result, without the file's name.
    result: fn(&Place, &str) -> String,
}

impl Form {
    fn arguments<'a>(&self, file: &'a str, out: &'a str) -> Vec<&'a str> {
        let option = Some(self.option).filter(|option| !option.is_empty());
        let all = ["import", self.system].into_iter().chain(option).chain([file, "-o", out]);
        all.collect()
    }

    fn import(&self, place: &Place, file: &str, out: &str) -> Done {
        place.tenbin(&self.arguments(file, out))
    }
}

fn text(place: &Place, out: &str) -> String {
    fs::read_to_string(place.dir.join(out)).expect("a file is written")
}

fn forms() -> [Form; 4] {
    let root = root();
    let read = |name: &str| fs::read(root.join(name)).expect(name);
    let mut jmx = Vec::new();
    let packed = read("examples/shop/nn-jmx.json.gz");
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut jmx).expect("a whole .gz");
    let history = fs::read_dir(root.join("examples/terasort")).expect("the example");
    let mut history = history.map(|entry| entry.expect("an entry").path());
    let history = history.find(|path| path.extension().is_some_and(|ending| ending == "jhist"));
    let clusters = |place: &Place, out: &str| {
        let text = text(place, out);
        let is_named = |line: &str| line.starts_with("sources") || line.starts_with("name");
        text.lines().filter(|line| !is_named(line)).collect::<Vec<&str>>().join("\n")
    };
    let why = |place: &Place, out: &str| {
        let mut why = place.json(&["why", out]);
        why.as_object_mut().expect("an object").remove("run");
        why.to_string()
    };
    [
        Form { system: "hdfs", option: "--jmx", plain: jmx, result: clusters },
        Form {
            system: "mapreduce",
            option: "",
            plain: fs::read(history.expect("a history")).expect("it is readable"),
            result: why,
        },
        Form {
            system: "ozone",
            option: "--pipelines",
            plain: read("systems/ozone/tests/data/m3.json"),
            result: text,
        },
        Form { system: "echo", option: "", plain: b"0.001\n0.002\n".to_vec(), result: text },
    ]
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).expect("memory");
    gzip.finish().expect("memory")
}

#[test]
fn packed_and_piped_files_are_read_as_plain_ones() {
    for form in forms() {
        let system = form.system;
        let place = Place::new(&format!("forms-{system}"));
        let zstd = zstd::encode_all(&form.plain[..], 1).expect("memory");
        let files = [("plain", form.plain.clone()), ("gz", gzip(&form.plain)), ("zst", zstd)];
        let mut results = Vec::new();
        for (name, bytes) in &files {
            let (file, out) = (format!("in.json.{name}"), format!("out-{name}.toml"));
            place.write(&file, bytes);
            let done = form.import(&place, &file, &out);
            assert_eq!(done.code, Some(0), "{system}: {file}: {}", done.err);
            results.push((form.result)(&place, &out));
        }
        // Standard input, packed, too.
        for (name, bytes) in &files {
            let out = format!("piped-{name}.toml");
            let mut command = place.command(&form.arguments("-", &out));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("the binary runs");
            child.stdin.take().expect("a pipe").write_all(bytes).expect("it is read");
            let done = done(child.wait_with_output().expect("it ends"));
            assert_eq!(done.code, Some(0), "{system}: -: {}", done.err);
            results.push((form.result)(&place, &out));
        }
        for (at, result) in results.iter().enumerate() {
            assert_eq!(result, &results[0], "{system}: form {at}")
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place_and_advice() {
    for form in forms() {
        let system = form.system;
        let place = Place::new(&format!("no-forms-{system}"));
        let whole = gzip(&form.plain);
        place.write("cut.gz", &whole[..whole.len() * 3 / 4]);
        place.write("other.parquet", b"PAR1\x15\x04\x15\x10");
        place.write("empty.txt", "");
        let before = place.names();
        let cases = [
            (
                "cut.gz",
                ["the compressed data end in the middle", "expected", "copy or make it again"],
            ),
            ("other.parquet", ["this is a Parquet file", "expected", ""]),
            ("empty.txt", ["0 bytes", "expected", ""]),
            ("missing.txt", ["no such file", "expected", "Check the path"]),
        ];
        for (file, said) in cases {
            let done = form.import(&place, file, "out.toml");
            assert_eq!(done.code, Some(2), "{system}: {file}: {}{}", done.out, done.err);
            for piece in [&[file][..], &said].concat() {
                assert!(done.err.contains(piece), "{system}: {file}: {piece} in {}", done.err)
            }
            assert_eq!(place.names(), before, "{system}: {file}: nothing is written")
        }
    }
}

/// Standard input can be read once.
#[test]
fn two_files_cannot_both_be_standard_input() {
    let place = Place::new("forms-twice");
    let twice: [&[&str]; 3] = [
        &["import", "hdfs", "--jmx", "-", "--conf", "-", "-o", "c.toml"],
        &["import", "ozone", "--pipelines", "-", "--conf", "-", "-o", "c.toml"],
        &["import", "mapreduce", "-", "-", "-o", "run"],
    ];
    for arguments in twice {
        let done = place.tenbin(arguments);
        assert_eq!(done.code, Some(2), "{}", done.err);
        assert!(done.err.contains("standard input is named twice"), "{}", done.err)
    }
}
