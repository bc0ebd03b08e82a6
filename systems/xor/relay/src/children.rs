//! A cluster on this machine: one child process a node.
use crate::error::Error;
use crate::transport::Kind;
use keys::name_of;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

struct Running {
    child: Child,
    /// The node ends when this closes, also if this process is killed.
    leash: Option<ChildStdin>,
    address: String,
    data: PathBuf,
}

/// Nodes in the layout's order. Dropping this ends them and removes their data.
pub struct Children {
    program: PathBuf,
    folder: PathBuf,
    /// Folder of the authority, with a folder for each node.
    keys: Option<PathBuf>,
    kind: Kind,
    nodes: Vec<Running>,
}

impl Children {
    /// Starts nodes with data below `folder`, which it creates and finally removes. `program` is
    /// the `tenbin` to run.
    pub fn start(program: &Path, folder: &Path, count: usize) -> Result<Children, Error> {
        Children::start_with(program, folder, count, None, Kind::Tcp)
    }

    /// Like [`Children::start`], with a transport. `keys`: folder of an authority with a folder for
    /// each node.
    pub fn start_with(
        program: &Path,
        folder: &Path,
        count: usize,
        keys: Option<&Path>,
        kind: Kind,
    ) -> Result<Children, Error> {
        let failed = |e: std::io::Error| Error::Failed(format!("{}: {e}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
        let (program, folder) = (program.to_path_buf(), folder.to_path_buf());
        let keys = keys.map(Path::to_path_buf);
        let mut children = Children { program, folder, keys, kind, nodes: Vec::new() };
        for node in 0..count {
            let data = children.folder.join(format!("node-{node}"));
            let running = children.run(node, "127.0.0.1:0", &data)?;
            children.nodes.push(running);
        }
        Ok(children)
    }

    fn run(&self, node: usize, listen: &str, data: &Path) -> Result<Running, Error> {
        let mut command = Command::new(&self.program);
        command.args(["relay", "node", "--leash", "--listen", listen, "--data"]).arg(data);
        command.args(["--transport", self.kind.name()]);
        if let Some(keys) = &self.keys {
            command.arg("--keys").arg(keys.join(name_of(node)));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |e| Error::Failed(format!("cannot start a node: {e}"));
        let mut child = command.spawn().map_err(failed)?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(failed)?;
        }
        let address = line.split_whitespace().nth(2).map(String::from);
        let Some(address) = address.filter(|_| line.starts_with("listening on ")) else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::Failed(format!("a node does not listen on {listen}")));
        };
        Ok(Running { leash: child.stdin.take(), child, address, data: data.into() })
    }

    pub fn addresses(&self) -> Vec<String> {
        self.nodes.iter().map(|n| n.address.clone()).collect()
    }

    /// Process ids.
    pub fn processes(&self) -> Vec<u32> {
        self.nodes.iter().map(|n| n.child.id()).collect()
    }

    /// Ends a node by SIGKILL.
    pub fn kill(&mut self, node: usize) {
        let child = &mut self.nodes[node].child;
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Ends all nodes orderly: their standard input closes.
    pub fn end(&mut self) {
        for node in &mut self.nodes {
            node.leash = None;
        }
        for node in &mut self.nodes {
            let _ = node.child.wait();
        }
    }

    /// Restarts a killed node at its address, with its data.
    pub fn restart(&mut self, node: usize) -> Result<(), Error> {
        self.kill(node);
        let (address, data) = (self.nodes[node].address.clone(), self.nodes[node].data.clone());
        self.nodes[node] = self.run(node, &address, &data)?;
        Ok(())
    }

    /// Like [`Children::restart`] with an empty folder: a new machine for a lost one.
    pub fn replace(&mut self, node: usize) -> Result<(), Error> {
        self.kill(node);
        let data = &self.nodes[node].data;
        std::fs::remove_dir_all(data)
            .map_err(|e| Error::Failed(format!("{}: {e}", data.display())))?;
        self.restart(node)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        (0..self.nodes.len()).for_each(|node| self.kill(node));
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
