//! Commands on paths: `ls`, `tree`, `stat`, `mkdir`, `touch`, `mv`, `rm`, `rmdir`, `ln`.
use super::args::{MetaCluster, MetaMkdir, MetaPath, MetaPaths, MetaTwo};
use super::{block_on, cluster, failure, print};
use ppmds_protocol::{Attributes, Change, Errno, Ino, Inode, Kind, Listed};
use ppmds_service::client::{Client, ClientOptions, OperationError};
use serde_json::{Value, json};
use std::fmt::Write as _;
use system::Failure;

const FILE: Attributes = Attributes { mode: 0o644, owner: 0, group: 0 };
const DIRECTORY: Attributes = Attributes { mode: 0o755, owner: 0, group: 0 };

/// Runs `work` with a client, and ends its session.
fn with<T>(
    args: &MetaCluster,
    work: impl AsyncFnOnce(&Client) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let cluster = cluster(&args.which)?;
    block_on(async {
        let client = Client::connect(&cluster, ClientOptions::default()).await.map_err(failure)?;
        let result = work(&client).await;
        client.close().await;
        result
    })
}

/// A failed operation on a path.
fn on_path(path: &str) -> impl Fn(OperationError) -> Failure {
    move |e| match e {
        _ if !path.starts_with('/') => {
            Failure::BadInput(format!("{path}: expected an absolute path, as in /a/b"))
        }
        OperationError::Errno(Errno::EINVAL | Errno::ENAMETOOLONG) => {
            Failure::BadInput(format!("{path}: {e}"))
        }
        e => Failure::Failed(format!("{path}: {e}")),
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "file",
        Kind::Directory => "directory",
        Kind::Symlink => "symbolic link",
        Kind::Pipe => "pipe",
        Kind::Socket => "socket",
    }
}

fn entry(listed: &Listed) -> Value {
    let Listed { name, ino, kind } = listed;
    json!({ "name": name.to_string(), "inode": ino, "kind": word(*kind) })
}

pub(super) fn ls(args: &MetaPath) -> Result<(), Failure> {
    let path = &args.path;
    let all =
        with(&args.cluster, async |client| client.readdir_path(path).await.map_err(on_path(path)))?;
    let mut text = String::new();
    for Listed { name, ino, kind } in &all {
        let mark = if *kind == Kind::Directory { "/" } else { "" };
        let _ = writeln!(text, "{ino:>20}  {name}{mark}");
    }
    let entries: Vec<Value> = all.iter().map(entry).collect();
    print(args.cluster.json, &json!({ "path": path, "entries": entries }), &text)
}

pub(super) fn tree(args: &MetaPath) -> Result<(), Failure> {
    let path = &args.path;
    let (mut entries, mut text) = (Vec::new(), format!("{path}\n"));
    with(&args.cluster, async |client| {
        let first = client.stat_path(path).await.map_err(on_path(path))?;
        let top = path.trim_end_matches('/').to_string();
        // Entries to print, the next one last: entry, path of its directory, depth.
        let mut stack: Vec<(Listed, String, usize)> = Vec::new();
        let listed = client.readdir(first.ino).await.map_err(on_path(path))?;
        stack.extend(listed.into_iter().rev().map(|one| (one, top.clone(), 1)));
        while let Some((one, above, depth)) = stack.pop() {
            let path = format!("{above}/{}", one.name);
            let mark = if one.kind == Kind::Directory { "/" } else { "" };
            let _ = writeln!(text, "{:indent$}{}{mark}", "", one.name, indent = depth * 2);
            entries.push(json!({ "path": path, "inode": one.ino, "kind": word(one.kind) }));
            if one.kind == Kind::Directory {
                let below = list(client, one.ino, &path).await?;
                stack.extend(below.into_iter().rev().map(|one| (one, path.clone(), depth + 1)))
            }
        }
        Ok(())
    })?;
    print(args.cluster.json, &json!({ "path": path, "entries": entries }), &text)
}

/// Entries of a directory; none if it was removed in the meantime.
async fn list(client: &Client, directory: Ino, path: &str) -> Result<Vec<Listed>, Failure> {
    match client.readdir(directory).await {
        Err(OperationError::Errno(Errno::ENOENT)) => Ok(Vec::new()),
        other => other.map_err(on_path(path)),
    }
}

