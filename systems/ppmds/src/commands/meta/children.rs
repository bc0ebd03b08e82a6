//! A cluster on this machine: one child process a server.
use ppmds_service::durability::Durability;
use ppmds_service::operator::Operator;
use ppmds_service::{cluster::Cluster, keys};
use ppmds_service::{growth, runtime};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;
use system::{Failure, program};

const KEYS: &str = "keys";

/// Attempts at a change of the servers, some of which are away at any time.
const ATTEMPTS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(50);
/// Questions whether a standby has all rows.
const COPY_ATTEMPTS: u32 = 1_200;

struct Running {
    child: Child,
    /// The node ends when this closes, also if this process is killed.
    _leash: Option<ChildStdin>,
}

/// Moves the calling thread to the network of a server.
pub type Enter<'a> = &'a (dyn Fn(usize) -> Result<(), Failure> + Sync);

/// Servers by number. Dropping this ends them and removes their data.
pub struct Children<'a> {
    program: PathBuf,
    folder: PathBuf,
    /// With a client's keys, if there are keys.
    pub cluster: Cluster,
    durability: Durability,
    enter: Enter<'a>,
    servers: Vec<Running>,
    /// None, or one for each server.
    standbys: Vec<Running>,
}

impl<'a> Children<'a> {
    /// Starts servers with data below `folder`, which must not exist; with certificates if `tls`.
    pub fn start(
        folder: &Path,
        mut cluster: Cluster,
        (durability, tls): (Durability, bool),
        enter: Enter<'a>,
    ) -> Result<Children<'a>, Failure> {
        let failed = |e: std::io::Error| Failure::Failed(format!("{}: {e}", folder.display()));
        let program =
            program::file().map_err(|e| Failure::Failed(format!("the program's own file: {e}")))?;
        std::fs::create_dir_all(folder).map_err(failed)?;
        if tls {
            let keys = keys::authority(&folder.join(KEYS), cluster.addresses.len())
                .map_err(super::failure)?;
            cluster = cluster.with_keys(&keys.join(keys::CLIENT)).map_err(super::failure)?
        }
        let (folder, servers, standbys) = (folder.to_path_buf(), Vec::new(), Vec::new());
        let mut children =
            Children { program, folder, cluster, durability, enter, servers, standbys };
        children.write()?;
        for server in 0..children.cluster.addresses.len() {
            let address = children.cluster.addresses[server].clone();
            let running = children.run(server, &address)?;
            children.servers.push(running);
            if let Some(address) = children.cluster.standbys[server].clone() {
                let running = children.run(server, &address)?;
                children.standbys.push(running)
            }
        }
        Ok(children)
    }

    fn data(&self, address: &str) -> PathBuf {
        self.folder.join(address.replace(':', "-"))
    }

    fn file(&self) -> PathBuf {
        self.folder.join("meta.toml")
    }

    fn run(&self, server: usize, address: &str) -> Result<Running, Failure> {
        let mut command = Command::new(&self.program);
        command.args(["meta", "node", "--leash", "--listen", address]);
        command.args(["--durability", self.durability.name()]);
        if !address.starts_with("127.") {
            command.arg("--insecure");
        }
        command.arg("--cluster").arg(self.file());
        command.arg("--data").arg(self.data(address));
        if self.cluster.keys.is_some() {
            command.arg("--keys").arg(self.folder.join(KEYS).join(keys::name_of(server)));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |e| Failure::Failed(format!("cannot start server {server}: {e}"));
        // A child inherits the network of the thread that starts it.
        let spawn = || (self.enter)(server).and_then(|()| command.spawn().map_err(failed));
        let spawned = std::thread::scope(|scope| scope.spawn(spawn).join());
        let mut child = spawned.expect("the thread does not panic")?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(failed)?;
        }
        let leash = child.stdin.take();
        let running = Running { child, _leash: leash };
        match line.starts_with("listening on ") {
            true => Ok(running),
            false => {
                end(running);
                Err(Failure::Failed(format!("server {server} does not listen on {address}")))
            }
        }
    }

    /// Starts one more server, or prepares to remove the one that was started. The function moves
    /// the directories, again after each failure, and returns the cluster then.
    pub fn begin_change(
        &mut self,
    ) -> Result<impl FnOnce() -> Result<Cluster, String> + Send + use<>, Failure> {
        let last = self.cluster.numbers().last().copied().unwrap_or(0);
        let is_add = last < self.cluster.layout().homes;
        if is_add {
            let address = free_addresses(1)?.remove(0);
            self.cluster =
                growth::with_server(&self.cluster, &address, None).map_err(Failure::Failed)?;
            self.write()?;
            let added = self.cluster.addresses.len() - 1;
            let running = self.run(added, &address)?;
            self.servers.push(running)
        } else {
            self.cluster = growth::with_leaving(&self.cluster, last).map_err(Failure::Failed)?;
            self.write()?
        }
        let cluster = self.cluster.clone();
        Ok(move || {
            let attempt = || async {
                growth::spread_word(&cluster).await?;
                growth::rebalance(&cluster, &mut |_| Ok(())).await?;
                match is_add {
                    true => Ok(cluster.clone()),
                    false => growth::finish_removal(&cluster, last).await,
                }
            };
            let mut result = Err(String::new());
            for _ in 0..ATTEMPTS {
                result = runtime::block_on(attempt()).map_err(|e| e.to_string())?;
                if result.is_ok() {
                    break;
                }
                std::thread::sleep(PAUSE)
            }
            result
        })
    }

    /// Ends a removed server; returns what has changed, in words.
    pub fn end_change(&mut self, cluster: Cluster) -> Result<String, Failure> {
        let (before, after) = (self.cluster.numbers(), cluster.numbers());
        self.cluster = cluster;
        self.write()?;
        match before.last().filter(|last| !after.contains(last)) {
            Some(removed) => {
                self.kill(*removed as usize);
                Ok(format!("Removed server {removed}."))
            }
            None => Ok(format!("Added a server: {} now.", after.len())),
        }
    }

    fn write(&self) -> Result<(), Failure> {
        let place = self.file();
        std::fs::write(&place, self.cluster.text())
            .map_err(|e| Failure::Failed(format!("{}: {e}", place.display())))
    }

    pub fn processes(&self) -> impl Iterator<Item = u32> {
        self.servers.iter().map(|running| running.child.id())
    }

    /// Ends a server by SIGKILL.
    pub fn kill(&mut self, server: usize) {
        let child = &mut self.servers[server].child;
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Restarts a killed server with its data.
    pub fn restart(&mut self, server: usize) -> Result<(), Failure> {
        self.servers[server] = self.run(server, &self.cluster.addresses[server])?;
        Ok(())
    }

    /// Deletes a killed server's data, makes its standby the server, and gives it a new standby.
    pub fn replace(&mut self, server: usize) -> Result<(), Failure> {
        let failed = |e: std::io::Error| Failure::Failed(format!("server {server}: {e}"));
        let number = u32::try_from(server).expect("a small number");
        let lost = self.cluster.addresses[server].clone();
        std::fs::remove_dir_all(self.data(&lost)).map_err(failed)?;
        let standby = self.cluster.standbys[server].replace(lost.clone());
        let standby = standby.expect("each server has one");
        let generation = super::block_on(async {
            let operator = Operator::connect_to(&self.cluster, number, &standby).await;
            let promoted = operator.map_err(Failure::Failed)?.promote().await;
            promoted.map_err(Failure::Failed)
        })?;
        self.cluster.addresses[server] = standby;
        self.write()?;
        std::mem::swap(&mut self.servers[server], &mut self.standbys[server]);
        self.kill(server);
        self.standbys[server] = self.run(server, &lost)?;
        self.restart(server)?;
        self.wait_for_copy(number, &lost, generation)
    }

    /// Waits until a standby has all rows; before that its server must not be lost.
    fn wait_for_copy(&self, server: u32, standby: &str, generation: u32) -> Result<(), Failure> {
        for _ in 0..COPY_ATTEMPTS {
            let status = super::block_on(async {
                let operator = Operator::connect_to(&self.cluster, server, standby).await;
                operator.map_err(Failure::Failed)?.status().await.map_err(Failure::Failed)
            })?;
            if status.generation >= generation {
                return Ok(());
            }
            std::thread::sleep(PAUSE)
        }
        Err(Failure::Failed(format!("server {server}: its new standby has no copy after 60 s")))
    }
}

fn end(mut running: Running) {
    let _ = running.child.kill();
    let _ = running.child.wait();
}

impl Drop for Children<'_> {
    fn drop(&mut self) {
        self.servers.drain(..).chain(self.standbys.drain(..)).for_each(end);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A new cluster on loopback, with ports that were free a moment ago.
pub fn on_loopback(count: usize, has_standbys: bool) -> Result<Cluster, Failure> {
    let mut addresses = free_addresses(if has_standbys { 2 * count } else { count })?;
    let mut standbys: Vec<_> = addresses.split_off(count).into_iter().map(Some).collect();
    standbys.resize(count, None);
    Cluster::with_standbys(addresses, standbys).map_err(super::failure)
}

fn free_addresses(count: usize) -> Result<Vec<String>, Failure> {
    let failed = |e: std::io::Error| Failure::Failed(format!("no free port on 127.0.0.1: {e}"));
    let bind = |_| TcpListener::bind("127.0.0.1:0").map_err(failed);
    let listeners = (0..count).map(bind).collect::<Result<Vec<TcpListener>, Failure>>()?;
    let address = |listener: &TcpListener| {
        listener.local_addr().map(|address| address.to_string()).map_err(failed)
    };
    listeners.iter().map(address).collect()
}
