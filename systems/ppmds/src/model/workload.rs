//! What a client does next: the same whatever a policy or a setting changes.
use super::message::{Event, Record};
use super::settings::Settings;
use engine::*;
use ppmds_protocol::Op;

/// An operation that is wanted.
pub struct Wanted {
    pub op: Op,
    pub directory: u32,
    pub name: u64,
}

/// The `n`-th operation of a client that has created so many names.
pub fn next(
    settings: &Settings,
    cx: &impl Context<Event, Record>,
    client: u32,
    n: u64,
    created: u32,
) -> Wanted {
    let Some(mix) = &settings.mix else {
        return name(settings, cx, client, Op::Create, created);
    };
    let mut draw = cx.draw("operation", u64::from(client), n);
    let unit = draw.unit();
    let op = mix.iter().find(|(upto, _)| unit < *upto).map_or(Op::Create, |(_, op)| *op);
    match op {
        // Who has nothing yet begins with a create.
        Op::Stat | Op::Lookup | Op::Unlink if created == 0 => {
            name(settings, cx, client, Op::Create, created)
        }
        Op::Stat | Op::Lookup | Op::Unlink => {
            let which = units::narrow::<u32>(draw.below(u64::from(created)));
            name(settings, cx, client, op, which)
        }
        Op::List => {
            let directory = directory(settings, draw.unit());
            Wanted { op, directory, name: 0 }
        }
        _ => name(settings, cx, client, Op::Create, created),
    }
}

/// A client's name of this number, in the directory that it was created in.
fn name(
    settings: &Settings,
    cx: &impl Context<Event, Record>,
    client: u32,
    op: Op,
    which: u32,
) -> Wanted {
    let directory = match settings.directories.is_empty() {
        true => 0,
        false => {
            let mut draw = cx.draw("directory", u64::from(client), u64::from(which));
            directory(settings, draw.unit())
        }
    };
    Wanted { op, directory, name: u64::from(client) << 32 | u64::from(which) }
}

fn directory(settings: &Settings, unit: f64) -> u32 {
    let place = settings.directories.partition_point(|upto| *upto <= unit);
    units::narrow::<u32>(place.min(settings.directories.len().saturating_sub(1)))
}
