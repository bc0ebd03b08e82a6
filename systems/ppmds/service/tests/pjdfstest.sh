#!/bin/bash
# Runs pjdfstest on a mount of three servers: TENBIN PJDFSTEST FOLDER. Needs root and /dev/fuse.
# Fails on any test that fails for another reason than those of docs/service.md, *Mount*.
set -eu
tenbin=$(realpath "$1") pjdfstest=$(realpath "$2") folder=$3
rm -rf "$folder" && mkdir -p "$folder/mnt" && cd "$folder"
trap 'fusermount3 -u mnt 2>/dev/null || true; kill $(jobs -p) 2>/dev/null || true; wait' EXIT
ports=(7601 7602 7603)
"$tenbin" meta init meta.toml --servers "$(printf '127.0.0.1:%s,' "${ports[@]}" | sed 's/,$//')"
for port in "${ports[@]}"; do
  "$tenbin" meta node --cluster meta.toml --listen "127.0.0.1:$port" --data "data-$port" &
done
"$tenbin" meta mount mnt --cluster meta.toml --allow-other &
for _ in $(seq 100); do mountpoint -q mnt && break || sleep 0.1; done
mkdir -m 777 mnt/tests
cat >settings.toml <<'END'
[settings]
naptime = 0.01
allow_remount = false
expected_failures = []
[dummy_auth]
entries = [["nobody", "nogroup"], ["daemon", "daemon"]]
END
"$pjdfstest" -c settings.toml -p mnt/tests >log 2>&1 || true
# Devices; times of a directory; its links; files of more than 256 KiB.
reasons='::(char|block) |changed_parent_time_success|changed_time_fields_success'
reasons+='|changed_time_parent_success|update_mtime_ctime_success_folder|link::changed_ctime_success'
reasons+='|rename::updates_link_parent|extend_file_shrink_sparse|open::interact_2gb'
count() { grep -cE "^[a-z_0-9:]+ +$1\$" log || true; }
echo "pjdfstest: $(count ok) pass, $(count FAILED) fail, $(count skipped) do not apply"
test "$(count ok)" -gt 200
! grep -E 'FAILED$' log | grep -vE "$reasons"
