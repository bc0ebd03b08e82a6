//! PPMDS's placement of directories: `policy.metadata`.
use super::Policy;
use ppmds::policy::metadata::{self, Ino, Metadata, Servers, Spread, View};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

struct InPython {
    policy: Policy,
    /// By directory and number of servers: a directory is asked for with every operation.
    known: Mutex<BTreeMap<(Ino, u32), Vec<u32>>>,
}

/// Adds a policy under a name.
#[pyfunction]
pub fn give_placement(name: &str, doc: &str, function: Py<PyAny>) {
    let policy = Policy::new(name, doc, function);
    metadata::give(Box::leak(Box::new(InPython { policy, known: Mutex::default() })))
}

impl InPython {
    fn servers(&self, directory: Ino, view: &View) -> Vec<u32> {
        let home = view.home(directory);
        self.policy.decide(vec![home], |py, function| {
            let answer = function.call1(py, (directory, view.servers, home))?;
            let servers: Option<Vec<u32>> = answer.extract(py).ok();
            let is_right = |all: &Vec<u32>| {
                let mut distinct = all.clone();
                distinct.sort_unstable();
                distinct.dedup();
                !all.is_empty()
                    && distinct.len() == all.len()
                    && all.iter().all(|server| *server < view.servers)
            };
            servers.filter(is_right).ok_or_else(|| {
                let last = view.servers - 1;
                let answer = answer.bind(py);
                self.policy.wrong(
                    py,
                    format!(
                        "returned {answer} for directory {directory}: expected a list of different \
                     servers from 0 to {last}"
                    ),
                )
            })
        })
    }
}

impl Metadata for InPython {
    fn name(&self) -> &'static str {
        self.policy.name
    }

    fn doc(&self) -> &'static str {
        self.policy.doc
    }

    fn list(&self, view: &View, directory: Ino) -> (Spread, Servers) {
        let key = (directory, view.servers);
        let known = || self.known.lock().expect("no thread panics while holding it");
        if let Some(servers) = known().get(&key) {
            return (Spread::Hash, form(servers, view.servers));
        }
        // Without the lock: the function may take long.
        let servers = self.servers(directory, view);
        known().insert(key, servers.clone());
        (Spread::Hash, form(&servers, view.servers))
    }
}

/// Consecutive servers have a short form in messages, as those of the policies in Rust.
fn form(servers: &[u32], of: u32) -> Servers {
    match servers.windows(2).all(|two| (two[0] + 1) % of == two[1]) {
        true => Servers::Run { first: servers[0], count: units::u32_of(servers.len()), of },
        false => servers.to_vec().into(),
    }
}
