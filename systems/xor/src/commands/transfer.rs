//! `tenbin relay put` and `get`.
use super::args::{RelayGet, RelayPut};
use super::cluster_file::in_file;
use super::reach::{connect, failure, hexadecimal, mbit, print, scratch, watched};
use page::words::count;
use serde_json::json;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::{Failure, console, interrupt, progress::Transfer};
use xor_protocol::commit::{ReplicaState, Verdict};
use xor_relay::client::{Client, Error, FoundVersion, ReadReport, Sink};

/// Default times that a put waits for absent nodes, and for memory on nodes.
const NODES: Duration = Duration::from_secs(5);
const ROOM: Duration = Duration::from_secs(30);

/// One read of standard input \[bytes\].
const PIECE: usize = 1 << 20;

/// `-`: standard input or output.
fn is_pipe(path: &Path) -> bool {
    path == Path::new("-")
}

pub(super) fn put(args: &RelayPut) -> Result<(), Failure> {
    let opened = match is_pipe(&args.file) {
        true => None,
        false => Some(opened(&args.file)?),
    };
    let mut client = connect(&args.cluster)?;
    wait_for_nodes(&mut client, args)?;
    if !args.force {
        refuse_to_replace(&mut client, &args.name)?;
        client.replace_nothing()
    }
    let file = match opened {
        Some(file) => file,
        None => spooled()?,
    };
    let about = file.metadata().map_err(|e| in_file(&args.file, &e))?;
    if !about.is_file() {
        let why = "expected a file; - reads standard input";
        return Err(Failure::BadInput(format!("{}: {why}", args.file.display())));
    }
    let length = about.len();
    let mut feed = |at: u64, to: &mut [u8]| file.read_exact_at(to, at);
    let receipt = watched("writing", |watch| {
        client.put(&args.name, length, args.block, args.schedule, &mut feed, watch)
    });
    let receipt = receipt.map_err(failure)?;
    let (sha256, rate) = (hexadecimal(&receipt.sha256), mbit(length, receipt.took));
    let value = json!({
        "name": receipt.name, "bytes": length, "sha256": sha256,
        "generation": receipt.version.generation, "took_s": receipt.took.as_secs_f64(),
        "goodput_mbit": rate, "may_lose": receipt.losses,
    });
    let text = format!(
        "{sha256}  {}\n{length} bytes in {:.2} s, {rate:.0} Mbit/s; any {} of {} nodes may be \
         lost\n",
        receipt.name,
        receipt.took.as_secs_f64(),
        receipt.losses,
        client.layout().nodes()
    );
    print(args.cluster.json, &value, &text)
}

/// A named pipe may block forever, so an interrupt ends the program during the open.
fn opened(path: &Path) -> Result<File, Failure> {
    interrupt::exit_at_once(true);
    let file = File::open(path).map_err(|e| in_file(path, &e));
    interrupt::exit_at_once(false);
    file
}

/// Waits for absent nodes: a restarting node soon answers.
fn wait_for_nodes(client: &mut Client, args: &RelayPut) -> Result<(), Failure> {
    let seconds = args.wait.map(|wait| Duration::from_secs(wait.into()));
    client.wait_for_memory(seconds.unwrap_or(ROOM));
    let before = client.missing();
    let waited =
        client.wait_for_nodes(seconds.unwrap_or(NODES), &mut || !interrupt::is_requested());
    waited.map_err(failure)?;
    for (node, _) in
        before.iter().filter(|(node, _)| !client.missing().iter().any(|m| m.0 == *node))
    {
        console::note(&format!("{} is back", client.named(*node)))
    }
    Ok(())
}

fn refuse_to_replace(client: &mut Client, name: &str) -> Result<(), Failure> {
    let versions = client.survey(name).map_err(failure)?;
    let may_be_acknowledged = |found: &&FoundVersion| {
        let is_left = found
            .states
            .iter()
            .any(|h| matches!(h, ReplicaState::Committed | ReplicaState::Unreadable));
        found.verdict == Verdict::Readable || found.verdict == Verdict::Undecided && is_left
    };
    let Some(found) = versions.iter().find(may_be_acknowledged) else { return Ok(()) };
    let (bytes, write) = (found.entry.length, found.entry.version.generation);
    Err(Failure::BadInput(format!(
        "{name:?} exists ({bytes} bytes, write {write} of this name): --force replaces it"
    )))
}

