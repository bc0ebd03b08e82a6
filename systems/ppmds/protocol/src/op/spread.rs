//! Moves a directory to other servers.
use super::super::message::{Moves, Write};
use super::super::view::{HeldRow, Plan, Stop, View, fails};
use super::super::{Errno, Ino, List, Outcome, Placement, Row};

/// Moves rows and remembered answers to the servers of the new list, and writes the list on all
/// servers. Fails with `ESTALE` if `base` is not 0 and not the mark of the current list.
pub fn spread<P: Placement + ?Sized>(
    view: &mut View<'_, P>,
    directory: Ino,
    to: &List,
    base: u64,
) -> Result<Plan, Stop> {
    let home = view.placement.home(directory);
    if base != 0 && view.list(directory)?.mark() != base {
        return fails(Errno::ESTALE);
    }
    let moves = Moves { to: to.clone(), base };
    // The home first: of several rivals, those that wait hold no locks.
    let Some(known) = view.leaving(home, directory, &moves)?.row().and_then(Row::list) else {
        return fails(Errno::ENOENT);
    };
    let mut holders = known.holders(home);
    let new = to.holders(home);
    holders.extend(&new);
    holders.sort_unstable();
    holders.dedup();
    let rows: Vec<Result<&HeldRow, Stop>> =
        holders.iter().map(|at| view.leaving(*at, directory, &moves)).collect();
    let rows = rows.into_iter().collect::<Result<Vec<&HeldRow>, Stop>>()?;
    let mut writes = Vec::new();
    for held in rows {
        for write in &held.row.moved {
            let key = match write {
                Write::Row(key, _) => key,
                Write::Answer(_, saved) => &saved.key,
            };
            writes.push((to.owner(directory, &key.name), write.clone()));
            if matches!(write, Write::Row(..)) {
                writes.push((held.server, Write::Row(key.clone(), None)))
            }
        }
        let (spread, servers) = (to.spread.clone(), to.servers.clone());
        let list = List { spread, servers, ..List::clone(known) };
        let list = if held.server == home { list } else { list.away() };
        writes.push(match new.contains(&held.server) {
            true => view.put(held, Row::List(list.into())),
            false => held.removed(),
        })
    }
    Ok(Plan::new(Outcome::Done, writes))
}
