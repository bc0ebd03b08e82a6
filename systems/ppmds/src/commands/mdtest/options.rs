//! mdtest's options as each version parses them: getopt up to 1.9, then IOR's `src/option.c`.
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parser {
    /// mdtest 1.x: skips words that are not options; numbers have no suffix.
    Getopt,
    /// IOR 3.2 and 3.3: only the first letter of a word counts.
    First,
    /// IOR 3.4 and later, and unknown versions: `-uF` is `-u -F`.
    #[default]
    Grouped,
}

impl Parser {
    /// From the printed version. IOR's first mdtest called itself 1.9.3, but quoted words.
    pub fn of(version: &str, quoted: bool) -> Parser {
        let starts = |with: &str| version.starts_with(with);
        match (starts("1."), quoted) {
            (true, false) => Parser::Getopt,
            (true, true) => Parser::First,
            _ if starts("3.2") || starts("3.3") => Parser::First,
            _ => Parser::Grouped,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Takes {
    Flag,
    Number,
    /// An optional number: `-B` is a flag in 1.9, and has a value since IOR 3.2.
    Maybe,
    Text,
}

/// How an import treats an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionUse {
    Used,
    /// Affects data, output or the client, not the metadata service.
    Elsewhere,
    /// Affects the service, but is not modelled.
    Lacking,
}

use OptionUse::{Elsewhere, Lacking, Used};
use Takes::{Flag, Maybe, Number, Text};

/// Short options of IOR 4.0 and its main branch (`src/mdtest.c`), and 1.9's `-A` (S3).
const SHORT: [(char, Takes, OptionUse); 41] = [
    ('a', Text, Elsewhere),
    ('A', Text, Elsewhere),
    ('b', Number, Used),
    ('B', Maybe, Lacking),
    ('c', Flag, Lacking),
    ('C', Flag, Used),
    ('d', Text, Elsewhere),
    ('D', Flag, Used),
    ('e', Number, Elsewhere),
    ('E', Flag, Used),
    ('f', Number, Used),
    ('F', Flag, Used),
    ('g', Flag, Elsewhere),
    ('G', Number, Elsewhere),
    ('i', Number, Used),
    ('I', Number, Used),
    ('k', Flag, Elsewhere),
    ('l', Number, Used),
    ('L', Flag, Used),
    ('n', Number, Used),
    ('N', Number, Used),
    ('p', Number, Elsewhere),
    ('P', Flag, Elsewhere),
    ('r', Flag, Used),
    ('R', Flag, Lacking),
    ('s', Number, Used),
    ('S', Flag, Lacking),
    ('t', Flag, Elsewhere),
    ('T', Flag, Used),
    ('u', Flag, Used),
    ('U', Flag, Used),
    ('v', Flag, Elsewhere),
    ('V', Number, Elsewhere),
    ('w', Number, Elsewhere),
    ('W', Number, Used),
    ('x', Text, Used),
    ('X', Flag, Elsewhere),
    ('y', Flag, Elsewhere),
    ('Y', Flag, Elsewhere),
    ('z', Number, Used),
    ('Z', Flag, Elsewhere),
];

/// Long options without a value, of mdtest and of IOR's back ends (`src/aiori-*.c`). None affects
/// the metadata service.
const LONG_FLAGS: [&str; 38] = [
    "print-all-procs",
    "verify-read",
    "verify-write",
    "gpuDirect",
    "warningAsErrors",
    "showRankStatistics",
    "S3-curl.use-ssl",
    "S3-curl.verify-ssl",
    "S3-libs3.bucket-per-file",
    "S3-libs3.dont-suffix-bucket",
    "S3-libs3.s3-compatible",
    "S3-libs3.use-ssl",
    "cephfs.olazy",
    "chfs.chunk_size",
    "daos.destroy",
    "dfs.destroy",
    "dummy.delay-only-rank0",
    "finchfs.chunk_size",
    "hdf5.chunkSize",
    "hdf5.collectiveMetadata",
    "hdf5.individualDataSets",
    "hdf5.noFill",
    "hdf5.showHints",
    "hdfs.odirect",
    "ime.odirect",
    "mmap.madv_dont_need",
    "mmap.madv_pattern",
    "mpiio.preallocate",
    "mpiio.showHints",
    "mpiio.useFileView",
    "mpiio.useStridedDatatype",
    "posix.gpfs.createsharing",
    "posix.gpfs.finegrainreadsharing",
    "posix.gpfs.finegrainwritesharing",
    "posix.gpfs.hintaccess",
    "posix.lustre.ignorelocks",
    "posix.odirect",
    "posix.rangelocks",
];

/// Long options with a value. `allocateBufferOnGPU` is a flag in 4.0.
const LONG_VALUES: [&str; 51] = [
    "GPUid",
    "dataPacketType",
    "random-seed",
    "run-cmd-after-phase",
    "run-cmd-before-phase",
    "savePerOpDataCSV",
    "saveRankPerformanceDetails",
    "S3-4C.host",
    "S3-4c.bucket-name",
    "S3-4c.user",
    "S3-curl.access-key",
    "S3-curl.bucket",
    "S3-curl.host",
    "S3-curl.region",
    "S3-curl.secret-key",
    "S3-curl.timeout",
    "S3-libs3.access-key",
    "S3-libs3.bucket-name-prefix",
    "S3-libs3.host",
    "S3-libs3.location",
    "S3-libs3.region",
    "S3-libs3.secret-key",
    "aio.granularity",
    "aio.max-pending",
    "cephfs.conf",
    "cephfs.prefix",
    "cephfs.remote_prefix",
    "cephfs.user",
    "daos.chunk_size",
    "daos.cont",
    "daos.group",
    "daos.oclass",
    "daos.pool",
    "daos.svcl",
    "dfs.chunk_size",
    "dfs.cont",
    "dfs.dir_oclass",
    "dfs.group",
    "dfs.oclass",
    "dfs.pool",
    "dfs.prefix",
    "dfs.svcl",
    "dummy.delay-close",
    "dummy.delay-create",
    "dummy.delay-sync",
    "dummy.delay-xfer",
    "hdf5.hintsFileName",
    "hdf5.setAlignment",
    "hdfs.block_size",
    "hdfs.name_node",
    "rados.pool",
];

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// By letter: the number; for a flag how often it is set; 0 for a text.
    numbers: BTreeMap<char, i64>,
    /// All options as written, with values and fates.
    written: Vec<(String, OptionUse)>,
    /// Remarks on words that mdtest itself ignores.
    pub notes: Vec<String>,
}

impl Options {
    /// # Errors
    /// A word that mdtest rejects.
    pub fn read(words: &[String], parser: Parser) -> Result<Options, String> {
        let mut options = Options::default();
        let mut words = words.iter().map(String::as_str).peekable();
        while let Some(word) = words.next() {
            let (name, joined) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word, None),
            };
            if let Some(long) = name.strip_prefix("--").filter(|long| !long.is_empty()) {
                options.long(long, joined, &mut words)?
            } else if let Some(letters) = name.strip_prefix('-').filter(|l| !l.is_empty()) {
                options.short(word, letters, joined, &mut words, parser)?
            } else if parser == Parser::Getopt {
                options.notes.push(format!("mdtest 1.9 ignores \"{word}\""))
            } else {
                return Err(format!("\"{word}\": expected an option of mdtest: -n 1000"));
            }
        }
        Ok(options)
    }

    fn short<'w>(
        &mut self,
        word: &str,
        letters: &str,
        joined: Option<&'w str>,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'w str>>,
        parser: Parser,
    ) -> Result<(), String> {
        let mut known = false;
        for (at, letter) in letters.char_indices() {
            let Some((_, takes, usage)) = SHORT.iter().find(|(is, ..)| *is == letter) else {
                if known {
                    self.notes.push(format!("mdtest ignores {letter} of {word}"));
                    continue;
                }
                return Err(format!("-{letter}: expected an option of mdtest (IOR 4.0)"));
            };
            known = true;
            let rest = &letters[at + letter.len_utf8()..];
            match takes {
                Flag => {
                    // In 1.9 a number directly after -R is a seed.
                    let seed = letter == 'R' && rest.starts_with(|c: char| c.is_ascii_digit());
                    let all = if seed { rest } else { "" };
                    self.flag(letter, joined, all, *usage);
                    if seed || (parser == Parser::First && !rest.is_empty()) {
                        if !seed {
                            self.notes
                                .push(format!("mdtest 3.2 and 3.3 read only -{letter} of {word}"))
                        }
                        return Ok(());
                    }
                }
                Maybe if joined.is_none() && rest.is_empty() => {
                    let is_number = |next: &&str| next.parse::<i64>().is_ok();
                    let value = words.next_if(is_number).unwrap_or("1");
                    return self.value(letter, value, *usage, parser);
                }
                Maybe if joined.is_none() && !rest.starts_with(|c: char| c.is_ascii_digit()) => {
                    self.value(letter, "1", *usage, parser)?
                }
                Number | Maybe | Text => {
                    let attached = (!rest.is_empty()).then_some(rest);
                    let value = match (joined, attached) {
                        (Some(joined), _) => Some(joined).filter(|value| !value.is_empty()),
                        (None, Some(rest)) => Some(rest),
                        (None, None) => words.next(),
                    };
                    let none = || format!("-{letter}: expected a value after this option");
                    let value = value.ok_or_else(none)?;
                    return match takes {
                        Text => {
                            self.text(letter, value, *usage);
                            Ok(())
                        }
                        _ => self.value(letter, value, *usage, parser),
                    };
                }
            }
        }
        Ok(())
    }

    /// Sets a flag; `-F=0` unsets it.
    fn flag(&mut self, letter: char, joined: Option<&str>, seed: &str, usage: OptionUse) {
        match joined {
            Some(value) => {
                let set = number(value, Parser::Getopt).map_or(0, |(value, _)| value).max(0);
                self.numbers.insert(letter, set);
                self.written.push((format!("-{letter}={value}"), usage))
            }
            None => {
                *self.numbers.entry(letter).or_default() += 1;
                self.written.push((format!("-{letter}{seed}"), usage))
            }
        }
    }

    fn text(&mut self, letter: char, value: &str, usage: OptionUse) {
        self.numbers.insert(letter, 0);
        self.written.push((format!("-{letter} {value}"), usage))
    }

    fn value(
        &mut self,
        letter: char,
        text: &str,
        usage: OptionUse,
        p: Parser,
    ) -> Result<(), String> {
        let read = number(text, p);
        if usage != Elsewhere {
            let wrong = || format!("-{letter} {text}: expected a whole number");
            let (value, rest) = read.filter(|(value, _)| *value >= 0).ok_or_else(wrong)?;
            if !rest.is_empty() {
                self.notes.push(format!("mdtest reads -{letter} {text} as {value}"))
            }
            self.numbers.insert(letter, value);
        }
        self.written.push((format!("-{letter} {text}"), usage));
        Ok(())
    }

    fn long<'w>(
        &mut self,
        name: &str,
        joined: Option<&'w str>,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'w str>>,
    ) -> Result<(), String> {
        let value = match joined {
            Some(value) => format!("={value}"),
            None if LONG_FLAGS.contains(&name) => String::new(),
            None if LONG_VALUES.contains(&name) => {
                let none = || format!("--{name}: expected a value after this option");
                format!(" {}", words.next().ok_or_else(none)?)
            }
            // An unknown back end's option: a word without a dash is its value.
            None => words.next_if(|next| !next.starts_with('-')).map_or(String::new(), |value| {
                self.notes.push(format!("--{name} is unknown: {value} was read as its value"));
                format!(" {value}")
            }),
        };
        self.written.push((format!("--{name}{value}"), Elsewhere));
        Ok(())
    }

    /// Whether a flag is set or a value given.
    pub fn has(&self, letter: char) -> bool {
        let is_text = SHORT.iter().any(|(is, takes, _)| *is == letter && *takes == Text);
        self.numbers.get(&letter).is_some_and(|number| is_text || *number > 0)
    }

    pub fn number(&self, letter: char) -> u64 {
        self.numbers.get(&letter).map_or(0, |number| number.unsigned_abs())
    }

    pub fn number_or(&self, letter: char, absent: u64) -> u64 {
        if self.numbers.contains_key(&letter) { self.number(letter) } else { absent }
    }

    pub fn with_use(&self, usage: OptionUse) -> String {
        let of = self.written.iter().filter(|(_, is)| *is == usage);
        of.map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ")
    }

    pub fn written(&self) -> String {
        self.written.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Makes the checks that mdtest makes at its start.
    pub fn check(&self) -> Result<(), String> {
        let (items, each) = (self.number('n'), self.number('I'));
        let branch = self.number_or('b', 1);
        let refused = [
            (
                items > 0 && each > 0 && self.has('u'),
                "-n and -I with -u: mdtest takes only one of the two".to_string(),
            ),
            (
                each > 0 && items % each.max(1) > 0,
                format!("-n {items}: expected a multiple of -I {each}"),
            ),
            (
                self.number('W') > 0 && branch > 1,
                format!("-W with -b {branch}: mdtest takes -W only with -b 1"),
            ),
            (self.has('B') && self.number('N') > 0, "-B with -N: mdtest takes one of them".into()),
            (self.has('c') && self.has('S'), "-c with -S: mdtest takes one of them".into()),
            (self.has('u') && self.has('S'), "-u with -S: mdtest takes one of them".into()),
            (
                branch == 0 && self.number('z') > 0,
                "-b 0 with -z: expected -b 1 or more: mdtest would create no tree".into(),
            ),
            (
                items == 0 && each == 0,
                "neither -n nor -I: expected one of them: mdtest creates no items without".into(),
            ),
        ];
        refused.into_iter().find(|(is, _)| *is).map_or(Ok(()), |(_, why)| Err(why))
    }
}

/// A number as mdtest parses it, with `10k` as 10 240, and the ignored rest.
fn number(text: &str, parser: Parser) -> Option<(i64, &str)> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text[sign..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |n| n + sign);
    let size = text[..digits].parse::<i64>().ok().or_else(|| {
        let is_large = digits > sign;
        is_large.then_some(if text.starts_with('-') { i64::MIN } else { i64::MAX })
    })?;
    let rest = text[digits..].trim();
    let powers = ["kK", "mM", "gG", "tT", "pP"];
    let power = powers.iter().position(|letters| rest.starts_with(|c| letters.contains(c)));
    Some(match power.filter(|_| parser != Parser::Getopt) {
        Some(power) => (size.saturating_mul(1 << (10 * (power + 1))), ""),
        None => (size, rest),
    })
}

#[cfg(test)]
mod tests;
