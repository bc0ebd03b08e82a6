//! Peak and available memory of this process, and its end if memory runs out.
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Peak resident size \[bytes\]; 0 if the OS does not report it.
pub fn peak_rss_bytes() -> u64 {
    peak()
}

#[cfg(unix)]
fn peak() -> u64 {
    use nix::sys::resource::{UsageWho, getrusage};
    // Linux and the BSDs count in KiB, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    getrusage(UsageWho::RUSAGE_SELF).map_or(0, |u| u64::try_from(u.max_rss()).unwrap_or(0) * unit)
}

#[cfg(not(unix))]
fn peak() -> u64 {
    0
}

/// Memory for this process \[bytes\]: that of the machine, or the limit of its container if lower.
/// `None` on systems other than Linux.
pub fn physical_bytes() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = total(&read("/proc/meminfo")?)?;
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limit = limits.iter().find_map(|path| read(path)?.trim().parse::<u64>().ok());
    Some(limit.map_or(machine, |limit| limit.min(machine)))
}

/// The system allocator; if memory runs out, it prints a message and ends the process.
pub struct AbortingAllocator;

// SAFETY: all of it is the system's.
unsafe impl GlobalAlloc for AbortingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked_pointer(unsafe { System.alloc(layout) }, layout.size())
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked_pointer(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked_pointer(unsafe { System.realloc(place, layout, size) }, size)
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }
}

#[inline(always)]
fn checked_pointer(place: *mut u8, bytes: usize) -> *mut u8 {
    if place.is_null() {
        run_out(bytes)
    }
    place
}

/// Prints without allocating. A result that is being written stays in its hidden folder.
#[cold]
fn run_out(bytes: usize) -> ! {
    eprintln!(
        "error: out of memory: {bytes} more bytes are not available after {} MB at most (the \
         machine has {} MB; see `ulimit -v`). Make the run shorter or smaller. A model that sends \
         more than it handles needs ever more",
        peak() / 1_000_000,
        LIMIT.load(Relaxed) / 1_000_000
    );
    // Skips destructors and handlers, which may allocate.
    exit_now()
}

/// Limit of this process \[bytes\].
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Limits this process to the machine's memory, so that an allocation fails before the OOM killer
/// acts.
pub fn limit() {
    share_one_heap();
    let Some(bytes) = physical_bytes() else { return };
    LIMIT.store(bytes, Relaxed);
    hold_to(bytes)
}

#[cfg(unix)]
fn hold_to(bytes: u64) {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_DATA) {
        let _ = setrlimit(Resource::RLIMIT_DATA, soft.min(bytes), hard);
    }
}

#[cfg(not(unix))]
fn hold_to(_: u64) {}

/// With a limit on addresses (`ulimit -v`), all threads share one heap. glibc reserves 128 MiB of
/// addresses for the heap of each thread; if that fails it tries again at every allocation.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn share_one_heap() {
    use nix::libc::{M_ARENA_MAX, mallopt};
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    if getrlimit(Resource::RLIMIT_AS).is_ok_and(|(soft, _)| soft != RLIM_INFINITY) {
        // SAFETY: it sets a number of the allocator's, before there is a second thread.
        unsafe { mallopt(M_ARENA_MAX, 1) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn share_one_heap() {}

#[cfg(unix)]
fn exit_now() -> ! {
    // SAFETY: it ends the process, and nothing else.
    unsafe { nix::libc::_exit(1) }
}

#[cfg(not(unix))]
fn exit_now() -> ! {
    std::process::abort()
}

/// `MemTotal:       24611660 kB`
fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_machine_has_what_it_says() {
        assert_eq!(super::total("MemTotal:       24611660 kB\nMemFree: 1 kB\n"), Some(25202339840));
        assert_eq!(super::total("nonsense"), None);
    }

    #[test]
    fn the_peak_grows_with_what_is_touched() {
        let before = super::peak_rss_bytes();
        let block = vec![1u8; 64 << 20];
        assert_eq!(std::hint::black_box(&block).iter().map(|b| *b as u64).sum::<u64>(), 64 << 20);
        let after = super::peak_rss_bytes();
        assert!(before > 1 << 20, "{before}");
        assert!((64 << 20..8 << 30).contains(&after), "{after}");
    }
}
