//! One of the two copies of a server's rows: which it is, and what may become of it.
use super::follower::Follower;
use super::inputs::Input;
use super::mirror::{Mirror, Standby};
use super::notices::Notices;
use super::options::NodeOptions;
use crate::Error;
use crate::cluster::Cluster;
use crate::core::Core;
use crate::disk::{Disk, Journaled, all_rows, row_of};
use crate::durability::Durability;
use crate::folder::Folder;
use crate::rows::{MEMBERS, Role, STANDING, Standing, members_of};
use std::sync::mpsc::Receiver;
use tokio::sync::watch;

type Closed = watch::Sender<Option<String>>;

/// A server without its former standby starts a range of this many generations.
const DETACHED: u32 = 1_000;

pub struct Copy {
    disk: Journaled,
    standing: Option<Standing>,
    claim: Box<dyn Fn() -> Result<(), Error>>,
}

impl Copy {
    /// # Errors
    /// The folder is another server's.
    pub fn open(options: &NodeOptions) -> Result<Copy, Error> {
        let (layout, me, data) = (options.cluster.layout(), options.server, options.data.clone());
        let folder = Folder::open(&data, &layout, me)?;
        let is_new = folder.is_new;
        let disk = Journaled::open(folder, options.durability == Durability::Async)?;
        let standing = if is_new { None } else { Some(standing_of(&disk)?) };
        let claim = Box::new(move || Folder::claim(&data, &layout, me));
        Ok(Copy { disk, standing, claim })
    }

    /// The cluster with the servers that this node has learned of.
    pub fn cluster(&self, of_file: Cluster) -> Result<Cluster, Error> {
        let invalid = || Error::Failed(String::from("row m: not of this version"));
        let row = row_of(&self.disk, MEMBERS)?;
        let members = row.map(|row| members_of(&row).ok_or_else(invalid)).transpose()?;
        Ok(of_file.with_members(members))
    }

    /// # Errors
    /// The file is older than the servers that this node knows, and has other addresses for it.
    pub fn check_pair(&self, options: &NodeOptions, known: &Cluster) -> Result<(), Error> {
        let (file, me) = (&options.cluster, options.server);
        let pair = |of: &Cluster| of.places(me).cloned().collect::<Vec<String>>();
        match pair(file) == pair(known) {
            true => Ok(()),
            false => Err(Error::BadInput(format!(
                "the cluster file is older than the rows of server {me} (version {} and {}), and \
                 has other addresses for it: copy the current cluster file here",
                file.version(),
                known.version()
            ))),
        }
    }

    /// # Errors
    /// The folder must not be started so.
    pub fn check(&self, options: &NodeOptions) -> Result<(), Error> {
        let (me, place) = (options.server, options.data.display());
        let Some(Standing { role, .. }) = self.standing else { return Ok(()) };
        let has_standby = options.cluster.standbys[me as usize].is_some();
        if options.without_standby && has_standby {
            return Err(Error::BadInput(format!(
                "--without-standby: the cluster file has a standby for server {me}: remove that \
                 line first"
            )));
        }
        if !options.is_standby && role == Role::Standby {
            return Err(Error::BadInput(format!(
                "{place}: the folder of a standby: promote it first with `tenbin meta promote {me}`"
            )));
        }
        if !options.is_standby && !has_standby && role == Role::Main && !options.without_standby {
            return Err(Error::BadInput(format!(
                "{place}: server {me} has had a standby, and the cluster file has none: if that \
                 were promoted, it would lack what this server acknowledges from now on. Remove \
                 the folder of the standby, then start this node once with --without-standby"
            )));
        }
        Ok(())
    }

    /// A promoted standby stays a server at its address.
    pub fn role(&self, options: &NodeOptions) -> Role {
        match self.standing {
            Some(Standing { role: Role::Promoted, .. }) => Role::Promoted,
            _ if options.is_standby => Role::Standby,
            Some(Standing { role, .. }) => role,
            None => Role::Single,
        }
    }

    /// Follows the server. Whether it was promoted; if not, the node stops.
    pub fn follow(
        &mut self,
        me: u32,
        inputs: &Receiver<Input>,
        closed: &Closed,
        pause: &dyn Fn() -> bool,
    ) -> Result<bool, Error> {
        closed.send_replace(Some(format!("the standby of server {me}, not promoted")));
        let follower = Follower::new(&mut self.disk, (me, self.standing), &*self.claim);
        self.standing = follower.run(inputs, pause)?;
        Ok(self.standing.is_some())
    }

    /// The server's state; makes that of a new server.
    pub fn core(&mut self, options: &NodeOptions, notices: &Notices) -> Result<Core, Error> {
        let (cluster, me) = (&options.cluster, options.server);
        let layout = cluster.layout();
        if self.standing.is_none() {
            // Generation 0: a standby that has rows does not follow.
            notices.warn(&format!(
                "{}: an empty folder: server {me} starts as a new server, without rows",
                options.data.display()
            ));
            let standing = Standing { generation: 0, role: Role::Single };
            let mut first = Core::first_rows(&layout, me);
            first.0.extend(standing.changes().0);
            self.disk.commit(&first, true)?;
            (self.claim)()?;
            self.standing = Some(standing)
        }
        let rows = all_rows(&self.disk)?;
        let core = Core::open(cluster.placement(), cluster.options(), me, rows.into_iter());
        core.map_err(|e| Error::Failed(format!("{}: {e}", options.data.display())))
    }

    /// The server's disk, with its standby once that follows.
    pub fn serving<'a>(
        self,
        options: &NodeOptions,
        (closed, notices): (Closed, Notices),
        pause: &'a dyn Fn() -> bool,
    ) -> Result<(Box<dyn Disk + 'a>, Standing), Error> {
        let (cluster, me) = (options.cluster.clone(), options.server);
        let Copy { mut disk, standing, .. } = self;
        let mut standing = standing.unwrap_or(Standing { generation: 0, role: Role::Single });
        let former = standing;
        let address = cluster.standbys[me as usize].clone().filter(|_| !options.is_standby);
        let Some(address) = address else {
            standing.generation = standing.generation.max(1);
            if options.without_standby {
                // Not a generation that the former standby reaches by a few promotions.
                standing.generation = (standing.generation / DETACHED + 1) * DETACHED
            }
            if standing.role == Role::Main {
                standing.role = Role::Single
            }
            if standing != former {
                disk.commit(&standing.changes(), true)?
            }
            return Ok((Box::new(disk), standing));
        };
        let runtime = crate::runtime::runtime().map_err(|e| Error::Failed(e.to_string()))?;
        let generation = standing.generation;
        let standby = Standby {
            cluster,
            me,
            address,
            generation,
            closed,
            notices,
            pause,
            runtime,
            open: None,
            number: 0,
            confirmed: None,
        };
        let mut mirror = Mirror { local: disk, standby };
        mirror.attach()?;
        standing = Standing { generation: generation.max(1), role: Role::Main };
        mirror.standby.generation = standing.generation;
        if standing != former {
            mirror.local.commit(&standing.changes(), true)?
        }
        Ok((Box::new(mirror), standing))
    }
}

/// # Errors
/// The row is of another version.
fn standing_of(disk: &Journaled) -> Result<Standing, Error> {
    let row = row_of(disk, STANDING)?;
    let what = "row g: not of this version";
    Standing::read(row.as_deref()).ok_or_else(|| Error::Failed(String::from(what)))
}
