//! `tenbin testbed …`
use crate::cli::{Testbed, TestbedArgs};
use ::testbed::disk::{DiskArgs, disk};
use ::testbed::log::{self, Image};
use ::testbed::place::Place;
use ::testbed::plan::Plan;
use ::testbed::server::DiskKind;
use ::testbed::{detach, exec, place, up};
use system::{Failure, console, vary};

pub fn testbed(args: TestbedArgs) -> Result<(), Failure> {
    match args.what {
        Testbed::Disk(args) => {
            if args.kind.detach {
                return detach::detach(Place::of(&args.name)?);
            }
            disk(&DiskArgs {
                kind: DiskKind { log: args.log, ..args.kind.of(*args.model) },
                name: args.name,
                devices: args.devices,
            })
        }
        Testbed::Image(args) => {
            let made = log::image(&args.log, &args.image, args.upto)?;
            let Image { changes, bytes } = made;
            console::text(&format!("{changes} writes, {bytes} bytes of the log\n"))
        }
        Testbed::Up(args) => {
            let plan = Plan::read(&args.cluster, &vary::sets(&args.sets)?, &args.also)
                .map_err(|e| Failure::BadInput(e.to_string()))?;
            let place = Place::of(args.name.as_deref().unwrap_or(&plan.name))?;
            if args.kind.detach {
                return detach::detach(place);
            }
            up::up(place, &plan, &args.kind.of(plan.disk))
        }
        Testbed::Exec(args) => {
            let place = Place::only(args.name.as_deref())?;
            Err(exec::exec(&place, &args.node, &args.line))
        }
        Testbed::Down(args) => Place::only(args.name.as_deref())?.down(),
        Testbed::Status(args) => console::text(&place::status(args.name.as_deref())?),
    }
}
