//! An opened device, its registered memory, and its address for peers.
use super::sys::{self, Functions, Gid};
use rustix::fs::{OFlags, fcntl_setfl};
use std::ffi::{CStr, c_int};
use std::io;
use std::net::IpAddr;
use std::os::fd::BorrowedFd;
use std::sync::Arc;

/// Advice for machines without a device.
const OR_TCP: &str = "or use --transport tcp";
/// Addresses of a port to examine.
const MOST_GIDS: u8 = 64;
/// The only port of most devices. The second port of a few is a separate device today.
const PORT: u8 = 1;

/// A device with a protection domain and a completion channel.
pub(super) struct Device {
    pub(super) functions: &'static Functions,
    name: String,
    context: *mut sys::Context,
    domain: sys::Opaque,
    channel: *mut sys::Channel,
    /// Largest packet of the port as verbs encode it: 3 is 1024 bytes.
    pub(super) mtu: u32,
    pub(super) lid: u16,
    is_ethernet: bool,
    gids: u8,
}

// SAFETY: the functions of libibverbs may be called by any thread (ibv_open_device(3)), and nothing
// is changed in what these pointers lead to.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) gid: [u8; 16],
    pub(super) index: u8,
}

fn none(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("no RDMA device: {why}, {OR_TCP}"))
}

fn last(what: &str) -> io::Error {
    let e = io::Error::last_os_error();
    io::Error::new(e.kind(), format!("{what}: {e}"))
}

impl Device {
    /// Opens the first device with an active port.
    ///
    /// # Errors
    /// No library, no device, no active port, or the device cannot be opened.
    pub(super) fn open() -> io::Result<Arc<Device>> {
        let functions = sys::functions().map_err(|e| {
            none(&format!("{e}: install rdma-core (Debian: apt-get install ibverbs-providers)"))
        })?;
        let mut count: c_int = 0;
        // SAFETY: the library writes the count, and gives a list of that length or a null pointer.
        let list = unsafe { (functions.list)(&raw mut count) };
        let count = if list.is_null() { 0 } else { usize::try_from(count).unwrap_or(0) };
        let mut found = Err(none(
            "the kernel has no device: see `rdma link`; for a software one over Ethernet: `rdma \
             link add rxe0 type rxe netdev eth0`",
        ));
        for at in 0..count {
            // SAFETY: the list has `count` entries, and stays until it is freed below.
            let device = unsafe { *list.add(at) };
            found = Device::of(functions, device);
            if found.is_ok() {
                break;
            }
        }
        if !list.is_null() {
            // SAFETY: an opened device does not need the list.
            unsafe { (functions.free_list)(list) }
        }
        found.map(Arc::new)
    }

    /// `device` is an entry of the library's list.
    fn of(functions: &'static Functions, device: sys::Opaque) -> io::Result<Device> {
        // SAFETY: a device of the list has a name, which ends with a zero byte.
        let name = unsafe { CStr::from_ptr((functions.name)(device)) };
        let name = name.to_string_lossy().into_owned();
        // SAFETY: the device is of the list.
        let context = unsafe { (functions.open)(device) };
        if context.is_null() {
            return Err(last(&format!("RDMA device {name} cannot be opened")));
        }
        let (domain, channel) = (std::ptr::null_mut(), std::ptr::null_mut());
        let (mtu, lid, is_ethernet, gids) = (0, 0, false, 0);
        let mut device =
            Device { functions, name, context, domain, channel, mtu, lid, is_ethernet, gids };
        device.look()?;
        // SAFETY: the context is open.
        device.domain = unsafe { (functions.alloc_pd)(context) };
        // SAFETY: the same.
        device.channel = unsafe { (functions.create_channel)(context) };
        if device.domain.is_null() || device.channel.is_null() {
            return Err(last(&format!("RDMA device {} provides no resources", device.name)));
        }
        fcntl_setfl(device.bell(), OFlags::NONBLOCK)?;
        Ok(device)
    }

    fn look(&mut self) -> io::Result<()> {
        let kind = std::fs::read_to_string(format!("{}/node_type", self.folder()));
        if kind.is_ok_and(|kind| kind.contains("RNIC")) {
            // iWARP connects its queue pairs over its own TCP.
            return Err(none(&format!("{} speaks iWARP, which is not supported", self.name)));
        }
        let mut port = sys::Port::default();
        // SAFETY: the context is open, and the place is at least as large as what is written.
        let failed = unsafe { (self.functions.query_port)(self.context, PORT, &raw mut port) };
        if failed != 0 || port.state != sys::ACTIVE {
            let name = &self.name;
            return Err(none(&format!("port {PORT} of {name} is not active: see `rdma link`")));
        }
        (self.mtu, self.lid) = (port.mtu, port.lid);
        self.gids = u8::try_from(port.gids.max(0)).map_or(MOST_GIDS, |gids| gids.min(MOST_GIDS));
        self.is_ethernet = port.layer == sys::ETHERNET;
        Ok(())
    }

    pub(super) fn context(&self) -> *mut sys::Context {
        self.context
    }

    pub(super) fn domain(&self) -> sys::Opaque {
        self.domain
    }

    pub(super) fn channel(&self) -> *mut sys::Channel {
        self.channel
    }

    pub(super) fn is_ethernet(&self) -> bool {
        self.is_ethernet
    }

