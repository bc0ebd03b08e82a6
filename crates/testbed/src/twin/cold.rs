//! Flushes data to the disks and drops it from memory, as if written days ago.
use super::Program;
use crate::bed::Host;
use std::path::Path;
use std::time::Duration;
use system::Failure;

const PATIENCE: Duration = Duration::from_secs(600);

/// Drops files from the page cache. The node opens them: this process serves the disk and must not.
const COLD: &str = "
for disk in $(echo $TENBIN_DISKS | tr , ' '); do
  sync -f $disk
  find $disk -type f -size +64k -exec sh -c '
    for file; do dd if=$file iflag=nocache count=0 status=none; done' sh {} +
done
";

/// # Errors
/// A program fails; interrupted.
pub fn cold(host: &Host, log: &Path) -> Result<(), Failure> {
    Program::run(host, &["sh", "-euc", COLD], (Path::new("/dev/null"), log), PATIENCE)
}
