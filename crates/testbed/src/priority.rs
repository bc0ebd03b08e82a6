//! Threads that serve disks have real-time priority, so that a disk never waits for a CPU. Programs
//! on nodes come before other work of the machine.
use nix::libc;

/// Raises this thread and its future threads and children above other work of the machine; no
/// effect without permission.
pub fn raise() {
    // SAFETY: it takes numbers only.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -10) };
}

/// Sets or resets the priority of this thread and its future children; no effect without
/// permission.
pub fn first(yes: bool) {
    let policy = if yes { libc::SCHED_RR } else { libc::SCHED_OTHER };
    let of = libc::sched_param { sched_priority: yes.into() };
    // SAFETY: it reads `of`, which lives until it returns.
    unsafe { libc::sched_setscheduler(0, policy, &of) };
}