pub(super) fn stat(args: &MetaPaths) -> Result<(), Failure> {
    let mut all: Vec<Inode> = Vec::new();
    with(&args.cluster, async |client| {
        for path in &args.paths {
            all.push(client.stat_path(path).await.map_err(on_path(path))?)
        }
        Ok(())
    })?;
    let mut text = String::new();
    let mut values = Vec::new();
    for (path, inode) in args.paths.iter().zip(&all) {
        let Inode { ino, kind, mode, links, owner, group, size, modified, changed } = inode;
        let mode = mode & 0o7777;
        let kind = word(*kind);
        let _ = writeln!(
            text,
            "{path}: {kind} {ino}, mode {mode:o}, links {links}, owner {owner}:{group}, size \
             {size}, changed {changed} ns"
        );
        values.push(json!({
            "path": path, "inode": ino, "kind": kind, "mode": mode, "links": links,
            "owner": owner, "group": group, "size": size, "modified_ns": modified,
            "changed_ns": changed,
        }))
    }
    print(args.cluster.json, &json!({ "paths": values }), &text)
}

/// Runs an operation on each path; stops at the first that fails.
fn each(
    args: &MetaPaths,
    work: impl AsyncFn(&Client, &str) -> Result<Ino, OperationError>,
) -> Result<(), Failure> {
    let mut done = Vec::new();
    with(&args.cluster, async |client| {
        for path in &args.paths {
            let ino = work(client, path).await.map_err(on_path(path))?;
            done.push(json!({ "path": path, "inode": ino }))
        }
        Ok(())
    })?;
    print(args.cluster.json, &json!({ "paths": done }), "")
}

pub(super) fn mkdir(args: &MetaMkdir) -> Result<(), Failure> {
    each(&args.paths, async |client, path| {
        if !args.parents {
            return client.mkdir_path(path, DIRECTORY).await;
        }
        let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
        for end in ends {
            match client.mkdir_path(&path[..end], DIRECTORY).await {
                Ok(_) | Err(OperationError::Errno(Errno::EEXIST)) => {}
                Err(e) => return Err(e),
            }
        }
        match client.stat_path(path).await? {
            Inode { kind: Kind::Directory, ino, .. } => Ok(ino),
            _ => Err(OperationError::Errno(Errno::ENOTDIR)),
        }
    })
}

pub(super) fn touch(args: &MetaPaths) -> Result<(), Failure> {
    each(args, async |client, path| match client.create_path(path, FILE).await {
        Err(OperationError::Errno(Errno::EEXIST)) => {
            client.setattr_path(path, Change::default()).await
        }
        other => other,
    })
}

pub(super) fn rm(args: &MetaPaths) -> Result<(), Failure> {
    each(args, async |client, path| client.unlink_path(path).await)
}

pub(super) fn rmdir(args: &MetaPaths) -> Result<(), Failure> {
    each(args, async |client, path| client.rmdir_path(path).await)
}

fn two(
    args: &MetaTwo,
    work: impl AsyncFnOnce(&Client, &str, &str) -> Result<Ino, OperationError>,
) -> Result<(), Failure> {
    let MetaTwo { from, to, cluster } = args;
    let both = format!("{from} to {to}");
    let ino = with(cluster, async |client| {
        let wrong = [from, to].into_iter().find(|path| !path.starts_with('/'));
        let path = wrong.map_or(both.as_str(), |path| path);
        match wrong {
            Some(_) => Err(on_path(path)(OperationError::Errno(Errno::EINVAL))),
            None => work(client, from, to).await.map_err(on_path(path)),
        }
    })?;
    print(cluster.json, &json!({ "from": from, "to": to, "inode": ino }), "")
}

pub(super) fn mv(args: &MetaTwo) -> Result<(), Failure> {
    two(args, async |client, from, to| client.rename_path(from, to).await)
}

pub(super) fn ln(args: &MetaTwo) -> Result<(), Failure> {
    two(args, async |client, from, to| client.link_path(from, to).await)
}