    /// Readable when an armed queue has a completion.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        // SAFETY: the channel exists as long as the device, and so does its descriptor.
        unsafe { BorrowedFd::borrow_raw((*self.channel).fd) }
    }

    /// Consumes all events of the bell. Returns whether there were any.
    pub(super) fn take_events(&self) -> bool {
        let mut rang = false;
        let (mut queue, mut owner) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the channel exists, it does not block, and both places can be written.
        while unsafe {
            (self.functions.get_event)(self.channel, &raw mut queue, &raw mut owner) == 0
        } {
            rang = true;
            // SAFETY: a queue whose event was got exists: its end waits for this call.
            unsafe { (self.functions.ack_events)(queue, 1) }
        }
        rang
    }

    /// The port's address for the peer of a connection. Prefers the interface with the address
    /// `local`, then RoCE v2.
    pub(super) fn place(&self, local: Option<IpAddr>) -> io::Result<Place> {
        let wanted = local.map(|ip| match ip {
            IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
            IpAddr::V6(ip) => ip.octets(),
        });
        let mut found: Vec<(u8, Place)> = Vec::new();
        for index in 0..self.gids {
            let mut gid = Gid::default();
            // SAFETY: the context is open, and the place can be written.
            let failed = unsafe {
                (self.functions.query_gid)(self.context, PORT, index.into(), &raw mut gid)
            };
            if failed != 0 || gid.0 == [0; 16] {
                continue;
            }
            let place = Place { gid: gid.0, index };
            let is_wanted = wanted == Some(gid.0);
            found.push((rank(gid.0, is_wanted, self.is_routable(index)), place));
        }
        let best = found.into_iter().min_by_key(|(rank, place)| (*rank, place.index));
        let nothing = || io::Error::other(format!("RDMA device {} has no address", self.name));
        best.map(|(_, place)| place).ok_or_else(nothing)
    }

    fn folder(&self) -> String {
        format!("/sys/class/infiniband/{}", self.name)
    }

    /// The address is of RoCE v2, over UDP.
    fn is_routable(&self, index: u8) -> bool {
        let file = format!("{}/ports/{PORT}/gid_attrs/types/{index}", self.folder());
        let kind = std::fs::read_to_string(file);
        kind.is_ok_and(|kind| kind.trim() == "RoCE v2")
    }
}

/// Preference of an address; 0 is best.
fn rank(gid: [u8; 16], is_wanted: bool, is_routable: bool) -> u8 {
    let is_mapped = gid[..12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
    let is_link_local = gid[..2] == [0xfe, 0x80];
    match (is_routable, is_wanted, is_mapped, is_link_local) {
        (true, true, ..) => 0,
        (true, _, true, _) => 1,
        (true, _, _, false) => 2,
        (true, ..) => 3,
        (false, true, ..) => 4,
        (false, ..) => 5,
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: what was made with it holds an `Arc` of it, and is gone therefore.
        unsafe {
            if !self.channel.is_null() {
                (self.functions.destroy_channel)(self.channel);
            }
            if !self.domain.is_null() {
                (self.functions.dealloc_pd)(self.domain);
            }
            (self.functions.close)(self.context);
        }
    }
}

/// Pinned memory that the device may read and peers may write.
pub(super) struct Region {
    device: Arc<Device>,
    mr: *mut sys::Mr,
    address: u64,
}

// SAFETY: as for `Device`.
unsafe impl Send for Region {}

impl Region {
    /// Pins memory and registers it with the device.
    ///
    /// # Safety
    /// The memory must stay in place until the region is dropped. A slot may be read only after a
    /// completion showed that no peer writes it.
    pub(super) unsafe fn new(
        device: &Arc<Device>,
        at: *mut u8,
        bytes: usize,
    ) -> io::Result<Region> {
        let access = sys::LOCAL_WRITE | sys::REMOTE_WRITE;
        // SAFETY: the caller says that the memory is there, and stays.
        let mr = unsafe { (device.functions.reg_mr)(device.domain, at.cast(), bytes, access) };
        match mr.is_null() {
            true => Err(not_pinned(bytes)),
            false => Ok(Region { device: device.clone(), mr, address: at.addr() as u64 }),
        }
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// For local requests.
    pub(super) fn local_key(&self) -> u32 {
        // SAFETY: the region exists until it is dropped.
        unsafe { (*self.mr).lkey }
    }

    pub(super) fn remote_key(&self) -> u32 {
        // SAFETY: as above.
        unsafe { (*self.mr).rkey }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: it was registered once and is given back once.
        unsafe { (self.device.functions.dereg_mr)(self.mr) };
    }
}

/// The error of a failed pin, with advice.
fn not_pinned(bytes: usize) -> io::Error {
    use rustix::process::{Resource, getrlimit};
    let e = io::Error::last_os_error();
    let limit = match getrlimit(Resource::Memlock).current {
        Some(limit) => format!("this process may lock {limit} bytes (RLIMIT_MEMLOCK)"),
        None => "this process may lock any number (RLIMIT_MEMLOCK)".into(),
    };
    let why = format!(
        "{bytes} bytes cannot be pinned for RDMA: {e}; {limit}: raise it by `ulimit -l`, or by \
         LimitMEMLOCK= of a systemd unit, {OR_TCP}"
    );
    io::Error::new(io::ErrorKind::OutOfMemory, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_same_interface_is_best() {
        let mapped = |last| [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, last];
        let mut local = [0; 16];
        (local[0], local[1]) = (0xfe, 0x80);
        let ranks = [
            rank(mapped(1), true, true),
            rank(mapped(2), false, true),
            rank(local, false, true),
            rank(mapped(1), true, false),
            rank(local, false, false),
        ];
        assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
    }

    #[test]
    fn what_cannot_be_pinned_is_said_with_the_limit() {
        let text = not_pinned(64 << 20).to_string();
        assert!(text.contains("67108864 bytes") && text.contains("RLIMIT_MEMLOCK"), "{text}");
        assert!(text.ends_with(OR_TCP), "{text}");
    }
}
