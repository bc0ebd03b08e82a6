//! The effect of each operation on its rows, one file per operation.
mod create;
mod link;
mod remove;
mod rename;
mod setattr;
mod spread;
mod stat;
use super::view::{Plan, Stop, View};
use super::{Operation, Placement};

/// Runs an operation on its open rows.
///
/// # Errors
/// `Later`: rows are missing. `Fails`: the operation fails.
pub fn step<P: Placement + ?Sized>(
    operation: &Operation,
    view: &mut View<'_, P>,
) -> Result<Plan, Stop> {
    match operation {
        Operation::Create(key, attributes) => create::file(view, key, *attributes),
        Operation::Mkdir(key, attributes) => create::directory(view, key, *attributes),
        Operation::Setattr(key, change) => setattr::setattr(view, key, change),
        Operation::Unlink(key) => remove::unlink(view, key),
        Operation::Rmdir(key) => remove::rmdir(view, key),
        Operation::Rename(two) => rename::rename(view, &two.from, &two.to),
        Operation::Link(two) => link::link(view, &two.from, &two.to),
        Operation::Lookup(key) => stat::lookup(view, key),
        Operation::Stat(key) => stat::stat(view, key),
        Operation::Read(key) => stat::read(view, key),
        Operation::Spread(directory, list, base) => spread::spread(view, *directory, list, *base),
        Operation::Servers(_) | Operation::Readdir(..) => {
            unreachable!("one row of one server, which answers at once")
        }
    }
}
