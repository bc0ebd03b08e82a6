//! The client library: operations by inode and by path. A client numbers its operations, caches
//! the lists of directories, and resends until a server answers.
mod driver;
mod links;
mod path;
pub use path::root_inode;

use crate::Error;
use crate::cluster::{Cluster, Members};
use crate::frames::{ConnectError, connect};
use crate::wire::{Caller, Session};
use driver::{Call, Driver};
use ppmds_protocol::{
    Attributes, Change, Completed, Errno, File, Ino, Inode, Key, Listed, Name, Operation, Outcome,
    TwoPaths,
};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Operations of one client without an answer; further ones wait.
const MOST_OPEN: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientOptions {
    /// Time after which an operation without an answer fails. It may still take effect.
    pub deadline: Duration,
}

impl Default for ClientOptions {
    fn default() -> ClientOptions {
        ClientOptions { deadline: Duration::from_secs(30) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperationError {
    Errno(Errno),
    /// No answer within the deadline, and why. The operation may have taken effect, or still do.
    Unanswered(String),
}

impl fmt::Display for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperationError::Errno(errno) => f.write_str(words(*errno)),
            OperationError::Unanswered(why) => f.write_str(why),
        }
    }
}

fn words(errno: Errno) -> &'static str {
    match errno {
        Errno::EEXIST => "already exists",
        Errno::ENOENT => "does not exist",
        Errno::ENOTEMPTY => "the directory is not empty",
        Errno::EINVAL => "the root, an invalid name, or a directory moved into its own descendant",
        Errno::ENAMETOOLONG => "a name of more than 255 bytes",
        Errno::EISDIR => "is a directory",
        Errno::ENOTDIR => "is not a directory",
        Errno::EPERM => "a directory can have only one name",
        Errno::ESTALE => "another client replaced the entry, or the directory has moved",
        Errno::EFBIG => "the directory is too large to move",
        Errno::EIO => "the servers' rows of the directory differ: run `tenbin meta fsck`",
    }
}

/// A session with the service. Dropping it ends the session once all operations are answered.
pub struct Client {
    calls: mpsc::Sender<Call>,
    open: Arc<Semaphore>,
    session: Session,
    options: ClientOptions,
    driver: JoinHandle<()>,
}

type Answer<T> = Result<T, OperationError>;

impl Client {
    /// Registers with the first server that answers.
    ///
    /// # Errors
    /// No server answers, or one refuses this client.
    pub async fn connect(cluster: &Cluster, options: ClientOptions) -> Result<Client, Error> {
        let (session, members) = register(cluster, options.deadline).await?;
        let cluster = &cluster.clone().with_members(members.map(|members| *members));
        let (calls, queue) = mpsc::channel(MOST_OPEN);
        let driver = tokio::spawn(Driver::new(cluster, session).run(queue));
        let open = Arc::new(Semaphore::new(MOST_OPEN));
        Ok(Client { calls, open, session, options, driver })
    }

    /// Unique among all clients of the cluster, at any time.
    pub fn id(&self) -> u32 {
        self.session.id
    }

    /// Runs an operation of the protocol.
    ///
    /// # Errors
    /// `Unanswered`. Errors of the service are outcomes.
    pub async fn run(&self, operation: Operation) -> Answer<Completed> {
        let unanswered = |why: &str| OperationError::Unanswered(String::from(why));
        let deadline = self.options.deadline;
        let permit = timeout(deadline, Arc::clone(&self.open).acquire_owned()).await;
        let permit = permit.map_err(|_| unanswered("32 operations have no answer yet"))?;
        let permit = permit.map_err(|_| unanswered("the client is closed"))?;
        let (problem, reason) = oneshot::channel();
        let (reply, answer) = oneshot::channel();
        let call = Call { operation, reply, problem, deadline, permit };
        let sent = self.calls.send(call).await;
        sent.map_err(|_| unanswered("the client is closed"))?;
        tokio::select! {
            biased;
            Ok(completed) = answer => Ok(completed),
            Ok(why) = reason => Err(OperationError::Unanswered(why)),
            else => Err(unanswered("the client is closed")),
        }
    }

    async fn outcome(&self, operation: Operation) -> Answer<Outcome> {
        match self.run(operation).await?.outcome {
            Outcome::Failed(errno) => Err(OperationError::Errno(errno)),
            outcome => Ok(outcome),
        }
    }

