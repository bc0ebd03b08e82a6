//! Who serves disks runs before all else: a disk does not wait for a processor.
use nix::libc;

/// Has this thread, and those that it starts, run before all others, or as all others; without the
/// right to do so nothing changes.
pub fn first(yes: bool) {
    let policy = if yes { libc::SCHED_RR } else { libc::SCHED_OTHER };
    let of = libc::sched_param { sched_priority: yes.into() };
    // SAFETY: it reads `of`, which lives until it returns.
    unsafe { libc::sched_setscheduler(0, policy, &of) };
}
