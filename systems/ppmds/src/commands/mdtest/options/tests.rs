use super::*;

fn read(line: &str, parser: Parser) -> Result<Options, String> {
    let words: Vec<String> = line.split_whitespace().map(String::from).collect();
    Options::read(&words, parser)
}

fn set(line: &str, parser: Parser) -> Vec<(char, i64)> {
    let options = read(line, parser).unwrap_or_else(|why| panic!("{line}: {why}"));
    options.numbers.into_iter().collect()
}

#[test]
fn a_line_is_read_as_its_version_reads_it() {
    use Parser::{First, Getopt, Grouped};
    for (line, parser, expected) in [
        ("-n 10 -n20 -n=30", Grouped, &[('n', 30)][..]),
        ("-uF", Grouped, &[('F', 1), ('u', 1)]),
        ("-uF", First, &[('u', 1)]),
        ("-uF", Getopt, &[('F', 1), ('u', 1)]),
        ("-uFn 10", Grouped, &[('F', 1), ('n', 10), ('u', 1)]),
        ("-F=0 -T=2", Grouped, &[('F', 0), ('T', 2)]),
        ("-R -F", Grouped, &[('F', 1), ('R', 1)]),
        ("-R12345 -F", Getopt, &[('F', 1), ('R', 1)]),
        ("-R12345 -F", Grouped, &[('F', 1), ('R', 1)]),
        ("-R 12345 -F", Getopt, &[('F', 1), ('R', 1)]),
        ("-B -F", Getopt, &[('B', 1), ('F', 1)]),
        ("-B 0 -F", Grouped, &[('B', 0), ('F', 1)]),
        ("-B=0 -F", Grouped, &[('B', 0), ('F', 1)]),
        ("-B1 -F", Grouped, &[('B', 1), ('F', 1)]),
        ("-n 10k", Grouped, &[('n', 10_240)]),
        ("-n 2M -w 4k", First, &[('n', 2 << 20)]),
        ("-n 10k", Getopt, &[('n', 10)]),
        ("-n 10000000000", Grouped, &[('n', 10_000_000_000)]),
        ("-n 99999999999999999999", Grouped, &[('n', i64::MAX)]),
        ("-d -F", Grouped, &[('d', 0)]),
        ("-vvv -V 3 -G -123", Grouped, &[('v', 3)]),
        ("--dfs.pool p1 --dfs.cont=c1 -F", Grouped, &[('F', 1)]),
        ("--posix.odirect -F --random-seed -5", Grouped, &[('F', 1)]),
        ("--newfs.pool p1 -F --newfs.fast -u", Grouped, &[('F', 1), ('u', 1)]),
        ("-D -U", Grouped, &[('D', 1), ('U', 1)]),
    ] {
        assert_eq!(set(line, parser), expected, "{line} by {parser:?}");
    }
}

#[test]
fn what_mdtest_refuses_is_refused() {
    for (line, why) in [
        ("fast", "\"fast\""),
        ("-Q", "-Q: expected an option"),
        ("-n", "-n: expected a value"),
        ("-n=", "-n: expected a value"),
        ("-n ten", "-n ten: expected a whole number"),
        ("-n -3", "-n -3: expected a whole number"),
        ("--dfs.pool", "--dfs.pool: expected a value"),
    ] {
        let said = read(line, Parser::Grouped).expect_err(line);
        assert!(said.contains(why), "{line}: {said}");
    }
    for (line, why) in [
        ("-n 10 -I 3", "a multiple of -I 3"),
        ("-n 10 -I 5 -u", "only one of the two"),
        ("-n 10 -W 3 -b 2", "-W with -b 2"),
        ("-n 10 -B 1 -N 1", "-B with -N"),
        ("-n 10 -c -S", "-c with -S"),
        ("-n 10 -u -S", "-u with -S"),
        ("-C -F", "neither -n nor -I"),
    ] {
        let said = read(line, Parser::Grouped).expect("it is read").check().expect_err(line);
        assert!(said.contains(why), "{line}: {said}");
    }
}

#[test]
fn what_mdtest_passes_over_is_said() {
    for (line, parser, note) in [
        ("-uF", Parser::First, "read only -u of -uF"),
        ("-u3", Parser::Grouped, "ignores 3 of -u3"),
        ("-n 1e6", Parser::Grouped, "-n 1e6 as 1"),
        ("-F 123", Parser::Getopt, "ignores \"123\""),
        ("--newfs.pool p1", Parser::Grouped, "--newfs.pool is unknown: p1"),
    ] {
        let notes = read(line, parser).expect("it is read").notes.join("; ");
        assert!(notes.contains(note), "{line}: {notes}");
    }
}

/// Draws options, writes each in one of mdtest's forms, and reads them back.
#[test]
fn drawn_options_are_read_back() {
    let mut seed = 1_u64;
    let mut draw = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for _ in 0..2_000 {
        let (mut words, mut expected) = (Vec::new(), BTreeMap::new());
        for _ in 0..draw(6) {
            let (letter, takes, usage) = SHORT[units::usize_of(draw(SHORT.len() as u64))];
            let (power, size) = (draw(4), draw(1_000));
            let (suffix, factor) =
                [("", 1), ("k", 1 << 10), ("M", 1 << 20), ("g", 1 << 30)][units::usize_of(power)];
            let value = format!("{size}{suffix}");
            let written = match (takes, draw(3)) {
                (Flag, _) => format!("-{letter}"),
                (Text, 0) => format!("-{letter}=/x"),
                (Text, _) => format!("-{letter} /x"),
                (_, 0) => format!("-{letter}={value}"),
                (_, 1) => format!("-{letter}{value}"),
                _ if letter == 'B' => format!("-B {size}"),
                _ => format!("-{letter} {value}"),
            };
            let number = size as i64 * if written.ends_with(&value) { factor } else { 1 };
            match takes {
                Flag => *expected.entry(letter).or_insert(0) += 1,
                Text => drop(expected.insert(letter, 0)),
                Number | Maybe if usage != Elsewhere => drop(expected.insert(letter, number)),
                Number | Maybe => {}
            }
            words.push(written)
        }
        for long in LONG_FLAGS.iter().take(units::usize_of(draw(3))) {
            words.push(format!("--{long}"))
        }
        for long in LONG_VALUES.iter().take(units::usize_of(draw(3))) {
            words.push(format!("--{long} {}", draw(9)))
        }
        let line = words.join(" ");
        let of = read(&line, Parser::Grouped).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(of.numbers, expected, "{line}");
        assert_eq!(of.notes, Vec::<String>::new(), "{line}");
    }
}