/// Copies standard input to an unlinked file, since a write needs the length first.
fn spooled() -> Result<File, Failure> {
    let path = scratch("input");
    let failed = |e: io::Error| Failure::Failed(format!("{}: {e}", path.display()));
    let mut options = OpenOptions::new();
    let mut file = options.read(true).write(true).create_new(true).open(&path).map_err(failed)?;
    std::fs::remove_file(&path).map_err(failed)?;
    let transfer = Transfer::new(0, "reading standard input");
    let (mut input, mut piece, mut done) = (io::stdin().lock(), vec![0; PIECE], 0);
    loop {
        // The source may block for long, so an interrupt ends the program.
        interrupt::exit_at_once(true);
        let read = input.read(&mut piece);
        interrupt::exit_at_once(false);
        let read = match read {
            Ok(0) => return Ok(file),
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => 0,
            Err(e) => return Err(Failure::Failed(format!("standard input: {e}"))),
        };
        file.write_all(&piece[..read]).map_err(failed)?;
        done += read as u64;
        if !transfer.at(done) {
            return Err(Failure::Interrupted("nothing was written".into()));
        }
    }
}

/// Bytes that a ready standard output takes without blocking: a pipe's page.
const PAGE: usize = 4096;
/// Tries for the name of a partial file.
const TRIES: u32 = 100;

enum Target {
    /// Appears complete or not at all, by renaming `part`.
    Whole { file: File, part: PathBuf },
    /// A device or a named pipe.
    Straight(File),
    /// Standard output, with the bytes of the current piece already written.
    Stdout(usize),
}

impl Sink for Target {
    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes)
    }

    fn restart(&mut self) -> io::Result<bool> {
        let Target::Whole { file, .. } = self else { return Ok(false) };
        file.set_len(0)?;
        file.rewind()?;
        Ok(true)
    }
}

impl Target {
    fn open(path: &Path, force: bool) -> Result<Target, Failure> {
        if is_pipe(path) {
            return Ok(Target::Stdout(0));
        }
        let is_special = std::fs::metadata(path).is_ok_and(|about| !about.is_file());
        if is_special {
            let file = OpenOptions::new().write(true).open(path);
            return file.map(Target::Straight).map_err(|e| in_file(path, &e));
        }
        if !force && path.symlink_metadata().is_ok() {
            let why = "exists: --force replaces it";
            return Err(Failure::BadInput(format!("{} {why}", path.display())));
        }
        let (file, part) = beside(path)?;
        Ok(Target::Whole { file, part })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Target::Whole { file, .. } | Target::Straight(file) => file.write_all(bytes),
            Target::Stdout(taken) => {
                while *taken < bytes.len() {
                    // The reader may be slow; meanwhile the client must handle its nodes' messages.
                    if !console::takes_bytes() {
                        return Err(io::ErrorKind::WouldBlock.into());
                    }
                    let next = (*taken + PAGE).min(bytes.len());
                    console::bytes(&bytes[*taken..next])?;
                    *taken = next
                }
                *taken = 0;
                Ok(())
            }
        }
    }

    fn end(self, path: &Path, force: bool, is_done: bool) -> Result<(), Failure> {
        let Target::Whole { file, part } = self else { return Ok(()) };
        if !is_done {
            let _ = std::fs::remove_file(&part);
            return Ok(());
        }
        let placed = file.sync_all().and_then(|()| place(&part, path, force));
        placed.map_err(|e| {
            let _ = std::fs::remove_file(&part);
            Failure::writing(path, &e)
        })
    }
}

