//! What was written lies on the disks, and nowhere else: as after days, not seconds.
use super::Program;
use crate::bed::Host;
use std::path::Path;
use std::time::Duration;
use system::Failure;

/// All is on the disks before this.
const PATIENCE: Duration = Duration::from_secs(600);

/// What a file's pages hold goes from memory; it is opened by the node and not by this process,
/// which serves the disk.
const COLD: &str = "
for disk in $(echo $TENBIN_DISKS | tr , ' '); do
  sync -f $disk
  find $disk -type f -size +64k -exec sh -c '
    for file; do dd if=$file iflag=nocache count=0 status=none; done' sh {} +
done
";

/// Has a node's disks hold all that was written to them, and memory none of it.
///
/// # Errors
/// A program fails; interrupted.
pub fn cold(host: &Host, log: &Path) -> Result<(), Failure> {
    Program::run(host, &["sh", "-euc", COLD], (Path::new("/dev/null"), log), PATIENCE)
}
