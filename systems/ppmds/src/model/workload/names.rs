//! Names of entries: 16 hexadecimal digits, the client's number and its own count.
use crate::model::settings::Settings;
use engine::Draw;
use ppmds_protocol::{Ino, Key, Name, ROOT};

/// A client's n-th name.
pub fn own(client: u32, n: u32) -> Name {
    let number = u64::from(client) << 32 | u64::from(n);
    let digit = |at: usize| b"0123456789abcdef"[(number >> (60 - 4 * at) & 15) as usize];
    Name::new(&std::array::from_fn::<u8, 16, _>(digit)).expect("letters and digits")
}

/// A name that all clients use, in a directory by its popularity.
pub fn shared(settings: &Settings, mut draw: Draw) -> Key {
    let which = draw.below(u64::from(settings.shared_names));
    Key::entry(drawn(settings, draw), &own(u32::MAX, units::narrow(which)))
}

/// The n-th of the directories that are there when the service begins: the root, or so many in it.
pub fn directory(settings: &Settings, n: u32) -> Ino {
    if settings.directories.is_empty() { ROOT } else { ROOT + 1 + u64::from(n) }
}

/// A directory by its popularity.
pub fn drawn(settings: &Settings, mut draw: Draw) -> Ino {
    if settings.directories.is_empty() {
        return ROOT;
    }
    let unit = draw.unit();
    let place = settings.directories.partition_point(|upto| *upto <= unit);
    let place = place.min(settings.directories.len() - 1);
    directory(settings, units::narrow(place as u64))
}

/// The entry in the root of a directory that is there when the service begins.
pub fn of_directory(n: u32) -> Key {
    let name = format!("dir{n:07}");
    Key::entry(ROOT, &Name::new(name.as_bytes()).expect("letters and digits"))
}
