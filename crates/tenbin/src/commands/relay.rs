//! `tenbin relay …`
use crate::cli::{
    Relay, RelayBench, RelayCluster, RelayDemo, RelayDraw, RelayGet, RelayLs, RelayName, RelayNode,
    RelayPut, RelayRepair,
};
use crate::failure::Failure;
use crate::{interrupt, say};
use serde_json::json;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use system::progress::Transfer;
use xor_protocol::commit::{Held, Verdict};
use xor_protocol::schedule::{chain, naive, pivot};
use xor_protocol::{Layout, draw};
use xor_relay::bench::Setting;
use xor_relay::client::{Client, Error, Found, Health};
use xor_relay::transport::Tcp;
use xor_relay::{Children, Serve, demo};

/// Does one of them.
pub fn relay(relay: Relay) -> Result<(), Failure> {
    match relay {
        Relay::Demo(args) => demonstrate(&args),
        Relay::Node(args) => node(args),
        Relay::Put(args) => put(&args),
        Relay::Get(args) => get(&args),
        Relay::Ls(args) => ls(&args),
        Relay::Stat(args) => stat(&args),
        Relay::Rm(args) => rm(&args),
        Relay::Repair(args) => repair(&args),
        Relay::Scrub(args) => scrub(&args),
        Relay::Bench(args) => bench(&args),
        Relay::Draw(args) => draw_layout(&args),
    }
}

fn failure(e: Error) -> Failure {
    match e {
        Error::BadInput(text) => Failure::BadInput(text),
        Error::Failed(text) => Failure::Failed(text),
        Error::Stopped => Failure::Interrupted("what was not acknowledged is not there".into()),
    }
}

fn in_file(path: &Path, e: &std::io::Error) -> Failure {
    Failure::BadInput(format!("{}: {e}", path.display()))
}

/// The addresses of a file: one a line.
fn addresses(nodes: &[String], cluster: Option<&Path>) -> Result<Vec<String>, Failure> {
    let Some(path) = cluster else { return Ok(nodes.to_vec()) };
    let text = std::fs::read_to_string(path).map_err(|e| in_file(path, &e))?;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.contains([' ', ',', '=']) || !line.is_empty() && !line.contains(':') {
            let place = format!("{}:{}", path.display(), number + 1);
            let expected = "expected one HOST:PORT a line; # begins a comment";
            return Err(Failure::BadInput(format!("{place}: {line:?}: {expected}")));
        }
        if !line.is_empty() {
            found.push(line.to_string())
        }
    }
    Ok(found)
}

fn all(cluster: &RelayCluster) -> Result<Vec<String>, Failure> {
    addresses(&cluster.nodes, cluster.cluster.as_deref())
}

fn connect(cluster: &RelayCluster) -> Result<Client<Tcp>, Failure> {
    let client = demo::connect(&all(cluster)?).map_err(failure)?;
    for (_, why) in client.missing() {
        say::aside(&format!("! {why}"));
    }
    Ok(client)
}

/// A folder that nobody else has.
fn scratch(what: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tenbin-relay-{what}-{}", std::process::id()))
}

fn program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|e| Failure::Failed(format!("cannot find myself: {e}")))
}

fn demonstrate(args: &RelayDemo) -> Result<(), Failure> {
    let mut tell = |sentence: &str| match args.json {
        true => say::aside(sentence),
        false => drop(say::text(&format!("{sentence}\n"))),
    };
    let shown = demo::demo(&program()?, &scratch("demo"), &mut tell, &interrupt::asked);
    let shown = shown.map_err(failure)?;
    match args.json {
        true => say::json(&json!({
            "bytes": shown.bytes, "killed": shown.killed, "compared": shown.compared,
        })),
        false => Ok(()),
    }
}

