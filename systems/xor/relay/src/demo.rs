//! A demonstration: five nodes store a file, two are killed, and the file is read; twice.
use crate::children::Children;
use crate::client::{Strategy, connect};
use crate::error::Error;
use crate::transport::{Connections, Kind, TcpOptions};
use keys::{CLIENT, Keys, authority};
use std::path::Path;

const NODES: usize = 5;
/// In bytes; not a round number.
const LENGTH: usize = (24 << 20) + 4321;
const BLOCK: u32 = 64 << 10;
const NAME: &str = "demo";

#[derive(Clone, Debug)]
pub struct DemoReport {
    /// Written and read.
    pub bytes: u64,
    pub killed: usize,
    /// Times that the file was read and compared byte by byte.
    pub compared: usize,
}

/// Runs the demonstration over this transport, with TLS if `tls`. `say` receives a sentence at a
/// time; `stop` is checked between steps.
pub fn demo(
    program: &Path,
    folder: &Path,
    (tls, kind): (bool, Kind),
    say: &mut dyn FnMut(&str),
    stop: &dyn Fn() -> bool,
) -> Result<DemoReport, Error> {
    // A missing device is reported before any node starts.
    drop(Connections::client(kind, TcpOptions::default())?);
    let check = || if stop() { Err(Error::Stopped) } else { Ok(()) };
    let authority = if tls { Some(authority(&folder.join("keys"), NODES)?) } else { None };
    let mut children = Children::start_with(program, folder, NODES, authority.as_deref(), kind)?;
    let keys = authority.map(|place| Keys::read(&place.join(CLIENT))).transpose()?;
    let (addresses, keys) = (children.addresses(), keys.as_ref());
    let to: Target<'_> = (&addresses, keys, kind);
    let how = match (tls, kind) {
        (_, Kind::Verbs) => "; blocks use RDMA verbs, other messages TCP",
        (true, _) => {
            ", each with a certificate of the cluster's own authority; connections use TLS 1.3"
        }
        (false, _) => "",
    };
    say(&format!("Started {NODES} nodes on this machine: {}{how}.", addresses.join(", ")));
    check()?;
    let content = content();
    write(to, &content, say)?;
    check()?;
    kill(&mut children, [1, 3], say);
    read(to, &content, say)?;
    check()?;
    for node in [1, 3] {
        children.replace(node)?
    }
    let healed = connect(&addresses, keys, kind)?.repair(&[1, 3], &mut |_, _| true)?;
    if let Some(why) = healed.failed.first() {
        return Err(Error::Failed(why.clone()));
    }
    say(&format!(
        "Repaired: two empty nodes replaced them, and {} were rebuilt there from the three others.",
        mib(healed.bytes)
    ));
    check()?;
    kill(&mut children, [0, 4], say);
    read(to, &content, say)?;
    say("The file is the same, bit for bit. The nodes and their data are removed.");
    Ok(DemoReport { bytes: LENGTH as u64, killed: 4, compared: 2 })
}

/// # Errors
/// Bad input if the transport needs an RDMA device and there is none.
pub fn have_device(kind: Kind) -> Result<(), Error> {
    match kind {
        Kind::Tcp => Ok(()),
        Kind::Verbs => Connections::client(kind, TcpOptions::default()).map(drop),
    }
}

fn content() -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let words = (0..LENGTH.div_ceil(8)).flat_map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.take(LENGTH).collect()
}

fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// Addresses of the nodes, the client's keys, and the transport.
type Target<'a> = (&'a [String], Option<&'a Keys>, Kind);

fn write(to: Target<'_>, content: &[u8], say: &mut dyn FnMut(&str)) -> Result<(), Error> {
    let mut client = connect(to.0, to.1, to.2)?;
    let mut feed = |at: u64, to: &mut [u8]| {
        to.copy_from_slice(&content[at as usize..][..to.len()]);
        Ok(())
    };
    let length = content.len() as u64;
    let receipt = client.put(NAME, length, BLOCK, Strategy::Auto, &mut feed, &mut |_, _| true)?;
    let naive = length * NODES as u64 / (NODES - 2) as u64;
    say(&format!(
        "Wrote {} as {NAME:?} in {:.2} s. The client sent only the data; the nodes made the parity \
         among themselves. With parity, too, the client would have sent {}.",
        mib(length),
        receipt.took.as_secs_f64(),
        mib(naive)
    ));
    Ok(())
}

fn kill(children: &mut Children, nodes: [usize; 2], say: &mut dyn FnMut(&str)) {
    nodes.iter().for_each(|&node| children.kill(node));
    say(&format!("Killed nodes {} and {}.", nodes[0], nodes[1]));
}

fn read(to: Target<'_>, content: &[u8], say: &mut dyn FnMut(&str)) -> Result<(), Error> {
    let mut client = connect(to.0, to.1, to.2)?;
    let mut at = 0;
    let mut differs = None;
    let got = client.get(
        NAME,
        &mut |bytes| {
            if content.get(at..at + bytes.len()) != Some(bytes) {
                differs.get_or_insert(at);
            }
            at += bytes.len();
            Ok(())
        },
        &mut |_, _| true,
    )?;
    if differs.is_some() || at != content.len() {
        return Err(Error::Failed(format!("the data read differs from byte {differs:?} on")));
    }
    say(&format!(
        "Read the file back from the three others in {:.2} s: {} compared, no bit differs.",
        got.took.as_secs_f64(),
        mib(at as u64)
    ));
    Ok(())
}
