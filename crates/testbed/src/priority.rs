//! Threads that serve disks have real-time priority, so that a disk never waits for a CPU.
use nix::libc;

/// Sets or resets the priority of this thread and its future children; no effect without
/// permission.
pub fn first(yes: bool) {
    let policy = if yes { libc::SCHED_RR } else { libc::SCHED_OTHER };
    let of = libc::sched_param { sched_priority: yes.into() };
    // SAFETY: it reads `of`, which lives until it returns.
    unsafe { libc::sched_setscheduler(0, policy, &of) };
}