fn node(args: RelayNode) -> Result<(), Failure> {
    static CUT: AtomicBool = AtomicBool::new(false);
    if args.leash {
        std::thread::spawn(|| {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            CUT.store(true, Ordering::SeqCst)
        });
    }
    let serve = Serve { listen: args.listen, data: args.data, is_insecure: args.insecure };
    let mut ready = |address, store: &xor_relay::store::Store| {
        let count = store.count();
        drop(say::text(&format!("listening on {address} with {count} objects\n")));
        for record in store.damaged() {
            say::aside(&format!("! {record}: cannot be read; `tenbin relay repair` makes it anew"));
        }
    };
    let stop = || interrupt::asked() || CUT.load(Ordering::SeqCst);
    xor_relay::serve(&serve, &mut ready, &stop).map_err(failure)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn mbit(bytes: u64, took: Duration) -> f64 {
    bytes as f64 * 8.0 / 1e6 / took.as_secs_f64().max(1e-9)
}

fn put(args: &RelayPut) -> Result<(), Failure> {
    let file = File::open(&args.file).map_err(|e| in_file(&args.file, &e))?;
    let length = file.metadata().map_err(|e| in_file(&args.file, &e))?.len();
    let mut client = connect(&args.cluster)?;
    let transfer = Transfer::new(length, "writing");
    let mut feed = |at: u64, to: &mut [u8]| file.read_exact_at(to, at);
    let mut watch = |done, _| transfer.at(done);
    let strategy = args.schedule.strategy();
    let receipt = client.put(&args.name, length, args.block, strategy, &mut feed, &mut watch);
    drop(transfer);
    let receipt = receipt.map_err(failure)?;
    let (sha256, rate) = (hexadecimal(&receipt.sha256), mbit(length, receipt.took));
    if args.json {
        return say::json(&json!({
            "name": receipt.name, "bytes": length, "sha256": sha256,
            "generation": receipt.version.generation, "took_s": receipt.took.as_secs_f64(),
            "goodput_mbit": rate, "may_lose": receipt.losses,
        }));
    }
    say::text(&format!(
        "{sha256}  {}\n{length} bytes in {:.2} s, {rate:.0} Mbit/s; any {} of {} nodes may go\n",
        receipt.name,
        receipt.took.as_secs_f64(),
        receipt.losses,
        client.layout().nodes()
    ))
}

fn get(args: &RelayGet) -> Result<(), Failure> {
    let mut client = connect(&args.cluster)?;
    let found = client.find(&args.name).map_err(failure)?;
    let mut name = args.file.clone().into_os_string();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = File::create(&part).map_err(|e| Failure::writing(&part, &e))?;
    let transfer = Transfer::new(found.entry.length, "reading");
    let mut sink = |bytes: &[u8]| file.write_all(bytes);
    let got = client.get(&args.name, &mut sink, &mut |done, _| transfer.at(done));
    drop(transfer);
    let got = got.map_err(failure).and_then(|got| {
        let done = file.sync_all().and_then(|()| std::fs::rename(&part, &args.file));
        done.map_err(|e| Failure::writing(&args.file, &e)).map(|()| got)
    });
    if got.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    let got = got?;
    let (sha256, rate) = (hexadecimal(&got.entry.sha256), mbit(got.entry.length, got.took));
    if args.json {
        return say::json(&json!({
            "name": got.entry.name, "bytes": got.entry.length, "sha256": sha256,
            "took_s": got.took.as_secs_f64(), "goodput_mbit": rate, "without": got.without,
        }));
    }
    let without: Vec<String> = got.without.iter().map(usize::to_string).collect();
    let without = match without.is_empty() {
        true => String::new(),
        false => format!(", without node {}", without.join(" and ")),
    };
    let took = got.took.as_secs_f64();
    say::text(&format!(
        "{sha256}  {}\n{} bytes in {took:.2} s, {rate:.0} Mbit/s{without}\n",
        args.file.display(),
        got.entry.length
    ))
}

/// How an object is, in a word or two.
fn health(found: &Found) -> String {
    match found.health() {
        Health::Good => "good".into(),
        Health::Degraded(nodes) => format!("{nodes} nodes lacking"),
    }
}

fn ls(args: &RelayLs) -> Result<(), Failure> {
    let mut client = connect(&args.cluster)?;
    let all = client.survey_all().map_err(failure)?;
    let newest = all.values().filter_map(|v| v.iter().find(|f| f.verdict == Verdict::Whole));
    let newest: Vec<&Found> = newest.collect();
    if args.json {
        let objects: Vec<serde_json::Value> = newest.iter().map(|f| as_json(f)).collect();
        return say::json(&json!({ "objects": objects }));
    }
    let line =
        |f: &&Found| format!("{:>14}  {:<16}  {}\n", f.entry.length, health(f), f.entry.name);
    say::text(&newest.iter().map(line).collect::<String>())
}

fn as_json(found: &Found) -> serde_json::Value {
    let lacking = found.said.iter().enumerate().filter(|(_, h)| **h != Held::Committed);
    json!({
        "name": found.entry.name, "bytes": found.entry.length, "block": found.entry.block,
        "sha256": hexadecimal(&found.entry.sha256), "generation": found.entry.version.generation,
        "nodes": found.entry.nodes, "lacking": lacking.map(|(node, _)| node).collect::<Vec<_>>(),
    })
}

fn stat(args: &RelayName) -> Result<(), Failure> {
    let mut client = connect(&args.cluster)?;
    let found = client.find(&args.name).map_err(failure)?;
    if args.json {
        return say::json(&as_json(&found));
    }
    let mut text = format!(
        "{}\n{} bytes in blocks of {}, sha256 {}\nwrite {} of this name\n",
        found.entry.name,
        found.entry.length,
        found.entry.block,
        hexadecimal(&found.entry.sha256),
        found.entry.version.generation
    );
    let addresses = all(&args.cluster)?;
    for (node, (held, address)) in found.said.iter().zip(addresses).enumerate() {
        let what = match held {
            Held::Committed => "has it",
            Held::Prepared { .. } => "has it, not told yet that it is whole",
            Held::Nothing => "does not have it: tenbin relay repair",
            Held::Unknown => "does not answer",
        };
        text += &format!("node {node} ({address}) {what}\n")
    }
    say::text(&text)
}

fn rm(args: &RelayName) -> Result<(), Failure> {
    connect(&args.cluster)?.remove(&args.name).map_err(failure)?;
    match args.json {
        true => say::json(&json!({ "name": args.name, "removed": true })),
        false => say::text(&format!("{} is removed\n", args.name)),
    }
}

fn repair(args: &RelayRepair) -> Result<(), Failure> {
    let addresses = all(&args.cluster)?;
    let mut lost = Vec::new();
    for address in &args.lost {
        let node = addresses.iter().position(|a| a == address);
        lost.push(node.ok_or_else(|| {
            let all = addresses.join(", ");
            Failure::BadInput(format!("--lost {address}: none of the nodes: {all}"))
        })?)
    }
    let mut client = connect(&args.cluster)?;
    let transfer = Transfer::new(0, "repairing");
    let healed = client.repair(&lost, &mut |done, total| transfer.objects(done, total));
    drop(transfer);
    let healed = healed.map_err(failure)?;
    if args.json {
        say::json(&json!({
            "objects": healed.objects, "rebuilt": healed.rebuilt, "bytes": healed.bytes,
            "failed": healed.failed,
        }))?
    } else {
        let (objects, parts, bytes) = (healed.objects, healed.rebuilt, healed.bytes);
        say::text(&format!("{objects} objects: {parts} parts made anew, {bytes} bytes\n"))?
    }
    unhealed(&healed.failed)
}

fn unhealed(failed: &[String]) -> Result<(), Failure> {
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed(format!("not all could be healed: {}", failed.join("; ")))),
    }
}