    async fn ino(&self, operation: Operation) -> Answer<Ino> {
        match self.outcome(operation).await? {
            Outcome::Of(ino) => Ok(ino),
            _ => Err(OperationError::Errno(Errno::EIO)),
        }
    }

    pub async fn lookup(&self, directory: Ino, name: &Name) -> Answer<Ino> {
        self.ino(Operation::Lookup(Key::entry(directory, name))).await
    }

    pub async fn stat(&self, directory: Ino, name: &Name) -> Answer<Inode> {
        match self.outcome(Operation::Stat(Key::entry(directory, name))).await? {
            Outcome::Inode(inode) => Ok(*inode),
            _ => Err(OperationError::Errno(Errno::EIO)),
        }
    }

    pub async fn create(&self, directory: Ino, name: &Name, of: Attributes) -> Answer<Ino> {
        self.ino(Operation::Create(Key::entry(directory, name), of)).await
    }

    pub async fn mkdir(&self, directory: Ino, name: &Name, of: Attributes) -> Answer<Ino> {
        self.ino(Operation::Mkdir(Key::entry(directory, name), of)).await
    }

    pub async fn setattr(&self, directory: Ino, name: &Name, change: Change) -> Answer<Ino> {
        self.ino(Operation::Setattr(Key::entry(directory, name), Box::new(change))).await
    }

    /// A file's inode and contents.
    pub async fn read(&self, directory: Ino, name: &Name) -> Answer<Box<File>> {
        match self.outcome(Operation::Read(Key::entry(directory, name))).await? {
            Outcome::File(file) => Ok(file),
            _ => Err(OperationError::Errno(Errno::EIO)),
        }
    }

    pub async fn unlink(&self, directory: Ino, name: &Name) -> Answer<Ino> {
        self.ino(Operation::Unlink(Key::entry(directory, name))).await
    }

    pub async fn rmdir(&self, directory: Ino, name: &Name) -> Answer<Ino> {
        self.ino(Operation::Rmdir(Key::entry(directory, name))).await
    }

    pub async fn rename(&self, from: Key, to: Key) -> Answer<Ino> {
        self.ino(Operation::Rename(Box::new(TwoPaths { from, to }))).await
    }

    pub async fn link(&self, from: Key, to: Key) -> Answer<Ino> {
        self.ino(Operation::Link(Box::new(TwoPaths { from, to }))).await
    }

    /// Sorted by name. Each entry is from some moment of the operation.
    pub async fn readdir(&self, directory: Ino) -> Answer<Vec<Listed>> {
        match self.outcome(Operation::Readdir(Key::itself(directory), 0, 0)).await? {
            Outcome::Page(page) => {
                let mut all: Vec<Listed> = page.listed().cloned().collect();
                all.sort_by(|a, b| a.name.cmp(&b.name));
                Ok(all)
            }
            _ => Err(OperationError::Errno(Errno::EIO)),
        }
    }

    /// Ends the session; waits until the servers know.
    pub async fn close(self) {
        drop(self.calls);
        let _ = self.driver.await;
    }
}

/// A session of the first server that answers.
async fn register(
    cluster: &Cluster,
    deadline: Duration,
) -> Result<(Session, Option<Box<Members>>), Error> {
    let numbers = cluster.numbers();
    let began = crate::clock::now();
    let mut first = usize::try_from(crate::clock::wall_ns() % 1_000).unwrap_or(0);
    loop {
        let mut problems = Vec::new();
        for server in numbers.iter().copied().cycle().skip(first).take(numbers.len()) {
            match connect(cluster, server, Caller::Client(None)).await {
                Ok(connection) => match connection.session {
                    Some(session) => return Ok((session, connection.members)),
                    None => problems.push(format!("server {server} assigned no client id")),
                },
                Err(ConnectError::Away(why)) => problems.push(why),
                Err(ConnectError::Refused(why)) => return Err(Error::BadInput(why)),
            }
        }
        if began.elapsed() >= deadline {
            let what = "no server of the cluster answers: start its nodes (`tenbin meta node`)";
            return Err(Error::Failed(format!("{what}: {}", problems.join("; "))));
        }
        first += 1;
        tokio::time::sleep(Duration::from_millis(100)).await
    }
}
