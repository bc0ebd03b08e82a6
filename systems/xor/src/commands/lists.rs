//! Changes to a list of nodes: replacement and growth.
use super::args::{RelayGrow, RelayReplace};
use super::findings;
use super::heal::{fail, out_of_reach, unhealed};
use super::reach::{all, failure, place_of, print, reach_at, stopped, watched};
use page::words::count;
use serde_json::json;
use system::Failure;
use xor_relay::client;
use xor_relay::transport::is_address;

pub(super) fn replace(args: &RelayReplace) -> Result<(), Failure> {
    let former = all(&args.cluster)?;
    let node = place_of(&former, args.node.trim(), &args.node)?;
    let mut list = former.clone();
    list[node] = new(&former, &args.with)?;
    let (mut old, mut new) = (reach_at(&former, &args.cluster)?, reach_at(&list, &args.cluster)?);
    let found = client::look_before_replacing(&mut new, &mut old, node).map_err(failure)?;
    let would = format!(
        "rebuild {} on {} and read them back, let it replace {}; the list: {}",
        count(found.parts as u64, "part"),
        args.with,
        args.node,
        list.join(",")
    );
    let refusal = new.refusal_of(&found, &[node]);
    findings::say(&new, &found, &would, args.dry_run, args.cluster.json)?;
    if args.dry_run {
        return refusal.map_or(Ok(()), |e| Err(failure(e)));
    }
    let replaced = watched("replacing", |watch| client::replace(&mut new, &mut old, node, watch));
    let replaced = replaced.map_err(stopped)?;
    let healed = &replaced.healed;
    let value = json!({
        "cluster": new.cluster(), "nodes": list, "node": node, "objects": healed.objects,
        "rebuilt": healed.rebuilt, "bytes": healed.bytes, "verified": replaced.verified,
        "informed": replaced.is_informed,
    });
    let aside = match replaced.is_informed {
        true => String::new(),
        false => format!("{} did not answer: keep this node stopped\n", args.node),
    };
    let (objects, parts) = (healed.objects as u64, healed.rebuilt as u64);
    let text = format!(
        "{}: {} rebuilt on {}, {} read back\n{aside}the list is now {}\n",
        count(objects, "object"),
        count(parts, "part"),
        args.with,
        count(replaced.verified, "block"),
        list.join(",")
    );
    print(args.cluster.json, &value, &text)
}

pub(super) fn grow(args: &RelayGrow) -> Result<(), Failure> {
    let former = all(&args.cluster)?;
    let mut list = former.clone();
    list.push(new(&former, &args.with)?);
    let (mut reader, mut writer) =
        (reach_at(&list, &args.cluster)?, reach_at(&list, &args.cluster)?);
    let found = client::look_before_growing(&mut writer).map_err(failure)?;
    let (objects, bytes) = found.rewritten;
    let would = format!(
        "rewrite {} of {bytes} bytes for {} nodes; the list: {}",
        count(objects as u64, "object"),
        list.len(),
        list.join(",")
    );
    findings::say(&writer, &found, &would, args.dry_run, args.cluster.json)?;
    if args.dry_run {
        return fail(out_of_reach(&writer, &found.out_of_reach).into_iter().collect());
    }
    let grown = watched("growing", |watch| client::grow(&mut writer, &mut reader, watch));
    let grown = grown.map_err(stopped)?;
    let value = json!({
        "cluster": writer.cluster(), "nodes": list, "rewritten": grown.rewritten,
        "bytes": grown.bytes, "failed": grown.failed, "out_of_reach": grown.out_of_reach,
    });
    let text = format!(
        "{}, {} bytes, rewritten for {} nodes\nthe list is now {}\n",
        count(grown.rewritten as u64, "object"),
        grown.bytes,
        list.len(),
        list.join(",")
    );
    print(args.cluster.json, &value, &text)?;
    let mut wrong = unhealed(&grown.failed);
    wrong.extend(out_of_reach(&writer, &grown.out_of_reach));
    fail(wrong)
}

/// Checks that a new node's address is valid and not in the list.
fn new(list: &[String], with: &str) -> Result<String, Failure> {
    let with = with.trim();
    let bad = |why: &str| Err(Failure::BadInput(format!("--with {with}: {why}")));
    match () {
        () if list.iter().any(|address| address == with) => bad("this address is already in the \
                                                                 list"),
        () if !is_address(with) => bad("expected HOST:PORT"),
        () => Ok(with.to_string()),
    }
}