fn scrub(args: &RelayLs) -> Result<(), Failure> {
    let mut client = connect(&args.cluster)?;
    let transfer = Transfer::new(0, "scrubbing");
    let found = client.scrub(&mut |done, total| transfer.objects(done, total));
    drop(transfer);
    let found = found.map_err(failure)?;
    if args.json {
        say::json(&json!({
            "objects": found.healed.objects, "blocks": found.blocks, "bad": found.bad,
            "inconsistent": found.inconsistent, "rebuilt": found.healed.rebuilt,
            "healed_bytes": found.healed.bytes, "failed": found.healed.failed,
        }))?
    } else {
        say::text(&format!(
            "{} objects, {} blocks verified: {} were bad, {} parts lacking; {} bytes written\n",
            found.healed.objects, found.blocks, found.bad, found.healed.rebuilt, found.healed.bytes
        ))?
    }
    if found.inconsistent > 0 {
        let count = found.inconsistent;
        let why = format!("{count} parities do not fit their data although no block is damaged");
        return Err(Failure::Failed(why));
    }
    unhealed(&found.healed.failed)
}

fn bench(args: &RelayBench) -> Result<(), Failure> {
    let children = match args.local {
        Some(count) => {
            let children = Children::start(&program()?, &scratch("bench"), usize::from(count));
            Some(children.map_err(failure)?)
        }
        None => None,
    };
    let nodes = match &children {
        Some(children) => children.addresses(),
        None => addresses(&args.nodes, args.cluster.as_deref())?,
    };
    if nodes.is_empty() {
        let why = "no nodes: expected --local N, --nodes HOST:PORT,… or --cluster FILE";
        return Err(Failure::BadInput(why.into()));
    }
    let mut rows = Vec::new();
    for &schedule in &args.schedule {
        for &block in &args.block {
            let setting = Setting {
                nodes: nodes.clone(),
                strategy: schedule.strategy(),
                block,
                clients: usize::from(args.clients),
                among: usize::from(args.among.unwrap_or(args.clients)),
                lasts: Duration::from_secs(args.seconds.into()),
                link_mbit: args.link_mbit,
            };
            let outcome =
                xor_relay::bench::measure(&setting, &interrupt::asked).map_err(failure)?;
            rows.push(json!({
                "schedule": schedule.name(), "n": nodes.len(), "clients": args.clients,
                "block": block, "link_mbit": args.link_mbit,
                "goodput_mbit": outcome.goodput_mbit, "ideal": outcome.ideal_mbit,
                "ratio": outcome.ideal_mbit.map(|ideal| outcome.goodput_mbit / ideal),
            }));
            if !args.json {
                let ideal = outcome.ideal_mbit.map_or(String::new(), |i| format!(" of {i:.0}"));
                say::text(&format!(
                    "{:<6} n = {}, {} clients, blocks of {block:>7}: {:.0}{ideal} Mbit/s\n",
                    schedule.name(),
                    nodes.len(),
                    args.clients,
                    outcome.goodput_mbit
                ))?
            }
        }
    }
    match (args.json, rows.len()) {
        (false, _) => Ok(()),
        (true, 1) => say::json(&rows[0]),
        (true, _) => say::json(&json!({ "rows": rows })),
    }
}

fn draw_layout(args: &RelayDraw) -> Result<(), Failure> {
    let bad = |e: xor_protocol::LayoutError| Failure::BadInput(e.to_string());
    let layout = Layout::best(usize::from(args.n)).map_err(bad)?;
    let (title, schedule) = match args.schedule.name() {
        "naive" => ("naive".to_string(), naive(&layout)),
        "chain" => ("chain".to_string(), chain(&layout)),
        _ => ("pivot, node 0's turn".to_string(), pivot(&layout, 0)),
    };
    let prices = draw::prices(&layout).map_err(|e| Failure::Failed(e.to_string()))?;
    let steps = draw::steps(&layout, &schedule);
    let table = draw::table(&layout);
    say::text(&format!("{table}\nBlocks a stripe:\n{prices}\nSteps ({title}):\n{steps}"))?;
    let Some(path) = &args.out else { return Ok(()) };
    let picture = draw::svg(&layout, &format!("{} nodes, {title}", args.n), &schedule);
    std::fs::write(path, picture).map_err(|e| Failure::writing(path, &e))
}