/// Renames a partial file. Without `force`, a hard link (if supported) prevents overwriting a file
/// created meanwhile.
fn place(part: &Path, path: &Path, force: bool) -> io::Result<()> {
    if force {
        return std::fs::rename(part, path);
    }
    match std::fs::hard_link(part, path) {
        Ok(()) => std::fs::remove_file(part),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(e),
        Err(_) => std::fs::rename(part, path),
    }
}

/// Creates a partial file next to its target, with a unique name.
fn beside(path: &Path) -> Result<(File, PathBuf), Failure> {
    let name = path.file_name().unwrap_or_default();
    let mut nth = 0;
    loop {
        let mut own = OsString::from(".");
        own.push(name);
        own.push(format!(".{}-{nth}.part", std::process::id()));
        let part = path.with_file_name(own);
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => return Ok((file, part)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && nth < TRIES => nth += 1,
            Err(e) => return Err(Failure::writing(&part, &e)),
        }
    }
}

pub(super) fn get(args: &RelayGet) -> Result<(), Failure> {
    if args.cluster.json && is_pipe(&args.file) {
        let why = "--json writes to standard output, and so does -: give a file";
        return Err(Failure::BadInput(why.into()));
    }
    let mut client = connect(&args.cluster)?;
    client.find(&args.name).map_err(failure)?;
    let mut target = Target::open(&args.file, args.force)?;
    let got = watched("reading", |watch| client.get_into(&args.name, &mut target, watch));
    let got = got.map_err(|e| match (e, is_pipe(&args.file)) {
        (Error::Stopped, true) => Failure::Interrupted("the output is incomplete".into()),
        (Error::Stopped, false) => Failure::Interrupted("nothing was written".into()),
        (e, _) => failure(e),
    });
    target.end(&args.file, args.force, got.is_ok())?;
    let got = got?;
    for (node, blocks) in &got.wrong_with_valid_checksum {
        let (node, blocks) = (client.named(*node), count(*blocks, "block"));
        console::note(&format!(
            "! {node}: {blocks} are wrong although their checksums are valid; the object was read \
             without them, and is right; `tenbin relay scrub` repairs them"
        ))
    }
    match (args.cluster.json, is_pipe(&args.file)) {
        (true, _) => console::json(&as_json(&client, &got)),
        (false, true) => {
            console::note(summary(&client, &got, &args.name).trim_end());
            Ok(())
        }
        (false, false) => console::text(&summary(&client, &got, &args.file.display().to_string())),
    }
}

fn as_json(client: &Client, got: &ReadReport) -> serde_json::Value {
    let of_node = |(node, blocks): &(usize, u64)| {
        let address = client.address(*node);
        json!({ "node": node, "address": address, "blocks": blocks })
    };
    json!({
        "name": got.entry.name, "bytes": got.entry.length,
        "sha256": hexadecimal(&got.entry.sha256), "took_s": got.took.as_secs_f64(),
        "goodput_mbit": mbit(got.entry.length, got.took), "without": got.without,
        "made_anew": got.bypassed.iter().map(of_node).collect::<Vec<_>>(),
        "not_as_written": got.wrong_with_valid_checksum.iter().map(of_node).collect::<Vec<_>>(),
    })
}

fn summary(client: &Client, got: &ReadReport, file: &str) -> String {
    let (sha256, bytes) = (hexadecimal(&got.entry.sha256), got.entry.length);
    let (took, rate) = (got.took.as_secs_f64(), mbit(bytes, got.took));
    let without: Vec<String> = got.without.iter().map(usize::to_string).collect();
    let without = match without.is_empty() {
        true => String::new(),
        false => format!(", without node {}", without.join(" and ")),
    };
    let mut text =
        format!("{sha256}  {file}\n{bytes} bytes in {took:.2} s, {rate:.0} Mbit/s{without}\n");
    for (node, blocks) in &got.bypassed {
        let node = client.named(*node);
        text += &format!(
            "{node}: {}, rebuilt from the others during the read; `tenbin relay scrub` repairs \
             them\n",
            count(*blocks, "bad block")
        )
    }
    text
}
